//! The server asked by a WebSocket client, as a viewer would and as a stranger would.

use super::Foxglove;
use serde_json::Value;
use std::net::TcpStream;
use std::time::Duration;
use touchdown_record::Scene;
use touchdown_record::stream::{ROWS, Streamed, streamed};
use touchdown_sim::sink::{BodyPose, Column, Frame, Progress, Sink, SinkError};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, WebSocket};

struct Nobody;

impl Sink for Nobody {
    fn series(&mut self, _: &[f64]) -> Result<(), SinkError> {
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }
    fn progress(&mut self, _: Progress) {}
}

/// A run of one body, streamed on any free port.
fn run() -> (Streamed<Nobody>, Foxglove) {
    let scene = Scene { bodies: vec!["wheel".into()], ..Scene::default() };
    let columns = ["time_s", "soil.wheel.sinkage_m"].map(|name| Column::scalar(name, "-", "-"));
    let (sink, hub) = streamed(Nobody, &columns, &scene);
    let here = Some(([127, 0, 0, 1], 0).into());
    (sink, Foxglove::start(hub, "a run", here).expect("a free port"))
}

fn frame(time: f64) -> Frame {
    let poses = vec![BodyPose { p_WB: [time, 0.0, 0.0].into(), q_WB: [1.0, 0.0, 0.0, 0.0] }];
    Frame { time, poses, ..Frame::default() }
}

/// Connects with some headers in place of the usual.
fn connect(server: &Foxglove, headers: &[(&'static str, &str)]) -> Result<WebSocket<TcpStream>, Error> {
    let mut request = server.url().into_client_request()?;
    let all = [("sec-websocket-protocol", "foxglove.sdk.v1, foxglove.websocket.v1")];
    for (name, value) in all.iter().chain(headers) {
        request.headers_mut().insert(*name, value.parse().expect("a header"));
    }
    let stream = TcpStream::connect(server.address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn text(viewer: &mut WebSocket<TcpStream>) -> Value {
    match viewer.read().expect("it speaks") {
        Message::Text(text) => serde_json::from_str(&text).expect("JSON"),
        other => panic!("a text, found {other:?}"),
    }
}

fn bytes(viewer: &mut WebSocket<TcpStream>) -> Vec<u8> {
    match viewer.read().expect("it speaks") {
        Message::Binary(bytes) => bytes.to_vec(),
        other => panic!("bytes, found {other:?}"),
    }
}

/// A viewer that has been greeted, and the numbers of the channels by topic.
fn greeted(server: &Foxglove) -> (WebSocket<TcpStream>, Value) {
    let mut viewer = connect(server, &[]).expect("let in");
    assert_eq!(text(&mut viewer)["op"], "serverInfo");
    let channels = text(&mut viewer);
    assert_eq!(channels["op"], "advertise");
    (viewer, channels["channels"].clone())
}

fn ask(viewer: &mut WebSocket<TcpStream>, words: &str) {
    viewer.send(Message::text(words)).expect("it listens");
}

#[test]
fn a_viewer_gets_the_channels_and_then_what_it_subscribed_to() {
    let (mut sink, server) = run();
    let (mut viewer, channels) = greeted(&server);
    let poses =
        channels.as_array().and_then(|all| all.iter().find(|c| c["topic"] == "/tf")).expect("poses").clone();
    assert_eq!(
        (poses["encoding"].as_str(), poses["schemaName"].as_str()),
        (Some("protobuf"), Some("foxglove.FrameTransforms"))
    );
    assert!(poses["schema"].as_str().is_some_and(|schema| schema.len() > 100));
    sink.frame(&frame(1.5)).expect("nobody refuses");
    ask(
        &mut viewer,
        &format!(r#"{{"op":"subscribe","subscriptions":[{{"id":42,"channelId":{}}}]}}"#, poses["id"]),
    );
    // The frame that came before: first its time, then the message with the number that the viewer chose.
    let time = bytes(&mut viewer);
    assert_eq!((time[0], &time[1..]), (2, &1_500_000_000u64.to_le_bytes()[..]));
    let message = bytes(&mut viewer);
    assert_eq!((message[0], &message[1..5], &message[5..13]), (1, &42u32.to_le_bytes()[..], &time[1..]));
    assert!(message.windows(5).any(|word| word == b"wheel"));
    sink.frame(&frame(2.0)).expect("nobody refuses");
    assert_eq!(bytes(&mut viewer)[1..], 2_000_000_000u64.to_le_bytes());
    assert_eq!(bytes(&mut viewer)[0], 1);
    // Rows were not asked for: the next that comes is the answer to what makes no sense.
    sink.series(&[2.0, 0.5]).expect("nobody refuses");
    for (words, answer) in [
        (r#"{"op":"subscribe","subscriptions":[{"id":42,"channelId":0}]}"#, "in use"),
        (r#"{"op":"subscribe","subscriptions":[{"id":43,"channelId":999}]}"#, "no channel 999"),
        (r#"{"op":"unsubscribe","subscriptionIds":[7]}"#, "no subscription 7"),
        (r#"{"op":"getParameters"}"#, "does not offer"),
        ("hello", "not JSON"),
    ] {
        ask(&mut viewer, words);
        let status = text(&mut viewer);
        assert!(
            status["op"] == "status" && status["message"].as_str().is_some_and(|m| m.contains(answer)),
            "{status}"
        );
    }
    ask(&mut viewer, r#"{"op":"unsubscribe","subscriptionIds":[42]}"#);
    ask(&mut viewer, &format!(r#"{{"op":"subscribe","subscriptions":[{{"id":42,"channelId":{ROWS}}}]}}"#));
    let row = bytes(&mut viewer);
    assert_eq!((row[0], &row[row.len() - 8..]), (1, &0.5f64.to_le_bytes()[..]));
}

#[test]
fn a_viewer_that_leaves_costs_nobody_anything_and_the_end_closes_the_rest() {
    let (mut sink, server) = run();
    let (gone, _) = greeted(&server);
    drop(gone);
    let (mut stays, _) = greeted(&server);
    for k in 0..100 {
        sink.frame(&frame(f64::from(k))).expect("nobody refuses");
    }
    drop(server);
    while let Ok(message) = stays.read() {
        assert!(matches!(message, Message::Close(_)), "{message:?}");
    }
}

#[test]
fn strangers_are_turned_away() {
    let (_sink, server) = run();
    for (header, value, code) in [
        ("origin", "https://evil.example", 403),
        ("host", "evil.example", 403),
        ("sec-websocket-protocol", "chat", 400),
    ] {
        match connect(&server, &[(header, value)]) {
            Err(Error::Http(response)) => assert_eq!(response.status().as_u16(), code, "{header}"),
            other => panic!("{header}: {:?}", other.map(|_| ())),
        }
    }
    assert!(connect(&server, &[("origin", "https://app.foxglove.dev")]).is_ok());
}

#[test]
fn more_viewers_than_are_served_are_turned_away_and_places_come_back() {
    let (_sink, server) = run();
    let mut inside: Vec<_> = (0..super::VIEWERS).map(|_| greeted(&server).0).collect();
    assert!(connect(&server, &[]).is_err());
    inside.clear();
    // A thread that ends gives its place back when it notices.
    let again = (0..1000).find_map(|_| {
        std::thread::sleep(Duration::from_millis(10));
        connect(&server, &[]).ok()
    });
    assert!(again.is_some());
}
