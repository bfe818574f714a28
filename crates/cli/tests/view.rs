//! `touchdown view` and `touchdown run --view`, asked over their socket as a browser would.

mod common;

use common::serving::{Serving, serve};
use common::{good, touchdown};
use std::time::Duration;

fn extent(page: &Serving) -> serde_json::Value {
    page.json("api/extent")
}

fn scene(page: &Serving) -> serde_json::Value {
    page.json("api/scene")
}

#[test]
fn a_finished_run_is_shown_with_its_report() {
    let folder = tempfile::tempdir().expect("a folder");
    good(folder.path(), &["run", "pendulum", "--out", "a", "--quiet"]);
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    assert!(String::from_utf8_lossy(&page.get("").1).contains("view.js"));
    assert_eq!(scene(&page)["scenario"], "pendulum");
    let extent = extent(&page);
    assert!(
        extent["live"] == false && extent["frames"].as_u64() > Some(1) && extent["rows"].as_u64() > Some(1)
    );
    assert!(!page.get("api/frames?from=0").1.is_empty());
    assert!(String::from_utf8_lossy(&page.get("run/report.html").1).starts_with("<!DOCTYPE html>"));
    assert!(page.get("run/..%2Fsecret").0 >= 400);
}

#[test]
fn a_damaged_run_is_shown_and_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    good(folder.path(), &["run", "pendulum", "--out", "a", "--quiet"]);
    let run = folder.path().join("a");
    let frames = std::fs::read(run.join("frames.mcap")).expect("recorded");
    std::fs::write(run.join("frames.mcap"), &frames[..frames.len() / 2]).expect("writable");
    std::fs::remove_file(run.join("series.parquet")).expect("recorded");
    std::fs::remove_file(run.join("manifest.json")).expect("recorded");
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    let notes = scene(&page)["notes"].to_string();
    for missing in ["frames", "series", "manifest"] {
        assert!(notes.contains(missing), "{missing} is not named in {notes}");
    }
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = touchdown(folder.path(), &["view", "."]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("holds no run") && ended.stderr.contains("hint:"));
}

#[test]
fn a_run_in_progress_is_shown_while_it_goes_on() {
    // Long enough not to be over before the first question; frames grow from one question to the next.
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "run",
        "rover-straight-brush",
        "--out",
        "a",
        "--quiet",
        "--view",
        "--port",
        "0",
        "--set",
        "duration=4000 s",
    ];
    let page = serve(&args, folder.path());
    let first = extent(&page);
    assert_eq!(first["live"], true);
    // A run that stopped would say so: waiting needs no limit of its own.
    let grown = loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = extent(&page);
        if now["frames"].as_u64() > first["frames"].as_u64() && now["rows"].as_u64() > first["rows"].as_u64()
        {
            break now;
        }
        assert_eq!(now["live"], true, "nothing more came after {first}");
    };
    assert_eq!(grown["live"], true);
    let from = first["frames"].as_u64().expect("a number");
    assert!(!page.get(&format!("api/frames?from={from}")).1.is_empty());
}
