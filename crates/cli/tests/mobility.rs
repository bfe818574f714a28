//! `touchdown mobility`: responses of a rover on slopes, questions to them, and maps made of them.

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
    a_map_is_made_of_them(dir);
}

/// Ground that rises by 5 % to the east, 1 m between nodes.
fn hill(nodes: usize, rise: f64) -> String {
    let row: Vec<String> = (0..nodes).map(|x| format!("{:.3}", rise * x as f64)).collect();
    let head = format!("ncols {nodes}\nnrows {nodes}\nxllcenter 0\nyllcenter 0\ncellsize 1\n");
    head + &format!("{}\n", row.join(" ")).repeat(nodes)
}

/// From the same responses: layers, a route with a full run, and a page. Killed or not, on one thread or two, the bytes are the same; a folder
/// answers for one map.
fn a_map_is_made_of_them(dir: &std::path::Path) {
    for (name, text) in [("hill.asc", hill(30, 0.05)), ("other.asc", hill(30, 0.06))] {
        std::fs::write(dir.join(name), text).expect("room on disk");
    }
    let route = ["--from", "6,6", "--to", "20,10", "--checks", "1", "--p-stuck-max", "1"];
    let wanted = |map: &'static str, out: &'static str, threads: &'static str| {
        let asked = asked(out, threads);
        [&asked[..1], &[map], &asked[1..], &route[..]].concat()
    };
    for wait in [300, 1200, 2500] {
        let mut child = start(dir, &wanted("hill.asc", "killed", "2"));
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    good(dir, &wanted("hill.asc", "killed", "2"));
    good(dir, &wanted("hill.asc", "straight", "1"));
    for name in ["slip.tif", "p_stuck.tif", "validity.tif", "route.geojson", "summary.json", "report.html"] {
        assert!(bytes(&dir.join("killed"), name) == bytes(&dir.join("straight"), name), "{name}");
    }
    let summary = json(&dir.join("straight"), "summary.json");
    let length = summary["route"]["length_m"].as_f64().expect("a length");
    // Eight headings: 10 m straight and four diagonals, on ground that rises by 5 %.
    assert!((length - 10.0 - 4.0 * 2f64.sqrt()).abs() < 0.05, "{length}");
    assert_eq!(summary["checks"][0]["found"]["arrived"], true, "{summary}");
    assert_eq!(summary["checks"].as_array().expect("a list").len(), 1);
    let other = touchdown(dir, &wanted("other.asc", "straight", "1"));
    assert!(other.code == 2 && other.stderr.contains("asked something else"), "{}", other.stderr);
    // Without a route there is none in the folder, and the page stays.
    let asked = asked("straight", "1");
    good(dir, &[&asked[..1], &["hill.asc"], &asked[1..]].concat());
    assert!(!dir.join("straight/route.geojson").exists() && dir.join("straight/report.html").exists());
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
    std::fs::write(dir.join("hill.asc"), hill(8, 0.05)).expect("room on disk");
    std::fs::write(dir.join("legend.toml"), "[class.1]\nsoil = \"sand-of-mars\"\n").expect("room on disk");
    refused(&["mobility", "no-map.tif", "--out", "m"], 2, &["no-map.tif"]);
    refused(&["mobility", "hill.asc", "--from", "1,1", "--out", "m"], 64, &["--to"]);
    refused(&["mobility", "hill.asc", "--layers", "slip,drag", "--out", "m"], 64, &["drag", "drift_deg"]);
    refused(&["mobility", "hill.asc", "--classes", "hill.asc", "--out", "m"], 64, &["--legend"]);
    refused(&["mobility", "--classes", "hill.asc", "--legend", "legend.toml", "--out", "m"], 64, &["MAP"]);
    let classes =
        ["mobility", "hill.asc", "--classes", "hill.asc", "--legend", "legend.toml", "--out", "other"];
    refused(&classes, 2, &["sand-of-mars"]);
    refused(&["mobility", "hill.asc", "--p-stuck-max", "2", "--out", "m"], 2, &["--p-stuck-max", "2"]);
    refused(&["mobility", "hill.asc", "--step-max", "nan", "--out", "m"], 2, &["--step-max"]);
    refused(&["mobility", "hill.asc", "--out", "."], 2, &["hill.asc"]);
    let query = ["mobility", "query", "nowhere", "--slope-deg", "10", "--heading-deg", "0"];
    refused(&query, 1, &["nowhere"]);
    std::fs::create_dir(dir.join("empty")).expect("made");
    refused(
        &["mobility", "query", "empty", "--slope-deg", "10", "--heading-deg", "0"],
        2,
        &["surrogate.json"],
    );
}
