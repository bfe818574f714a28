//! Brush tyres on smooth rigid ground, in the loop: energy at the method's order, crests that throw a wheel, the edge of a map, and the rover
//! on its map.

mod common;

use common::{Checks, Memory, inline, run, run_text, world};
use touchdown_math::Elementary;
use touchdown_scenario::load;

/// A wheel on a fork that slides along x and z; `speed` along x, rolling.
fn wheel(ground: &str, speed: f64, more: &str) -> String {
    format!(
        r#"
title = "wheel"
duration = "1 s"
gravity = "mars"
record = {{ series_every = "10 ms" }}
{more}
[ground]
{ground}

[body.sledge]
mass = "1 kg"
inertia_kg_m2 = [1, 1, 1]
[joint.along]
type = "prismatic"
child = "sledge"
axis = [1, 0, 0]
rate = "{speed} m/s"

[body.fork]
mass = "40 kg"
inertia_kg_m2 = [1, 1, 1]
[joint.up]
type = "prismatic"
parent = "sledge"
child = "fork"
axis = [0, 0, 1]
position = "0.12 m"

[body.wheel]
mass = "12 kg"
inertia_kg_m2 = [0.05, 0.09, 0.05]
[joint.axle]
type = "revolute"
parent = "fork"
child = "wheel"
axis = [0, 1, 0]
rate = "{} rad/s"

[tyre.wheel]
body = "wheel"
law = "brush"
[tyre_law.brush]
radius = "142.5 mm"
width = "120 mm"
radial_stiffness = "8250 N/m"
radial_damping = "814 N s/m"
longitudinal_slip_stiffness = "8250 N"
lateral_slip_stiffness = "850 N/deg"
friction_min = 0.5
friction_max = 0.757
rolling_resistance = 0.015
relaxation_length = "50 mm"
"#,
        speed / 0.12
    )
}

const HILLS: &str = "shape = \"procedural\"\namplitude_m = 0.01\nwavelength_m = 0.8\noctaves = 1\nspacing_m = 0.05\nsize_m = [6, 2]";

/// Rolling over hills, the energy ledger balances at the order of the method: half the step, half the residual (realtime) or a quarter (implicit); the explicit
/// method closes them to its tolerance.
#[test]
fn energy_closes_at_the_order_of_the_method() {
    let mut checks = Checks::default();
    let residual = |integrator: &str| {
        let run = run_text(&wheel(HILLS, 0.3, ""), &[&format!("integrator={integrator}")]);
        assert_eq!(run.end("tyres.lift_offs"), 0.0);
        run.quantity("energy_residual_max_j")
    };
    for (name, step, low, high) in [("realtime", 1.0, 1.7, 2.4), ("implicit", 2.0, 3.0, 6.0)] {
        let at = |step: f64| residual(&format!("{{name=\"{name}\", step=\"{step} ms\"}}"));
        let ratio = at(step) / at(0.5 * step);
        checks.between(&format!("{name}, residual over that of half the step"), ratio, low, high);
    }
    checks.below("explicit, residual J", residual("{name=\"explicit\", tolerance=1e-9}"), 1e-6);
    checks.finish();
}

/// Over a crest of curvature κ a wheel faster than √(g/κ) leaves the ground, and the summary says which and when; slower it stays.
#[test]
fn a_crest_throws_a_fast_wheel() {
    // z = −0.8 x²: κ = 1.6 1/m, √(3.711/1.6) = 1.52 m/s.
    let ridge = "shape = \"paraboloid\"\ncoefficients = [\"-0.8 1/m\", \"0 1/m\"]";
    let more = "integrator = { name = \"explicit\", tolerance = 1e-8 }";
    let slow = run_text(&wheel(ridge, 0.3, more), &["duration_s=0.8"]);
    assert_eq!((slow.end("tyres.lift_offs"), slow.end("tyre.wheel.air_time_s")), (0.0, 0.0));
    assert!(
        slow.end("tyre.wheel.gap_m") < 0.0 && slow.outcome.warnings.is_empty(),
        "{:?}",
        slow.outcome.warnings
    );
    let fast = run_text(&wheel(ridge, 3.0, more), &["duration_s=0.8"]);
    assert_eq!((fast.end("tyres.lift_offs"), fast.end("tyres.touching")), (1.0, 0.0));
    let lifted = fast.column("tyre.wheel.gap_m").iter().position(|gap| *gap > 0.0).expect("in the air");
    let since = fast.column("time_s")[lifted];
    assert!((fast.end("tyre.wheel.air_time_s") - (0.8 - since)).abs() < 0.011, "{since}");
    let said = fast.outcome.warnings.join("\n");
    assert!(said.contains("wheel \"wheel\" left the ground at t = 0."), "{said}");
}

/// At the edge of the map and over a hole the run ends with the name of the wheel and the place; a machine that starts off the map is refused.
#[test]
fn the_edge_of_the_map_ends_a_run() {
    let text = wheel(&HILLS.replace("[6, 2]", "[2, 2]"), 1.5, "integrator = { name = \"implicit\" }");
    let mut world = world(&inline(&text, &[]));
    let outcome = world.run(&mut Memory::default()).expect("a sink that takes all");
    let said = outcome.stopped_because.expect("it ends at the edge");
    assert!(!outcome.finished && said.contains("\"wheel\" left the map at x = 1.0"), "{said}");
    let far = load("rover-on-map", &["machine.rover.place.x=100 m".into()]).map(|_| ()).expect_err("refused");
    assert!(far.to_string().contains("is outside the map"), "{far}");
}

/// The clearance is that of the lowest wheel, on rough ground too.
#[test]
fn clearance_is_that_of_the_lowest_wheel() {
    for clearance in [0.0, 0.01] {
        let set = format!("machine.rover.place.clearance={clearance} m");
        let run = run("rover-on-map", &["start=as-given", "duration_s=0.01", &set]);
        let names = ["front_left", "front_right", "middle_left", "middle_right", "rear_left", "rear_right"];
        let gaps = names.map(|name| run.column(&format!("tyre.{name}.gap_m"))[0]);
        let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least - clearance).abs() < 1e-12, "{gaps:?}");
        assert!(gaps.iter().any(|gap| *gap > clearance + 0.01), "{gaps:?}");
    }
}

/// From equilibrium nothing moves but what the drives turn: with drives that hold, the rover stands still on rough ground.
#[test]
fn equilibrium_holds_on_rough_ground() {
    let run = run("rover-on-map", &["speed_m_per_s=0", "duration_s=2"]);
    // The drives hold by speed alone and creep by torque over gain: 20 N m over 2000 N m s/rad on a radius of 0.12 m.
    assert!(run.end("body.rover/chassis.path_m") < 2.0 * 0.0012, "{}", run.end("body.rover/chassis.path_m"));
    assert!(run.quantity("kinetic_max_j") < 1e-3);
}

/// So it does on a slope, whether gravity leans or the ground rises; and a start that is not written down is this one.
#[test]
fn equilibrium_holds_on_a_slope() {
    for slope in ["gravity_tilt={ angle = \"10 deg\" }", "ground={ shape = \"plane\", slope = \"10 deg\" }"] {
        let still = ["duration_s=2", "start=automatic", slope];
        let run = run("rover-straight-brush", &still);
        let said = run.outcome.warnings.join("\n");
        assert!(!said.contains("not at rest"), "{slope}: {said}");
        // The weight of 320 kg pulls with 206 N down the slope, and drives that hold by speed alone creep: F r^2/(6 k) with six wheels of
        // r = 0.1425 m and k = 2000 N m s/rad. Setting the treads in motion and rolling resistance change it by per cents.
        let creep = 320.0 * 3.71 * 10f64.to_radians().sine() * 0.1425 * 0.1425 / (6.0 * 2000.0);
        let path = run.end("body.rover/chassis.path_m");
        assert!((path / (2.0 * creep) - 1.0).abs() < 0.1, "{slope}: {path} {creep}");
    }
}

/// The rover crosses 20 m of rough ground with all wheels on it, and its energy ledger balances.
#[test]
fn the_rover_crosses_its_map() {
    let mut checks = Checks::default();
    let whole = run("rover-on-map", &[]);
    checks.between("distance, m", whole.quantity("distance_m"), 20.0, 21.0);
    checks.below("energy residual, relative", whole.quantity("energy_residual_relative"), 1e-3);
    checks.between("wheels on the ground, at least", whole.quantity("wheels_touching_min"), 6.0, 6.0);
    // Rougher ground takes wheels off the ground, and it is noticed.
    let rough = run("rover-on-map", &["amplitude_m=0.09", "duration_s=500"]);
    checks.between("lift-offs on rougher ground", rough.quantity("wheel_lift_offs"), 1.0, 100.0);
    assert!(
        rough.outcome.warnings.iter().any(|w| w.contains("left the ground")),
        "{:?}",
        rough.outcome.warnings
    );
    checks.finish();
}
