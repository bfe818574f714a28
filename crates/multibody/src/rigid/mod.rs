//! Rigid bodies in a tree of joints: the compiled model, and the algorithms that run on it.
//!
//! # Model
//! A [`Model`] is a list of *links*, parents before children. Every joint becomes one or more links with one primitive each
//! (a revolute or prismatic axis, three translations, a ball); massless links connect the primitives of a
//! composite joint. Bodies behind fixed or locked joints are fused into the link that carries them, so they
//! cost nothing.
//!
//! # Conventions
//! World axes everywhere. Spatial quantities of the inverse dynamics, the mass matrix and the tangents are about one fixed
//! point `c`, the present origin of the first link: wrenches of any two bodies then add without a shift. The
//! articulated-body pass works about each link's own origin, which keeps its digits on long chains.
//!
//! # Algorithms (free functions over `&Model` and `&mut Cache`)
//! | file | what | cost |
//! |---|---|---|
//! | `kinematics` | poses, axes, velocities, inertias in world axes | O(n) |
//! | `inverse` | generalised forces of a motion (Newton–Euler) | O(n) |
//! | `forward` | accelerations of a tree (articulated bodies) | O(n) |
//! | `mass` | composite-body mass matrix, its LᵀDL factors that keep the tree's sparsity | O(n d), O(n d²) |
//! | `tangent` | derivatives of the inverse dynamics, weighted for one Newton matrix | O(n d) |
//! | `constraint` | rows C, C_q, and right sides at velocity and acceleration level | O(rows · d) |
//! | `constrained` | accelerations and projections with multipliers | O(n d² + rows³) |
//! | `assembly` | closes the loops at the start | – |
//! | `elements` | springs, bushings, drives, limits, friction, loads: wrenches, powers, tangents | O(elements) |
//! | `push`, `bushing` | forces between points and frames of bodies, with their tangents | – |
//! | `limited`, `stops` | laws with kinks, held on one branch over a step | O(elements) |
//! | `parts` | what nothing ties together, with its own balance of energy | O(n) |
//! | `afloat` | momentum of mechanisms that nothing holds | O(n) |
//! | `reaction` | what every joint carries | O(n) |
//!
//! # References
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), for the recursions; Singh, Russell, Wensing, *Efficient analytical
//! derivatives of rigid-body dynamics using spatial vector algebra* (2022), for the tangents; the augmented system with
//! multipliers is Samarini et al., Eq. (7): flexible bodies add their nodal coordinates after the joint
//! coordinates and their own constant mass block, without changes here.

pub mod afloat;
pub mod assembly;
mod build;
mod bushing;
mod cache;
pub mod constrained;
pub mod constraint;
pub mod elements;
pub mod forward;
pub mod impulse;
pub mod inverse;
pub mod kinematics;
pub mod limited;
pub mod mass;
mod model;
pub mod parts;
pub mod push;
pub mod reaction;
pub mod stops;
pub mod tangent;
mod uses;

pub use build::BuildError;
pub use cache::Cache;
pub use model::{BodyOnLink, JointSlot, Link, Model, Primitive, WORLD};

#[cfg(test)]
mod tests;
