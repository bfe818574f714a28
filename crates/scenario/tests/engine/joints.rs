//! Every kind of joint moves as physics says.

use super::common::Checks;
use super::{CLOSE, DOWN, NONE, others_agree, run_checked, scenario};
use touchdown_oracle::ballistics::{Flight, projectile};
use touchdown_oracle::pendulum::physical_period;

/// A rod with a ball fixed to its end swings as one physical pendulum: after a period it is back where it was released.
#[test]
fn fixed_bodies_swing_as_one() {
    let mut checks = Checks::default();
    // Rod of 2 kg and 1 m about y, ball of 3 kg (radius 0.2 m) at 1.2 m.
    let inertia = 2.0 / 3.0 + 3.0 * 1.2f64.powi(2) + 0.4 * 3.0 * 0.04;
    let arm = (2.0 * 0.5 + 3.0 * 1.2) / 5.0;
    let period = physical_period(5.0, arm, inertia, 1.0, 9.81);
    let text = scenario(
        period,
        DOWN,
        r#"
[body.rod]
mass_kg = 2
centre_of_mass_m = [0, 0, -0.5]
uniform = { rod = "1 m", along = [0, 0, 1] }
[joint.hinge]
type = "revolute"
child = "rod"
axis = [0, 1, 0]
position_rad = 1.0
[body.ball]
mass_kg = 3
uniform = { sphere = "0.2 m" }
[joint.weld]
type = "fixed"
parent = "rod"
child = "ball"
parent_frame = { position_m = [0, 0, -1.2], roll_rad = 0.7 }
"#,
    );
    let run = run_checked("fixed", &text, &mut checks);
    checks.below(
        "fixed, angle after a period, rad",
        (run.end("joint.hinge.position_rad") - 1.0).abs(),
        CLOSE,
    );
    checks.below(
        "fixed, rate after a period, rad/s",
        run.end("joint.hinge.rate_rad_per_s").abs(),
        10.0 * CLOSE,
    );
    others_agree("fixed", &text, &["joint.hinge.position_rad"], &run, &mut checks);
    checks.finish();
}

/// A block slides down a straight guide with g sin α.
#[test]
fn prismatic_joint_is_an_inclined_plane() {
    let mut checks = Checks::default();
    let text = scenario(
        1.0,
        DOWN,
        r#"
[body.block]
mass_kg = 2
uniform = { box_m = [0.1, 0.2, 0.3] }
[joint.guide]
type = "prismatic"
child = "block"
axis = [3, 0, -4]
rate_m_per_s = 0.5
"#,
    );
    let run = run_checked("prismatic", &text, &mut checks);
    let wanted = 0.5 + 0.5 * 9.81 * 0.8;
    checks.below("prismatic, travel, m", (run.end("joint.guide.position_m") - wanted).abs(), CLOSE);
    checks.finish();
}

/// On a vertical cylindrical joint a body falls freely and spins on; with a gear between both motions it is a screw, which the weight
/// drives: θ̈ = −m g p/(I + m p²).
#[test]
fn cylindrical_joint_is_a_shaft_and_with_a_gear_a_screw() {
    let mut checks = Checks::default();
    let nut = r#"
[body.nut]
mass_kg = 2
inertia_kg_m2 = [0.01, 0.01, 0.02]
[joint.shaft]
type = "cylindrical"
child = "nut"
axis = [0, 0, 1]
"#;
    let text = scenario(1.0, DOWN, &format!("{nut}rate = [\"0 m/s\", \"3 rad/s\"]\n"));
    let run = run_checked("cylindrical", &text, &mut checks);
    checks.below("cylindrical, travel, m", (run.end("joint.shaft.0.position_m") + 0.5 * 9.81).abs(), CLOSE);
    checks.below("cylindrical, angle, rad", (run.end("joint.shaft.1.position_rad") - 3.0).abs(), CLOSE);
    let gear = "[constraint.thread]\ntype = \"gear\"\ndriven = \"shaft.0\"\ndriver = \"shaft.1\"\nratio = \"0.05 m/rad\"\n";
    let text = scenario(1.0, DOWN, &format!("{nut}{gear}"));
    let run = run_checked("screw", &text, &mut checks);
    let spin_up = -2.0 * 9.81 * 0.05 / (0.02 + 2.0 * 0.05 * 0.05);
    checks.below("screw, angle, rad", (run.end("joint.shaft.1.position_rad") - 0.5 * spin_up).abs(), CLOSE);
    checks.below("screw, travel, m", (run.end("joint.shaft.0.position_m") - 0.025 * spin_up).abs(), CLOSE);
    others_agree("screw", &text, &["joint.shaft.0.position_m"], &run, &mut checks);
    checks.finish();
}

/// Two shafts at an angle β on a universal joint: ω₂/ω₁ = cos β/(1 − sin²β sin²θ₁), Hooke's ratio.
#[test]
fn universal_joint_has_hookes_speed_ratio() {
    let mut checks = Checks::default();
    let beta = 0.5f64;
    let axis = [beta.cos(), 0.0, -beta.sin()];
    let text = scenario(
        3.0,
        NONE,
        &format!(
            r#"
[body.input]
mass_kg = 1
inertia_kg_m2 = [0.01, 0.02, 0.02]
[joint.input]
type = "revolute"
child = "input"
axis = [1, 0, 0]
rate_rad_per_s = 2.0
held = true
[body.output]
mass_kg = 1
inertia_kg_m2 = [0.01, 0.02, 0.02]
[joint.cross]
type = "universal"
parent = "input"
child = "output"
axis = [0, 1, 0]
second_axis = [0, 0, 1]
position_rad = [{beta}, 0]
[constraint.motor]
type = "prescribed"
joint = "input"
motion = {{ line = {{ start = "0 rad", rate = "2 rad/s" }} }}
[constraint.bearing]
type = "parallel"
between = ["output", "world"]
first_axis = [1, 0, 0]
second_axis = {axis:?}
"#
        ),
    );
    let run = run_checked("universal", &text, &mut checks);
    let mut worst: f64 = 0.0;
    for t in run.column("time_s") {
        let w: f64 = ["wx", "wy", "wz"]
            .iter()
            .zip(axis)
            .map(|(w, e)| e * run.at(&format!("body.output.{w}_rad_per_s"), t))
            .sum();
        let wanted = 2.0 * beta.cos() / (1.0 - (beta.sin() * (2.0 * t).sin()).powi(2));
        worst = worst.max((w - wanted).abs());
    }
    checks.below("universal, speed of the output shaft, rad/s", worst, CLOSE);
    others_agree("universal", &text, &["joint.cross.0.position_rad"], &run, &mut checks);
    checks.finish();
}

/// A ball on a spherical joint circles as a conical pendulum with Ω² = g/(l cos α); thrown otherwise, energy and the vertical angular
/// momentum stay.
#[test]
fn spherical_joint_is_a_conical_pendulum() {
    let mut checks = Checks::default();
    let (alpha, l) = (0.6f64, 0.8f64);
    let rate = (9.81 / (l * alpha.cos())).sqrt();
    let ball = |spin: [f64; 3]| {
        format!(
            r#"
[body.ball]
mass_kg = 2
centre_of_mass_m = [0, 0, -{l}]
uniform = {{ sphere = "0.1 m" }}
[joint.ball]
type = "spherical"
child = "ball"
placed = {{ pitch_rad = {alpha} }}
angular_velocity_rad_per_s = {spin:?}
[point.ball]
body = "ball"
position_m = [0, 0, -{l}]
"#
        )
    };
    let text = scenario(5.0, DOWN, &ball([-rate * alpha.sin(), 0.0, rate * alpha.cos()]));
    let run = run_checked("spherical", &text, &mut checks);
    let mut worst: f64 = 0.0;
    for t in run.column("time_s") {
        let wanted =
            [-l * alpha.sin() * (rate * t).cos(), -l * alpha.sin() * (rate * t).sin(), -l * alpha.cos()];
        let found = ["x", "y", "z"].map(|a| run.at(&format!("point.ball.{a}_m"), t));
        worst = found.iter().zip(wanted).map(|(f, w)| (f - w).abs()).fold(worst, f64::max);
    }
    checks.below("spherical, conical pendulum, m", worst, CLOSE);
    others_agree("spherical", &text, &["point.ball.x_m", "point.ball.z_m"], &run, &mut checks);
    let thrown = run_checked("spherical, thrown", &scenario(5.0, DOWN, &ball([0.7, 1.1, -2.0])), &mut checks);
    let momentum = |run: &super::Run, t: f64| {
        let [x, y] = ["x", "y"].map(|a| run.at(&format!("point.ball.{a}_m"), t));
        let [vx, vy] = ["vx", "vy"].map(|a| run.at(&format!("point.ball.{a}_m_per_s"), t));
        2.0 * (x * vy - y * vx) + 0.4 * 2.0 * 0.01 * run.at("body.ball.wz_rad_per_s", t)
    };
    let drift = thrown
        .column("time_s")
        .iter()
        .map(|t| (momentum(&thrown, *t) - momentum(&thrown, 0.0)).abs())
        .fold(0.0, f64::max);
    checks.below("spherical, thrown, change of vertical angular momentum, N m s", drift, CLOSE);
    checks.finish();
}

/// A puck on a table, tied to a point by a spring without rest length, moves on an ellipse r₀ cos ωt + v₀/ω sin ωt and spins on.
#[test]
fn planar_joint_is_a_table() {
    let mut checks = Checks::default();
    let text = scenario(
        4.0,
        DOWN,
        r#"
[body.puck]
mass_kg = 0.5
inertia_kg_m2 = [0.01, 0.01, 0.02]
[joint.table]
type = "planar"
child = "puck"
axis = [0, 0, 1]
position = ["0.3 m", "0.1 m", "0 rad"]
rate = ["-0.2 m/s", "0.9 m/s", "2 rad/s"]
[spring.tie]
between = ["world", "puck"]
stiffness = "8 N/m"
"#,
    );
    let run = run_checked("planar", &text, &mut checks);
    let mut worst: f64 = 0.0;
    for t in run.column("time_s") {
        for axis in ["x", "y"] {
            let (position, speed) = (format!("body.puck.{axis}_m"), format!("body.puck.v{axis}_m_per_s"));
            let wanted =
                run.at(&position, 0.0) * (4.0 * t).cos() + run.at(&speed, 0.0) / 4.0 * (4.0 * t).sin();
            worst = worst.max((run.at(&position, t) - wanted).abs());
        }
    }
    checks.below("planar, ellipse, m", worst, CLOSE);
    checks.below("planar, spin, rad", (run.end("joint.table.2.position_rad") - 8.0).abs(), CLOSE);
    checks.below(
        "planar, reaction carries the weight, N",
        (run.at("joint.table.reaction_fz_n", 2.0) - 0.5 * 9.81).abs(),
        CLOSE,
    );
    others_agree("planar", &text, &["body.puck.x_m", "body.puck.y_m"], &run, &mut checks);
    checks.finish();
}

/// A spinning body thrown on a free joint: its centre of mass flies the parabola, its spin about a principal axis stays.
#[test]
fn free_joint_flies_a_parabola() {
    let mut checks = Checks::default();
    let text = scenario(
        2.0,
        DOWN,
        r#"
[body.stone]
mass_kg = 3
inertia_kg_m2 = [0.1, 0.2, 0.3]
[joint.free]
type = "free"
child = "stone"
placed = { position_m = [1, 2, 3], yaw_rad = 0.4 }
velocity_m_per_s = [2, -1, 5]
angular_velocity_rad_per_s = [0, 0, 4]
"#,
    );
    let run = run_checked("free", &text, &mut checks);
    let wanted =
        projectile(Flight { position_m: [1.0, 2.0, 3.0], velocity_m_per_s: [2.0, -1.0, 5.0] }, DOWN, 2.0);
    for (axis, wanted) in ["x", "y", "z"].iter().zip(wanted.position_m) {
        checks.below(
            &format!("free, {axis}, m"),
            (run.end(&format!("body.stone.{axis}_m")) - wanted).abs(),
            CLOSE,
        );
    }
    let turned = 0.4 + 4.0 * 2.0 - std::f64::consts::TAU;
    checks.below("free, yaw, rad", (run.end("body.stone.yaw_rad") - turned).abs(), CLOSE);
    others_agree("free", &text, &["body.stone.z_m"], &run, &mut checks);
    checks.finish();
}
