//! `touchdown run` on a map file: the run ends with its reason where the ground is not known, and what was recorded stays.

mod common;

use common::*;
use std::path::Path;

/// Speed of the carriage, m/s, and radius of the wheel, m.
const SPEED: f64 = 0.2;
const RADIUS: f64 = 0.1;

/// A carriage moves east from the origin at a given speed; under it a wheel rolls, free to sink and turn.
const CARRIAGE: &str = r#"
title = "A wheel on a map"
duration = "20 s"
gravity = "earth"
integrator = { name = "realtime", step = "1 ms" }
[terrain]
shape = "map"
file = "map.asc"
soil = "dlr-simulant-a"
[body.carriage]
mass = "1 kg"
point_mass = true
[joint.travel]
type = "prismatic"
child = "carriage"
axis = [1, 0, 0]
[constraint.travel]
type = "prescribed"
joint = "travel"
motion = { line = { start = "0 m", rate = "0.2 m/s" } }
[body.hub]
mass = "5 kg"
point_mass = true
[joint.slide]
type = "prismatic"
parent = "carriage"
child = "hub"
axis = [0, 0, 1]
position = "1.1 m"
[body.wheel]
mass = "5 kg"
uniform = { cylinder = ["0.1 m", "0.1 m"], along = [0, 1, 0] }
[joint.axle]
type = "revolute"
parent = "hub"
child = "wheel"
axis = [0, 1, 0]
[wheel.wheel]
body = "wheel"
radius = "0.1 m"
width = "0.1 m"
"#;

/// Level ground 1 m high, nodes every metre from (-1 m, -1 m) to (3 m, 1 m), rows from the north; `hole` takes one node out.
fn map(hole: Option<(usize, usize)>) -> String {
    let mut text =
        "ncols 5\nnrows 3\nxllcenter -1\nyllcenter -1\ncellsize 1\nNODATA_value -9999\n".to_string();
    for row in 0..3 {
        let heights = (0..5).map(|column| if hole == Some((column, row)) { "-9999" } else { "1" });
        text += &(heights.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}

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
