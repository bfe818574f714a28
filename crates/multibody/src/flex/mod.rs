//! Flexible bodies in absolute nodal coordinates: plates, cables, meshes of them, airless wheels; statics and modes.
//!
//! | module | what |
//! |---|---|
//! | `plate` | the fully parameterised plate of 48 coordinates: mass, forces, derivatives, recovery |
//! | `material`, `quadrature` | elasticity, damping, remedies against locking; Gauss rules |

mod error;
pub mod material;
pub mod plate;
pub mod quadrature;

pub use error::FlexError;

#[cfg(test)]
mod tests;
