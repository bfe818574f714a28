//! Force elements, and the commands of drives.

use super::{Attachment, JointAxis};
use touchdown_math::Signal;

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
        /// Signs of force that it can transmit.
        acts: Acts,
        /// No force before this time, s.
        slack_until: f64,
    },
    /// Six-axis spring and damper between two frames, in the axes of `a`: `[rx, ry, rz, x, y, z]`.
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

/// Signs of force that a spring can transmit.
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

/// Command of a drive or actuator. Forces are N or N m; `limit` bounds their magnitude (infinite if none).
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

/// Kind of a drive.
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
        /// Rate at which the target is corrected by the hub's speed over the ground, 1/s: d(correction)/dt =
        /// this·(speed − hub's speed)/radius. Zero: not at all.
        correction: f64,
    },
}
