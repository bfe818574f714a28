//! The protocol: control messages in JSON, data and times in bytes (Foxglove's WebSocket protocol, version 1).

use data_encoding::BASE64;
use serde_json::{Value, json};
use touchdown_record::stream::{Channel, Said};

/// First bytes of binary messages.
const MESSAGE_DATA: u8 = 1;
const TIME: u8 = 2;

/// Levels of a status.
pub(super) const WARNING: u8 = 1;
pub(super) const ERROR: u8 = 2;

/// The first text: simulated time is sent, nothing else is offered.
pub(super) fn server_info(name: &str) -> String {
    let metadata = json!({"touchdown": env!("CARGO_PKG_VERSION")});
    json!({"op": "serverInfo", "name": name, "capabilities": ["time"], "metadata": metadata}).to_string()
}

/// All channels with what is needed to decode them.
pub(super) fn advertise(channels: &[Channel]) -> String {
    let channel = |(id, channel): (usize, &Channel)| {
        json!({
            "id": id, "topic": channel.topic, "encoding": "protobuf", "schemaName": channel.schema,
            "schema": BASE64.encode(&channel.descriptor), "schemaEncoding": "protobuf",
        })
    };
    let channels: Vec<Value> = channels.iter().enumerate().map(channel).collect();
    json!({"op": "advertise", "channels": channels}).to_string()
}

/// Words for the user of a viewer.
pub(super) fn status(level: u8, message: &str) -> String {
    json!({"op": "status", "level": level, "message": message}).to_string()
}

/// A message for a subscription.
pub(super) fn message(subscription: u32, said: &Said) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(13 + said.data.len());
    bytes.push(MESSAGE_DATA);
    bytes.extend(subscription.to_le_bytes());
    bytes.extend(said.time.to_le_bytes());
    bytes.extend(&said.data[..]);
    bytes
}

/// The simulated time, ns.
pub(super) fn time(time: u64) -> Vec<u8> {
    let mut bytes = vec![TIME];
    bytes.extend(time.to_le_bytes());
    bytes
}

/// What a viewer asks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Subscriptions with their channels.
    Subscribe(Vec<(u32, usize)>),
    /// Subscriptions.
    Unsubscribe(Vec<u32>),
    /// What this server does not offer, by its name.
    Other(String),
}

/// Reads a text; an error says what is wrong with it.
pub(super) fn read(text: &str) -> Result<Asked, String> {
    let text: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let list = |key: &str| text[key].as_array().ok_or_else(|| format!("{key} must be a list"));
    let number = |value: &Value, key: &str| {
        let id = value.as_u64().and_then(|n| u32::try_from(n).ok());
        id.ok_or_else(|| format!("{key} must be a whole number from 0, found {value}"))
    };
    match text["op"].as_str() {
        Some("subscribe") => {
            let one =
                |s: &Value| Ok((number(&s["id"], "id")?, number(&s["channelId"], "channelId")? as usize));
            list("subscriptions")?.iter().map(one).collect::<Result<_, String>>().map(Asked::Subscribe)
        }
        Some("unsubscribe") => {
            let one = |id: &Value| number(id, "subscriptionIds");
            list("subscriptionIds")?.iter().map(one).collect::<Result<_, String>>().map(Asked::Unsubscribe)
        }
        Some(op) => Ok(Asked::Other(op.into())),
        None => Err("op is missing".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_make_no_sense_are_named() {
        let wrong = [
            ("", "not JSON"),
            ("[]", "op is missing"),
            (r#"{"op":3}"#, "op is missing"),
            (r#"{"op":"subscribe"}"#, "subscriptions must be a list"),
            (r#"{"op":"subscribe","subscriptions":[{"id":-1,"channelId":0}]}"#, "id must be"),
            (r#"{"op":"subscribe","subscriptions":[{"id":1}]}"#, "channelId must be"),
            (r#"{"op":"unsubscribe","subscriptionIds":[4294967296]}"#, "whole number"),
        ];
        for (text, words) in wrong {
            assert!(read(text).expect_err("refused").contains(words), "{text}");
        }
        let asked = read(r#"{"op":"subscribe","subscriptions":[{"id":7,"channelId":1}]}"#);
        assert_eq!(asked, Ok(Asked::Subscribe(vec![(7, 1)])));
    }
}
