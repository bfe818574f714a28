//! `touchdown run`: what it leaves, where, and with which exit code.

mod common;

use common::*;

/// A mass on a spring of 1 MN/m: 1000 rad/s, stepped at 0.1 s by an explicit method without error control. It is stable only
/// while frequency times step stays below about 6, so every step multiplies the motion until it overflows.
const UNSTABLE: &str = r#"
title = "Mass on a spring, stepped beyond stability"
duration = "100 s"
gravity = "none"
integrator = { name = "explicit", step = "100 ms" }
[body.mass]
mass = "1 kg"
point_mass = true
[joint.slide]
type = "prismatic"
child = "mass"
axis = [1, 0, 0]
position = "1 mm"
[spring.stiff]
between = ["mass", { body = "ground", position_m = [-1, 0, 0] }]
stiffness = "1 MN/m"
rest_length = "1 m"
"#;

#[test]
fn a_run_leaves_its_folder_and_tells_the_answer() {
    // Results are where the last line says, and scripts find the promised keys with the promised names.
    let dir = temporary();
    let said = good(dir.path(), &["run", "pendulum", "--set", "duration_s=1", "--csv"]);
    assert!(said.ends_with("results: runs/pendulum\n"), "{said}");
    let run = dir.path().join("runs/pendulum");
    let summary = json(&run, "summary.json");
    assert_eq!((&summary["scenario"], &summary["finished"]), (&"pendulum".into(), &true.into()));
    assert_eq!(summary["sim_time_s"], 1.0);
    for key in ["version", "wall_time_s", "steps", "ledger", "warnings"] {
        assert!(!summary[key].is_null(), "no {key}");
    }
    for name in [
        "x_end_m",
        "y_end_m",
        "z_end_m",
        "angle_1_end_rad",
        "energy_drift_relative",
        "constraint_residual_max",
    ] {
        assert!(summary["quantities"][name]["value"].is_number(), "no {name}");
    }
    assert_eq!(summary["quantities"]["x_end_m"]["unit"], "m");
    let printed = said.lines().find_map(|line| line.trim().strip_prefix("answer")).expect("an answer");
    assert!(printed.trim().starts_with("The bob is at x = "), "{printed}");
    for name in ["series.csv", "series.parquet", "frames.mcap", "resolved.toml"] {
        assert!(!bytes(&run, name).is_empty());
    }
    assert_eq!(json(&run, "manifest.json")["command"], "touchdown run pendulum --set duration_s=1 --csv");
}

#[test]
fn settings_reach_the_run() {
    // A bob released level and stopped at once is still where it was released: 1 m to the left.
    let dir = temporary();
    good(dir.path(), &["run", "pendulum", "--set", "duration_s=1e-6", "--out", "a", "--quiet"]);
    let x = json(&dir.path().join("a"), "summary.json")["quantities"]["x_end_m"]["value"]
        .as_f64()
        .expect("a number");
    // It falls g t²/2 = 5e-12 m and moves less than that sideways.
    assert!((x + 1.0).abs() < 1e-11, "{x}");
}

#[test]
fn no_run_is_overwritten_unasked() {
    // Without --out every run gets a new folder; with --out an old run stays unless --force is given.
    let dir = temporary();
    let short = ["run", "pendulum", "--quiet", "--set", "duration_s=0.1"];
    let with = |more: &[&'static str]| -> Vec<&'static str> { short.iter().chain(more).copied().collect() };
    assert!(good(dir.path(), &short).ends_with("results: runs/pendulum\n"));
    assert!(good(dir.path(), &short).ends_with("results: runs/pendulum-2\n"));
    let before = bytes(&dir.path().join("runs/pendulum"), "summary.json");
    let refused = touchdown(dir.path(), &with(&["--out", "runs/pendulum"]));
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert!(!dir.path().join("runs/pendulum/parts").exists());
    assert_eq!(before, bytes(&dir.path().join("runs/pendulum"), "summary.json"));
    good(dir.path(), &with(&["--out", "runs/pendulum", "--force"]));
}

/// Runs a scenario with 1 and with 2 threads: the same bytes; the manifest tells them apart.
fn threads_change_nothing(scenario: &str, set: &str) {
    let dir = temporary();
    for (threads, out) in [("1", "one"), ("2", "two")] {
        good(dir.path(), &["run", scenario, "--quiet", "--threads", threads, "--out", out, "--set", set]);
        assert_eq!(json(&dir.path().join(out), "manifest.json")["threads"].to_string(), threads);
    }
    for name in ["series.parquet", "frames.mcap"] {
        assert!(
            bytes(&dir.path().join("one"), name) == bytes(&dir.path().join("two"), name),
            "{scenario}: {name} differs"
        );
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    // Contacts with a plane, one after the other.
    threads_change_nothing("rover-drop-brush", "duration_s=3");
}

#[test]
fn threads_do_not_change_a_bit_on_soil() {
    // Six wheels in soil are shared among the threads; what they do to the soil and the rover is summed in their order.
    threads_change_nothing("rover-drawbar-pull", "duration=4 s");
}

#[test]
fn a_study_is_run_like_any_scenario() {
    // Directions are shared among the threads; the table of results is the same, a row for each direction.
    let dir = temporary();
    for (threads, out) in [("1", "one"), ("2", "two")] {
        let said = good(dir.path(), &["run", "rover-tilt", "--quiet", "--threads", threads, "--out", out]);
        assert!(said.starts_with("By ") && said.contains("in the least stable direction"), "{said}");
    }
    let series = touchdown_record::read_series(&dir.path().join("one")).expect("readable");
    assert_eq!(series.rows(), 36);
    assert!(
        bytes(&dir.path().join("one"), "series.parquet") == bytes(&dir.path().join("two"), "series.parquet")
    );
}

#[test]
fn a_numerical_failure_keeps_what_was_recorded() {
    // An explicit method beyond its stability limit overflows: exit code 3, the time and the joint, and rows up to there.
    let dir = temporary();
    std::fs::write(dir.path().join("unstable.toml"), UNSTABLE).expect("room on disk");
    let ended = touchdown(dir.path(), &["run", "unstable.toml"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    assert!(ended.stderr.contains("t = ") && ended.stderr.contains("runs/unstable"), "{}", ended.stderr);
    let run = dir.path().join("runs/unstable");
    let summary = json(&run, "summary.json");
    assert_eq!(summary["finished"], false);
    assert!(summary["stopped_because"].as_str().is_some_and(|why| ended.stderr.contains(why)));
    let series = touchdown_record::read_series(&run).expect("readable");
    assert!(series.rows() > 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_no_bad_scenario() {
    // A file where the run folder should be: exit code 1, and the path is named.
    let dir = temporary();
    std::fs::write(dir.path().join("taken"), "").expect("room on disk");
    let ended = touchdown(dir.path(), &["run", "pendulum", "--out", "taken/here"]);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("taken/here"), "{}", ended.stderr);
}
