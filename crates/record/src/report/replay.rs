//! The replay inside a report: its data for the page's script, and its place on the page.

use crate::page::json_block;
use crate::replay::embedded;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;
use std::path::Path;

/// Size of the frames in the page at most, bytes; with the scene the replay stays below 5 MB.
const BUDGET: usize = 4_500_000;

/// Data of the replay.
pub(super) struct Replay {
    scene: Value,
    frames: Vec<u8>,
    /// Missing or damaged frames, in words.
    pub missing: Vec<String>,
}

/// Reads and packs the frames of a folder.
pub(super) fn make(dir: &Path) -> Replay {
    make_within(dir, BUDGET)
}

/// The same with frames of at most `budget` bytes in the page.
pub(super) fn make_within(dir: &Path, budget: usize) -> Replay {
    let (scene, frames) = embedded(dir, budget);
    let scene: Value = serde_json::from_str(&scene).unwrap_or_default();
    let notes = scene["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    // Notes that other parts of the report repeat, and intentional omissions, are not listed as missing.
    let elsewhere = ["manifest.json", "the run has not ended", "touchdown view"];
    let missing = notes
        .filter(|note| !elsewhere.iter().any(|words| note.contains(words)))
        .map(|note| format!("Replay: {note}."))
        .collect();
    Replay { scene, frames, missing }
}

impl Replay {
    /// Whether there are frames: gzip ends with the length of its content.
    pub fn is_empty(&self) -> bool {
        self.frames.last_chunk::<4>().is_none_or(|length| *length == [0; 4])
    }

    /// The section of the page with the data behind it; nothing without frames.
    pub fn section(&self) -> Markup {
        html! {
            @if !self.is_empty() {
                section.replay id="replay" {
                    h2 { "Replay" }
                    div id="replay-stage" { p.absent { "The replay needs scripts and WebGL." } }
                    (json_block("replay-scene", &self.scene))
                    // Letters, digits, + / = only.
                    script type="text/plain" id="replay-frames" { (PreEscaped(base64(&self.frames))) }
                }
            }
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for n in 0..4 {
            let six = (bits >> (18 - 6 * n)) & 63;
            text.push(if n <= group.len() { LETTERS[six as usize] as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_that_of_the_standard() {
        // RFC 4648, section 10.
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }
}
