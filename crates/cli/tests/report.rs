//! `touchdown report`, and the report at the end of a run.

mod common;

use common::*;
use std::fs;

const SHORT: [&str; 4] = ["run", "pendulum", "--set", "duration_s=1"];

fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SHORT.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn every_run_ends_with_a_report() {
    // Its path is printed, before that of the results; the page has the question and the printed answer.
    let dir = temporary();
    let said = good(dir.path(), &short(&[]));
    assert!(said.ends_with("report: runs/pendulum/report.html\nresults: runs/pendulum\n"), "{said}");
    let page = String::from_utf8(bytes(&dir.path().join("runs/pendulum"), "report.html")).expect("text");
    let manifest = json(&dir.path().join("runs/pendulum"), "manifest.json");
    for text in ["x_end_m", manifest["resolved_blake3"].as_str().expect("a hash"), "touchdown run pendulum"] {
        assert!(page.contains(text), "no {text:?}");
    }
    assert!(page.contains("id=\"figures\"") && page.contains("✓ finished"));
}

#[test]
fn a_report_can_be_switched_off_and_made_later() {
    // The same page comes out, whenever it is made.
    let dir = temporary();
    let said = good(dir.path(), &short(&["--quiet", "--no-report", "--out", "a"]));
    assert!(!said.contains("report") && !dir.path().join("a/report.html").exists(), "{said}");
    assert_eq!(good(dir.path(), &["report", "a"]), "report: a/report.html\n");
    let first = bytes(&dir.path().join("a"), "report.html");
    good(dir.path(), &["report", "a"]);
    assert!(first == bytes(&dir.path().join("a"), "report.html"));
}

#[test]
fn figures_are_drawn_as_files_if_asked_for() {
    // One SVG and one PNG for each figure of the scenario, each path printed.
    let dir = temporary();
    good(dir.path(), &short(&["--quiet", "--out", "a"]));
    assert!(!dir.path().join("a/figures").exists());
    let said = good(dir.path(), &["report", "a", "--figures"]);
    let files: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("figure: ")).collect();
    let figures = json(&dir.path().join("a"), "manifest.json")["report"]["figures"].as_array().map(Vec::len);
    assert_eq!(Some(files.len()), figures.map(|n| 2 * n), "{said}");
    for file in files {
        let bytes = fs::read(dir.path().join(file)).expect("it is there");
        let start: &[u8] = if file.ends_with(".svg") { b"<svg " } else { b"\x89PNG" };
        assert!(bytes.starts_with(start), "{file}");
    }
}

#[test]
fn a_damaged_folder_is_reported_with_what_is_missing() {
    let dir = temporary();
    good(dir.path(), &short(&["--quiet", "--out", "a"]));
    fs::remove_file(dir.path().join("a/manifest.json")).expect("removed");
    fs::write(dir.path().join("a/series.parquet"), "garbage").expect("damaged");
    let ended = touchdown(dir.path(), &["report", "a"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("manifest.json is missing"), "{}", ended.stderr);
    assert!(ended.stderr.contains("series.parquet is damaged"), "{}", ended.stderr);
    assert!(!bytes(&dir.path().join("a"), "report.html").is_empty());
}

#[test]
fn a_folder_without_a_run_ends_with_two_and_a_hint() {
    let dir = temporary();
    fs::create_dir(dir.path().join("empty")).expect("made");
    for place in ["empty", "nowhere"] {
        let ended = touchdown(dir.path(), &["report", place]);
        assert_eq!(ended.code, 2);
        assert!(
            ended.stderr.contains("holds no run") && ended.stderr.contains("touchdown run"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_is_no_failure_of_the_run() {
    // A folder stands where the page should be: the run is done and says so, with a warning.
    let dir = temporary();
    good(dir.path(), &short(&["--quiet", "--no-report", "--out", "a"]));
    fs::create_dir(dir.path().join("a/report.html")).expect("made");
    let ended = touchdown(dir.path(), &short(&["--quiet", "--out", "a", "--force"]));
    let summary = dir.path().join("a/summary.json");
    assert!(ended.code == 0 && summary.exists(), "{} {}", ended.code, ended.stderr);
    assert!(ended.stderr.contains("warning: no report was made"), "{}", ended.stderr);
}

#[test]
fn assumed_values_stand_in_the_manifest() {
    // The spring's stiffness is assumed: its number goes with the reason.
    let dir = temporary();
    good(dir.path(), &["run", "rover-drawbar-pull", "--quiet", "--out", "a", "--set", "duration=0.1 s"]);
    let manifest = json(&dir.path().join("a"), "manifest.json");
    let list = manifest["assumed"].as_array().expect("a list");
    let value = |key: &str| {
        list.iter()
            .find(|entry| entry["key"] == key)
            .and_then(|entry| entry["value"].as_str())
            .expect("assumed")
            .to_string()
    };
    assert_eq!(value("spring.drawbar"), "stiffness = 100 N/m");
    assert!(
        value("soil.dlr-simulant-a").contains("friction_angle = 24.8 deg"),
        "{}",
        value("soil.dlr-simulant-a")
    );
    assert_eq!(value("machine.rover.visual.hull"), "");
}
