//! Kinematics of facing points: twists of both sides ⇒ motion of the points on their surfaces and rate of the
//! gap.
//!
//! The port-based equations in curvature form: with the relative twist (ω, v_c) of side 2 at its closest point,
//! w₁ = (K₁ + K₂ + d K₂K₁)⁻¹ (ω × n + K₂ v_t), w₂ = (1 + d K₁) w₁ − v_t, ḋ = n·v_c. They are linear in the twists, so that the same map gives
//! the derivatives with respect to the poses.

use super::track::{Facing, inverse, spatial, tangential};
use nalgebra::{Matrix2, Vector2};
use touchdown_math::{Motion, Vec3};

/// The matrices of the equations at two facing points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kinematics {
    /// (K₁ + K₂ + d K₂K₁)⁻¹.
    solve: Matrix2<f64>,
    spread: Matrix2<f64>,
}

/// How facing points move, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates {
    /// Relative to their sides, m/s.
    pub w: [Vec3; 2],
    /// Of the gap, m/s.
    pub gap: f64,
    /// Of the normal of side 1, 1/s, in the world.
    pub normal: Vec3,
}

impl Kinematics {
    #[inline]
    pub fn new(f: &Facing) -> Kinematics {
        let M = f.K[0] + f.K[1] + f.K[1] * f.K[0] * f.gap;
        Kinematics { solve: inverse(&M), spread: f.spread() }
    }

    /// `one` and `two`: twists of the sides about the closest point of side 1.
    #[inline]
    pub fn rates(&self, f: &Facing, one: &Motion, two: &Motion) -> Rates {
        let n: Vec3 = f.frame_W.column(2).into();
        let relative = *two - *one;
        let v_c = relative.v + relative.w.cross(&(n * f.gap));
        let v_t = tangential(&f.frame_W, &v_c);
        let turn: Vector2<f64> = tangential(&f.frame_W, &relative.w.cross(&n));
        let w1 = self.solve * (turn + f.K[1] * v_t);
        let w2 = self.spread * w1 - v_t;
        Rates {
            w: [spatial(&f.frame_W, &w1), spatial(&f.frame_W, &w2)],
            gap: n.dot(&v_c),
            normal: one.w.cross(&n) + spatial(&f.frame_W, &(f.K[0] * w1)),
        }
    }
}
