//! Strain, stress and energy at a point of an element, for output.

use super::assumed;
use super::points::{strain, times};
use super::{Nodal, PlateTables, jacobian, plate_axes, shape};
use crate::flex::material::Locking;
use touchdown_math::{Mat3, Vec3};

/// State of the material at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovered {
    /// Position, m.
    pub position: Vec3,
    /// Deformation gradient ∂r/∂X.
    pub F: Mat3,
    /// Green–Lagrange strain in the plate's axes: 11, 22, 33, and engineering shear 12, 13, 23.
    pub strain: [f64; 6],
    /// Second Piola–Kirchhoff stress in the plate's axes, same order, Pa; elastic part.
    pub stress: [f64; 6],
    /// Cauchy stress in world axes, Pa.
    pub cauchy: Mat3,
    /// Von Mises stress of the Cauchy stress, Pa.
    pub von_mises: f64,
    /// Strain energy per stress-free volume, J/m³.
    pub energy_density: f64,
}

/// State at (ξ, η, ζ) of an element with stress-free nodal vectors `reference` (the tables may be shared with an element that is turned)
/// and present ones e.
pub fn recover(tables: &PlateTables, reference: &Nodal, e: &Nodal, at: [f64; 3]) -> Recovered {
    let s = shape(tables.sizes, at);
    let J0 = jacobian(reference, &s.slope);
    let axes = plate_axes(&J0);
    let F = jacobian(e, &s.slope) * J0.try_inverse().unwrap_or_else(Mat3::identity);
    let local = F * axes;
    let E = match tables.material.locking {
        Locking::Assumed => assumed::strain(tables, &tables.moduli, e, at),
        _ => strain(&std::array::from_fn(|c| std::array::from_fn(|d| local[(c, d)]))),
    };
    let S = times(&tables.moduli_together(), &E);
    let stress = Mat3::new(S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]);
    let cauchy = local * stress * local.transpose() / F.determinant();
    let deviator = cauchy - Mat3::identity() * (cauchy.trace() / 3.0);
    Recovered {
        position: Vec3::from_fn(|c, _| (0..super::VECTORS).map(|i| s.value[i] * e[c][i]).sum()),
        F,
        strain: E,
        stress: S,
        cauchy,
        von_mises: (1.5 * deviator.norm_squared()).sqrt(),
        energy_density: 0.5 * (0..6).map(|m| S[m] * E[m]).sum::<f64>(),
    }
}
