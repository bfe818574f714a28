//! Small motions make small changes: a peg that wanders through its nozzle, in and out of touch.

use super::*;

/// A smooth path through the nozzle with offsets, tilts and pushes that lose and gain contact.
fn place(t: f64) -> SurfaceMotion {
    let wave = |k: f64, phase: f64| (k * t + phase).sin();
    peg::pose(
        [1.5e-3 * wave(3.1, 0.1), 1.2e-3 * wave(2.3, 1.0)],
        -2e-3 + 5e-3 * wave(1.7, 0.5),
        [8e-3 * wave(4.1, 0.3), 8e-3 * wave(3.3, 2.0)],
    )
}

/// Largest jump of the force over what the motion explains: stiffness times the travel of the farthest corner.
fn worst_jump(steps: u32, pair: &RevolutionPair) -> f64 {
    let h = 20.0 / f64::from(steps);
    let stiffness = (0..400)
        .map(|k| {
            let tangent = pair
                .evaluate_with_tangent(&PolygonalState::default(), &place(f64::from(k) * 0.05), &origin())
                .1;
            tangent.K.fixed_view::<3, 3>(3, 3).norm()
        })
        .fold(0.0, f64::max);
    let mut before = fresh(pair, &place(0.0));
    let (mut worst, mut touched) = (0.0f64, 0);
    for k in 1..=steps {
        let motion = place(f64::from(k) * h);
        let old = place(f64::from(k - 1) * h);
        let now = fresh(pair, &motion);
        let far = Vec3::new(0.05, 0.05, 0.05);
        let travel =
            (motion.X_WS.point(&far) - old.X_WS.point(&far)).norm() + (motion.X_WS.p - old.X_WS.p).norm();
        let jump =
            (now.wrench_C.f - before.wrench_C.f).norm() + (now.wrench_C.t - before.wrench_C.t).norm() / 0.05;
        worst = worst.max(jump / (stiffness * travel));
        touched += u32::from(now.polygons > 0);
        before = now;
    }
    println!("sweep of {steps}: worst jump {worst:.3} of what the motion explains, {touched} touching");
    assert!(touched > steps / 10 && touched < steps);
    worst
}

#[test]
fn force_is_continuous() {
    assert!(worst_jump(20_000, &peg::peg(48)) < 1.0);
}

/// The long sweep of a million motions: minutes.
#[test]
#[ignore = "a million evaluations"]
fn force_is_continuous_over_a_million_motions() {
    assert!(worst_jump(1_000_000, &peg::peg(48)) < 1.0);
}
