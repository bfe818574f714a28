//! Energy: the power of the wrench is stored or turned into heat, identically, and heat is never negative.

use super::*;

fn power(motion: &WheelMotion, f: &TyreForce) -> f64 {
    f.wrench_C.t.dot(&motion.w_WB) + f.wrench_C.f.dot(&motion.v_WC)
}

/// d(stored)/dt by the chain rule, from the published rates alone.
pub(super) fn stored_rate(f: &TyreForce, state: &[f64; 2]) -> f64 {
    let p = BrushParameters::SAMARINI;
    let sigma = p.relaxation_length;
    p.radial_stiffness * f.deformation * f.deformation_rate
        + sigma * p.longitudinal_slip_stiffness * state[0] * f.state_rate[0]
        + sigma * p.lateral_slip_stiffness * state[1] * f.state_rate[1]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Power on the wheel + rate of stored energy + heat = 0, to round-off, for any motion and state: rolling, sliding,
    /// leaning, leaving, at rest.
    #[test]
    fn power_is_stored_or_dissipated(case in case()) {
        let f = case.tyre().calc_force(&case.motion, &case.ground, &case.state);
        let (on_wheel, stored) = (power(&case.motion, &f), stored_rate(&f, &case.state));
        prop_assert!(f.dissipated_power >= 0.0);
        // Largest terms in the sum: forces times speeds, each with a relative error of some 1e-16.
        let speed = case.motion.v_WC.norm() + 0.15 * case.motion.w_WB.norm();
        let size = f.dissipated_power + stored.abs() + f.wrench_C.f.norm() * speed + 1.0;
        prop_assert!((on_wheel + stored + f.dissipated_power).abs() < 1e-13 * size, "{} {} {}", on_wheel, stored, f.dissipated_power);
    }

    /// The published deformation rate and stored energy are those of the moving wheel: central differences along its motion.
    #[test]
    fn rates_are_those_of_the_motion(case in case()) {
        let tyre = case.tyre();
        let f = tyre.calc_force(&case.motion, &case.ground, &case.state);
        if f.deformation < 1e-4 || f.normal_force == 0.0 {
            return Ok(());
        }
        let dt = 1e-6;
        let at = |t: f64| {
            let m = &case.motion;
            let moved = WheelMotion {
                p_WC: m.p_WC + m.v_WC * t, axis_W: rotation::exp(&(m.w_WB * t)) * m.axis_W, ..*m
            };
            let state = [case.state[0] + f.state_rate[0] * t, case.state[1] + f.state_rate[1] * t];
            tyre.calc_force(&moved, &case.ground, &state)
        };
        let (before, after) = (at(-dt), at(dt));
        // Positions of some metres carry 1e-15 m, which the difference divides by 2e-6 s.
        let rate = (after.deformation - before.deformation) / (2.0 * dt);
        prop_assert!((rate - f.deformation_rate).abs() < 1e-8 * (1.0 + rate.abs()));
        let stored = (after.elastic_energy - before.elastic_energy) / (2.0 * dt);
        prop_assert!((stored - stored_rate(&f, &case.state)).abs() < 1e-5 * (1.0 + stored.abs()));
    }
}

/// A mass dropped 10 mm lands, creeps into the over-damped rest m g = k δ without rebound, and loses exactly the energy that was
/// booked as heat, but for the error of the integrator.
#[test]
fn drop_settles_without_rebound() {
    let (tyre, ground, mass, gravity) = (tyre(), level(), 53.35, 3.711);
    // Start at touchdown, after a fall of 10 mm; classical Runge–Kutta for height, velocity and heat, with the heat as a state.
    let mut y = [BrushParameters::SAMARINI.radius, -(2.0f64 * gravity * 0.01).sqrt(), 0.0];
    let force = |z: f64, v: f64| {
        let motion = WheelMotion {
            p_WC: Vec3::new(0.0, 0.0, z),
            axis_W: Vec3::y(),
            v_WC: Vec3::new(0.0, 0.0, v),
            w_WB: Vec3::zeros(),
        };
        tyre.calc_force(&motion, &ground, &[0.0; 2])
    };
    let slope = |y: &[f64; 3]| {
        let f = force(y[0], y[1]);
        [y[1], f.wrench_C.f.z / mass - gravity, f.dissipated_power]
    };
    let energy = |y: &[f64; 3]| {
        0.5 * mass * y[1] * y[1] + mass * gravity * y[0] + force(y[0], y[1]).elastic_energy + y[2]
    };
    // The tyre starts a round-off inside the ground, so that contact has begun.
    y[0] -= 1e-15;
    let (start, h) = (energy(&y), 1e-4);
    for _ in 0..120_000 {
        let shift = |k: &[f64; 3], by: f64| [y[0] + by * k[0], y[1] + by * k[1], y[2] + by * k[2]];
        let k1 = slope(&y);
        let k2 = slope(&shift(&k1, 0.5 * h));
        let k3 = slope(&shift(&k2, 0.5 * h));
        let k4 = slope(&shift(&k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        assert!(y[1] <= 1e-12, "rebound: {y:?}");
    }
    // Fast root c/m = 153/s: (153 h)⁴ per unit of the 2 J of impact.
    assert!((energy(&y) - start).abs() < 2.0 * (153.0 * h).powi(4));
    let f = force(y[0], y[1]);
    // Slow root k/c = 1.01/s: e^(−12) of 24 mm remain after 12 s.
    assert!((f.deformation - mass * gravity / 8250.0).abs() < 0.024 * (-12.0f64).exp() * 1.5);
}
