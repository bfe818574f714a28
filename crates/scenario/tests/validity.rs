//! Checks of validity in the loop: what is fine holds, what is too coarse or out of range does not, and a restart changes none of them.

mod common;

use common::{built_in, run, run_text, run_world, world};
use touchdown_sim::sink::{Check, Outcome};

fn check<'a>(outcome: &'a Outcome, name: &str) -> &'a Check {
    let found = outcome.validity.iter().find(|c| c.name == name);
    found.unwrap_or_else(|| panic!("no check {name} among {:?}", outcome.validity))
}

/// A wheel of 150 mm has 15 cells of 10 mm along its radius and three of 50 mm: ten are needed. The coarse run says so in a warning too.
#[test]
fn a_coarse_grid_fails_its_check_and_the_default_passes() {
    let fine = run("single-wheel", &[]).outcome;
    assert!(fine.validity.iter().all(Check::holds), "{:?}", fine.validity);
    assert!((check(&fine, "cells_per_radius").value - 15.0).abs() < 1e-9);
    assert!((check(&fine, "cells_across_wheel").value - 10.0).abs() < 1e-9);
    let coarse = run("single-wheel", &["spacing_m=0.05"]).outcome;
    for name in ["cells_per_radius", "cells_across_wheel", "contact_cells"] {
        assert!(!check(&coarse, name).holds(), "{name}");
        assert!(coarse.warnings.iter().any(|w| w.contains(name)), "{:?}", coarse.warnings);
    }
    assert!(check(&coarse, "soil_volume_error_relative").holds());
}

/// Mohr and Coulomb bound what a rim can pull: W tan φ + c A, with and without grousers, whatever the grid. Grousers pull as hard on finer grids, within 2 % of the load, and
/// harder than the smooth rim.
#[test]
fn grousers_keep_to_the_strength_of_the_soil() {
    let (load, radius, width) = (200.0, 0.15, 0.1);
    // lunar-nominal: φ = 35°, c = 170 Pa; the contact is shorter than the radius.
    let limit = load * 35.0_f64.to_radians().tan() + 170.0 * radius * width;
    let pull = |law: &str, bars: &str, spacing: &str| {
        let sets = ["soil=lunar-nominal", "slip=0.4", law, bars, spacing];
        run("single-wheel", &sets).quantity("drawbar_pull_n")
    };
    for law in ["stress_law=directional", "stress_law=bekker"] {
        let [coarse, fine] = ["spacing_m=0.01", "spacing_m=0.005"].map(|s| pull(law, "grousers=24", s));
        assert!(coarse < limit && fine < limit, "{law}: {coarse} {fine} of {limit}");
        assert!((coarse - fine).abs() < 0.02 * load, "{law}: {coarse} {fine}");
    }
    let law = "stress_law=directional";
    assert!(pull(law, "grousers=24", "spacing_m=0.01") > pull(law, "grousers=0", "spacing_m=0.01"));
}

/// At 1 m/s with the same cadence the soil moves every two cells: too seldom. With a move at every step it is often enough.
#[test]
fn soil_that_moves_too_seldom_is_reported() {
    let outcome = |every: &str| run("single-wheel", &["speed_m_per_s=1", every]).outcome;
    let seldom = outcome("terrain.move_every=20");
    // 1 m/s for 20 steps of 1 ms over cells of 10 mm.
    assert!((check(&seldom, "cells_between_moves").value - 2.0).abs() < 0.01);
    assert!(!check(&seldom, "cells_between_moves").holds());
    assert!(check(&outcome("terrain.move_every=1"), "cells_between_moves").holds());
}

/// A run in time, a bevameter and a tilt study all say what they checked; tyres are checked on rigid ground.
#[test]
fn every_kind_of_run_has_its_checks() {
    let plate = run("plate-sinkage", &[]).outcome;
    assert!(check(&plate, "contact_cells").holds() && check(&plate, "soil_volume_error_relative").holds());
    let tilt = run("rover-tilt", &["study.directions=4"]).outcome;
    assert!(check(&tilt, "tyre_deformation_over_radius").value > 0.0);
    let pendulum = run("pendulum", &[]).outcome;
    assert_eq!(pendulum.validity.len(), 2, "{:?}", pendulum.validity);
    assert!(check(&pendulum, "energy_residual_relative").holds());
}

/// A touchdown at 1 ms: the first-order ledger loses a fifth of the energy exchanged, and the check says so; with located events they balance.
#[test]
fn a_touchdown_in_first_order_does_not_balance() {
    let rough = run("rover-drop-brush", &["integrator.name=realtime", "integrator.step=1 ms"]).outcome;
    assert!(!check(&rough, "energy_residual_relative").holds());
    let located = run("rover-drop-brush", &[]).outcome;
    assert!(located.validity.iter().all(Check::holds), "{:?}", located.validity);
}

/// Extremes are part of the state: a run taken up halfway has the same checks to the last bit.
#[test]
fn a_resumed_run_has_the_same_checks() {
    let scenario = built_in("wheel-footprint", &["duration_s=2"]);
    let straight = run_world(world(&scenario)).outcome;
    let mut first = world(&scenario);
    first.advance_steps(1_000).expect("it runs");
    let bytes = first.checkpoint();
    let mut second = world(&scenario);
    second.resume(&bytes).expect("its own checkpoint");
    let resumed = run_world(second).outcome;
    assert_eq!(resumed.validity, straight.validity);
    assert!(check(&straight, "sinkage_over_radius").value > 0.0);
}

/// A pendulum let go from the horizontal, in steps of 50 ms: its energy balance closes, but its period is wrong, and after ten seconds it is 4 % of its amplitude late, which is a fifth of
/// where it then is. The check says so in words, within a factor of two (how far the phase has come adds up with the same sign; local errors have all signs).
#[test]
fn steps_that_are_too_long_are_said() {
    let exact = run("pendulum", &[]).quantity("angle_1_end_rad");
    let with =
        |step: &str| run("pendulum", &[&format!("integrator={{ name = \"implicit\", step = \"{step}\" }}")]);
    let long = with("50 ms");
    let off = (long.quantity("angle_1_end_rad") - exact).abs() / std::f64::consts::FRAC_PI_2;
    let found = check(&long.outcome, "time_step_error");
    println!("off by {off:.3} of its amplitude, estimated {:.3}", found.value);
    assert!(check(&long.outcome, "energy_residual_relative").holds());
    assert!(!found.holds() && found.about.contains("step too long: about"), "{found:?}");
    assert!(found.value > off / 2.0 && found.value < 2.0 * off, "{off} {found:?}");
    assert!(long.outcome.warnings.iter().any(|w| w.contains("step too long")), "{:?}", long.outcome.warnings);
    // Second order: a tenth of the step makes a hundredth of the error.
    let short = with("5 ms");
    let ratio = found.value / check(&short.outcome, "time_step_error").value;
    assert!(check(&short.outcome, "time_step_error").holds() && (50.0..200.0).contains(&ratio), "{ratio}");
}

/// A light body on a stiff, damped spring loses most of its energy in thirty periods and keeps its phase all the while: what is lost does not hide that the phase is wrong. Held
/// against x(t) = x₀ e^(−δt) (cos ωt + δ/ω sin ωt) and its rate; the same world without damping has the estimate of a system that loses nothing.
#[test]
fn damping_does_not_hide_steps_that_are_too_long() {
    let (mass, stiffness, damping, seconds) = (0.1228_f64, 67_498.0, 0.57, 0.25);
    let world_of = |damping: f64| {
        let text = format!(
            r#"
title = "mass on a spring"
duration = "{seconds} s"
gravity = "none"
integrator = {{ name = "implicit", step = "0.1 ms" }}
record = {{ series_every = "50 ms", frames_every = "1 s" }}
[body.mass]
mass = "{mass} kg"
uniform = {{ sphere = "0.05 m" }}
[joint.rail]
type = "prismatic"
axis = [1, 0, 0]
child = "mass"
position_m = 0.8
[spring.s]
between = ["mass", {{ body = "world", position_m = [-2, 0, 0] }}]
stiffness = "{stiffness} N/m"
damping = "{damping} N s/m"
rest_length = "2 m"
"#
        );
        run_text(&text, &[])
    };
    let ran = world_of(damping);
    let decay = damping / (2.0 * mass);
    let omega = (stiffness / mass - decay * decay).sqrt();
    let (sin, cos) = (omega * seconds).sin_cos();
    let amplitude = 0.8 * (-decay * seconds).exp();
    let (x, v) =
        (amplitude * (cos + decay / omega * sin), -amplitude * (omega + decay * decay / omega) * sin);
    let (dx, dv) = (ran.end("joint.rail.position_m") - x, ran.end("joint.rail.rate_m_per_s") - v);
    let off = dx.hypot(dv / omega) / amplitude;
    let found = check(&ran.outcome, "time_step_error");
    // Second order: (ωh)²/12 of every radian, 0.05 of 0.07 rad in each of 2,500 steps. The estimate is right within a factor of two or three.
    assert!(off > 0.02, "{off}");
    assert!(!found.holds() && found.value > off / 3.0 && found.value < 3.0 * off, "{off} {found:?}");
    let free = world_of(0.0);
    assert!(!check(&free.outcome, "time_step_error").holds());
}

/// What is seen of the steps is part of the state: it does not depend on recording, and a restart changes none of it.
#[test]
fn looking_at_steps_depends_on_accepted_states_alone() {
    let sets = ["integrator={ name = \"implicit\", step = \"20 ms\" }"];
    let scenario = built_in("pendulum", &sets);
    let straight = run_world(world(&scenario)).outcome;
    let mut rare = scenario.clone();
    (rare.description.record.series_every, rare.description.record.frames_every) = (0.7, 3.0);
    assert_eq!(run_world(world(&rare)).outcome.validity, straight.validity);
    let mut first = world(&scenario);
    for steps in [31, 94, 250] {
        first.advance_steps(steps).expect("it runs");
        let bytes = first.checkpoint();
        first = world(&scenario);
        first.resume(&bytes).expect("its own checkpoint");
    }
    assert_eq!(run_world(first).outcome.validity, straight.validity);
}

/// A ball pressed into soil deeper than its radius leaves the range of its law: a check fails, not only a warning.
#[test]
fn a_foot_beyond_its_range_fails_a_check() {
    let held = run("foot-press", &["shape=spherical"]).outcome;
    assert!(check(&held, "feet_out_of_range").holds(), "{:?}", held.validity);
    let deep = run("foot-press", &["shape=spherical", "load_n=20000"]).outcome;
    let found = check(&deep, "feet_out_of_range");
    assert!(!found.holds() && found.value == 1.0, "{found:?}");
}

/// Two machines that nothing ties together: 1 MJ that a falling tonne exchanges hide nothing of the 50 mJ that a light spring loses to steps of half a radian. The check names
/// the part. Tied by a thread they are one part, and with steps that are short enough both hold.
#[test]
fn what_one_machine_exchanges_hides_nothing_of_another() {
    let text = |more: &str| {
        format!(
            r#"
title = "a tonne falls beside a spring"
duration = "2 s"
gravity = "earth"
record = {{ series_every = "0.1 s", frames_every = "1 s" }}
[body.tonne]
mass = "1000 kg"
uniform = {{ sphere = "0.2 m" }}
[joint.fall]
type = "prismatic"
axis = [0, 0, 1]
child = "tonne"
[body.light]
mass = "0.1 kg"
uniform = {{ sphere = "0.02 m" }}
[joint.swing]
type = "prismatic"
axis = [1, 0, 0]
child = "light"
position = "0.1 m"
spring = {{ stiffness = "10 N/m" }}
{more}
"#
        )
    };
    let outcome =
        |integrator: &str, more: &str| run_text(&text(more), &[&format!("integrator={integrator}")]).outcome;
    let rough = "{ name = \"realtime\", step = \"50 ms\" }";
    let apart = outcome(rough, "");
    let found = check(&apart, "energy_residual_relative");
    assert!(!found.holds() && found.value > 0.3, "{found:?}");
    assert!(found.about.ends_with("worst: the part with light"), "{found:?}");
    let thread =
        "[spring.thread]\nbetween = [\"tonne\", \"light\"]\nstiffness = \"1 N/m\"\nrest_length = \"1 m\"";
    let tied = outcome(rough, thread);
    let found = check(&tied, "energy_residual_relative");
    assert!(found.holds() && !found.about.contains("the part with"), "{found:?}");
    for (integrator, bound) in [
        ("{ name = \"explicit\", tolerance = 1e-8 }", 1e-6),
        ("{ name = \"implicit\", tolerance = 1e-5 }", 0.01),
        ("{ name = \"realtime\", step = \"0.2 ms\" }", 0.05),
    ] {
        let found = check(&outcome(integrator, ""), "energy_residual_relative").value;
        assert!(found < bound, "{integrator}: {found}");
    }
}

/// A boom that carries its load at rest, beside one that rings and one that is driven: what its part has is rounding, and no check takes that for an error.
#[test]
fn a_part_at_rest_is_not_judged_by_rounding() {
    let outcome = run("boom-bending", &[]).outcome;
    assert!(outcome.validity.iter().all(Check::holds), "{:?}", outcome.validity);
}
