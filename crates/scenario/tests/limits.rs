//! Drives at their limits and loads shorter than a step, under every integrator.

mod common;

use common::run_text;

/// A jaw of 0.5 kg closes at 20 mm/s: its drive, 5000 N s/m and 10 N at most, is at its limit for 1 ms.
const JAW: &str = r#"
title = "Jaw"
duration = "1 s"
gravity = "none"
integrator = "explicit"
record = { series_every = "50 ms", frames_every = "1 s" }
[body.jaw]
mass = "0.5 kg"
point_mass = true
[joint.slide]
type = "prismatic"
child = "jaw"
axis = [1, 0, 0]
"#;
const DRIVE: &str = r#"
[drive.close]
joints = "slide"
speed = "20 mm/s"
gain = "5000 N s/m"
limit = "10 N"
"#;
const STEPS: [&str; 3] = ["1 ms", "5 ms", "20 ms"];

fn realtime(step: &str) -> String {
    format!("integrator={{ name = \"realtime\", step = \"{step}\" }}")
}

/// A step longer than the start-up ends at the target rate, neither beyond it nor swinging about it: travel is off by what the jaw
/// lacks during start-up, below target rate times one step.
#[test]
fn a_drive_at_its_limit_does_not_overshoot() {
    let text = format!("{JAW}{DRIVE}");
    let exact = run_text(&text, &[]).end("joint.slide.position_m");
    for step in STEPS {
        let run = run_text(&text, &[&realtime(step)]);
        let h: f64 = step.trim_end_matches(" ms").parse::<f64>().expect("a number") / 1000.0;
        let error = (run.end("joint.slide.position_m") - exact).abs();
        assert!(error < 0.02 * h, "{step}: {error}");
        let worst = run.column("joint.slide.rate_m_per_s").iter().fold(0f64, |m, v| m.max(*v));
        assert!(worst < 0.02 * (1.0 + 1e-9), "{step}: {worst} m/s");
    }
}

/// A load of three times the limit drives the jaw back as fast as the rest of the force can: x = −(30 − 10)/(2 m)·t², as the
/// drive at its limit cannot hold it. Backward Euler adds h/t of it.
#[test]
fn a_load_beyond_the_limit_drives_back() {
    let text = format!("{JAW}{DRIVE}[load.push]\non = \"jaw\"\nforce = {{ x = \"-30 N\" }}\n");
    for step in STEPS {
        let run = run_text(&text, &[&realtime(step)]);
        let h: f64 = step.trim_end_matches(" ms").parse::<f64>().expect("a number") / 1000.0;
        let x = run.end("joint.slide.position_m");
        assert!((x / -20.0 - 1.0).abs() < 1.5 * h, "{step}: {x} m");
    }
}

/// A pulse of 2 ms and 0.1 N s in the middle of a step of 20 ms gives the jaw its 0.2 m/s, with every method of fixed steps.
#[test]
fn a_pulse_shorter_than_a_step_is_not_lost() {
    let pulse = "[load.push]\non = \"jaw\"\nforce = { x = { table = [[\"109 ms\", \"0 N\"], [\"110 ms\", \"100 N\"], [\"111 ms\", \"0 N\"]] } }\n";
    let text = format!("{JAW}{pulse}");
    for integrator in ["realtime", "implicit"] {
        let set = format!("integrator={{ name = \"{integrator}\", step = \"20 ms\" }}");
        let v = run_text(&text, &[&set]).end("joint.slide.rate_m_per_s");
        assert!((v - 0.2).abs() < 0.02, "{integrator}: {v} m/s");
    }
}

/// A light jaw that begins 3 mm/s faster than its drive wants is braked within 36 µs and then goes 20 mm in a second. Linearised at the start of its steps of 5 ms, the limited
/// drive would throw it to and fro by 0.43 m/s, and it would go 0.19 m the wrong way.
#[test]
fn a_jaw_that_is_too_fast_is_not_thrown_back() {
    let (mass, limit, gain, target, begin, h) = (0.1176, 10.0, 5000.0, 0.020, 0.023, 0.005);
    let (mut v, mut x): (f64, f64) = (begin, 0.0);
    for _ in 0..200 {
        let force: f64 = gain * (target - v);
        v += if force.abs() > limit {
            h * limit.copysign(force) / mass
        } else {
            h * force / (mass + h * gain)
        };
        x += h * v;
    }
    assert!((x - -0.19).abs() < 0.01, "linearised at the start: {x} m");
    let jaw = JAW
        .replace("0.5 kg", "0.1176 kg")
        .replace("axis = [1, 0, 0]", "axis = [1, 0, 0]\nrate = \"23 mm/s\"");
    let text = format!("{jaw}{DRIVE}");
    for integrator in ["\"explicit\"", "{ name = \"realtime\", step = \"5 ms\" }"] {
        let run = run_text(&text, &[&format!("integrator={integrator}")]);
        // The step that brakes ends at the target rate, but for m/(m + h·gain) of the difference.
        let end = run.end("joint.slide.position_m");
        assert!((end - 0.020).abs() < 0.02 * h, "{integrator}: {end} m");
    }
}
