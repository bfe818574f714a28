//! Forms: triangle meshes and primitives.

use touchdown_math::Vec3;

/// A form to draw, in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A box centred at the origin.
    Box {
        /// Edge lengths, m.
        size: Vec3,
    },
    /// A cylinder about z, centred at the origin.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        length: f64,
    },
    /// A sphere centred at the origin.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A triangle mesh.
    Mesh(TriangleMesh),
}

/// A triangle mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct TriangleMesh {
    /// Corners, m.
    pub vertices: Vec<Vec3>,
    /// Corner indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
