//! Form of a foot and its geometric quantities: widths, angles, areas.

use super::params::SIZE_MAX;
use crate::parameter::{Interval, Row};
use std::f64::consts::{FRAC_PI_2, PI};
use touchdown_geometry::Shape;
use touchdown_math::{Elementary, Mat3, Pose, Vec3};

/// Form of a foot. Its frame has z up, towards the leg; the origin is the middle of a flat sole, or the
/// centre of a round one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FootShape {
    /// Flat disc.
    FlatCircular {
        /// m.
        radius: f64,
    },
    /// Flat rectangle.
    FlatRectangular {
        /// b, the width of the pressure law, m.
        width: f64,
        /// a, m.
        length: f64,
    },
    /// Cylinder that lies along y.
    Cylindrical {
        /// m.
        radius: f64,
        /// b, along the axis, m.
        width: f64,
    },
    /// Ball.
    Spherical {
        /// m.
        radius: f64,
    },
}

impl FootShape {
    /// Name in scenario files.
    pub const fn name(&self) -> &'static str {
        match self {
            FootShape::FlatCircular { .. } => "flat-circular",
            FootShape::FlatRectangular { .. } => "flat-rectangular",
            FootShape::Cylindrical { .. } => "cylindrical",
            FootShape::Spherical { .. } => "spherical",
        }
    }

    /// Width b in the pressure law, m (Ding et al., Eqs. 17, 19, 21, 32).
    pub const fn pressure_width(&self) -> f64 {
        match *self {
            FootShape::FlatCircular { radius } | FootShape::Spherical { radius } => radius,
            FootShape::FlatRectangular { width, .. } | FootShape::Cylindrical { width, .. } => width,
        }
    }

    /// Area of a flat sole, m²; none for round feet.
    pub const fn sole(&self) -> Option<f64> {
        match *self {
            FootShape::FlatCircular { radius } => Some(PI * radius * radius),
            FootShape::FlatRectangular { width, length } => Some(width * length),
            _ => None,
        }
    }

    /// Radius of a round foot, m.
    pub const fn round(&self) -> Option<f64> {
        match *self {
            FootShape::Cylindrical { radius, .. } | FootShape::Spherical { radius } => Some(radius),
            _ => None,
        }
    }

    /// Half of the smaller side, m: a step farther than this is a new footprint.
    pub fn reach(&self) -> f64 {
        match *self {
            FootShape::FlatCircular { radius } | FootShape::Spherical { radius } => radius,
            FootShape::FlatRectangular { width, length } => 0.5 * width.min(length),
            FootShape::Cylindrical { radius, width } => radius.min(0.5 * width),
        }
    }

    /// Its form in space, with that form's frame in the foot's: a sole of a few millimetres, a cylinder along y or a ball.
    pub fn form(&self) -> (Pose, Shape) {
        let up = |height: f64| Pose::translation(Vec3::z() * (0.5 * height));
        match *self {
            FootShape::FlatCircular { radius } => {
                let length = 0.2 * radius;
                (up(length), Shape::Cylinder { radius, length })
            }
            FootShape::FlatRectangular { width, length } => {
                let height = 0.1 * width.min(length);
                (up(height), Shape::Box { size: Vec3::new(length, width, height) })
            }
            FootShape::Cylindrical { radius, width } => {
                // A quarter turn about x takes the cylinder's own axis, z, to -y.
                let lying = Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
                (Pose { R: lying, p: Vec3::zeros() }, Shape::Cylinder { radius, length: width })
            }
            FootShape::Spherical { radius } => (Pose::identity(), Shape::Sphere { radius }),
        }
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let size = |name, value| (name, "m", value, Interval::above_zero(SIZE_MAX));
        match *self {
            FootShape::FlatCircular { radius } | FootShape::Spherical { radius } => {
                vec![size("radius", radius)]
            }
            FootShape::FlatRectangular { width, length } => {
                vec![size("width", width), size("length", length)]
            }
            FootShape::Cylindrical { radius, width } => vec![size("radius", radius), size("width", width)],
        }
    }
}

/// Entry angle of a round foot (Eq. 20) with its slope. Beyond its axis a foot keeps the angle π/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// θ₁, rad.
    pub angle: f64,
    pub sin: f64,
    pub cos: f64,
    /// dθ₁/dδ, rad/m.
    pub slope: f64,
}

impl Entry {
    pub fn new(radius: f64, sinkage: f64) -> Entry {
        let share = sinkage / radius;
        if share >= 1.0 {
            return Entry { angle: FRAC_PI_2, sin: 1.0, cos: 0.0, slope: 0.0 };
        }
        // 1 − cos θ = D without the loss of digits of arccos(1 − D).
        let angle = 2.0 * (0.5 * share).sqrt().arcsine();
        let sin = (share * (2.0 - share)).sqrt();
        Entry { angle, sin, cos: 1.0 - share, slope: 1.0 / (radius * sin) }
    }
}
