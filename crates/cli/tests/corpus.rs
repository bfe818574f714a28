//! A corpus of broken files grown from the built-in scenarios: each ends with exit code 2 and a message that names a line.

mod common;

use common::*;
use std::path::Path;

/// The text with line `i` replaced.
fn with_line(text: &str, i: usize, line: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines[i] = line;
    lines.join("\n") + "\n"
}

/// Ways to break a `key = value` line.
fn broken_lines(line: &str) -> Vec<String> {
    let Some((key, value)) = line.split_once(" = ") else { return vec![] };
    let key = key.trim_end();
    vec![
        format!("{key}qx = {value}"),
        format!("{key} = [[true]]"),
        format!("{key} = 1e999999"),
        format!("{key} = nan"),
        format!("{key} = \"-1e300 furlongs\""),
        format!("{key} = {value}\n{key} = {value}"),
        format!("{key} = "),
        format!("{key} = {{ {key} = {{ {key} = 1 }} }}"),
    ]
}

/// Broken texts of one file: its lines in turn, each in another way, and the file cut off in the middle of a line.
fn broken_texts(text: &str, offset: usize) -> Vec<String> {
    let lines = text.lines().enumerate().filter(|(_, l)| !l.starts_with('#') && l.contains(" = "));
    let mut texts: Vec<String> = lines
        .enumerate()
        .filter(|(n, _)| n % 3 == offset % 3)
        .filter_map(|(n, (i, line))| {
            let ways = broken_lines(line);
            (!ways.is_empty()).then(|| with_line(text, i, &ways[(n / 3 + offset) % ways.len()]))
        })
        .collect();
    let middle = text.find(" = ").map_or(0, |at| at + 2);
    texts.push(text[..middle].to_string());
    texts
}

fn scenario_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files = Vec::new();
    for topic in ["mechanisms", "rover"] {
        let folder = std::fs::read_dir(root.join(topic)).expect("the built-in scenarios");
        for entry in folder {
            let path = entry.expect("an entry").path();
            files.push((path.display().to_string(), std::fs::read_to_string(&path).expect("a text")));
        }
    }
    files.sort();
    files
}

#[test]
fn broken_files_end_with_two_and_a_line() {
    // What is still good after a change (a title of another type is not, a knob's text is) does not count.
    let dir = temporary();
    let (mut refused, mut harmless) = (0, 0);
    for (offset, (path, text)) in scenario_files().iter().enumerate() {
        for broken in broken_texts(text, offset) {
            std::fs::write(dir.path().join("broken.toml"), &broken).expect("room on disk");
            let ended = touchdown(dir.path(), &["check", "broken.toml"]);
            match ended.code {
                0 => harmless += 1,
                2 => {
                    let names_a_line = ended.stderr.split("broken.toml:").skip(1).any(|rest| {
                        let digits = rest.chars().take_while(char::is_ascii_digit).count();
                        digits > 0 && rest[digits..].starts_with(':')
                    });
                    assert!(names_a_line, "{path}:\n{broken}\n{}", ended.stderr);
                    refused += 1;
                }
                code => panic!("{path}: exit {code}\n{broken}\n{}", ended.stderr),
            }
        }
    }
    assert!(refused >= 100, "only {refused} refused, {harmless} harmless");
}
