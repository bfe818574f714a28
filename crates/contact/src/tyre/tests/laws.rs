//! The steady laws: hand-computed values, driving and braking, continuity, the friction circle, rolling
//! resistance, and the balance of torque, force and load on an accelerating wheel.

use super::super::slip::{Axis, balance_cubic, balance_fiala, cubic, fiala};
use super::*;

/// So long a step (s) that backward Euler lands on the steady state: σ/V is at most seconds here, so that the
/// remainder is of the order of 1e-11.
const FOREVER: f64 = 1e12;

fn steady(v_x: f64, v_y: f64, spin: f64) -> TyreForce {
    tyre().calc_force_at(&rolling(v_x, v_y, spin), &level(), &[0.0; 2], FOREVER).0
}

/// Motion with the slips κ and tan α (force-positive signs) at the travel speed v_x.
fn steady_at(kappa: f64, tan_slip: f64, v_x: f64) -> TyreForce {
    let arm = BrushParameters::SAMARINI.radius - DEFORMATION;
    // Driving: κ = 1 − v/(ωℓ); braking: κ = ωℓ/v − 1.
    let roll = if kappa >= 0.0 { v_x / (1.0 - kappa) } else { v_x * (1.0 + kappa) };
    steady(v_x, -tan_slip * v_x.abs(), roll / arm)
}

/// 198 N rest on 24.0 mm, and the tyre's damping adds c δ̇ but never pulls.
#[test]
fn radial_law() {
    let f = steady(0.0, 0.0, 0.0);
    assert!((f.normal_force - LOAD).abs() < 1e-10 && (f.deformation - DEFORMATION).abs() < 1e-15);
    let mut sinking = rolling(0.0, 0.0, 0.0);
    sinking.v_WC.z = -0.01;
    assert!((tyre().calc_force(&sinking, &level(), &[0.0; 2]).normal_force - (LOAD + 81.4)).abs() < 1e-10);
    sinking.v_WC.z = 0.1;
    assert_eq!(tyre().calc_force(&sinking, &level(), &[0.0; 2]).normal_force, 0.0);
}

/// Values of the two laws worked out by hand at N = 198 N.
#[test]
fn hand_computed_values() {
    // κ = 0.005 < κ* = 0.0091: 8250 × 0.005.
    assert!((steady_at(0.005, 0.0, 0.02).longitudinal_force - 41.25).abs() < 1e-6);
    // κ = 0.1: μ = 0.741, μN = 146.718 N, F = 146.718 − 146.718²/3300 = 140.19492 N.
    assert!((steady_at(0.1, 0.0, 0.02).longitudinal_force - 140.194_92).abs() < 1e-4);
    // tan α = 0.005: μN = 149.7276 N, H = 1 − 243.5070/449.1828 = 0.4578889, F = 149.7276 (1 − 0.0960008) =
    // 135.35363 N.
    assert!((steady_at(0.0, 0.005, 0.02).lateral_force - 135.3536).abs() < 1e-3);
    // tan α = 0.05 > 3μN/C_α: full slide at μ = 0.749.
    assert!((steady_at(0.0, 0.05, 0.02).lateral_force - 0.749 * LOAD).abs() < 1e-6);
}

/// In steady rolling, forward and backward, driving and braking, each pure law holds exactly at its decided
/// slip.
#[test]
fn steady_rolling_follows_the_decided_laws() {
    for v_x in [0.0194, -0.0194, 0.5] {
        for kappa in [-0.9, -0.3, -0.02, -0.008, 1e-4, 0.004, 0.0095, 0.03, 0.2, 0.8] {
            // Backwards, the rolling speed that drives is the more negative one: force and slip change sign
            // together.
            let f = steady_at(kappa, 0.0, v_x);
            let expected = decided_laws(kappa, 0.0).1 * v_x.signum();
            assert!(
                (f.longitudinal_force - expected).abs() < 1e-7,
                "{kappa} {v_x}: {} {expected}",
                f.longitudinal_force
            );
            assert!((f.slip_longitudinal - kappa * v_x.signum()).abs() < 1e-12);
        }
        for t in [-2.0, -0.5, -0.01, -0.009, -0.003, 1e-4, 0.002, 0.006, 0.0095, 0.1, 0.7] {
            let f = steady_at(0.0, t, v_x);
            let expected = decided_laws(0.0, t).2;
            assert!((f.lateral_force - expected).abs() < 1e-7, "{t} {v_x}: {} {expected}", f.lateral_force);
            assert!((f.slip_angle() + t.atan()).abs() < 1e-12);
        }
    }
}

/// A spinning wheel that stands still has κ = 1, a locked one that slides κ = −1: both at μ_min by the law.
#[test]
fn spinning_on_the_spot_and_sliding_locked() {
    let full = decided_laws(1.0, 0.0).1;
    assert!((steady(0.0, 0.0, 3.0).longitudinal_force - full).abs() < 1e-7);
    assert!((steady(0.3, 0.0, 0.0).longitudinal_force + full).abs() < 1e-7);
}

/// Both laws are continuous, the longitudinal one with its slope, where their branches meet.
#[test]
fn branches_join() {
    let (A, C) = (150.0, 8250.0);
    let tiny = 1e-9;
    let star = A / (2.0 * C);
    assert!((fiala(C, A, star + tiny) - fiala(C, A, star - tiny)).abs() < 3.0 * C * tiny);
    let full = 3.0 * A / C;
    assert!((cubic(C, A, full + tiny) - cubic(C, A, full - tiny)).abs() < 3.0 * C * tiny);
    for v in [0.0, 1e-6, 0.02, 2.0] {
        // The balance over a sweep of drives: steps of the force stay below the largest slope 1/a times the
        // step.
        let (a, count) = (1.0 / 6000.0, 40_000);
        let drive_max = 3.0 * (a * A + v * 0.1);
        let mut last = [0.0; 2];
        for i in 1..=count {
            let axis = Axis { a, inverse_a: 1.0 / a, V: v, C, r: drive_max * i as f64 / count as f64 };
            let now = [balance_fiala(&axis, A).F, balance_cubic(&axis, A).F];
            for (x, y) in now.into_iter().zip(last) {
                assert!(
                    x >= y - 1e-12 * A && x - y <= drive_max / count as f64 / a * (1.0 + 1e-9),
                    "{v} {i}"
                );
            }
            last = now;
        }
    }
}

proptest! {
    /// The balance of each axis is solved: `a F + V q̂(F) = r`, checked through the direct laws.
    #[test]
    fn axis_balance_is_solved(e in -8.0..1.0f64, q in 1e-6..0.2f64, A in 1.0..3000.0f64, stiff in 1.0..4.0f64) {
        let (V, C, a) = (10f64.powf(e), 48_000.0, 10f64.powf(-stiff));
        let F = fiala(C, A, q);
        let solved = balance_fiala(&Axis { a, inverse_a: 1.0 / a, V, C, r: a * F + V * q }, A).F;
        prop_assert!((solved - F).abs() < 1e-11 * A, "{solved} {F}");
        let F = cubic(C, A, q);
        let solved = balance_cubic(&Axis { a, inverse_a: 1.0 / a, V, C, r: a * F + V * q }, A).F;
        prop_assert!((solved - F).abs() < 1e-11 * A, "{solved} {F}");
    }

    /// The lateral balance keeps its accuracy up to full slide and down to a standing tread, where its cubic
    /// has a triple root.
    #[test]
    fn lateral_balance_near_full_slide(e in -20.0..0.0f64, gap in -17.0..-1.0f64) {
        let (V, C, a, A) = (10f64.powf(e), 48_000.0, 1e-3, 184.0);
        let F = A * (1.0 - 10f64.powf(gap));
        let H = (1.0 - F / A).cbrt();
        let r = a * F + V * 3.0 * A * (1.0 - H) / C;
        let solved = balance_cubic(&Axis { a, inverse_a: 1.0 / a, V, C, r }, A).F;
        prop_assert!((solved - F).abs() < 1e-13 * A, "{solved} {F}");
    }

    /// Combined slip: inside the circle each axis keeps its own law, at the common μ; otherwise the resultant
    /// is μN.
    #[test]
    fn combined_slip(kappa in -0.5..0.5f64, t in -0.5..0.5f64, small in prop_oneof![Just(1.0), Just(0.02)]) {
        let (kappa, t) = (kappa * small, t * small);
        let f = steady_at(kappa, t, 0.0194);
        let (mu, F_x, F_y) = decided_laws(kappa, t);
        let grip = mu * LOAD;
        if F_x.hypot(F_y) < grip * (1.0 - 1e-9) {
            prop_assert!((f.longitudinal_force - F_x).abs() < 1e-6 && (f.lateral_force - F_y).abs() < 1e-6);
        } else {
            prop_assert!((f.longitudinal_force.hypot(f.lateral_force) - grip).abs() < 1e-9 * grip);
            prop_assert!(f.longitudinal_force * kappa >= 0.0 && f.lateral_force * t >= 0.0);
        }
    }
}

/// Sliding of the whole footprint: friction opposes the sliding. Exactly where nothing flows (a tread
/// released at rest), and but for the flow's small share at full slip in both directions.
#[test]
fn sliding_friction_opposes_sliding() {
    // Standing tread far beyond the grip: v ≪ the drive of the spring, so that the direction is that of C e.
    let p = BrushParameters::SAMARINI;
    let state = [3.0 / p.longitudinal_slip_stiffness * 100.0, 4.0 / p.lateral_slip_stiffness * 100.0];
    let f = tyre().calc_force(&rolling(0.0, 0.0, 0.0), &level(), &state);
    assert!((f.longitudinal_force - 0.6 * 0.757 * LOAD).abs() < 1e-9);
    assert!((f.lateral_force - 0.8 * 0.757 * LOAD).abs() < 1e-9);
    // Locked, sliding at 45°: the flow of the tread takes at most q̂ ≈ A/(4C(1 − cos 45°)) ≈ 2 % of the slip.
    let f = steady(0.2, 0.2, 0.0);
    let angle = f.lateral_force.atan2(f.longitudinal_force).to_degrees();
    assert!((angle + 135.0).abs() < 1.0, "{angle}");
}

/// Rolling resistance is f N (R − δ) against the rolling, in either direction, and zero at rest.
#[test]
fn rolling_resistance() {
    let arm = BrushParameters::SAMARINI.radius - DEFORMATION;
    let full = 0.015 * LOAD * arm;
    for sign in [1.0, -1.0] {
        let spin = sign * 0.0194 / arm;
        assert!((steady(spin * arm, 0.0, spin).rolling_torque - sign * full).abs() < 1e-12);
    }
    assert_eq!(steady(0.0, 0.0, 0.0).rolling_torque, 0.0);
    let slow = steady(0.001, 0.0, 0.001 / arm).rolling_torque;
    assert!(slow > 0.0 && slow < full);
}

/// A rim that keeps its length rolls on R − s δ: no longitudinal force at v = ω(R − s δ), and a moment T
/// against the spin is carried at a force of T/(R − s δ).
#[test]
fn rolling_radius_is_the_arm_of_the_force() {
    let params =
        BrushParameters { rolling_share: 0.25, rolling_resistance: 0.0, ..BrushParameters::SAMARINI };
    let tyre = BrushTyre::new(params).expect("valid");
    let radius = params.radius - 0.25 * DEFORMATION;
    let at = |v: f64, spin: f64| tyre.calc_force_at(&rolling(v, 0.0, spin), &level(), &[0.0; 2], FOREVER).0;
    assert!(at(0.02, 0.02 / radius).longitudinal_force.abs() < 1e-9);
    let driven = at(0.02, 0.0205 / radius);
    assert!(driven.longitudinal_force > 100.0);
    assert!((driven.wrench_C.t.y + radius * driven.longitudinal_force).abs() < 1e-12 * LOAD);
}

/// A driven wheel pulls with its driving moment less rolling resistance and wheel inertia, over R − δ: 53.3
/// kg, 3.5 N m.
#[test]
fn traction_follows_from_the_driving_moment() {
    let (tyre, mass, inertia, torque, h) = (tyre(), 320.0 / 6.0, 0.08571, 3.5, 1e-3);
    let (mut v, mut spin, mut e) = (0.0, 0.0, [0.0; 2]);
    for step in 0..5000 {
        // Implicit in v and spin by a few Newton steps on the two unknowns.
        let (mut v_new, mut spin_new) = (v, spin);
        let mut last = (steady(0.0, 0.0, 0.0), [0.0; 2]);
        for _ in 0..8 {
            let (f, tangent, e_new) =
                tyre.calc_force_implicit(&rolling(v_new, 0.0, spin_new), &level(), &e, h);
            let r = [
                mass * (v_new - v) - h * f.wrench_C.f.x,
                inertia * (spin_new - spin) - h * (torque + f.wrench_C.t.y),
            ];
            let J = [
                [mass - h * tangent.D[(3, 3)], -h * tangent.D[(3, 1)]],
                [-h * tangent.D[(1, 3)], inertia - h * tangent.D[(1, 1)]],
            ];
            let det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
            v_new -= (J[1][1] * r[0] - J[0][1] * r[1]) / det;
            spin_new -= (J[0][0] * r[1] - J[1][0] * r[0]) / det;
            last = (f, e_new);
        }
        let (spin_rate, acceleration) = ((spin_new - spin) / h, (v_new - v) / h);
        (v, spin, e) = (v_new, spin_new, last.1);
        if step > 2500 {
            let f = last.0;
            let arm = 0.1425 - f.deformation;
            let expected = (torque - 0.015 * f.normal_force * arm - inertia * spin_rate) / arm;
            assert!(
                (f.longitudinal_force - expected).abs() < 1e-6 * expected,
                "{} {expected}",
                f.longitudinal_force
            );
            assert!((mass * acceleration - f.longitudinal_force).abs() < 1e-6 * expected);
        }
    }
    // (M − f N ℓ)/ℓ = (m + I/ℓ²) a with ℓ = 0.1185 m: a = 0.4471 m/s², over five seconds 2.235 m/s, less the
    // slip of some 0.3 %.
    assert!((v - 2.235).abs() < 0.02, "{v}");
}
