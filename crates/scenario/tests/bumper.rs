//! Bumpers in the loop: collisions of two balls against closed forms, by every integrator.

mod common;

use common::{Checks, run_text};

/// Two balls of 2 kg and 3 kg on a rail meet at 0.5 m/s and 0.3 m/s; they touch after 0.1 m / 0.8 m/s.
fn collision(damping: f64, integrator: &str) -> String {
    format!(
        r#"
title = "Two balls on a rail"
duration = "0.5 s"
gravity = "none"
integrator = {integrator}
sample_every = "1 ms"

[body.left]
mass = "2 kg"
uniform = {{ sphere = "50 mm" }}

[body.right]
mass = "3 kg"
uniform = {{ sphere = "50 mm" }}

[joint.left]
type = "prismatic"
axis = [1, 0, 0]
child = "left"
rate_m_per_s = 0.5

[joint.right]
type = "prismatic"
axis = [1, 0, 0]
child = "right"
position_m = 0.2
rate_m_per_s = -0.3

[bumper.between]
between = ["left", "right"]
radii_m = [0.05, 0.05]
stiffness_n_per_m = 2000
damping_n_s_per_m = {damping}

[quantity]
deepest = {{ column = "bumper.between.gap_m", take = "min" }}
left = {{ column = "joint.left.rate_m_per_s", take = "end" }}
right = {{ column = "joint.right.rate_m_per_s", take = "end" }}
"#
    )
}

/// Restitution of a linear spring and damper that never pulls, with the damping ratio below 1/sqrt(2) (Schwager & Pöschel, Granular Matter 9, 2007).
fn restitution(damping: f64) -> f64 {
    let (mass, stiffness): (f64, f64) = (1.2, 2000.0);
    let zeta = damping / (2.0 * (mass * stiffness).sqrt());
    let root = (1.0 - zeta * zeta).sqrt();
    let angle = std::f64::consts::PI - (2.0 * zeta * root / (1.0 - 2.0 * zeta * zeta)).atan();
    (-zeta / root * angle).exp()
}

#[test]
fn balls_rebound_as_their_spring_and_damper_say() {
    let mut checks = Checks::default();
    // With the angle a = w h of a step of 0.1 ms in the half-wave of the contact: implicit Euler loses the share pi a of the energy, half of it of the speed;
    // a second-order method some a^2 of both. Explicit keeps its tolerance through some hundred steps.
    let a = (2000.0_f64 / 1.2).sqrt() * 1e-4;
    let first = 1.05 * std::f64::consts::PI * a;
    let methods = [
        ("{ name = \"explicit\", tolerance = 1e-10 }", [1e-8; 2]),
        ("{ name = \"implicit\", step = \"0.1 ms\" }", [10.0 * a * a; 2]),
        ("{ name = \"realtime\", step = \"0.1 ms\" }", [0.5 * first, first]),
    ];
    for (integrator, [bound, energy_bound]) in methods {
        for damping in [0.0, 20.0] {
            let run = run_text(&collision(damping, integrator), &[]);
            let (left, right) = (run.quantity("left"), run.quantity("right"));
            let what = |figure: &str| format!("{integrator}, {damping} N s/m: {figure}");
            let momentum = 2.0 * left + 3.0 * right - (2.0 * 0.5 - 3.0 * 0.3);
            checks.below(&what("momentum, N s"), momentum.abs(), 1e-9);
            let rebound = (right - left) / 0.8 - restitution(damping);
            checks.below(&what("restitution"), rebound.abs(), bound);
            if damping == 0.0 {
                // Half of 1.2 kg at 0.8 m/s in the spring; samples of 1 ms miss the deepest place by (w h/2)^2/2.
                let deepest = 0.8 * (1.2_f64 / 2000.0).sqrt();
                let missed = (-run.quantity("deepest") / deepest - 1.0).abs();
                checks.below(&what("deepest overlap"), missed, 3e-4 + bound);
            }
            let energy = run.quantity("energy_residual_relative");
            checks.below(&what("energy residual"), energy, energy_bound);
        }
    }
    checks.finish();
}
