//! `touchdown run` on a map file: the run ends with its reason where the ground is not known, and what was recorded stays.

mod common;

use common::*;
use std::path::Path;

/// Speed of the carriage, m/s, and radius of the wheel, m.
const SPEED: f64 = 0.2;
const RADIUS: f64 = 0.1;

/// Runs the wheel until the ground ends, which must be named and lie at `x_end`.
fn runs_until(dir: &Path, map: &str, what: &str, x_end: f64) {
    std::fs::write(dir.join("map.asc"), map).expect("room on disk");
    std::fs::write(dir.join("carriage.toml"), CARRIAGE).expect("room on disk");
    let ended = touchdown(dir, &["run", "carriage.toml", "--quiet"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let run = dir.join("runs/carriage");
    let summary = json(&run, "summary.json");
    assert_eq!(summary["finished"], false);
    let why = summary["stopped_because"].as_str().expect("a reason");
    assert!(ended.stderr.contains(why) && why.contains(what) && why.contains("\"wheel\""), "{why}");
    // The run ends when the wheel first stands over unknown ground: between its front, one radius ahead, and its hub.
    let x = SPEED * summary["sim_time_s"].as_f64().expect("a number");
    assert!(x > x_end - 1.001 * RADIUS && x < x_end, "ended at x = {x} m");
    let series = touchdown_record::read_series(&run).expect("readable");
    let rows = (x / SPEED / 0.01).floor() as usize + 1;
    assert!(series.rows() == rows, "{} rows, not {rows}", series.rows());
}

#[test]
fn leaving_the_map_ends_the_run_and_keeps_its_results() {
    // The map's last nodes lie at x = 3 m: exit code 3, the reason with wheel and place, and every row up to there.
    let dir = temporary();
    runs_until(dir.path(), &map(None), "left the map at x = 3", 3.0);
}

#[test]
fn a_hole_in_the_map_ends_the_run_and_keeps_its_results() {
    // No data at (2 m, 0 m): the four cells around it have no ground, from x = 1 m on.
    let dir = temporary();
    runs_until(dir.path(), &map(Some((3, 1))), "a hole in the map at x = 1", 1.0);
}
