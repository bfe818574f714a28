//! Mass properties of simple solids.

use touchdown_math::{Mat3, Vec3};

/// A solid of even density, with its centre of mass at the body's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// All mass in one point.
    Point,
    /// A sphere.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A cylinder.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        length: f64,
        /// Its axis; the length of the vector does not matter.
        axis: Vec3,
    },
    /// A box along the axes.
    Box {
        /// Edges, m.
        size: Vec3,
    },
}

impl Solid {
    /// Inertia about the centre of mass for a mass in kg, kg m².
    pub fn inertia(&self, mass: f64) -> Mat3 {
        match *self {
            Solid::Point => Mat3::zeros(),
            Solid::Sphere { radius } => Mat3::identity() * (0.4 * mass * radius * radius),
            Solid::Cylinder { radius, length, axis } => {
                let n = axis.normalize();
                let along = 0.5 * mass * radius * radius;
                let across = mass * (3.0 * radius * radius + length * length) / 12.0;
                Mat3::identity() * across + n * n.transpose() * (along - across)
            }
            Solid::Box { size } => {
                let square = size.component_mul(&size);
                let other = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
                Mat3::from_diagonal(&(other * (mass / 12.0)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inertias_are_those_of_the_textbook() {
        // Sphere 2/5 m r²; cylinder m r²/2 along, m(3r² + l²)/12 across; box m(b² + c²)/12.
        assert!((Solid::Sphere { radius: 0.5 }.inertia(2.0)[(1, 1)] - 0.2).abs() < 1e-15);
        let wheel = Solid::Cylinder { radius: 0.2, length: 0.1, axis: Vec3::y() * 3.0 }.inertia(6.0);
        assert!((wheel[(1, 1)] - 0.12).abs() < 1e-15 && (wheel[(0, 0)] - 0.065).abs() < 1e-15);
        let cuboid = Solid::Box { size: Vec3::new(1.0, 2.0, 3.0) }.inertia(12.0);
        assert_eq!((cuboid[(0, 0)], cuboid[(1, 1)], cuboid[(2, 2)]), (13.0, 10.0, 5.0));
        assert_eq!(Solid::Point.inertia(1.0), Mat3::zeros());
    }
}
