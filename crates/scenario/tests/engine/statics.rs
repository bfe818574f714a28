//! Static equilibrium and reactions: what Newton's method finds is what a long damped run settles to; joints carry what they must.

use super::common::{Checks, run, run_text};
use super::{CLOSE, DOWN, run_checked, scenario};
use touchdown_oracle::pendulum;

/// Balance of an arm on a torsion spring: k (θ₀ − θ) = m g l cos θ, solved here by bisection.
fn balanced_angle(stiffness: f64, rest: f64, moment: f64) -> f64 {
    let (mut low, mut high) = (-1.5, 1.5);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if stiffness * (rest - middle) > moment * f64::cos(middle) { low = middle } else { high = middle }
    }
    low
}

const ARM: &str = r#"
[body.arm]
mass_kg = 2
centre_of_mass_m = [0.5, 0, 0]
uniform = { rod = "1 m" }
[joint.hinge]
type = "revolute"
child = "arm"
axis = [0, -1, 0]
spring = { stiffness = "30 N m/rad", damping = "20 N m s/rad", rest_rad = 0.4 }
[body.tip]
mass_kg = 1
uniform = { sphere = "0.1 m" }
[joint.tip]
type = "prismatic"
parent = "arm"
child = "tip"
axis = [1, 0, 0]
at_m = [1, 0, 0]
spring = { stiffness = "100 N/m", damping = "30 N s/m" }
"#;

/// The static solution starts at rest where the closed form says, without a residual motion, and a damped run ends there.
#[test]
fn equilibrium_is_where_a_damped_run_ends() {
    let mut checks = Checks::default();
    let text = scenario(0.5, DOWN, ARM).replace("integrator", "start = \"equilibrium\"\nintegrator");
    let run = run_text(&text, &[]);
    let (angle, travel) = (run.at("joint.hinge.position_rad", 0.0), run.at("joint.tip.position_m", 0.0));
    // Tip: 100 x = −m g sin θ; arm: moments of both.
    checks.below("equilibrium, tip, m", (travel + 9.81 * angle.sin() / 100.0).abs(), 1e-9);
    let moment = 9.81 * (2.0 * 0.5 + 1.0 + travel);
    checks.below("equilibrium, angle, rad", (angle - balanced_angle(30.0, 0.4, moment)).abs(), 1e-9);
    let moved = (run.end("joint.hinge.position_rad") - angle).abs();
    checks.below("equilibrium, moved in half a second, rad", moved, 1e-9);
    // The slowest time constant is about 20/30 s; 40 s leave e^-40 or so.
    let damped = run_text(&scenario(40.0, DOWN, ARM), &[]);
    checks.below(
        "equilibrium against a damped run, rad",
        (damped.end("joint.hinge.position_rad") - angle).abs(),
        1e-9,
    );
    checks.below(
        "equilibrium against a damped run, m",
        (damped.end("joint.tip.position_m") - travel).abs(),
        1e-9,
    );
    checks.finish();
}

/// With loops too: a square of rods on a diagonal spring hangs where the spring's moment balances the weight.
#[test]
fn equilibrium_of_a_closed_loop() {
    let mut checks = Checks::default();
    let text = scenario(
        0.2,
        DOWN,
        r#"
[body.left]
mass_kg = 1
centre_of_mass_m = [0, 0, -0.5]
uniform = { rod = "1 m", along = [0, 0, 1] }
[joint.left]
type = "revolute"
child = "left"
axis = [0, 1, 0]
position_rad = 0.2
[body.right]
mass_kg = 1
centre_of_mass_m = [0, 0, -0.5]
uniform = { rod = "1 m", along = [0, 0, 1] }
[joint.right]
type = "revolute"
child = "right"
axis = [0, 1, 0]
at_m = [1, 0, 0]
position_rad = 0.2
[body.bar]
mass_kg = 2
centre_of_mass_m = [0.5, 0, 0]
uniform = { rod = "1 m" }
[joint.bar]
type = "revolute"
parent = "left"
child = "bar"
axis = [0, 1, 0]
at_m = [0, 0, -1]
position_rad = -0.2
[constraint.corner]
type = "coincident"
between = ["bar", "right"]
at_m = [1, 0, -1]
[spring.side]
between = [{ body = "world", position_m = [-2, 0, -1] }, { body = "left", position_m = [0, 0, -1] }]
stiffness = "20 N/m"
rest_length_m = 1
"#,
    )
    .replace("integrator", "start = \"equilibrium\"\nintegrator");
    let run = run_text(&text, &[]);
    // Virtual work in θ (rods of weight at half, bar at full length): m_eff g l sin θ = spring, m_eff = ½ + ½ + 2.
    let theta = run.at("joint.left.position_rad", 0.0);
    let corner = [-theta.sin() + 2.0, -theta.cos() + 1.0];
    let length = corner[0].hypot(corner[1]);
    let tension = 20.0 * (length - 1.0);
    let along = (corner[0] * -theta.cos() + corner[1] * theta.sin()) / length;
    let residual = -3.0 * 9.81 * theta.sin() - tension * along;
    checks.below("equilibrium of a loop, moment left over, N m", residual.abs(), 1e-8);
    checks.between("equilibrium of a loop, angle, rad", theta, 0.1, 1.0);
    checks.below(
        "equilibrium of a loop, moved, rad",
        (run.end("joint.left.position_rad") - theta).abs(),
        1e-9,
    );
    checks.finish();
}

/// The hinge of the pendulum carries m g cos θ + m l θ̇² along the rod and nothing across it beyond what accelerates the bob.
#[test]
fn reaction_of_a_pendulum_is_its_tension() {
    let mut checks = Checks::default();
    let run = run("pendulum", &["record.reactions=true", "duration_s=2"]);
    let mut worst: f64 = 0.0;
    for t in run.column("time_s") {
        let s = pendulum::at(t);
        let tension = 9.81 * s.angle_rad.cos() + s.rate_rad_per_s.powi(2);
        let wanted = [-tension * s.angle_rad.sin(), tension * s.angle_rad.cos(), 0.0];
        let found = ["fx", "fy", "fz"].map(|f| run.at(&format!("joint.hinge.reaction_{f}_n"), t));
        worst = found.iter().zip(wanted).map(|(f, w)| (f - w).abs()).fold(worst, f64::max);
    }
    checks.below("reaction of the pendulum, N", worst, 100.0 * CLOSE);
    checks.finish();
}

/// Each joint of a hanging chain carries the weight below it; spun about a vertical axis, an arm carries its centripetal force.
#[test]
fn reactions_carry_weight_and_centripetal_force() {
    let mut checks = Checks::default();
    let chain = scenario(
        0.1,
        DOWN,
        "[chain.c]\nlinks = 5\nlength_m = 0.2\nmass_kg = 0.3\nalong = [0, 0, -1]\nhinge = [0, 1, 0]\n",
    );
    let run = run_checked("hanging chain", &chain, &mut checks);
    for i in 1..=5 {
        let carried = run.end(&format!("joint.c/{i}.reaction_fz_n"));
        checks.below(
            &format!("hanging chain, joint {i}, N"),
            (carried - (6 - i) as f64 * 0.3 * 9.81).abs(),
            1e-12,
        );
    }
    let arm = scenario(
        1.0,
        DOWN,
        r#"
[body.arm]
mass_kg = 2
centre_of_mass_m = [0.7, 0, 0.1]
inertia_kg_m2 = [0.1, 0.1, 0.1]
[joint.axle]
type = "revolute"
child = "arm"
axis = [0, 0, 1]
rate_rad_per_s = 5
"#,
    );
    let run = run_checked("spinning arm", &arm, &mut checks);
    let pull = ["fx", "fy"].map(|f| run.at(&format!("joint.axle.reaction_{f}_n"), 0.5));
    checks.below(
        "spinning arm, centripetal force, N",
        (pull[0].hypot(pull[1]) - 2.0 * 0.7 * 25.0).abs(),
        CLOSE,
    );
    checks.below(
        "spinning arm, weight, N",
        (run.at("joint.axle.reaction_fz_n", 0.5) - 2.0 * 9.81).abs(),
        CLOSE,
    );
    // Weight at an arm of 0.7 m, and the pull 0.1 m above the joint, both about the arm's horizontal normal.
    let tilt = ["tx", "ty"].map(|f| run.at(&format!("joint.axle.reaction_{f}_n_m"), 0.5));
    let wanted = 2.0 * 9.81 * 0.7 + 2.0 * 0.7 * 25.0 * 0.1;
    checks.below("spinning arm, tilting moment, N m", (tilt[0].hypot(tilt[1]) - wanted).abs(), CLOSE);
    checks.finish();
}

/// The ground carries the weight of a machine with loops: joints and loop closures to the world together, at rest on its start.
#[test]
fn reactions_of_a_loop_sum_to_the_change_of_momentum() {
    let mut checks = Checks::default();
    let run = run("four-bar", &["record.reactions=true", "duration_s=1"]);
    // m ẍ of five rods: B₀ moves like the couplers' centres, the cranks' centres half of it; differences of rows of 10 ms.
    let times = run.column("time_s");
    let momentum: Vec<f64> = run.column("point.b0.vy_m_per_s").iter().map(|v| (2.0 + 1.5) * v).collect();
    let mut worst: f64 = 0.0;
    for i in 1..times.len() - 1 {
        let change = (momentum[i + 1] - momentum[i - 1]) / (times[i + 1] - times[i - 1]);
        let carried: f64 =
            ["a_0", "a_1", "a_2"].iter().map(|j| run.at(&format!("joint.{j}.reaction_fy_n"), times[i])).sum();
        worst = worst.max((carried - 5.0 * 9.81 - change).abs());
    }
    // Central differences leave dt²/6 of the third derivative: 3.5 kg, 1 m, up to (7 rad/s)⁴ with gravity's share doubled.
    checks.below(
        "four-bar, ground reactions against momentum, N",
        worst,
        2.0 * 3.5 * 7f64.powi(4) * 1e-4 / 6.0,
    );
    checks.finish();
}
