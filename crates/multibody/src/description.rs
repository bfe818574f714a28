//! What a mechanism is, in the user's words: named bodies, joints, constraints, force elements and drives.
//!
//! This is plain data. `rigid::Model::build` checks it and compiles it into the arrays that the algorithms run on. Indices
//! refer to positions in the vectors of [`Mechanism`]; `None` as a body means the world.

use touchdown_math::{Mat3, Pose, Quat, Signal, Vec3};

/// Index of a body in [`Mechanism::bodies`]; `None` is the world.
pub type BodyRef = Option<usize>;

/// A mechanism: everything `multibody` needs to know. SI units; z is up.
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
    /// Mass, kg; zero is allowed where something with mass hangs outboard of it.
    pub mass: f64,
    /// Centre of mass in the body frame, m.
    pub com: Vec3,
    /// Inertia about the centre of mass, in body axes, kg m².
    pub inertia: Mat3,
}

/// What a joint lets move. Axes are unit vectors in the joint frame.
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
    /// What it lets move.
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

/// A constraint: rows of `C(q, t) = 0` with multipliers.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Unique name.
    pub name: String,
    /// Its equations.
    pub kind: ConstraintKind,
}

/// The equations of a constraint. Redundant rows are harmless.
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

/// A force element.
#[derive(Clone, Debug)]
pub struct ForceElement {
    /// Unique name.
    pub name: String,
    /// Its law.
    pub kind: ElementKind,
}

/// The law of a force element.
#[derive(Clone, Debug)]
pub enum ElementKind {
    /// Spring and damper in line between two points; tension positive:
    /// `F = stiffness·(L − rest_length) + damping·dL/dt + preload`.
    Spring {
        /// First end.
        a: Attachment,
        /// Second end.
        b: Attachment,
        /// N/m.
        stiffness: f64,
        /// N s/m.
        damping: f64,
        /// m.
        rest_length: f64,
        /// N, tension positive.
        preload: f64,
        /// Which signs of force it can carry.
        acts: Acts,
        /// No force before this time, s.
        slack_until: f64,
    },
    /// Six-way spring and damper between two frames, in the axes of `a`: `[rx, ry, rz, x, y, z]`.
    Bushing {
        /// Frame whose axes it uses.
        a: Attachment,
        /// The other frame.
        b: Attachment,
        /// N m/rad (three), N/m (three).
        stiffness: [f64; 6],
        /// N m s/rad (three), N s/m (three).
        damping: [f64; 6],
    },
    /// Linear actuator: a push (positive) along the line from `a` to `b`.
    Actuator {
        /// First end.
        a: Attachment,
        /// Second end.
        b: Attachment,
        /// What it follows.
        command: Command,
    },
    /// Spring and damper on a joint coordinate: `F = −stiffness·(q − rest) − damping·rate`.
    JointSpring {
        /// The coordinate.
        axis: JointAxis,
        /// N/m or N m/rad.
        stiffness: f64,
        /// N s/m or N m s/rad.
        damping: f64,
        /// m or rad.
        rest: f64,
    },
    /// Stops at both ends of a joint coordinate: one-sided spring and damper that never pulls.
    JointLimit {
        /// The coordinate.
        axis: JointAxis,
        /// m or rad.
        lower: f64,
        /// m or rad.
        upper: f64,
        /// N/m or N m/rad.
        stiffness: f64,
        /// N s/m or N m s/rad.
        damping: f64,
    },
    /// Dry and viscous friction of a joint coordinate: `F = −coulomb·rate/√(rate² + transition²) − viscous·rate`.
    JointFriction {
        /// The coordinate.
        axis: JointAxis,
        /// N or N m.
        coulomb: f64,
        /// N s/m or N m s/rad.
        viscous: f64,
        /// Rate at which dry friction has reached 71 % of its value, m/s or rad/s; must be positive.
        transition: f64,
    },
    /// A given force and torque on a body, at a frame.
    Load {
        /// Where it acts.
        at: Attachment,
        /// Force components in time, N.
        force: [Signal; 3],
        /// Torque components in time, N m.
        torque: [Signal; 3],
        /// Components in the axes of the frame (true) or of the world (false).
        follows_body: bool,
    },
}

/// Which signs of force a spring can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Acts {
    /// Pulls and pushes.
    #[default]
    BothWays,
    /// A rope.
    PullsOnly,
    /// A buffer.
    PushesOnly,
}

/// What a drive or actuator follows. Forces are N or N m; `limit` bounds their magnitude (infinite if none).
#[derive(Clone, Debug)]
pub enum Command {
    /// A given force.
    Force(Signal),
    /// `F = gain·(target − rate)`, bounded by `limit`.
    Speed {
        /// m/s or rad/s.
        target: Signal,
        /// N s/m or N m s/rad.
        gain: f64,
        /// N or N m.
        limit: f64,
    },
    /// `F = stiffness·(target − q) + damping·(d target/dt − rate)`, bounded by `limit`.
    Position {
        /// m or rad.
        target: Signal,
        /// N/m or N m/rad.
        stiffness: f64,
        /// N s/m or N m s/rad.
        damping: f64,
        /// N or N m.
        limit: f64,
    },
}

/// A motor on a joint coordinate.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Unique name.
    pub name: String,
    /// The coordinate it turns.
    pub axis: JointAxis,
    /// What it does.
    pub kind: DriveKind,
    /// No torque before this time, s (locks hold from the start).
    pub active_from: f64,
}

/// What a drive does.
#[derive(Clone, Debug)]
pub enum DriveKind {
    /// Follows a command with a force law.
    Follow(Command),
    /// Holds the whole joint rigidly at its initial coordinates for the whole run; the model removes its coordinates.
    Lock,
    /// Speed control of a wheel by its rim: the target rate is `speed/(R − deformation)` with the present deformation of the
    /// tyre on the joint's child body.
    RimSpeed {
        /// Rim speed, m/s.
        speed: Signal,
        /// N m s/rad.
        gain: f64,
        /// N m.
        limit: f64,
        /// How fast the target is corrected by the hub's speed over the ground, 1/s: d(correction)/dt = this·(speed − hub's speed)/radius. Zero: not at all.
        correction: f64,
    },
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
