//! Description of a mechanism: named bodies, joints, constraints, force elements and drives.
//!
//! This is plain data. `rigid::Model::build` checks it and compiles it into the arrays that the algorithms run on. Indices
//! refer to positions in the vectors of [`Mechanism`]; `None` as a body means the world.

mod constraints;
mod forces;

pub use constraints::{Constraint, ConstraintKind};
pub use forces::{Acts, Command, Drive, DriveKind, ElementKind, ForceElement};

use touchdown_math::{Mat3, Pose, Quat, Vec3};

/// Index of a body in [`Mechanism::bodies`]; `None` is the world.
pub type BodyRef = Option<usize>;

/// A mechanism: the complete input of `multibody`. SI units; z is up.
#[derive(Clone, Debug, Default)]
pub struct Mechanism {
    /// Field that acts on every body.
    pub gravity: Gravity,
    /// The bodies.
    pub bodies: Vec<Body>,
    /// One joint for each body, its inboard joint, in any order.
    pub joints: Vec<Joint>,
    /// Loop closures, couplings and prescribed motions.
    pub constraints: Vec<Constraint>,
    /// Springs, dampers, bushings, actuators, joint springs, limits, friction, loads.
    pub elements: Vec<ForceElement>,
    /// Motors and locks.
    pub drives: Vec<Drive>,
}

/// Gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity {
    /// The same acceleration everywhere, m/s².
    Uniform(Vec3),
    /// Attraction to a point: acceleration −mu·r/|r|³ at every body's centre of mass.
    Central {
        /// The attracting point, in the world, m.
        centre: Vec3,
        /// Gravitational parameter GM, m³/s².
        mu: f64,
    },
}

impl Default for Gravity {
    fn default() -> Self {
        Gravity::Uniform(Vec3::zeros())
    }
}

/// A rigid body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique name, such as `rover/chassis`.
    pub name: String,
    /// Mass, kg; zero is allowed if there is mass outboard of it.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: Vec3,
    /// Inertia about the centre of mass, in body axes, kg m².
    pub inertia: Mat3,
}

/// The motion that a joint allows. Axes are unit vectors in the joint frame.
///
/// Coordinates, in this order: revolute: angle; prismatic: travel; cylindrical: travel, angle; universal: angle about `axis_1`
/// (fixed in the parent's joint frame), angle about `axis_2` (fixed in the child's); planar: travel along the joint frame's
/// two in-plane axes, angle about the normal; spherical: quaternion {w, x, y, z} of the child in the parent's joint frame,
/// rates in child axes (rad/s); free: position (parent's joint frame), quaternion; rates: velocity of the child's joint frame
/// origin (parent's joint frame), angular velocity in child axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// Nothing moves.
    Fixed,
    /// Rotation about `axis`.
    Revolute {
        /// Unit vector.
        axis: Vec3,
    },
    /// Travel along `axis`.
    Prismatic {
        /// Unit vector.
        axis: Vec3,
    },
    /// Travel along and rotation about `axis`.
    Cylindrical {
        /// Unit vector.
        axis: Vec3,
    },
    /// Rotation about `axis_1`, then about `axis_2`.
    Universal {
        /// Unit vector, fixed to the parent.
        axis_1: Vec3,
        /// Unit vector, fixed to the child.
        axis_2: Vec3,
    },
    /// Ball joint.
    Spherical,
    /// Two travels in the plane normal to `normal`, then a rotation about it.
    Planar {
        /// Unit vector.
        normal: Vec3,
    },
    /// All six.
    Free,
}

impl JointKind {
    /// For each coordinate of a joint without quaternion: whether it is an angle.
    pub fn turning_axes(&self) -> &'static [bool] {
        match self {
            JointKind::Revolute { .. } => &[true],
            JointKind::Prismatic { .. } => &[false],
            JointKind::Cylindrical { .. } => &[false, true],
            JointKind::Universal { .. } => &[true, true],
            JointKind::Planar { .. } => &[false, false, true],
            JointKind::Fixed | JointKind::Spherical | JointKind::Free => &[],
        }
    }

    /// Whether a coordinate is an angle.
    pub fn turns(&self, axis: usize) -> bool {
        self.turning_axes().get(axis).copied().unwrap_or(false)
    }
}

impl JointKind {
    /// Number of position coordinates (quaternions count four).
    pub fn positions(&self) -> usize {
        match self {
            JointKind::Spherical => 4,
            JointKind::Free => 7,
            other => other.rates(),
        }
    }

    /// Number of degrees of freedom.
    pub fn rates(&self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Revolute { .. } | JointKind::Prismatic { .. } => 1,
            JointKind::Cylindrical { .. } | JointKind::Universal { .. } => 2,
            JointKind::Spherical | JointKind::Planar { .. } => 3,
            JointKind::Free => 6,
        }
    }
}

/// A joint between a parent (or the world) and a child body.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Unique name, such as `rover/drive_front_left`.
    pub name: String,
    /// The motion that it allows.
    pub kind: JointKind,
    /// Inboard body.
    pub parent: BodyRef,
    /// Outboard body.
    pub child: usize,
    /// Joint frame F in the parent.
    pub X_PF: Pose,
    /// Joint frame M in the child; F and M coincide at zero coordinates.
    pub X_BM: Pose,
    /// Initial coordinates, `kind.positions()` numbers.
    pub position: Vec<f64>,
    /// Initial rates, `kind.rates()` numbers.
    pub rate: Vec<f64>,
    /// Kept at its initial coordinates when the mechanism is assembled (others move to close the loops).
    pub held_in_assembly: bool,
}

/// A frame fixed to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// The body, or the world.
    pub body: BodyRef,
    /// The frame in the body.
    pub X_BF: Pose,
}

impl Attachment {
    /// A point of a body.
    pub fn point(body: BodyRef, p_BF: Vec3) -> Self {
        Attachment { body, X_BF: Pose::translation(p_BF) }
    }
}

/// One coordinate of a joint, by index among its rates (quaternion joints have none that can be named).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointAxis {
    /// Index in [`Mechanism::joints`].
    pub joint: usize,
    /// Which of its rates, from 0.
    pub axis: usize,
}

impl Body {
    /// A body with diagonal inertia about its centre of mass.
    pub fn new(name: &str, mass: f64, com: Vec3, inertia_diagonal: Vec3) -> Self {
        Body { name: name.into(), mass, com, inertia: Mat3::from_diagonal(&inertia_diagonal) }
    }
}

impl Joint {
    /// A joint at rest at zero coordinates, its frame at `p_PF` in the parent and at the child's origin.
    pub fn new(name: &str, kind: JointKind, parent: BodyRef, child: usize, p_PF: Vec3) -> Self {
        let mut position = vec![0.0; kind.positions()];
        match kind {
            JointKind::Spherical => position[0] = 1.0,
            JointKind::Free => position[3] = Quat::identity().w,
            _ => {}
        }
        Joint {
            name: name.into(),
            kind,
            parent,
            child,
            X_PF: Pose::translation(p_PF),
            X_BM: Pose::identity(),
            position,
            rate: vec![0.0; kind.rates()],
            held_in_assembly: false,
        }
    }
}
