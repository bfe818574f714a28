//! What ends a run on soil early: the edge of a map, a hole in it, a rover that falls over. Results up to there stay. And mistakes that are found before.

use super::common::{Memory, world};
use std::path::Path;
use touchdown_scenario::{Scenario, load, load_str};
use touchdown_sim::sink::Outcome;

/// A block that is led over a map at 0.5 m/s, 5 mm deep, from x = 0.2 m on.
const SLED: &str = r#"
title = "A block on a small map"
duration = "3 s"
gravity = "none"
integrator = { name = "realtime", step = "1 ms" }
record = { series_every = "10 ms", frames_every = "100 ms" }
[terrain]
shape = "map"
file = "map.asc"
soil = "dlr-simulant-a"
spacing = "10 mm"
[body.block]
mass_kg = 1
uniform = { sphere = "0.05 m" }
[joint.slide]
type = "prismatic"
axis = [1, 0, 0]
child = "block"
at_m = [0.2, 0.2, 0.02]
[constraint.slide]
type = "prescribed"
joint = "slide"
motion = { travel = [["0 s", "0 m/s"], ["100 ms", "0.5 m/s"]] }
[soil_contact.block]
body = "block"
box = ["40 mm", "40 mm", "50 mm"]
"#;

/// The sled on a map of 11 × 9 nodes, 50 mm apart: half a metre by 0.4 m at the height zero. `hole` is its column without a height.
fn sled(hole: Option<usize>) -> Scenario {
    let dir = tempfile::tempdir().unwrap_or_else(|e| panic!("{e}"));
    let row: Vec<&str> = (0..11).map(|i| if Some(i) == hole { "-9999" } else { "0" }).collect();
    let head = "ncols 11\nnrows 9\nxllcenter 0\nyllcenter 0\ncellsize 0.05\nNODATA_value -9999\n";
    let map = format!("{head}{}", format!("{}\n", row.join(" ")).repeat(9));
    std::fs::write(dir.path().join("map.asc"), map).unwrap_or_else(|e| panic!("{e}"));
    load_str("sled.toml", SLED, dir.path(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

fn run_to_its_end(scenario: &Scenario) -> (Memory, Outcome) {
    let mut memory = Memory::default();
    let outcome = world(scenario).run(&mut memory).unwrap_or_else(|e| panic!("{e}"));
    (memory, outcome)
}

/// Over the edge of the map or a hole in it the run ends with body and place; rows, frames and the surface up to there are handed over.
#[test]
fn runs_end_where_the_ground_does() {
    for (hole, words, place) in [(None, "map", 0.5), (Some(8), "hole", 0.4)] {
        let (memory, outcome) = run_to_its_end(&sled(hole));
        let reason = outcome.stopped_because.unwrap_or_default();
        assert!(!outcome.finished && reason.contains(words) && reason.contains("block"), "{reason}");
        // The block's front edge is 20 mm ahead of it; a hole swallows the cells around its node.
        let x = memory.frames.last().map_or(f64::NAN, |f| f.poses[0].p_WB.x);
        println!("{reason}; last frame at x = {x:.3} m");
        assert!(x > 0.2 && x < place, "{x}");
        let ended = outcome.sim_time;
        assert!(ended > 0.2 && memory.rows.last().is_some_and(|r| r[0] > ended - 0.0101));
        let rut = memory.surface.iter().map(|n| n.undisturbed - n.height).fold(0.0, f64::max);
        assert!((rut - 0.005).abs() < 5e-4, "{rut}");
    }
}

/// A rover on a slope of 55° slides or tips, and a run in which it falls over ends with that reason.
#[test]
fn rovers_that_fall_over_end_the_run() {
    let sets = ["slope_deg=75", "spacing_m=0.02", "duration_s=20"].map(String::from);
    let scenario = load("rover-drawbar-pull", &sets).unwrap_or_else(|e| panic!("{e}"));
    let (memory, outcome) = run_to_its_end(&scenario);
    let reason = outcome.stopped_because.unwrap_or_default();
    assert!(!outcome.finished && reason.contains("rover"), "{reason}");
    assert!(!memory.rows.is_empty() && !memory.surface.is_empty());
}

/// Numbers that make no sense are refused before anything runs, with what is allowed.
#[test]
fn nonsense_is_refused() {
    for (set, words) in [
        ("cohesion_pa=-1", ">= 0 Pa"),
        ("spacing_m=0.4", "is larger than wheel"),
        ("friction_angle_deg=-5", "friction_angle"),
        ("load_n=-200", "load"),
        ("slip=1.5", "slip"),
        ("soil=moon-cheese", "moon-cheese"),
    ] {
        let error = load("single-wheel", &[set.to_string()]).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(words), "{set}: {error}");
    }
    let missing = load_str("sled.toml", SLED, Path::new("/nowhere"), &[]).err().map(|e| e.to_string());
    assert!(missing.unwrap_or_default().contains("map.asc"));
}
