//! Constraints: distance, axes, gears, prescribed motions, and redundant ones.

use super::common::{Checks, built_in, run_text, run_world, world};
use super::{CLOSE, DOWN, NONE, others_agree, run_checked, scenario};
use touchdown_oracle as oracle;

/// A body on a table held at a distance from a point is the simple pendulum.
#[test]
fn distance_is_a_massless_rod() {
    let mut checks = Checks::default();
    let text = scenario(
        2.0,
        [0.0, -9.81, 0.0],
        r#"
[body.bob]
mass_kg = 1
inertia_kg_m2 = [0.1, 0.1, 0.1]
[joint.plane]
type = "planar"
child = "bob"
axis = [0, 0, 1]
at_m = [-1, 0, 0]
[constraint.rod]
type = "distance"
between = ["world", "bob"]
length_m = 1
"#,
    );
    let run = run_checked("distance", &text, &mut checks);
    for t in [0.5, 1.0, 2.0] {
        let wanted = oracle::pendulum::at(t);
        let error = (run.at("body.bob.x_m", t) - wanted.x_m).hypot(run.at("body.bob.y_m", t) - wanted.y_m);
        checks.below(&format!("distance, bob at {t} s, m"), error, CLOSE);
        // The rod carries m g cos θ + m l θ̇², θ from straight down.
        let tension = -9.81 * wanted.y_m + wanted.rate_rad_per_s.powi(2);
        let found = run.at("constraint.rod.force_0", t).abs();
        checks.below(&format!("distance, tension at {t} s, N"), (found - tension).abs(), 100.0 * CLOSE);
    }
    others_agree("distance", &text, &["body.bob.x_m", "body.bob.y_m"], &run, &mut checks);
    checks.finish();
}

fn swinging(joint: &str, constraint: &str) -> String {
    scenario(
        2.0,
        DOWN,
        &format!(
            r#"
[body.plate]
mass_kg = 2
centre_of_mass_m = [0.1, 0.3, -0.5]
inertia_kg_m2 = [0.2, 0.15, 0.1]
[joint.hanger]
child = "plate"
{joint}
[point.corner]
body = "plate"
position_m = [0.3, 0.4, -0.8]
{constraint}
"#
        ),
    )
}

/// A ball joint whose axes are kept parallel is a hinge; one with axes kept perpendicular is a universal joint: the same motion.
#[test]
fn axes_turn_a_ball_joint_into_a_hinge_or_a_universal_joint() {
    let mut checks = Checks::default();
    let parallel =
        "[constraint.axes]\ntype = \"parallel\"\nbetween = [\"plate\", \"world\"]\naxis = [0, 1, 0]\n";
    let perpendicular = "[constraint.axes]\ntype = \"perpendicular\"\nbetween = [\"world\", \"plate\"]\nfirst_axis = [1, 0, 0]\nsecond_axis = [0, 1, 0]\n";
    let cases = [
        ("parallel", parallel, "type = \"revolute\"\naxis = [0, 1, 0]\n"),
        ("perpendicular", perpendicular, "type = \"universal\"\naxis = [1, 0, 0]\nsecond_axis = [0, 1, 0]\n"),
    ];
    let columns = ["point.corner.x_m", "point.corner.y_m", "point.corner.z_m"];
    for (label, constraint, joint) in cases {
        let text = swinging("type = \"spherical\"\n", constraint);
        let held = run_checked(label, &text, &mut checks);
        let direct = run_checked(label, &swinging(joint, ""), &mut checks);
        for column in columns {
            let error = super::largest_difference(&held.column(column), &direct.column(column));
            checks.below(&format!("{label} against the joint itself, {column}"), error, CLOSE);
        }
        for part in ["fx", "fy", "fz"] {
            let name = format!("joint.hanger.reaction_{part}_n");
            let error = super::largest_difference(&held.column(&name), &direct.column(&name));
            checks.below(&format!("{label} against the joint itself, {name}"), error, 100.0 * CLOSE);
        }
        others_agree(label, &text, &columns, &held, &mut checks);
    }
    checks.finish();
}

/// A motor on one of two geared discs: α = T/(I₁ + n² I₂).
#[test]
fn gear_couples_two_discs() {
    let mut checks = Checks::default();
    let text = scenario(
        1.0,
        NONE,
        r#"
[body.pinion]
mass_kg = 1
inertia_kg_m2 = [0.01, 0.01, 0.02]
[joint.pinion]
type = "revolute"
child = "pinion"
axis = [0, 0, 1]
[body.wheel]
mass_kg = 1
inertia_kg_m2 = [0.2, 0.2, 0.3]
[joint.wheel]
type = "revolute"
child = "wheel"
axis = [0, 0, 1]
at_m = [1, 0, 0]
position_rad = 0.1
[constraint.teeth]
type = "gear"
driven = "wheel"
driver = "pinion"
ratio = -0.25
offset_rad = 0.1
[drive.motor]
joints = "pinion"
torque = "0.5 N m"
"#,
    );
    let run = run_checked("gear", &text, &mut checks);
    let wanted = 0.5 * 0.5 / (0.02 + 0.3 / 16.0);
    checks.below(
        "gear, angle of the pinion, rad",
        (run.end("joint.pinion.position_rad") - wanted).abs(),
        CLOSE,
    );
    checks.below(
        "gear, angle of the wheel, rad",
        (run.end("joint.wheel.position_rad") - 0.1 + 0.25 * wanted).abs(),
        CLOSE,
    );
    others_agree("gear", &text, &["joint.pinion.position_rad"], &run, &mut checks);
    checks.finish();
}

/// A mass shaken as A sin ωt + x₀ needs the force m ẍ, and the work of the shaker is the kinetic energy.
#[test]
fn prescribed_motion_needs_mass_times_acceleration() {
    let mut checks = Checks::default();
    let text = scenario(
        1.0,
        NONE,
        r#"
[body.mass]
mass_kg = 2
uniform = { sphere = "0.1 m" }
[joint.guide]
type = "prismatic"
child = "mass"
axis = [1, 0, 0]
position_m = 0.5
[constraint.shaker]
type = "prescribed"
joint = "guide"
motion = { sine = { amplitude = "0.3 m", frequency = "1.5 Hz", offset = "0.5 m" } }
"#,
    );
    let run = run_checked("prescribed", &text, &mut checks);
    let w = 1.5 * std::f64::consts::TAU;
    let (mut place, mut push, mut work): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for t in run.column("time_s") {
        place = place.max((run.at("joint.guide.position_m", t) - 0.5 - 0.3 * (w * t).sin()).abs());
        push = push.max(
            (run.at("constraint.shaker.force_0", t).abs() - (2.0 * 0.3 * w * w * (w * t).sin()).abs()).abs(),
        );
        let energy = (0.3 * w).powi(2) * ((w * t).cos().powi(2) - 1.0);
        work = work.max((run.at("energy.drive_work_j", t) - energy).abs());
    }
    checks.below("prescribed, position, m", place, CLOSE);
    checks.below("prescribed, force, N", push, 100.0 * CLOSE);
    checks.below("prescribed, work of the shaker, J", work, 100.0 * CLOSE);
    others_agree("prescribed", &text, &["joint.guide.position_m"], &run, &mut checks);
    checks.finish();
}

/// Saying every loop closure twice changes nothing: redundant constraints are ordinary.
#[test]
fn constraints_said_twice_give_the_same_motion() {
    let mut checks = Checks::default();
    let cases = [
        ("four-bar", "duration_s=2", "point.b0.x_m", oracle::four_bar::at(2.0).x_m, 2e-3),
        (
            "andrews-squeezer",
            "duration_s=0.02",
            "joint.beta.position_rad",
            oracle::andrews_squeezer::at(0.02).angles_rad[0],
            1e-5,
        ),
        ("bricard", "duration_s=2", "point.p3.x_m", oracle::bricard::at(2.0).p3_m()[0], 2e-3),
    ];
    for (name, duration, column, wanted, step) in cases {
        let twice = |sets: &[&str]| {
            let mut scenario = built_in(name, sets);
            let mut again = scenario.description.mechanism.constraints.clone();
            again.iter_mut().for_each(|c| c.name += " again");
            scenario.description.mechanism.constraints.extend(again);
            run_world(world(&scenario))
        };
        let run = twice(&[duration]);
        checks.below(&format!("{name} closed twice, explicit"), (run.end(column) - wanted).abs(), 1e-6);
        checks.below(
            &format!("{name} closed twice, residual"),
            run.quantity("constraint_residual_max"),
            1e-10,
        );
        let set = format!("integrator={{name=\"implicit\", step=\"{step} s\"}}");
        let once = run_world(world(&built_in(name, &[&set, duration])));
        let implicit = twice(&[&set, duration]);
        // The same steps: they differ by the accuracy of Newton's method, 1e-10 of the rates in each of some thousand steps.
        checks.below(
            &format!("{name} closed twice, implicit against once"),
            (implicit.end(column) - once.end(column)).abs(),
            1e-6,
        );
    }
    checks.finish();
}

/// A loop that cannot be closed is refused before the run.
#[test]
fn unreachable_loops_are_refused() {
    let text = scenario(
        1.0,
        NONE,
        r#"
[body.arm]
mass_kg = 1
uniform = { sphere = "0.1 m" }
[joint.arm]
type = "revolute"
child = "arm"
axis = [0, 0, 1]
[constraint.far]
type = "coincident"
between = [{ body = "arm", position_m = [1, 0, 0] }, { body = "world", position_m = [3, 0, 0] }]
"#,
    );
    let scenario = super::common::inline(&text, &[]);
    assert!(touchdown_sim::Simulation::build(&scenario.description).is_err());
    let near = text.replace("[3, 0, 0]", "[0, 1, 0]");
    let run = run_text(&near, &[]);
    let angle = run.end("joint.arm.position_rad");
    assert!((angle.rem_euclid(std::f64::consts::TAU) - std::f64::consts::FRAC_PI_2).abs() < 1e-10, "{angle}");
}
