//! The short output of every scenario: its words against a reviewed file, its size against a terminal.
//!
//! Runs are cut short, so that all of them take seconds; digits stand as `#`, so that numbers may change. `SHORT_ACCEPT=1` writes the files again.

mod common;

use common::*;
use std::path::{Path, PathBuf};
use touchdown_scenario::{Entry, EntryKind, catalogue, load};

/// Simulated time of a scenario, s; of those with flexible bodies, which take a thousand times as long.
const SECONDS: f64 = 0.1;
const SECONDS_FLEXIBLE: f64 = 0.004;
/// A terminal: lines, and characters of a line.
const LINES: usize = 25;
const COLUMNS: usize = 80;

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/short").join(format!("{name}.txt"))
}

fn scenarios() -> impl Iterator<Item = &'static Entry> {
    catalogue().iter().filter(|entry| entry.kind == EntryKind::Scenario)
}

/// What the command prints about a short run.
fn printed(entry: &Entry, dir: &Path) -> String {
    let duration = load(&entry.name, &[]).expect("a built-in scenario").description.duration;
    let most = if entry.topic == "flexible" { SECONDS_FLEXIBLE } else { SECONDS };
    let cut = format!("duration_s={}", duration.min(most));
    let mut args = vec!["run", &entry.name, "--out", "run", "--force"];
    if duration > most {
        args.extend(["--set", &cut]);
    }
    let ended = touchdown(dir, &args);
    // A run that is cut may fail numerically; its words are those of the error then.
    assert!(matches!(ended.code, 0 | 3), "{}: {}", entry.name, ended.stderr);
    ended.stdout
}

/// Lines without their breaks, numbers as `#`.
fn words(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let is_continued = line.starts_with(&" ".repeat(10)) && !out.is_empty();
        if is_continued {
            out.pop();
            out.push(' ');
        }
        out += &numbers_as_hashes(line).split_whitespace().collect::<Vec<_>>().join(" ");
        out.push('\n');
    }
    out
}

/// Digits that do not belong to a name, with their points, signs and powers, as one `#`.
fn numbers_as_hashes(line: &str) -> String {
    let mut out = String::new();
    for word in line.split_inclusive(' ') {
        let text = word.trim_end();
        let of_name = |c: char| c.is_alphabetic() && c != 'e';
        let is_number = text.contains(|c: char| c.is_ascii_digit())
            && !text.trim_start_matches(['-', '−', '(']).contains(of_name);
        if is_number {
            let end = text.trim_start_matches(|c: char| c.is_ascii_digit() || "-−.e(".contains(c));
            out += &format!("#{end}{}", &word[text.len()..]);
        } else {
            out += word;
        }
    }
    out
}

#[test]
fn every_scenario_answers_in_a_screen() {
    let accept = std::env::var_os("SHORT_ACCEPT").is_some();
    let dir = temporary();
    let mut wrong = Vec::new();
    for entry in scenarios() {
        let name = &entry.name;
        let text = printed(entry, dir.path());
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if text.lines().count() > LINES || longest > COLUMNS {
            wrong.push(format!(
                "{name}: {} lines of at most {longest} characters:\n{text}",
                text.lines().count()
            ));
        }
        let found = words(&text);
        for part in ["asked ", "answer ", "report: run/report.html", "results: run"] {
            if !found.contains(part) {
                wrong.push(format!("{name} has no {part:?}:\n{found}"));
            }
        }
        let path = kept(name);
        if accept {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, &found).expect("the file can be written");
        }
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        if before != found {
            wrong.push(format!(
                "{name}: the output is not that of {}; review it, then SHORT_ACCEPT=1\n{found}",
                path.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_kept_output_is_that_of_a_scenario() {
    // A scenario that was renamed or removed leaves no file behind.
    let names: Vec<String> = scenarios().map(|entry| format!("{}.txt", entry.name)).collect();
    for file in std::fs::read_dir(kept("x").parent().expect("a folder")).expect("the folder of outputs") {
        let file = file.expect("a file").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&file), "{file} is that of no scenario");
    }
}

#[test]
fn numbers_are_hashes_and_names_stay() {
    // Values, powers and units behind values change; names of quantities keep their digits.
    assert_eq!(numbers_as_hashes("force_at_24mm_n  -4.9073e-3 N, 70 m/h"), "force_at_24mm_n  # N, # m/h");
    assert_eq!(numbers_as_hashes("turns by 0.34°; 8.0e-11°/s (12 %)"), "turns by #°; #°/s # %)");
}
