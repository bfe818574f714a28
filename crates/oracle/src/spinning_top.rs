//! Torque-free asymmetric body: reference for scenario `spinning-top`, which flips about its intermediate axis.
//! Attitude by extrapolation; body rates also in closed form (Jacobi elliptic functions).
//!
//! Problem: free body of 1 kg with its centre of mass at the origin, principal inertia (1, 2, 3) kg m² along its axes,
//! no gravity. Start: axes along the world's, angular velocity (0.01, 1, 0.01) rad/s in body axes. The marker is the body
//! point (0, 1, 0) m, on the intermediate axis.
//!
//! Derivation: I ω̇ = (I ω) × ω in body axes, q̇ = ½ q ∘ (0, ω). Rates, for L² > 2 T I₂ (the case here, Landau & Lifshitz,
//! *Mechanics*, §37): ω₁ = A₁ cn τ, ω₂ = A₂ sn τ, ω₃ = A₃ dn τ, τ = p t + τ₀, rates repeat after 4 K/p, where with
//! D_i = L² − 2 T I_i: A₁² = −D₃/(I₁(I₃−I₁)), A₂² = −D₃/(I₂(I₃−I₂)), A₃² = D₁/(I₃(I₃−I₁)),
//! p² = (I₃−I₂) D₁/(I₁I₂I₃), m₁ = (I₃−I₁) D₂/((I₃−I₂) D₁).
//! Conditioning: D₂ is only 2e-4, so an error ε in energy (J) or squared momentum shifts the flips by about 1e4 ε seconds.

use crate::numerics::elliptic::{argument_of, complete, jacobi};
use crate::numerics::extrapolation::solve_at;

/// Principal moments of inertia, kg m².
pub const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];
/// Starting angular velocity in body axes, rad/s.
pub const START_RATE: [f64; 3] = [0.01, 1.0, 0.01];

/// The body at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Marker (body point (0, 1, 0) m) in the world, m.
    pub marker_m: [f64; 3],
    /// Angular velocity in body axes, rad/s.
    pub rate_body_rad_per_s: [f64; 3],
    /// Attitude R_WB as a unit quaternion w, x, y, z.
    pub attitude: [f64; 4],
    /// Rotational kinetic energy, J.
    pub energy_j: f64,
    /// Angular momentum in the world, N m s.
    pub momentum_world_nms: [f64; 3],
}

/// The body at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    trajectory(&[t])[0]
}

/// The body at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(times: &[f64]) -> Vec<Sample> {
    let start = vec![1.0, 0.0, 0.0, 0.0, START_RATE[0], START_RATE[1], START_RATE[2]];
    solve_at(times, start, 0.2, |_, y, f| slope(y, f), read)
}

/// Body rates at time `t` in closed form, rad/s.
pub fn rates(t: f64) -> [f64; 3] {
    let e = Elliptic::new();
    let phase = (START_RATE[1] / e.amplitude[1]).atan2(START_RATE[0] / e.amplitude[0]);
    let j = jacobi(e.frequency * t + argument_of(phase, e.m1), e.m1);
    [e.amplitude[0] * j.cn, e.amplitude[1] * j.sn, e.amplitude[2] * j.dn]
}

/// Time after which the body rates repeat, s; the body flips twice in it.
pub fn rate_period() -> f64 {
    let e = Elliptic::new();
    4.0 * complete(e.m1) / e.frequency
}

struct Elliptic {
    amplitude: [f64; 3],
    frequency: f64,
    m1: f64,
}

impl Elliptic {
    fn new() -> Elliptic {
        let [i1, i2, i3] = INERTIA;
        // D_i = Σ_j I_j (I_j − I_i) ω_j²: summed so that the large terms of L² and 2 T I_i never meet.
        let d = |i: f64| {
            (0..3).map(|j| INERTIA[j] * (INERTIA[j] - i) * START_RATE[j] * START_RATE[j]).sum::<f64>()
        };
        let (d1, d2, d3) = (d(i1), d(i2), d(i3));
        Elliptic {
            amplitude: [
                (-d3 / (i1 * (i3 - i1))).sqrt(),
                (-d3 / (i2 * (i3 - i2))).sqrt(),
                (d1 / (i3 * (i3 - i1))).sqrt(),
            ],
            frequency: ((i3 - i2) * d1 / (i1 * i2 * i3)).sqrt(),
            m1: (i3 - i1) * d2 / ((i3 - i2) * d1),
        }
    }
}

/// State: quaternion w, x, y, z, then the body rates.
fn slope(y: &[f64], f: &mut [f64]) {
    let [i1, i2, i3] = INERTIA;
    let (w, q, r) = (y[0], &y[1..4], &y[4..7]);
    f[0] = -0.5 * (q[0] * r[0] + q[1] * r[1] + q[2] * r[2]);
    f[1] = 0.5 * (w * r[0] + q[1] * r[2] - q[2] * r[1]);
    f[2] = 0.5 * (w * r[1] + q[2] * r[0] - q[0] * r[2]);
    f[3] = 0.5 * (w * r[2] + q[0] * r[1] - q[1] * r[0]);
    f[4] = (i2 - i3) / i1 * r[1] * r[2];
    f[5] = (i3 - i1) / i2 * r[2] * r[0];
    f[6] = (i1 - i2) / i3 * r[0] * r[1];
}

fn read(y: &[f64]) -> Sample {
    let norm = y[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
    let attitude = [y[0] / norm, y[1] / norm, y[2] / norm, y[3] / norm];
    let rate = [y[4], y[5], y[6]];
    let momentum = [INERTIA[0] * rate[0], INERTIA[1] * rate[1], INERTIA[2] * rate[2]];
    Sample {
        marker_m: rotate(attitude, [0.0, 1.0, 0.0]),
        rate_body_rad_per_s: rate,
        attitude,
        energy_j: 0.5 * (0..3).map(|i| momentum[i] * rate[i]).sum::<f64>(),
        momentum_world_nms: rotate(attitude, momentum),
    }
}

/// v + 2 w (q × v) + 2 q × (q × v).
fn rotate([w, x, y, z]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let q = [x, y, z];
    let once = cross(q, v);
    let twice = cross(q, once);
    [0, 1, 2].map(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minute() -> Vec<f64> {
        (0..=120).map(|k| 0.5 * k as f64).collect()
    }

    /// Energy and the world angular momentum of a free body are constant to 1e-12.
    #[test]
    fn energy_and_momentum_are_constant() {
        let samples = trajectory(&minute());
        for s in &samples {
            assert!((s.energy_j - samples[0].energy_j).abs() < 1e-12);
            for i in 0..3 {
                assert!((s.momentum_world_nms[i] - samples[0].momentum_world_nms[i]).abs() < 1e-12);
            }
        }
    }

    /// The integrated rates are Jacobi's elliptic functions through a minute of flips. The flip times depend on D₂ = 2e-4, a
    /// difference of constants near 4 which the integration keeps to 1e-14: a relative 2e-10, half of it over p in time.
    #[test]
    fn rates_are_elliptic_functions() {
        let times = minute();
        for (t, s) in times.iter().zip(trajectory(&times)) {
            let exact = rates(*t);
            for (found, exact) in s.rate_body_rad_per_s.iter().zip(exact) {
                assert!((found - exact).abs() < 2e-10, "t = {t}: {found} {exact}");
            }
        }
    }

    /// The rates return to their start after the closed-form period, and have the opposite flip half-way.
    #[test]
    fn rates_repeat_after_the_elliptic_period() {
        let samples = trajectory(&[0.5 * rate_period(), rate_period()]);
        for (i, start) in START_RATE.into_iter().enumerate() {
            let sign = if i == 2 { 1.0 } else { -1.0 };
            assert!((samples[0].rate_body_rad_per_s[i] - sign * start).abs() < 2e-10);
            assert!((samples[1].rate_body_rad_per_s[i] - start).abs() < 2e-10);
        }
    }

    /// Rotation about the intermediate axis is unstable: the marker turns over within the minute.
    #[test]
    fn marker_flips() {
        let lowest = trajectory(&minute()).iter().map(|s| s.marker_m[1]).fold(f64::INFINITY, f64::min);
        assert!(lowest < -0.99);
    }
}
