//! Output at the end of a run: an answer in words with its failed checks, in few lines; and the small commands around it.

mod common;

use common::*;
use std::path::Path;

/// A pendulum whose energy is off on purpose: steps of 50 ms with the method of first order.
const COARSE: [&str; 6] =
    ["run", "pendulum", "--set", "integrator={ name = \"realtime\", step = \"100 ms\" }", "--out", "a"];

#[test]
fn the_answer_of_the_output_is_that_of_the_summary_and_the_page() {
    let dir = temporary();
    for name in ["pendulum", "single-wheel", "rover-tilt", "sphere-on-plate", "foot-press"] {
        let said = good(dir.path(), &["run", name, "--out", name]);
        let answer = json(&dir.path().join(name), "summary.json")["answer"].clone();
        let text = answer["text"].as_str().expect("an answer");
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.ends_with('.') && flat.contains(text), "{text}\n{said}");
        assert_eq!(answer["verdict"], "number");
        assert!(answer["value"].is_f64() && answer["unit"].is_string() && answer["quantity"].is_string());
        let page = String::from_utf8(bytes(&dir.path().join(name), "report.html")).expect("UTF-8");
        assert!(page.contains("data-verdict=\"number\""), "{name}");
    }
}

#[test]
fn failed_checks_show_in_every_mode_and_count_under_strict() {
    let dir = temporary();
    for mode in [&["-q"][..], &[], &["-v"]] {
        let said = good(dir.path(), &[&COARSE[..], mode, &["--force"]].concat());
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("validity checks fail"), "{mode:?}: {said}");
        assert!(flat.contains("energy_residual_relative is"), "{mode:?}: {said}");
    }
    let ended = touchdown(dir.path(), &[&COARSE[..], &["--force", "--strict"]].concat());
    assert_eq!(ended.code, 4, "{}", ended.stderr);
    assert!(ended.stderr.contains("energy_residual_relative"), "{}", ended.stderr);
    let strict = ["run", "pendulum", "--strict", "--out", "b"];
    assert_eq!(touchdown(dir.path(), &strict).code, 0, "nothing fails there");
}

#[test]
fn json_is_one_document_and_nothing_else() {
    let dir = temporary();
    let document = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&good(dir.path(), args)).unwrap_or_else(|e| panic!("{args:?}: {e}"))
    };
    let run = document(&["run", "pendulum", "-o", "a", "--json"]);
    assert_eq!((&run["answer"]["verdict"], &run["folder"]), (&"number".into(), &"a".into()));
    assert!(document(&["list", "--json"])["scenarios"].as_array().is_some_and(|list| list.len() > 50));
    assert_eq!(document(&["check", "pendulum", "--json"])["bodies"], 1);
    assert_eq!(document(&["report", "a", "--json"])["report"], "a/report.html");
    assert_eq!(document(&["verify", "a", "--json"])["intact"], true);
    assert!(document(&["converge", "pendulum", "--json", "--set", "duration_s=0.1"])["estimate"].is_f64());
}

#[test]
fn new_scenarios_pass_their_check() {
    // Each is commented, names its schema, checks, and is never written over a file.
    let dir = temporary();
    for template in ["wheel", "rover", "docking", "legs"] {
        let file = format!("{template}.toml");
        good(dir.path(), &["new", template, &file]);
        let text = std::fs::read_to_string(dir.path().join(&file)).expect("written");
        assert!(text.starts_with("#:schema ") && text.matches('#').count() > 3, "{text}");
        assert!(good(dir.path(), &["check", &file]).contains("no mistakes"));
        assert_eq!(touchdown(dir.path(), &["new", template, &file]).code, 2);
    }
    let said = good(dir.path(), &["run", "rover.toml", "--set", "duration_s=0.2", "-q", "--no-report"]);
    assert!(said.starts_with("No: "), "it cannot have gone far: {said}");
}

#[test]
fn the_program_greets_completes_and_explains_itself() {
    let dir = temporary();
    let greeting = good(dir.path(), &[]);
    assert!(greeting.contains("touchdown run pendulum") && greeting.lines().count() < 12, "{greeting}");
    for shell in ["bash", "zsh", "fish"] {
        assert!(good(dir.path(), &["completions", shell]).contains("touchdown"));
    }
    assert!(good(dir.path(), &["man"]).starts_with(".ie"), "roff");
    good(dir.path(), &["man", "-o", "man"]);
    assert!(dir.path().join("man/touchdown-run.1").exists());
    assert!(good(dir.path(), &["help", "run"]).contains("--strict"));
}

#[test]
fn colour_is_asked_for_or_not_there() {
    let dir = temporary();
    let coloured = |words: &[&str], out: &str| {
        good(dir.path(), &[&["run", "pendulum", "--out", out][..], words].concat()).contains('\u{1b}')
    };
    assert!(!coloured(&[], "a"), "a pipe is no terminal");
    assert!(coloured(&["--color", "always"], "b"));
    assert!(!coloured(&["--color", "never"], "c"));
}

#[test]
fn an_own_soil_counts_its_assumed_defaults() {
    // Elastic stiffness and shear displacement are left out: their defaults were not measured.
    let dir = temporary();
    let soil = "title = \"Own soil\"\nintegrator = { name = \"realtime\", step = \"1 ms\" }\n[terrain]\nspacing = \"10 mm\"\n[terrain.soil]\n\
        exponent = 1.0\ncohesive_modulus = 1400.0\nfrictional_modulus = 820000.0\ncohesion = \"170 Pa\"\nfriction_angle = \"30 deg\"\n";
    let rig = "[rig]\nkind = \"single-wheel\"\nslip = 0.3\nload = \"200 N\"\nradius = \"0.15 m\"\nwidth = \"0.1 m\"\nspeed = \"0.05 m/s\"\n";
    std::fs::write(dir.path().join("own.toml"), format!("{soil}{rig}")).expect("room on disk");
    let said = good(dir.path(), &["check", "own.toml"]);
    assert!(!said.contains("assumed     0 tables"), "{said}");
}

#[test]
fn causes_are_reported_and_not_what_follows_from_them() {
    // A bolt too wide, a slip out of range: one mistake each.
    let dir = temporary();
    let one = |args: &[&str], what: &str| {
        let ended = touchdown(dir.path(), args);
        assert!(ended.code == 2 && ended.stderr.contains(what), "{}", ended.stderr);
        assert!(ended.stderr.contains("1 mistake in the scenario"), "{}", ended.stderr);
    };
    one(
        &["check", "docking", "--set", "capture_tool.nozzle.bolt.radius=wide"],
        "capture_tool.nozzle.bolt.radius",
    );
    one(&["check", "docking", "--set", "capture_tool.nozzle.bolt.radius=0.5 m"], "capture_tool.nozzle");
    one(&["check", "wheel-ancf-on-soil", "--set", "slip=2"], "rig.slip must be <= 0.95");
}

/// Runs a scenario and returns its verdict and text.
fn verdict(dir: &Path, name: &str, sets: &[&str]) -> (String, String) {
    let settings: Vec<&str> = sets.iter().flat_map(|set| ["--set", *set]).collect();
    let args = [&["run", name, "--json", "--no-report", "--force", "--out", "flip"][..], &settings].concat();
    let run: serde_json::Value = serde_json::from_str(&good(dir, &args)).expect("JSON");
    let word = |key: &str| run["answer"][key].as_str().expect("text").to_string();
    (word("verdict"), word("text"))
}

/// The scenario as it stands and with one knob turned.
fn flips(name: &str, first: (&[&str], &str), then: (&[&str], &str)) {
    let dir = temporary();
    for (sets, expected) in [first, then] {
        let (verdict, text) = verdict(dir.path(), name, sets);
        assert_eq!(verdict, expected, "{name} {sets:?}: {text}");
    }
}

#[test]
fn a_loose_tolerance_leads_the_ball_astray() {
    flips("ball-in-bowl", (&[], "yes"), (&["tolerance=1e-3"], "no"));
    flips("ball-in-bowl", (&["surface=analytic"], "yes"), (&["mass_kg=2"], "undecided"));
}

#[test]
fn a_rover_that_had_no_time_to_climb_is_not_one_that_cannot() {
    // Cut on its first slope, the study has no answer; "0°" would say that the rover climbs nothing.
    let dir = temporary();
    let (verdict, text) = verdict(dir.path(), "rover-gradability", &["duration_s=0.1", "spacing_m=0.03"]);
    assert_eq!(verdict, "undecided", "{text}");
    assert!(text.contains("the run ended before slope 1 of 13 (0.00 deg) was climbed"), "{text}");
}

#[test]
fn a_heap_needs_time_to_slide() {
    flips("sand-pile", (&[], "yes"), (&["duration_s=0.1"], "no"));
}

#[test]
fn a_weak_drive_does_not_hold_the_speed() {
    flips("rover-straight-brush", (&[], "yes"), (&["machine.rover.drive.wheels.limit=0.1 N m"], "no"));
}

#[test]
fn weak_drives_do_not_hold_the_speed_on_flexible_wheels() {
    // The cruise is cut to two seconds: all of it, and the wheels that turn past two spokes, take twenty seconds of computing.
    let cut = [
        "duration_s=18",
        "quantity.speed_cruise_m_per_s.from=16 s",
        "quantity.speed_cruise_m_per_s.to=18 s",
        "quantity.speed_deviation_m_per_s.to=18 s",
    ];
    let weak = [&cut[..], &["machine.rover.drive.wheels.limit=0.1 N m"]].concat();
    flips("rover-straight-ancf", (&cut, "yes"), (&weak, "no"));
}

#[test]
fn a_walk_over_gentle_hills_ends_upright_and_over_steep_ones_does_not() {
    let steep = ["duration_s=4", "amplitude_m=0.2", "wavelength_m=1.5"];
    flips("hexapod-map", (&["duration_s=2"], "yes"), (&steep, "no"));
}

#[test]
fn a_point_turn_takes_its_time() {
    flips("rover-point-turn", (&[], "yes"), (&["duration_s=60"], "no"));
}

#[test]
fn a_satellite_needs_time_to_settle() {
    flips("satellite-attitude", (&[], "yes"), (&["duration_s=60"], "no"));
}

#[test]
fn twenty_metres_take_a_thousand_seconds() {
    flips("rover-on-map", (&[], "yes"), (&["duration_s=100"], "no"));
}

#[test]
fn a_client_in_line_is_no_reason_to_abort() {
    flips("docking-miss", (&[], "yes"), (&["tilt_x_deg=0", "tilt_y_deg=0", "duration_s=20"], "no"));
}

#[test]
fn a_docking_takes_more_than_its_approach() {
    flips("docking", (&[], "yes"), (&["duration_s=30"], "no"));
}

#[test]
fn magnets_that_repel_capture_nothing_and_a_client_that_drifts_too_fast_escapes() {
    flips("docking-magnetic", (&[], "yes"), (&["moments_a_m2=[-10,10]"], "no"));
    // At 24.8 mm/s half of the reduced mass times the square of the speed is the energy of the dipoles.
    let drifts = [["client_velocity_m_per_s=[0.02,0,0]"], ["client_velocity_m_per_s=[0.03,0,0]"]];
    flips("docking-magnetic", (&drifts[0], "yes"), (&drifts[1], "no"));
}

#[test]
fn a_rough_head_does_not_slide_to_the_apex_of_its_drogue() {
    flips("docking-probe-drogue", (&[], "yes"), (&["friction=2"], "no"));
}

#[test]
fn weak_motors_and_a_slippery_ring_are_no_grip() {
    // In a groove of 45 degrees a push F presses with F√2, less or more by its friction, 0.3: 100 N take more than 49.5 N and at most 92 N.
    flips("docking-ring-gripper", (&[], "yes"), (&["motor_n=45"], "no"));
    // 3√2·200 N·0.607 m times the coefficient, 0.1 N m, would take 90 s for the 524 kg m² that turn against each other.
    flips("docking-ring-gripper", (&["motor_n=95"], "yes"), (&["friction=0.0002"], "no"));
}

#[test]
fn latches_that_do_not_reach_berth_nothing() {
    // 12 mm of reach at 2.824 m from the axis of roll: 0.243 degrees.
    flips("berthing", (&["roll_deg=0.235"], "yes"), (&["roll_deg=0.25"], "no"));
}

#[test]
fn a_timetable_docks_only_at_its_end() {
    flips("docking-open-loop", (&[], "yes"), (&["duration_s=30"], "no"));
}

#[test]
fn the_place_of_the_rover_decides_whether_it_has_crossed() {
    // Half a second each, before and behind the gap, the step: crossing them takes most of a minute of computing, which `validate` does.
    for name in ["rover-crevasse", "rover-obstacle"] {
        flips(name, (&["duration_s=0.5"], "no"), (&["duration_s=0.5", "start_m=3"], "yes"));
    }
}

#[test]
fn a_brush_tyre_pulls_as_a_flexible_wheel_where_it_rolls_as_far() {
    flips("rover-compare-tyres", (&[], "yes"), (&["rolling_share=1"], "no"));
}
