//! Double pendulum with point masses: reference for scenario `double-pendulum` over its first two seconds.
//! Two coordinates, integrated by extrapolation to near rounding.
//!
//! Problem: two point masses of 1 kg on massless rods of 1 m, plane xy, pivot at the origin, gravity 9.81 m/s² along −y.
//! Joint angles about +z: θ₁ of rod 1 from straight down, θ₂ of rod 2 relative to rod 1. Start θ₁ = π/2, θ₂ = 0, at rest.
//!
//! Derivation in absolute angles φ₁ = θ₁, φ₂ = θ₁ + θ₂, Δ = φ₁ − φ₂, m = l = 1 (Lagrange):
//! 2 φ̈₁ + cos Δ φ̈₂ = −sin Δ φ̇₂² − 2 g sin φ₁, cos Δ φ̈₁ + φ̈₂ = sin Δ φ̇₁² − g sin φ₂.

use crate::GRAVITY;
use crate::numerics::extrapolation::solve_at;

/// Length of each rod, m.
pub const LENGTH: f64 = 1.0;
/// Each point mass, kg.
pub const MASS: f64 = 1.0;

/// The double pendulum at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Joint angle of rod 1 from straight down.
    pub angle_1_rad: f64,
    /// Joint angle of rod 2 relative to rod 1.
    pub angle_2_rad: f64,
    /// Rate of joint 1.
    pub rate_1_rad_per_s: f64,
    /// Rate of joint 2 (relative).
    pub rate_2_rad_per_s: f64,
    /// Inner mass, world x.
    pub x_1_m: f64,
    /// Inner mass, world y.
    pub y_1_m: f64,
    /// Outer mass, world x.
    pub x_m: f64,
    /// Outer mass, world y.
    pub y_m: f64,
    /// Kinetic plus potential energy (zero at the start: both masses at the height of the pivot).
    pub energy_j: f64,
}

/// The double pendulum at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    trajectory(&[t])[0]
}

/// The double pendulum at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(times: &[f64]) -> Vec<Sample> {
    let start = vec![std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 0.0, 0.0];
    solve_at(times, start, 0.05, |_, y, f| slope(y, f), read)
}

/// State: φ₁, φ₂, φ̇₁, φ̇₂.
fn slope(y: &[f64], f: &mut [f64]) {
    let g = GRAVITY / LENGTH;
    let (sin, cos) = (y[0] - y[1]).sin_cos();
    let b1 = -sin * y[3] * y[3] - 2.0 * g * y[0].sin();
    let b2 = sin * y[2] * y[2] - g * y[1].sin();
    let determinant = 2.0 - cos * cos;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (b1 - cos * b2) / determinant;
    f[3] = (2.0 * b2 - cos * b1) / determinant;
}

fn read(y: &[f64]) -> Sample {
    let (sin_1, cos_1) = y[0].sin_cos();
    let (sin_2, cos_2) = y[1].sin_cos();
    let (x_1_m, y_1_m) = (LENGTH * sin_1, -LENGTH * cos_1);
    let (x_m, y_m) = (x_1_m + LENGTH * sin_2, y_1_m - LENGTH * cos_2);
    let square = 2.0 * y[2] * y[2] + y[3] * y[3] + 2.0 * (y[0] - y[1]).cos() * y[2] * y[3];
    Sample {
        angle_1_rad: y[0],
        angle_2_rad: y[1] - y[0],
        rate_1_rad_per_s: y[2],
        rate_2_rad_per_s: y[3] - y[2],
        x_1_m,
        y_1_m,
        x_m,
        y_m,
        energy_j: 0.5 * MASS * LENGTH * LENGTH * square + MASS * GRAVITY * (y_1_m + y_m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::Extrapolation;

    /// Energy is conserved: the drift stays near the accumulated local error against a kinetic energy of about 30 J.
    #[test]
    fn energy_is_conserved() {
        for s in trajectory(&[0.3, 0.9, 1.4, 2.0]) {
            assert!(s.energy_j.abs() < 1e-11, "{}", s.energy_j);
        }
    }

    /// A solution with a hundred times looser tolerance differs by far less than 1e-9: the motion is not yet chaotic at 2 s.
    #[test]
    fn solution_is_converged_over_two_seconds() {
        let start = vec![std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2, 0.0, 0.0];
        let mut loose = Extrapolation::new(start, 0.03, 1e-12, |_, y: &[f64], f: &mut [f64]| slope(y, f));
        let rough = read(loose.advance_to(2.0));
        let fine = at(2.0);
        assert!((rough.x_m - fine.x_m).abs() < 1e-10 && (rough.y_m - fine.y_m).abs() < 1e-10);
    }

    /// At release the inner mass of a straight horizontal pair falls with g and the outer one with g: φ̈₁ = −g/l, φ̈₂ = 0.
    #[test]
    fn release_acceleration() {
        let mut f = [0.0; 4];
        let quarter = std::f64::consts::FRAC_PI_2;
        slope(&[quarter, quarter, 0.0, 0.0], &mut f);
        assert!((f[2] + GRAVITY).abs() < 1e-14 && f[3].abs() < 1e-14);
    }
}
