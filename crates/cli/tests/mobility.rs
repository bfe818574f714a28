//! `touchdown mobility`: responses of a rover on slopes, and questions to them.

mod common;

use common::{bytes, good, json, start, temporary, touchdown};
use std::time::Duration;

/// Twenty cases of the design and four of a refinement, and four that test the intervals, on a firm soil, where a rover comes far in little time.
const ASKED: [&str; 9] =
    ["mobility", "--soil", "mer-b-sandy-loam", "--cases", "24", "--holdout", "4", "--quiet", "--out"];

fn asked<'a>(out: &'a str, threads: &'a str) -> Vec<&'a str> {
    [&ASKED[..], &[out, "--threads", threads]].concat()
}

#[test]
fn the_same_bytes_for_any_threads_and_kills() {
    let folder = temporary();
    let dir = folder.path();
    for wait in [500, 1500, 3000, 6000] {
        let mut child = start(dir, &asked("killed", "2"));
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    good(dir, &asked("killed", "2"));
    good(dir, &asked("straight", "1"));
    for name in ["response.parquet", "surrogate.json"] {
        assert!(bytes(&dir.join("killed"), name) == bytes(&dir.join("straight"), name), "{name}");
    }
    // Another question to the same folder is refused; the same again is no work.
    let other =
        touchdown(dir, &["mobility", "--soil", "mer-b-sandy-loam", "--cases", "25", "--out", "straight"]);
    assert!(other.code == 2 && other.stderr.contains("asked something else"), "{}", other.stderr);
    good(dir, &asked("straight", "1"));

    let saved = json(&dir.join("straight"), "surrogate.json");
    let soil = &saved["soils"][0];
    assert_eq!((&soil["cases"], &soil["held_out"]["cases"]), (&24.into(), &4.into()));
    let ask = |slope: &str, heading: &str| -> serde_json::Value {
        let args =
            ["mobility", "query", "straight", "--slope-deg", slope, "--heading-deg", heading, "--json"];
        serde_json::from_str(&good(dir, &args)).expect("JSON")
    };
    let number = |answer: &serde_json::Value, name: &str| answer[name].as_f64().expect("a number");
    // Mirror images; uphill dearer than downhill; no drift along the steepest line.
    let (left, right) = (ask("10", "-60"), ask("10", "60"));
    assert_eq!(left["slip"], right["slip"]);
    let (up, down) = (ask("15", "0"), ask("15", "180"));
    assert!(number(&up, "slip") > number(&down, "slip"), "{up} {down}");
    assert!(number(&up, "energy_j_per_m") > number(&down, "energy_j_per_m"), "{up} {down}");
    assert_eq!((number(&up, "drift_deg"), number(&down, "drift_deg")), (0.0, 0.0));
    assert_eq!((&up["covered"], &ask("45", "0")["covered"]), (&true.into(), &false.into()));
}

#[test]
fn senseless_questions_are_refused_with_a_reason() {
    let folder = temporary();
    let dir = folder.path();
    let refused = |args: &[&str], code: i32, words: &[&str]| {
        let ended = touchdown(dir, args);
        assert_eq!(ended.code, code, "{args:?}: {}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "{args:?}: no {word} in {}", ended.stderr);
        }
    };
    refused(&["mobility"], 64, &["--out"]);
    refused(&["mobility", "--soil", "sand-of-mars", "--out", "m"], 2, &["sand-of-mars", "list soils"]);
    refused(&["mobility", "--roughness", "0.5", "--out", "m"], 2, &["0.02"]);
    refused(&["mobility", "--rover", "no-rover", "--out", "n"], 2, &["no-rover"]);
    let query = ["mobility", "query", "nowhere", "--slope-deg", "10", "--heading-deg", "0"];
    refused(&query, 1, &["nowhere"]);
    std::fs::create_dir(dir.join("empty")).expect("made");
    refused(
        &["mobility", "query", "empty", "--slope-deg", "10", "--heading-deg", "0"],
        2,
        &["surrogate.json"],
    );
}
