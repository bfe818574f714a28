//! Primitives and meshes in one type: named in scenarios, drawn in pictures, and convertible to a mesh.
//!
//! Every form is in its own frame, centred at the origin; the caller places it in a body.

use crate::{TriangleMesh, triangulate};
use std::f64::consts::PI;
use touchdown_math::Elementary;
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

impl Shape {
    /// The surface as triangles, counter-clockwise seen from outside; `segments` (at least 3) go around a full circle.
    /// Corners lie on the true surface, so a curved form is inscribed. A mesh is returned as it is.
    pub fn triangulate(&self, segments: u32) -> TriangleMesh {
        match self {
            Shape::Box { size } => triangulate::cuboid(size),
            Shape::Cylinder { radius, length } => triangulate::cylinder(*radius, *length, segments.max(3)),
            Shape::Sphere { radius } => triangulate::sphere(*radius, segments.max(3)),
            Shape::Mesh(mesh) => mesh.clone(),
        }
    }

    /// Surface area of the true form, m².
    pub fn area(&self) -> f64 {
        match self {
            Shape::Box { size } => 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x),
            Shape::Cylinder { radius, length } => 2.0 * PI * radius * (radius + length),
            Shape::Sphere { radius } => 4.0 * PI * radius * radius,
            Shape::Mesh(mesh) => mesh.area(),
        }
    }

    /// Enclosed volume of the true form, m³ (of a mesh: see [`TriangleMesh::volume`]).
    pub fn volume(&self) -> f64 {
        match self {
            Shape::Box { size } => size.x * size.y * size.z,
            Shape::Cylinder { radius, length } => PI * radius * radius * length,
            Shape::Sphere { radius } => 4.0 / 3.0 * PI * radius.whole_power(3),
            Shape::Mesh(mesh) => mesh.volume(),
        }
    }
}
