//! Forms of bodies and of the ground.
//!
//! ```
//! use touchdown_geometry::{MeshAudit, Shape};
//!
//! let wheel = Shape::Cylinder { radius: 0.15, length: 0.1 };
//! assert!((wheel.volume() - std::f64::consts::PI * 0.15 * 0.15 * 0.1).abs() < 1e-15);
//! // Its surface as triangles is closed and faces outwards.
//! assert!(MeshAudit::new(&wheel.triangulate(36)).problems.is_empty());
//! ```
//!
//! Bodies: triangle meshes and primitives in their own frame ([`Shape`], [`TriangleMesh`]), between the scenario's files, which name them, and
//! pictures and contact, which need triangles. Ground: its undisturbed height over the plane ([`Relief`]), level or sloped, made from a seed
//! ([`Procedural`]) or mapped ([`Raster`], read from files by [`map`]). Smooth surfaces with normals and curvatures: [`surface`].
//! Bodies of revolution by their sections: [`revolution`]. Deformation of the ground by bodies is stored
//! elsewhere.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod audit;
#[cfg(test)]
mod audit_tests;
mod hull;
pub mod map;
mod mass;
mod mesh;
mod mesh_file;
mod procedural;
mod raster;
mod refine;
mod relief;
pub mod revolution;
mod rock;
mod shape;
pub mod site;
mod solid;
#[cfg(test)]
mod solid_tests;
pub mod surface;
pub mod tree;
mod triangulate;
mod weld;

pub use audit::{MeshAudit, MeshProblem, MeshProblemKind};
pub use hull::convex_hull;
pub use map::ascii_grid::{AsciiGridError, parse_ascii_grid};
pub use mesh::{MeshError, TriangleMesh, digest};
pub use mesh_file::{MOST_TRIANGLES, MeshFileError, MeshFormat, MeshOptions, UpAxis, read_mesh};
pub use procedural::Procedural;
pub use raster::Raster;
pub use refine::icosphere;
pub use relief::{Missing, Relief, ReliefError};
pub use rock::Rock;
pub use shape::Shape;
pub use solid::{Depth, Face, NO_FACE, SolidMesh};
pub use weld::{weld, weld_labels};
