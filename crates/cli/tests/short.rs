//! The short output of every scenario: its words against a reviewed file, its size against a terminal.
//!
//! Digits stand as `#`, so that numbers may change. `SHORT_ACCEPT=1` writes the files again.

mod common;

use common::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use touchdown_scenario::{Entry, EntryKind, catalogue};

/// Long runs, with the simulated seconds that are left of them.
const CUT: [(&str, &str); 18] = [
    ("docking", "20"),
    ("docking-lock", "5"),
    ("docking-open-loop", "20"),
    ("rover-compare-tyres", "0.1"),
    ("rover-drop-ancf", "0.3"),
    ("rover-load-ancf", "1"),
    ("rover-straight-ancf", "1"),
    ("rover-traction-ancf", "1"),
    ("rover-rocks-ancf", "0.2"),
    ("wheel-ancf-on-soil", "0.1"),
    ("rover-crevasse", "0.5"),
    ("rover-obstacle", "0.5"),
    ("rover-rocks-and-sand", "0.5"),
    ("stick-slip-block", "2"),
    ("wheel-on-rocks", "0.5"),
    ("rover-drawbar-pull", "1"),
    ("rover-drawbar-trial", "1"),
    ("rover-gradability", "1"),
];
/// A terminal: lines, and characters of a line.
const LINES: usize = 25;
const COLUMNS: usize = 80;

fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/short").join(format!("{name}.txt"))
}

fn scenarios() -> impl Iterator<Item = &'static Entry> {
    catalogue().iter().filter(|entry| entry.kind == EntryKind::Scenario)
}

/// What the command prints about a run.
fn printed(name: &str, dir: &Path) -> String {
    let cut = CUT.iter().find(|(of, _)| *of == name).map(|(_, seconds)| format!("duration_s={seconds}"));
    let mut args = vec!["run", name, "--out", "run", "--force"];
    args.extend(cut.iter().flat_map(|cut| ["--set", cut.as_str()]));
    good(dir, &args)
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

/// Words that are numbers, with their signs and powers, as `#`; what follows them stays, and so do names with digits.
fn numbers_as_hashes(line: &str) -> String {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let hashed = |word: &str| -> String {
        let from = word.find(|c| !['(', '-', '−'].contains(&c)).unwrap_or(word.len());
        let (before, number) = word.split_at(from);
        let mut to = digits(number);
        if let Some(power) = number[to..].strip_prefix('e') {
            let power = power.trim_start_matches('-');
            to = number.len() - power.len() + digits(power);
        }
        to = number[..to].trim_end_matches('.').len();
        let rest = &number[to..];
        if to == 0 || rest.starts_with(|c: char| c == '-' || c.is_alphabetic()) {
            return word.into();
        }
        format!("{}#{rest}", before.replace(['-', '−'], ""))
    };
    line.split_inclusive(' ').map(hashed).collect()
}

/// Runs the scenarios of a topic and compares what they print.
fn answers_in_a_screen(topic: &str) {
    let accept = std::env::var_os("SHORT_ACCEPT").is_some();
    let dir = temporary();
    let mut wrong = Vec::new();
    for name in scenarios().filter(|entry| entry.topic == topic).map(|entry| &entry.name) {
        let text = printed(name, dir.path());
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        if text.lines().count() > LINES || longest > COLUMNS {
            let lines = text.lines().count();
            wrong.push(format!("{name}: {lines} lines of at most {longest} characters:\n{text}"));
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
        if std::fs::read_to_string(&path).unwrap_or_default() != found {
            let place = path.display();
            wrong.push(format!(
                "{name}: the output is not that of {place}; review it, then SHORT_ACCEPT=1\n{found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A test for each topic, so that they run side by side.
macro_rules! topics {
    ($($topic:ident)*) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];
        $(#[test]
        fn $topic() {
            answers_in_a_screen(stringify!($topic));
        })*
    };
}

topics! { docking feet flexible mechanisms polygonal rover soil surface }

#[test]
fn every_scenario_has_its_file_and_every_file_its_scenario() {
    // A new topic needs its test; a scenario that was renamed or removed leaves no file behind.
    let topics: BTreeSet<&str> = scenarios().map(|entry| entry.topic.as_str()).collect();
    assert_eq!(topics.into_iter().collect::<Vec<_>>(), TOPICS);
    let names: BTreeSet<String> = scenarios().map(|entry| format!("{}.txt", entry.name)).collect();
    let files = std::fs::read_dir(kept("x").parent().expect("a folder")).expect("the folder of outputs");
    let files: BTreeSet<String> =
        files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(files, names);
    assert!(CUT.iter().all(|(name, _)| names.contains(&format!("{name}.txt"))), "a cut of no scenario");
}

#[test]
fn numbers_are_hashes_and_names_stay() {
    // Values, powers and what stands before units change; names keep their digits, sentences their points.
    let hashed = [
        ("force_at_24mm_n -4.9073e-3 N, 70 m/h", "force_at_24mm_n # N, # m/h"),
        ("turns by 0.34°; 8.0e-11°/s (−12 %)", "turns by #°; #°/s (# %)"),
        ("a 3-D page (2 of 5): -v. It is 12.", "a 3-D page (# of #): -v. It is #."),
    ];
    for (line, said) in hashed {
        assert_eq!(numbers_as_hashes(line), said);
    }
}
