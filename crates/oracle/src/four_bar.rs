//! N = 2 four-bar, IFToMM benchmark A02: reference for scenario `four-bar`, which passes singular positions.
//! Closed form: no integration, so the singular positions leave no trace in it.
//!
//! Problem: plane xy, gravity 9.81 m/s² along −y. Five uniform slender rods of 1 m and 1 kg (inertia m l²/12 about the
//! centre): three cranks from the ground points A_i = (i, 0) to B_i, i = 0, 1, 2, and two couplers B₀B₁ and B₁B₂.
//! Start: cranks straight up (B₀ at (0, 1)), B₀ moving with 1 m/s along +x, so the cranks turn about −z.
//!
//! Derivation: while the couplers stay level, all cranks have the angle θ from +y towards +x (the joint angle about +z
//! is −θ), B₀ = (sin θ, cos θ). T = ½ (3 · ⅓ + 2) θ̇², V = (3 · ½ + 2) g cos θ, hence 3 θ̈ = 3.5 g sin θ and
//! θ̇² = 1 + (14 g/3) sin²(θ/2). With χ = (θ − π)/2, Ω² = 1 + 14 g/3, m₁ = 1/Ω²: χ = am(Ω t/2 − K), one revolution in
//! 4 K/Ω. Source: IFToMM library of computational benchmark problems.

use crate::GRAVITY;
use crate::numerics::elliptic::{complete, jacobi};

/// Length of every rod, m.
pub const LENGTH: f64 = 1.0;
/// Mass of every rod, kg.
pub const MASS: f64 = 1.0;
/// Starting speed of B₀ along +x, m/s.
pub const START_SPEED: f64 = 1.0;

/// The mechanism at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// B₀, world x.
    pub x_m: f64,
    /// B₀, world y.
    pub y_m: f64,
    /// Velocity of B₀ along x.
    pub velocity_x_m_per_s: f64,
    /// Velocity of B₀ along y.
    pub velocity_y_m_per_s: f64,
    /// Crank angle θ from +y towards +x, unwrapped; the joint angle about +z is its negative.
    pub angle_rad: f64,
    /// Crank rate θ̇.
    pub rate_rad_per_s: f64,
}

/// The mechanism at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    let (omega, m1) = frequency();
    let j = jacobi(0.5 * omega * t - complete(m1), m1);
    let (x_m, y_m) = (-2.0 * LENGTH * j.sn * j.cn, LENGTH * (j.sn * j.sn - j.cn * j.cn));
    let rate = omega * j.dn;
    Sample {
        x_m,
        y_m,
        velocity_x_m_per_s: rate * y_m,
        velocity_y_m_per_s: -rate * x_m,
        angle_rad: 2.0 * j.amplitude + std::f64::consts::PI,
        rate_rad_per_s: rate,
    }
}

/// Time of one revolution, s.
pub fn revolution() -> f64 {
    let (omega, m1) = frequency();
    4.0 * complete(m1) / omega
}

/// Ω (the rate at the bottom) and the complementary parameter.
fn frequency() -> (f64, f64) {
    let start = START_SPEED / LENGTH;
    let square = start * start + 14.0 / 3.0 * GRAVITY / LENGTH;
    (square.sqrt(), start * start / square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::solve_at;

    /// B₀ passes the published positions and has the published velocity at 10 s; ten digits are printed.
    #[test]
    fn passes_published_positions() {
        let printed = [
            (1.0, -0.195_020_301_9, -0.980_799_205_7),
            (2.0, 0.057_815_795_8, 0.998_327_267_9),
            (4.0, 0.117_616_102_4, 0.993_059_138_5),
            (5.0, -0.811_310_461_0, -0.584_615_545_4),
            (10.0, 0.328_458_111_5, 0.944_518_538_2),
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
        let end = at(10.0);
        assert!((end.velocity_x_m_per_s - 1.423_051_470_2).abs() <= 0.6e-10);
        assert!((end.velocity_y_m_per_s + 0.494_868_845_5).abs() <= 0.6e-10);
        assert!((revolution() - 1.942_514_92).abs() <= 0.6e-8);
    }

    /// The elliptic solution and an integration of 3 θ̈ = 3.5 g sin θ are the same motion.
    #[test]
    fn closed_form_solves_the_equation_of_motion() {
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| {
            f[0] = y[1];
            f[1] = 3.5 / 3.0 * GRAVITY * y[0].sin();
        };
        let times = [0.0, 0.4, 2.5, 10.0];
        let states = solve_at(&times, vec![0.0, START_SPEED], 0.05, rhs, |y| (y[0], y[1]));
        for (t, (angle, rate)) in times.iter().zip(states) {
            assert!((at(*t).angle_rad - angle).abs() < 1e-11, "{}", at(*t).angle_rad - angle);
            assert!((at(*t).rate_rad_per_s - rate).abs() < 1e-11);
        }
    }

    /// The energy written with the five bodies' own centres and rates is constant.
    #[test]
    fn energy_of_the_five_bodies_is_constant() {
        let energy = |s: Sample| {
            let speed = s.velocity_x_m_per_s.hypot(s.velocity_y_m_per_s);
            let crank =
                0.5 * MASS * (0.25 * speed * speed + LENGTH * LENGTH / 12.0 * s.rate_rad_per_s.powi(2));
            let coupler = 0.5 * MASS * speed * speed;
            3.0 * crank + 2.0 * coupler + MASS * GRAVITY * (3.0 * 0.5 + 2.0) * s.y_m
        };
        for step in 0..100 {
            assert!((energy(at(0.1 * step as f64)) - energy(at(0.0))).abs() < 1e-12);
        }
    }
}
