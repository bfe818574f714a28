//! Simple pendulum, IFToMM benchmark A01: reference for scenario `pendulum`; also the period of any physical pendulum.
//! Closed form: no integration, exact to rounding at every time.
//!
//! Problem: point mass 1 kg on a massless rod of 1 m, plane xy, pivot at the origin, gravity 9.81 m/s² along −y.
//! The joint angle θ is about +z from hanging straight down: bob = (sin θ, −cos θ). Start: θ = −π/2 (bob at (−1, 0)),
//! at rest.
//!
//! Derivation: l θ̈ = −g sin θ. With k = sin(|θ₀|/2), ω = √(g/l), released at rest from θ₀ < 0:
//! sin(θ/2) = −k cd(ωt), θ̇ = 2 k k′ ω sn(ωt)/dn(ωt), period 4 K(k)/ω = 2π/(ω agm(1, cos(θ₀/2))).
//! Source: IFToMM library of computational benchmark problems; Abramowitz & Stegun 16–17.

use crate::GRAVITY;
use crate::numerics::elliptic::{agm, complete, jacobi};

/// Length of the rod, m.
pub const LENGTH: f64 = 1.0;
/// Mass of the bob, kg.
pub const MASS: f64 = 1.0;
/// Starting angle, rad.
pub const START_ANGLE: f64 = -std::f64::consts::FRAC_PI_2;

/// The pendulum at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Bob, world x.
    pub x_m: f64,
    /// Bob, world y.
    pub y_m: f64,
    /// Joint angle about +z from straight down.
    pub angle_rad: f64,
    /// Joint rate.
    pub rate_rad_per_s: f64,
}

/// The pendulum at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    let omega = (GRAVITY / LENGTH).sqrt();
    let (k, k_prime) = (0.5 * START_ANGLE).sin_cos();
    let j = jacobi(omega * t, k_prime * k_prime);
    let angle_rad = 2.0 * (k * j.cn / j.dn).asin();
    let rate_rad_per_s = -2.0 * k * k_prime * omega * j.sn / j.dn;
    Sample { x_m: LENGTH * angle_rad.sin(), y_m: -LENGTH * angle_rad.cos(), angle_rad, rate_rad_per_s }
}

/// Period of the benchmark pendulum, s.
pub fn period() -> f64 {
    let k_prime = (0.5 * START_ANGLE).cos();
    4.0 * complete(k_prime * k_prime) / (GRAVITY / LENGTH).sqrt()
}

/// Period of a physical pendulum, s: mass `mass_kg` with its centre `arm_m` from the pivot, moment of inertia
/// `inertia_kg_m2` about the pivot, swinging to ±`amplitude_rad` (below π) under `gravity`, m/s².
pub fn physical_period(
    mass_kg: f64,
    arm_m: f64,
    inertia_kg_m2: f64,
    amplitude_rad: f64,
    gravity: f64,
) -> f64 {
    let omega = (mass_kg * gravity * arm_m / inertia_kg_m2).sqrt();
    std::f64::consts::TAU / (omega * agm(1.0, (0.5 * amplitude_rad).cos()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::solve_at;

    /// The bob passes the published positions; ten digits are printed.
    #[test]
    fn passes_published_positions() {
        let printed = [
            (1.0, 0.986_291_751_1, -0.165_010_853_1),
            (2.0, -0.793_566_195_3, -0.608_483_930_4),
            (5.0, -0.942_305_435_0, -0.334_754_338_4),
            (9.99, -0.316_436_469_9, -0.948_613_704_6),
            (10.0, -0.275_087_462_6, -0.961_419_205_1),
        ];
        for (t, x, y) in printed {
            let s = at(t);
            assert!(
                (s.x_m - x).abs() <= 0.6e-10 && (s.y_m - y).abs() <= 0.6e-10,
                "t = {t}: {} {}",
                s.x_m,
                s.y_m
            );
        }
        assert!((period() - 2.367_841_947_6).abs() <= 0.6e-10);
    }

    /// The elliptic solution and an integration of l θ̈ = −g sin θ are the same motion.
    #[test]
    fn closed_form_solves_the_equation_of_motion() {
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            f[0] = y[1];
            f[1] = -GRAVITY / LENGTH * y[0].sin();
        };
        let times = [0.0, 0.7, 3.3, 10.0];
        let states = solve_at(&times, vec![START_ANGLE, 0.0], 0.1, rhs, |y| (y[0], y[1]));
        for (t, (angle, rate)) in times.iter().zip(states) {
            assert!((at(*t).angle_rad - angle).abs() < 1e-12);
            assert!((at(*t).rate_rad_per_s - rate).abs() < 4e-12);
        }
    }

    /// Kinetic plus potential energy of the closed form is constant.
    #[test]
    fn energy_is_constant() {
        for step in 0..200 {
            let s = at(0.05 * step as f64);
            let energy = 0.5 * MASS * (LENGTH * s.rate_rad_per_s).powi(2) + MASS * GRAVITY * s.y_m;
            assert!(energy.abs() < 1e-14 * MASS * GRAVITY * LENGTH);
        }
    }

    /// A physical pendulum of the same reduced length has the same period; small swings tend to 2π√(I/(m g a)).
    #[test]
    fn physical_pendulum_reduces_to_the_simple_one() {
        assert!((physical_period(3.0, 1.0, 3.0, -START_ANGLE, GRAVITY) - period()).abs() < 1e-14);
        let small = physical_period(2.0, 0.5, 2.0 / 3.0, 1e-4, GRAVITY);
        let linear = std::f64::consts::TAU * (2.0 / 3.0 / (2.0 * GRAVITY * 0.5f64)).sqrt();
        // Next term of the series: 1 + θ₀²/16.
        assert!((small / linear - 1.0 - 1e-8 / 16.0).abs() < 1e-14);
    }
}
