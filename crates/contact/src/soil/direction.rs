//! Resistance that depends on the directions of a face and of its motion: three-dimensional resistive force theory (Agarwal, Goldman and
//! Kamrin, PNAS 2023, doi 10.1073/pnas.2214017120).
//!
//! A face with the outward normal n that moves with the unit velocity v through soil meets the traction α = f₁ n + f₂ v − f₃ ẑ times a
//! function of depth; each fᵢ is a cubic in x = (−v_z, −n_z, n·v). Over the value of a level plate that is pushed down it is a factor for
//! Bekker's pressure, so that plates meet Bekker's curve exactly. Fitted to dry grains in slow motion; faces that move away from the soil
//! (n·v < 0) meet nothing, and here keep what unloading leaves.

use super::force::V;
use wide::f64x2;

/// Coefficients of f₁, f₂ and f₃ for each term of [`terms`]. Two public codes differ in two of them (f₂ of x₃x₂²: 0.18519, f₃ of x₂x₃²:
/// −0.20770); with those the value of the level plate is 1.056 in place of 0.875.
const COEFFICIENTS: [[f64; 3]; 20] = [
    [0.00212, -0.06796, -0.02634],
    [-0.0232, -0.10941, -0.03436],
    [-0.2089, 0.04725, 0.45256],
    [-0.43083, -0.06914, 0.00835],
    [-0.00259, -0.05835, 0.02553],
    [0.48872, -0.6588, -1.3129],
    [-0.00415, -0.11985, -0.05532],
    [0.07204, -0.25739, 0.0679],
    [-0.0275, -0.26834, -0.16404],
    [-0.08772, 0.02692, 0.02287],
    [0.01992, -0.00736, 0.02927],
    [-0.45961, 0.63758, 0.95406],
    [0.40799, 0.08997, -0.00131],
    [-0.10107, 0.21069, -0.11028],
    [-0.06576, 0.04748, 0.01487],
    [0.05664, 0.20406, -0.0273],
    [-0.09269, 0.18589, 0.10911],
    [0.01892, 0.04934, -0.04097],
    [0.01033, 0.13527, 0.07881],
    [0.1512, -0.33207, -0.27519],
];

/// Pressing traction on a level plate pushed down: x = (1, 1, 1).
const LEVEL_PLATE: f64 = {
    let (mut sum, mut k) = (0.0, 0);
    while k < COEFFICIENTS.len() {
        sum -= COEFFICIENTS[k][0] + COEFFICIENTS[k][1] + COEFFICIENTS[k][2];
        k += 1;
    }
    sum
};

/// Below this speed a motion has no direction, m/s.
const STILL: f64 = 1e-12;

/// Traction on faces, over the pressure of a level plate at the same depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resistance {
    /// Its part along the normal, never negative.
    pub bearing: f64x2,
    /// Length of its part along the face.
    pub drag: f64x2,
    /// n·v: one for faces that go straight into the soil, negative for those that leave it.
    pub facing: f64x2,
    /// Speed of the faces, m/s.
    pub speed: f64x2,
}

fn terms([x1, x2, x3]: [f64x2; 3]) -> [f64x2; 20] {
    let (s1, s2, s3) = (x1 * x1, x2 * x2, x3 * x3);
    [
        f64x2::ONE,
        x1,
        x2,
        x3,
        s1,
        s2,
        s3,
        x1 * x2,
        x2 * x3,
        x3 * x1,
        s1 * x1,
        s2 * x2,
        s3 * x3,
        x1 * s2,
        x2 * s1,
        x2 * s3,
        x3 * s2,
        x3 * s1,
        x1 * s3,
        x1 * x2 * x3,
    ]
}

impl Resistance {
    /// Of faces with the outward normals n, of unit length, and velocities v.
    #[inline]
    pub fn of(n: &V, v: &V) -> Resistance {
        let zero = f64x2::ZERO;
        let speed = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let inverse = f64x2::ONE / speed.fast_max(f64x2::splat(STILL));
        let facing = (n[0] * v[0] + n[1] * v[1] + n[2] * v[2]) * inverse;
        let x = [-v[2] * inverse, -n[2], facing];
        let mut f = [zero; 3];
        for (term, factors) in terms(x).into_iter().zip(&COEFFICIENTS) {
            for (f, factor) in f.iter_mut().zip(factors) {
                *f += term * f64x2::splat(*factor);
            }
        }
        let scale = f64x2::splat(1.0 / LEVEL_PLATE);
        let bearing = (-(f[0] + f[1] * x[2] + f[2] * x[1]) * scale).fast_max(zero);
        // f₂ v − f₃ ẑ without their parts along n.
        let two = f64x2::splat(2.0);
        let square = f[1] * f[1] * (f64x2::ONE - x[2] * x[2])
            + two * f[1] * f[2] * (x[0] - x[2] * x[1])
            + f[2] * f[2] * (f64x2::ONE - x[1] * x[1]);
        Resistance { bearing, drag: square.fast_max(zero).sqrt() * scale, facing, speed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(n: [f64; 3], v: [f64; 3]) -> (f64, f64) {
        let found = Resistance::of(&n.map(f64x2::splat), &v.map(f64x2::splat));
        (found.bearing.to_array()[0], found.drag.to_array()[0])
    }

    /// By construction, whatever the speed; along the face there is nothing, by symmetry. The third and fourth decimals of the coefficients
    /// leave 2 % of drag.
    #[test]
    fn a_level_plate_pushed_down_meets_all_of_the_pressure() {
        for speed in [1e-3, 1.0] {
            let (bearing, drag) = of([0.0, 0.0, -1.0], [0.0, 0.0, -speed]);
            assert!((bearing - 1.0).abs() < 1e-12 && drag < 1e-6, "{bearing} {drag}");
        }
    }

    /// A plate on edge is pushed aside more easily than a level one is pressed down: the planar law of Li et al. (Science 2013) has about a
    /// fifth.
    #[test]
    fn a_wall_pushed_ahead_meets_less() {
        let (bearing, _) = of([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        assert!((0.1..0.4).contains(&bearing), "{bearing}");
    }

    /// Turning everything about the vertical changes nothing.
    #[test]
    fn the_vertical_is_the_only_direction_in_space() {
        let turned = |a: [f64; 3], w: f64| {
            let (s, c) = w.sin_cos();
            [c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]]
        };
        let (n, v) = ([0.48, 0.36, -0.8], [0.1, 0.3, -0.2]);
        let expected = of(n, v);
        for w in [0.3, 1.7, 4.0] {
            let found = of(turned(n, w), turned(v, w));
            assert!((found.0 - expected.0).abs() < 1e-14 && (found.1 - expected.1).abs() < 1e-14);
        }
    }
}
