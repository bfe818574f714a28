//! What a run prints by default, for every built-in scenario: few lines that fit a terminal, and the words written down in `words.txt`.
//!
//! Runs are cut short and numbers are left out, so that the file changes with words and layout alone. `SHORT_OUTPUT_ACCEPT=1` writes it again.

#[path = "../common/mod.rs"]
mod common;

use common::{temporary, touchdown};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_scenario::{EntryKind, catalogue, load};

/// Simulated time of a run, s; of one with flexible bodies or many contacts, whose second takes minutes.
const SECONDS: f64 = 0.2;
const SECONDS_SLOW: f64 = 0.01;
const SLOW: [&str; 4] = ["flexible", "polygonal", "docking", "feet"];
/// Lines and columns of a terminal that the output fits into.
const MOST_LINES: usize = 25;
const MOST_COLUMNS: usize = 80;

#[test]
fn the_short_output_of_every_scenario_fits_a_terminal_and_keeps_its_words() {
    let entries: Vec<_> = catalogue().iter().filter(|entry| entry.kind == EntryKind::Scenario).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let seconds = if SLOW.contains(&entry.topic.as_str()) { SECONDS_SLOW } else { SECONDS };
                    let said = output(&entry.name, seconds);
                    found.lock().expect("no worker panics").push((entry.name.clone(), said));
                }
            });
        }
    });
    let mut found = found.into_inner().expect("no worker panics");
    found.sort();
    for (name, said) in &found {
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines.len() <= MOST_LINES, "{name} prints {} lines:\n{said}", lines.len());
        let long = lines.iter().find(|line| line.chars().count() > MOST_COLUMNS);
        assert!(long.is_none(), "{name}: {long:?}");
    }
    let text: String = found.iter().map(|(name, said)| format!("== {name}\n{}\n", words(said))).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/short_output/words.txt");
    if std::env::var_os("SHORT_OUTPUT_ACCEPT").is_some() {
        std::fs::write(&path, &text).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("the words written down");
    for (now, then) in text.split("== ").zip(kept.split("== ")) {
        assert_eq!(now, then, "the words changed: if they should, run this test with SHORT_OUTPUT_ACCEPT=1");
    }
    assert_eq!(text, kept, "a scenario came or went: run this test with SHORT_OUTPUT_ACCEPT=1");
}

/// What `touchdown run NAME` prints; the run is cut to so many seconds if it is longer.
fn output(name: &str, seconds: f64) -> String {
    let dir = temporary();
    let description = load(name, &[]).expect("a built-in scenario").description;
    let cut = format!("duration_s={seconds}");
    let args = ["run", name, "--out", "run", "--no-report", "--threads", "1"];
    let in_time = description.study.as_ref().is_none_or(|study| study.takes_time());
    let cuts = if in_time && description.duration > seconds { &["--set", &cut][..] } else { &[] };
    let ended = touchdown(dir.path(), &[&args[..], cuts].concat());
    assert!(matches!(ended.code, 0 | 3), "{name}: {}", ended.stderr);
    ended.stdout
}

/// Words in the order of the output: numbers are `#`, line breaks and columns are single spaces.
fn words(said: &str) -> String {
    let is_number =
        |word: &str| word.trim_start_matches(['-', '+', '(']).starts_with(|c: char| c.is_ascii_digit());
    let mut lines: Vec<String> = Vec::new();
    for line in said.lines() {
        let words = line.split_whitespace().map(|word| {
            let end = if word.ends_with([',', '.', ';', ':']) { &word[word.len() - 1..] } else { "" };
            if is_number(word) { format!("#{end}") } else { word.to_string() }
        });
        let text = words.collect::<Vec<_>>().join(" ");
        // A line that goes on begins with blanks under its label.
        match lines.last_mut() {
            Some(last) if line.starts_with("          ") => *last = format!("{last} {text}"),
            _ => lines.push(text),
        }
    }
    lines.join("\n") + "\n"
}
