//! Texts that carry their own hash: JSON whose last entry is the hash of all before it, and pages that end
//! with one.

use crate::error::{Doing, RecordError};
use serde::Serialize;

/// Separates the content from the digits of its hash.
const IN_JSON: &str = ",\n  \"blake3\": \"";
const JSON_END: &str = "\n}\n";
const IN_PAGE: &str = "<!-- blake3 ";

/// A table as JSON text whose last entry is the hash of the text without it.
pub fn json(table: &impl Serialize, doing: impl FnOnce() -> String) -> Result<Vec<u8>, RecordError> {
    let plain = serde_json::to_string_pretty(table).doing(doing)? + "\n";
    let hash = blake3::hash(plain.as_bytes());
    let body = plain.strip_suffix(JSON_END).unwrap_or(&plain);
    Ok(format!("{body}{IN_JSON}{hash}\"{JSON_END}").into_bytes())
}

/// Checks that JSON text is unchanged; the error says what is wrong.
pub fn check_json(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text")?;
    let (body, rest) = text.rsplit_once(IN_JSON).ok_or("it does not end with its hash")?;
    compare(rest.strip_suffix(JSON_END).and_then(|rest| rest.strip_suffix('"')), &format!("{body}{JSON_END}"))
}

/// A page followed by its hash.
pub(crate) fn page(html: &str) -> String {
    format!("{html}\n{IN_PAGE}{} -->\n", blake3::hash(html.as_bytes()))
}

/// Checks that a page is unchanged; the error says what is wrong.
pub(crate) fn check_page(bytes: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text")?;
    let (html, rest) = text.rsplit_once(&format!("\n{IN_PAGE}")).ok_or("it does not end with its hash")?;
    compare(rest.strip_suffix(" -->\n"), html)
}

fn compare(stored: Option<&str>, content: &str) -> Result<(), String> {
    let found = blake3::hash(content.as_bytes()).to_hex();
    match stored {
        Some(hash) if hash == found.as_str() => Ok(()),
        Some(_) => Err("its content does not match its hash".into()),
        None => Err("it does not end with its hash".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_byte_is_noticed() {
        // Unchanged text passes; with any byte changed, or cut anywhere, it fails; and the result is still
        // JSON.
        let value = serde_json::json!({ "a": 1.5, "b": ["x", "y"] });
        let good = json(&value, String::new).expect("encoded");
        assert_eq!(check_json(&good), Ok(()));
        let read: serde_json::Value = serde_json::from_slice(&good).expect("JSON");
        assert_eq!((&read["a"], read["blake3"].as_str().map(str::len)), (&1.5.into(), Some(64)));
        let whole = page("<html>é</html>").into_bytes();
        assert_eq!(check_page(&whole), Ok(()));
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert!(check_json(&bad).is_err() && check_json(&good[..i]).is_err(), "byte {i}");
        }
        for i in 0..whole.len() {
            let mut bad = whole.clone();
            bad[i] ^= 1;
            assert!(check_page(&bad).is_err() && check_page(&whole[..i]).is_err(), "byte {i}");
        }
    }
}
