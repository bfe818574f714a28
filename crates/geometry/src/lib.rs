//! Forms of bodies and of the ground.
//!
//! Bodies: triangle meshes and primitives in their own frame ([`Shape`], [`TriangleMesh`]), between the scenario's files, which name them, and
//! pictures and contact, which need triangles. Ground: its undisturbed height over the plane ([`Relief`]), level or sloped, made from a seed
//! ([`Procedural`]) or mapped ([`Raster`], read by [`parse_ascii_grid`]). Smooth surfaces with normals and curvatures: [`surface`]. Bodies of revolution by their sections: [`revolution`]. What bodies do to the ground is kept elsewhere.

mod ascii_grid;
mod mesh;
mod procedural;
mod raster;
mod relief;
pub mod revolution;
mod shape;
pub mod surface;
mod triangulate;

pub use ascii_grid::{AsciiGridError, parse_ascii_grid};
pub use mesh::{MeshError, TriangleMesh};
pub use procedural::Procedural;
pub use raster::Raster;
pub use relief::{Missing, Relief, ReliefError};
pub use shape::Shape;
