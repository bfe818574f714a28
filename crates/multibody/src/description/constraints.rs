//! Loop closures, couplings and prescribed motions of a mechanism.

use super::{Attachment, BodyRef, JointAxis};
use touchdown_math::{Signal, Vec3};

/// A constraint: rows of `C(q, t) = 0` with multipliers.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Unique name.
    pub name: String,
    /// Its equations.
    pub kind: ConstraintKind,
}

/// The equations of a constraint. Redundant rows are allowed.
#[derive(Clone, Debug)]
pub enum ConstraintKind {
    /// The two frames' origins coincide (3 rows).
    Coincident {
        /// First point.
        a: Attachment,
        /// Second point.
        b: Attachment,
    },
    /// An axis of each body: parallel (2 rows).
    Parallel {
        /// First body and axis in it.
        a: (BodyRef, Vec3),
        /// Second body and axis in it.
        b: (BodyRef, Vec3),
    },
    /// An axis of each body: perpendicular (1 row).
    Perpendicular {
        /// First body and axis in it.
        a: (BodyRef, Vec3),
        /// Second body and axis in it.
        b: (BodyRef, Vec3),
    },
    /// The distance between two points is given (1 row); a massless rod.
    Distance {
        /// First point.
        a: Attachment,
        /// Second point.
        b: Attachment,
        /// Length, m; must be positive.
        length: f64,
    },
    /// `q_driven = ratio · q_driver + offset` (1 row).
    Gear {
        /// The coordinate on the left.
        driven: JointAxis,
        /// The coordinate on the right.
        driver: JointAxis,
        /// Dimensionless, or m/rad for rack and pinion.
        ratio: f64,
        /// In the driven coordinate's unit.
        offset: f64,
    },
    /// A joint coordinate follows a signal (1 row); its multiplier is the drive's force.
    Prescribed {
        /// The coordinate.
        axis: JointAxis,
        /// Its value in time.
        motion: Signal,
    },
}

impl ConstraintKind {
    /// Number of its rows.
    pub fn rows(&self) -> usize {
        match self {
            ConstraintKind::Coincident { .. } => 3,
            ConstraintKind::Parallel { .. } => 2,
            _ => 1,
        }
    }
}
