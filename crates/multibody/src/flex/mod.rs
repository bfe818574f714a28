//! Flexible bodies in absolute nodal coordinates: plates, cables, meshes of them, airless wheels; statics and modes.
//!
//! | module | what |
//! |---|---|
//! | `plate` | the fully parameterised plate of 48 coordinates: mass, forces, derivatives, recovery |
//! | `cable` | a thin cable of 12 coordinates |
//! | `mesh` | nodes, joints, hubs and supports; sparse assembly; points and surfaces |
//! | `coordinates` | factor of the mass: accelerations, Cholesky coordinates |
//! | `sheet`, `wheel` | flat plates; parametric airless wheels |
//! | `describe` | what a mesh file holds |
//! | `statics`, `modes` | equilibrium under loads; natural frequencies |
//! | `branch` | stability of equilibria, where it is lost, the way to stable ones |
//! | `press` | force–deflection curves of wheels on flat ground |
//! | `describe`, `import` | meshes in the words of a file, of our own or of a finite-element program |
//! | `material`, `quadrature` | elasticity, damping, remedies against locking; Gauss rules |

pub mod branch;
pub mod cable;
pub mod coordinates;
pub mod course;
pub mod describe;
mod error;
pub mod import;
pub mod material;
pub mod mesh;
pub mod modes;
pub mod plate;
pub mod press;
pub mod quadrature;
pub mod sheet;
pub mod statics;
pub mod wheel;

pub use error::FlexError;

#[cfg(test)]
mod tests;
