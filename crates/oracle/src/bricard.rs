//! Bricard's mechanism, IFToMM benchmark A04: reference for scenario `bricard`, a loop with a redundant constraint.
//! One coordinate on a closed-form loop; integrated by extrapolation to near rounding.
//!
//! Problem: corners P0 (0,0,0), P1 (1,0,0), P2 (1,−1,0), P3 (1,−1,1), P4 (0,−1,1), P5 (0,0,1) m. Five moving bars, bar i
//! from P(i−1) to P(i), i = 1 … 5, each 1 kg, a cuboid of 1 × 0.1 × 0.1 m (about its centre: m·0.02/12 along the bar,
//! m·1.01/12 across); the side P5P0 is the ground. Revolute joints at P0 … P5 with axes y, z, x, y, z, x (world axes at
//! the start): joint 0 ground–bar 1, joint i bar i–bar i+1, joint 5 bar 5–ground. Gravity 9.81 m/s² along −y, from rest.
//!
//! Derivation: turning the hexagon by a third maps joints 0, 2, 4 and joints 1, 3, 5 on each other; with their angles from
//! the start p and r, the loop closes if and only if (1 + sin p)(1 + sin r) = 1. With p = π/2 − 2a, r = π/2 − 2b this is
//! cos a cos b = ½: a smooth closed curve, passed by the tangent field a′ = cos a sin b, b′ = −sin a cos b. Along it
//! M s̈ + ½ M′ ṡ² = −V′, where a bar's inertia enters by its second moments: T_rot = ½ Σ_k E_k |ė_k|² over its axes e_k.
//! Source: IFToMM library of computational benchmark problems.

use crate::GRAVITY;
use crate::numerics::extrapolation::solve_at;
use crate::numerics::jet::{Jet, Reduced};

/// Mass of a bar, kg.
pub const MASS: f64 = 1.0;
/// Length of a bar, m.
pub const LENGTH: f64 = 1.0;
/// Edge of a bar's square section, m.
pub const EDGE: f64 = 0.1;
/// World axis (0 = x, 1 = y, 2 = z) of joints 0 … 5 at the start.
pub const JOINT_AXES: [usize; 6] = [1, 2, 0, 1, 2, 0];
/// World axis and direction of the sides P0P1, …, P5P0 at the start.
pub const SIDES: [(usize, f64); 6] = [(0, 1.0), (1, -1.0), (2, 1.0), (0, -1.0), (1, 1.0), (2, -1.0)];

/// The mechanism at one time.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Corners P0 … P5 in the world, m.
    pub corners_m: [[f64; 3]; 6],
    /// Joint angles 0 … 5 from the start, each of the outer body relative to the inner one, about its axis.
    pub angles_rad: [f64; 6],
    /// Joint rates.
    pub rates_rad_per_s: [f64; 6],
    /// Largest error of the sixth joint: position (m) and orientation (entries of R − 1).
    pub closure_residual: f64,
    /// Kinetic energy, J.
    pub kinetic_j: f64,
    /// Kinetic plus potential energy relative to the start: zero in exact arithmetic.
    pub energy_residual_j: f64,
}

impl Sample {
    /// The corner P3 that the benchmark observes, m.
    pub fn p3_m(&self) -> [f64; 3] {
        self.corners_m[3]
    }
}

/// The mechanism at time `t` ≥ 0, s.
pub fn at(t: f64) -> Sample {
    trajectory(&[t])[0]
}

/// The mechanism at each of `times`, s (any order, each ≥ 0).
pub fn trajectory(times: &[f64]) -> Vec<Sample> {
    let quarter = std::f64::consts::FRAC_PI_4;
    solve_at(times, vec![quarter, quarter, 0.0], 0.05, |_, y, f| slope(y, f), read)
}

type Vector = [Jet; 3];

/// State: a, b and the speed ṡ along the tangent field.
fn slope(y: &[f64], f: &mut [f64]) {
    let (p, r) = joint_angles(y[0], y[1]);
    let (reduced, potential) = dynamics(&kinematics(p, r));
    f[0] = y[0].cos() * y[1].sin() * y[2];
    f[1] = -y[0].sin() * y[1].cos() * y[2];
    f[2] = reduced.acceleration(-potential.d, y[2]);
}

fn read(y: &[f64]) -> Sample {
    let (p, r) = joint_angles(y[0], y[1]);
    let links = kinematics(p, r);
    let (reduced, potential) = dynamics(&links);
    let quarter = std::f64::consts::FRAC_PI_4;
    let (p0, r0) = joint_angles(quarter, quarter);
    let (_, start) = dynamics(&kinematics(p0, r0));
    let kinetic_j = 0.5 * reduced.inertia * y[2] * y[2];
    let both = [p, r];
    Sample {
        corners_m: std::array::from_fn(|k| links[k].start.map(|x| x.value)),
        angles_rad: std::array::from_fn(|k| both[k % 2].value),
        rates_rad_per_s: std::array::from_fn(|k| both[k % 2].d * y[2]),
        closure_residual: closure_residual(&links),
        kinetic_j,
        energy_residual_j: kinetic_j + potential.value - start.value,
    }
}

/// The two joint angles along the path through (a, b).
fn joint_angles(a: f64, b: f64) -> (Jet, Jet) {
    let ((sin_a, cos_a), (sin_b, cos_b)) = (a.sin_cos(), b.sin_cos());
    let (a_d, b_d) = (cos_a * sin_b, -sin_a * cos_b);
    let a_dd = -sin_a * sin_b * a_d + cos_a * cos_b * b_d;
    let b_dd = -cos_a * cos_b * a_d + sin_a * sin_b * b_d;
    let angle =
        |x: f64, d: f64, dd: f64| Jet::new(std::f64::consts::FRAC_PI_2 - 2.0 * x, -2.0 * d, -2.0 * dd);
    (angle(a, a_d, a_dd), angle(b, b_d, b_dd))
}

/// A side of the hexagon: its first corner and its axes (columns, parallel to the world's at the start).
struct Link {
    start: Vector,
    axes: [Vector; 3],
}

/// All six sides from the ground round to the ground again.
fn kinematics(p: Jet, r: Jet) -> [Link; 6] {
    let unit = |k: usize| -> Vector { std::array::from_fn(|i| Jet::constant(f64::from(i == k))) };
    let mut axes = [unit(0), unit(1), unit(2)];
    let mut corner = [Jet::default(); 3];
    std::array::from_fn(|k| {
        axes = turned(&axes, JOINT_AXES[k], if k % 2 == 0 { p } else { r });
        let link = Link { start: corner, axes };
        let (side, direction) = SIDES[k];
        corner = along(&corner, &axes[side], direction * LENGTH);
        link
    })
}

/// The axes after a turn about the body axis `k`: the other two mix.
fn turned(axes: &[Vector; 3], k: usize, angle: Jet) -> [Vector; 3] {
    let (s, c) = (angle.sin(), angle.cos());
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let mut result = *axes;
    for n in 0..3 {
        result[i][n] = axes[i][n] * c + axes[j][n] * s;
        result[j][n] = axes[j][n] * c - axes[i][n] * s;
    }
    result
}

fn along(from: &Vector, direction: &Vector, distance: f64) -> Vector {
    std::array::from_fn(|n| from[n] + direction[n] * distance)
}

/// Reduced inertia of the five bars and their potential energy.
fn dynamics(links: &[Link; 6]) -> (Reduced, Jet) {
    let mut reduced = Reduced::default();
    let mut potential = Jet::default();
    for (link, (side, direction)) in links.iter().zip(SIDES).take(5) {
        let centre = along(&link.start, &link.axes[side], 0.5 * direction * LENGTH);
        potential = potential + centre[1] * (MASS * GRAVITY);
        for n in 0..3 {
            reduced.add(MASS, centre[n]);
            for (k, axis) in link.axes.iter().enumerate() {
                let extent = if k == side { LENGTH } else { EDGE };
                reduced.add(MASS * extent * extent / 12.0, axis[n]);
            }
        }
    }
    (reduced, potential)
}

/// The sixth side must end at P0 with the axes of the ground.
fn closure_residual(links: &[Link; 6]) -> f64 {
    let (side, direction) = SIDES[5];
    let end = along(&links[5].start, &links[5].axes[side], direction * LENGTH);
    let position = end.iter().map(|x| x.value.abs()).fold(0.0, f64::max);
    let mut worst = position;
    for (k, axis) in links[5].axes.iter().enumerate() {
        for (n, x) in axis.iter().enumerate() {
            worst = f64::max(worst, (x.value - f64::from(k == n)).abs());
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corner P3 passes the published positions; eight digits are printed.
    #[test]
    fn passes_published_positions() {
        let printed = [
            (0.5, [0.968_283_68, -1.224_625_16, 0.750_146_61]),
            (1.0, [0.510_501_46, -1.649_167_60, 0.140_123_11]),
            (2.0, [-0.969_340_34, -1.221_246_89, 0.754_278_01]),
            (3.0, [-0.967_199_80, -1.228_020_21, 0.745_983_18]),
            (5.0, [1.000_000_00, -1.000_067_26, 0.999_932_74]),
            (10.0, [0.999_999_96, -1.000_269_01, 0.999_730_95]),
        ];
        let times = printed.map(|p| p.0);
        for (s, (t, p3)) in trajectory(&times).iter().zip(printed) {
            for (found, wanted) in s.p3_m().iter().zip(p3) {
                assert!((found - wanted).abs() <= 0.6e-8, "t = {t}: {:?}", s.p3_m());
            }
        }
    }

    /// The corners start at the benchmark's hexagon.
    #[test]
    fn starts_at_the_published_corners() {
        let corners = [[0., 0., 0.], [1., 0., 0.], [1., -1., 0.], [1., -1., 1.], [0., -1., 1.], [0., 0., 1.]];
        for (found, wanted) in at(0.0).corners_m.iter().zip(corners) {
            assert!((0..3).all(|n| (found[n] - wanted[n]).abs() < 1e-15));
        }
    }

    /// The loop of six revolutes stays closed in position and orientation, and energy is conserved, for ten seconds.
    #[test]
    fn loop_closes_and_energy_is_conserved() {
        let times: Vec<f64> = (0..=100).map(|k| 0.1 * k as f64).collect();
        for s in trajectory(&times) {
            assert!(s.closure_residual < 1e-12, "{:e}", s.closure_residual);
            assert!(s.energy_residual_j.abs() < 1e-11, "{:e}", s.energy_residual_j);
        }
    }

    /// The benchmark's bars are cuboids: the second moments give m (L² + w²)/12 across and m w²/6 along the bar.
    #[test]
    fn second_moments_are_those_of_the_cuboid() {
        // Turn about an axis across the bar: both other axes move, with extents L and w.
        let across = MASS * (LENGTH * LENGTH + EDGE * EDGE) / 12.0;
        let spin = Jet::new(0.3, 1.0, 0.0);
        let unit = |k: usize| -> Vector { std::array::from_fn(|i| Jet::constant(f64::from(i == k))) };
        let axes = turned(&[unit(0), unit(1), unit(2)], 2, spin);
        let mut reduced = Reduced::default();
        for (k, axis) in axes.iter().enumerate() {
            let extent = if k == 0 { LENGTH } else { EDGE };
            axis.iter().for_each(|x| reduced.add(MASS * extent * extent / 12.0, *x));
        }
        assert!((reduced.inertia - across).abs() < 1e-16);
    }
}
