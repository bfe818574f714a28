//! Intrusion: bodies that move through soil in any direction, whole or in part below its surface.
//!
//! # Model
//! Three-dimensional resistive force theory (Li, Zhang & Goldman 2013; Agarwal, Goldman & Kamrin 2023): each
//! element of a body's surface meets its own traction, which depends on its depth, its orientation and the
//! direction of its motion; the force on the body is their sum. The traction is a yield stress. Below yield
//! an elastic anchor holds each element, so that a loaded body can rest.
//!
//! # Equations
//! With the depth d below the undisturbed surface, whose normal is the law's vertical, outward normal n and direction of motion v̂ of an element:
//!
//! - **Yield traction** Y = p(d) α(n, v̂), α = f₁ n + f₂ v̂ − f₃ ẑ over its value for a level plate that is
//!   pushed down (`soil::direction`), on faces with n·v̂ ≥ 0. p = K dⁿ is the plate pressure, so that a level
//!   plate follows Bekker's curve; for n = 1 that is the theory's ζ d with ζ = K. Where the fitted
//!   polynomials would drive the motion (Y·v̂ > 0, less than 0.5 % of p), this part is removed.
//! - **Interface**: the part of Y along the face is at most tan δ times the part along the normal.
//! - **Anchor**: displacement e of the soil's skeleton, traction −k e. Elastic, ė = v, while the resistance
//!   along the motion is below its yield: k e·v̂ < −Y·v̂. At yield e·v̂ = −Y·v̂/k stays, and the part across
//!   the motion approaches its steady value over a length ℓ: ė_⊥ = −|v| (e_⊥ − e*_⊥)/ℓ with e* = −Y/k. Soil
//!   does not pull: e·n ≥ 0.
//! - **Faces that leave** (n·v < 0) have no yield: they unload, with friction of at most tan δ of the
//!   remaining pressure.
//! - **Damping** −k τ v while elastic, together with the anchor never above yield; none on faces that leave.
//!
//! **Dissipation.** At yield the heat per area and distance is k [e*·v̂ + e_⊥·(e_⊥ − e*_⊥)/ℓ] ≥ k [e*·v̂ − |e*_⊥|²/(4ℓ)], never negative with ℓ = max(|e*|, |e*_⊥|²/(4 e*·v̂)).
//!
//! **Implicit form.** e = base + h ė is solved inside, in closed form, as in [`crate::foot`].
//!
//! # Parameters
//! [`IntrusionSoil`]: Bekker's numbers with the width of the body, angle of friction at the surface, stiffness of unloading, time of damping.
//!
//! # State
//! Three numbers for each element, e in world axes, for the integrator; zero above ground.
//!
//! # Valid when
//! Motion is slow: below [`SPEED_MAX`] the inertia of grains is negligible ([`IntrusionForce::speed`]).
//! Elements do not shield each other; the surface does not change (no ruts, no heaps), so that a foot that
//! returns meets fresh soil. With n ≠ 1 the growth with depth is Bekker's, whereas the theory was fitted to
//! linear growth.
//!
//! # Verified by
//! `tests.rs`: plates linear in depth, drag and lift of a cylinder and penetration of a sphere against
//! quadratures of the published law; power; rest; tangents; turned worlds.
//!
//! # References
//! - C. Li, T. Zhang, D. I. Goldman: A terradynamics of legged locomotion on granular media. Science 339 (2013) 1408.
//! - S. Agarwal, D. I. Goldman, K. Kamrin: Mechanistic framework for reduced-order models in soft materials: application to three-dimensional granular intrusion. PNAS 120 (2023).

mod anchor;
mod force;
mod params;
#[cfg(test)]
mod tests;

pub use force::{IntrusionForce, IntrusionTangent};
pub use params::IntrusionSoil;

use touchdown_geometry::TriangleMesh;
use touchdown_math::Vec3;

/// States of an element.
pub const STATES: usize = 3;
/// Speed up to which the theory is quasi-static, m/s (Li, Zhang & Goldman 2013).
pub const SPEED_MAX: f64 = 0.5;

/// An element of a surface, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Its middle, m.
    pub p_S: Vec3,
    /// Outward normal, of unit length.
    pub n_S: Vec3,
    /// m².
    pub area: f64,
}

/// A body of surface elements in soil.
#[derive(Clone, Debug, PartialEq)]
pub struct Intruder {
    /// Its surface.
    pub elements: Vec<Element>,
    /// The soil.
    pub soil: IntrusionSoil,
}

impl Intruder {
    /// The triangles of a closed mesh; those without area are left out.
    pub fn new(mesh: &TriangleMesh, soil: IntrusionSoil) -> Intruder {
        let element = |k: usize| {
            let [a, b, c] = mesh.corners(k);
            let twice = (b - a).cross(&(c - a));
            let length = twice.norm();
            (length > 0.0).then(|| Element {
                p_S: (a + b + c) / 3.0,
                n_S: twice / length,
                area: 0.5 * length,
            })
        };
        Intruder { elements: (0..mesh.triangles.len()).filter_map(element).collect(), soil }
    }

    /// How many contact states it has.
    pub fn states(&self) -> usize {
        STATES * self.elements.len()
    }

    /// Distance of its farthest element from the frame's origin, m.
    pub fn reach(&self) -> f64 {
        self.elements.iter().map(|element| element.p_S.norm()).fold(0.0, f64::max)
    }
}
