//! Contact of flexible bodies: a grid of points on the outer surface of a mesh, each in independent contact
//! with rigid ground.
//!
//! # Model
//! The surface of an element carries points; where they are and how they move follows from the nodal coordinates (linear in them), and a force on a
//! point becomes one on the nodes by the same numbers. The input of this folder is one point and the ground
//! below it.
//!
//! # Equations
//! The ground is the set φ(p) ≤ 0, g = ∇φ, n = g/|g|. A plane has φ = n·(p − p₀); ground z = f(x, y) has φ = (z − f)/√(1 + f_x² + f_y²), the distance
//! to first order. Penetration s = −φ, its rate ṡ = −g·v.
//!
//! - **Normal force** N(s, ṡ) of [`SurfaceLaw`]: linear max(0, k s + d ṡ) (never pulls) or Hunt–Crossley; on
//!   the point acts N g. Its power is exactly −N ṡ, also where φ is only approximately a distance, so that
//!   the energy ledger balances.
//! - **Friction** on v_t = v − n (n·v): regularised, or a bristle that sticks and slides (see [`crate::surface`]). Samarini et al. print the force along the tyre's
//!   outer normal; it acts along the ground's.
//! - A point that leaves the ground keeps its bristle until damping has relaxed it: the grip is zero, so ż =
//!   −(k/d) z and its energy becomes heat.
//!
//! # Parameters
//! [`SurfaceLaw`] of a point: that of the ground per area ([`SurfaceLaw::on_area`]) times the area of the stress-free face that the point stands for, so that
//! neither more points nor finer elements change the ground. Hertz's law does not apply, because a point has
//! no curvature; it is evaluated as Hunt–Crossley at curvature 1/m.
//!
//! # State
//! With stick–slip friction three numbers a point, the tangential deflection in world axes: contact states of the integrator.
//!
//! # Valid when
//! The spacing of points is small compared with the ground's features, and penetration is small compared with
//! its radii of curvature. Penetration between points is not detected.
//!
//! # Verified by
//! `tests.rs`: power against stored energy and heat for all laws on planes and hills; gradients of φ and tangents against differences; no pull; a point
//! that rests on a slope holds without creep.
//!
//! # References
//! Samarini, Shabana et al., section 5.1, with the sign of the force corrected.

mod detect;
mod force;
#[cfg(test)]
mod tests;

pub use crate::surface::{FrictionLaw, NormalLaw, SurfaceLaw};
pub use detect::Gap;
pub use force::{PointForce, PointMotion, calc_force};

/// Contact states of a point with stick–slip friction.
pub const STATES: usize = 3;
