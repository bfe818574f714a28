//! Forms: triangle meshes and primitives, in their own frame.
//!
//! Between the scenario's files (which name shapes) and whoever needs triangles: pictures now, contact later.

mod mesh;
mod relief;
mod shape;
mod triangulate;

pub use mesh::{MeshError, TriangleMesh};
pub use relief::{Missing, Relief};
pub use shape::Shape;
