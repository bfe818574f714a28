//! Chain of uniform rods hanging from the origin: reference for scenario `pendulum-chain` over its first two seconds.
//! n absolute angles with a dense mass matrix, integrated by extrapolation to near rounding.
//!
//! Problem: n links (50 by default), each a uniform slender rod of 0.1 m and 0.1 kg (inertia m l²/12 across, zero about
//! its own axis), plane xy, gravity 9.81 m/s² along −y, revolute joints about +z, first joint at the origin. Start:
//! straight along +x, at rest. The tip is the far end of the last link.
//!
//! Derivation: θ_i absolute from +x about +z. With a_ij = m l² (n − 1 − max(i,j) + ½) off the diagonal and
//! a_ii = m l² (n − 1 − i + ⅓) (indices from 0): Σ_j a_ij [cos(θ_i − θ_j) θ̈_j + sin(θ_i − θ_j) θ̇_j²] = −m g l (n − ½ − i) cos θ_i.

use crate::GRAVITY;
use crate::numerics::extrapolation::solve_at;
use crate::numerics::linear::solve_positive_definite;

/// Links of the scenario unless stated otherwise.
pub const LINKS: usize = 50;
/// Length of a link, m.
pub const LENGTH: f64 = 0.1;
/// Mass of a link, kg.
pub const MASS: f64 = 0.1;

/// The chain at one time.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Tip, world x.
    pub x_m: f64,
    /// Tip, world y.
    pub y_m: f64,
    /// Absolute link angles about +z from +x; joint i has the difference of link i and link i − 1.
    pub angles_rad: Vec<f64>,
    /// Rates of the absolute angles.
    pub rates_rad_per_s: Vec<f64>,
    /// Kinetic plus potential energy (zero at the start).
    pub energy_j: f64,
}

/// The chain of `links` at time `t` ≥ 0, s.
pub fn at(links: usize, t: f64) -> Sample {
    trajectory(links, &[t]).swap_remove(0)
}

/// The chain of `links` at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(links: usize, times: &[f64]) -> Vec<Sample> {
    let mut mass = vec![0.0; links * links];
    let rhs = |_: f64, y: &[f64], f: &mut [f64]| slope(y, f, &mut mass);
    solve_at(times, vec![0.0; 2 * links], 0.02, rhs, read)
}

/// a_ij / (m l²).
fn coupling(n: usize, i: usize, j: usize) -> f64 {
    (n - 1 - i.max(j)) as f64 + if i == j { 1.0 / 3.0 } else { 0.5 }
}

/// State: n angles, n rates. `mass` is scratch for the mass matrix (lower triangle).
fn slope(y: &[f64], f: &mut [f64], mass: &mut [f64]) {
    let n = y.len() / 2;
    let (angles, rates) = y.split_at(n);
    let (slope_angles, slope_rates) = f.split_at_mut(n);
    slope_angles.copy_from_slice(rates);
    let direction: Vec<(f64, f64)> = angles.iter().map(|a| a.sin_cos()).collect();
    for i in 0..n {
        let (si, ci) = direction[i];
        slope_rates[i] = -GRAVITY / LENGTH * ((n - i) as f64 - 0.5) * ci;
        mass[i * n + i] = coupling(n, i, i);
        for j in 0..i {
            let (sj, cj) = direction[j];
            let a = coupling(n, i, j);
            let sin = a * (si * cj - ci * sj);
            mass[i * n + j] = a * (ci * cj + si * sj);
            slope_rates[i] -= sin * rates[j] * rates[j];
            slope_rates[j] += sin * rates[i] * rates[i];
        }
    }
    solve_positive_definite(mass, slope_rates);
}

fn read(y: &[f64]) -> Sample {
    let (angles, rates) = y.split_at(y.len() / 2);
    let (mut end, mut velocity, mut energy_j) = ([0.0; 2], [0.0; 2], 0.0);
    for (angle, rate) in angles.iter().zip(rates) {
        let (sin, cos) = angle.sin_cos();
        let (half, half_velocity) = (
            [0.5 * LENGTH * cos, 0.5 * LENGTH * sin],
            [-0.5 * LENGTH * sin * rate, 0.5 * LENGTH * cos * rate],
        );
        let speed: f64 = (0..2).map(|k| (velocity[k] + half_velocity[k]).powi(2)).sum();
        energy_j +=
            0.5 * MASS * (speed + LENGTH * LENGTH / 12.0 * rate * rate) + MASS * GRAVITY * (end[1] + half[1]);
        for k in 0..2 {
            end[k] += 2.0 * half[k];
            velocity[k] += 2.0 * half_velocity[k];
        }
    }
    Sample {
        x_m: end[0],
        y_m: end[1],
        angles_rad: angles.to_vec(),
        rates_rad_per_s: rates.to_vec(),
        energy_j,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::extrapolation::Extrapolation;

    /// Energy summed over the links' own centres is conserved for fifty links over two seconds (about 100 J exchanged).
    #[test]
    fn energy_is_conserved() {
        for s in trajectory(LINKS, &[0.5, 1.0, 1.5, 2.0]) {
            assert!(s.energy_j.abs() < 1e-10, "{}", s.energy_j);
        }
    }

    /// A fifty times looser tolerance moves the tip by far less than the 1e-6 asked of the engine.
    #[test]
    fn solution_is_converged_over_two_seconds() {
        let mut mass = vec![0.0; LINKS * LINKS];
        let rhs = |_: f64, y: &[f64], f: &mut [f64]| slope(y, f, &mut mass);
        let mut loose = Extrapolation::new(vec![0.0; 2 * LINKS], 0.013, 1e-12, rhs);
        let rough = read(loose.advance_to(2.0));
        let fine = at(LINKS, 2.0);
        let distance = (rough.x_m - fine.x_m).hypot(rough.y_m - fine.y_m);
        assert!(distance < 1e-8, "{distance:e}");
    }

    /// One link is a physical pendulum: from horizontal it passes the bottom at a quarter of the elliptic period.
    #[test]
    fn one_link_is_a_physical_pendulum() {
        let inertia = MASS * LENGTH * LENGTH / 3.0;
        let quarter = std::f64::consts::FRAC_PI_2;
        let period = crate::pendulum::physical_period(MASS, 0.5 * LENGTH, inertia, quarter, GRAVITY);
        assert!((at(1, 0.25 * period).angles_rad[0] + quarter).abs() < 1e-12);
    }

    /// Two level bars released from rest fold at once: θ̈₁ = −9g/(7l), θ̈₂ = +3g/(7l), by hand from the 2 × 2 system.
    #[test]
    fn two_bars_released_level() {
        let mut f = [0.0; 4];
        slope(&[0.0; 4], &mut f, &mut [0.0; 4]);
        let unit = GRAVITY / LENGTH;
        assert!((f[2] + 9.0 / 7.0 * unit).abs() < 1e-12 && (f[3] - 3.0 / 7.0 * unit).abs() < 1e-12, "{f:?}");
    }
}
