//! Description of satellites: their orbit, wheels, thrusters and control.

use super::docking::Docking;
use touchdown_math::Vec3;
use touchdown_spacecraft::attitude::AttitudeSensors;
use touchdown_spacecraft::control::{Actuators, AocsMode};
use touchdown_spacecraft::orbit::{Orbit, SolarPressure};
use touchdown_spacecraft::wheel::WheelLimits;

/// Equipment and environment of satellites.
#[derive(Clone, Debug, Default)]
pub struct Satellites {
    /// The orbit that the world moves on.
    pub orbit: Option<Orbit>,
    /// Sunlight on the wings.
    pub sun: Option<SolarPressure>,
    /// Solar wings.
    pub wings: Vec<WingBody>,
    /// Reaction and momentum wheels.
    pub wheels: Vec<ReactionWheel>,
    /// Thrusters.
    pub thrusters: Vec<ThrusterBody>,
    /// Attitude control, of as many bodies as there are.
    pub controls: Vec<AttitudeControl>,
    /// Dockings; each needs attitude control of its chaser.
    pub dockings: Vec<Docking>,
}

/// A solar wing, for sunlight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WingBody {
    /// Index in the mechanism's bodies; its plane is x–y.
    pub body: usize,
    /// m².
    pub area: f64,
    /// Centre of the area in the body's frame, m.
    pub centre: Vec3,
}

/// Most wheels with motors on the satellite that is controlled.
pub const MOST_WHEELS: usize = 16;

/// A wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionWheel {
    /// Unique name; columns are named after it.
    pub name: String,
    /// Index in the mechanism's joints; its first rate is the rotor's.
    pub joint: usize,
    /// The body that carries it: index in the mechanism's bodies.
    pub body: usize,
    /// Unit axis in that body's frame.
    pub axis: Vec3,
    /// Of the rotor about its axis, kg m².
    pub inertia: f64,
    /// Limits of its motor; no torque: it runs freely.
    pub limits: WheelLimits,
}

/// A thruster.
#[derive(Clone, Debug, PartialEq)]
pub struct ThrusterBody {
    /// Unique name; columns are named after it.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// Where it is, in the body's frame, m.
    pub p_BT: Vec3,
    /// Unit direction of its force on the body, as mounted.
    pub direction: Vec3,
    /// Force while it is on, N.
    pub thrust: f64,
    /// s.
    pub specific_impulse: f64,
    /// s.
    pub minimum_on_time: f64,
    /// s.
    pub rise_time: f64,
    /// One sigma, rad.
    pub misalignment: f64,
}

/// Attitude and orbit control of one body, with all wheels and thrusters on it.
#[derive(Clone, Debug)]
pub struct AttitudeControl {
    /// Unique name; columns and signals are named after it: `aocs.NAME.error_rad`. Empty: `aocs.error_rad`.
    pub name: String,
    /// Index in the mechanism's bodies.
    pub body: usize,
    /// How often it acts, Hz.
    pub rate: f64,
    /// Gyro, star tracker and filter.
    pub sensors: AttitudeSensors,
    /// Modes: hold, approach, mated.
    pub modes: [ControlMode; 3],
    /// Mode at the start.
    pub mode: AocsMode,
    /// Rotation vector from the attitude at the start to the target attitude, body axes, rad.
    pub turn: Vec3,
    /// From when on, s.
    pub turn_at: f64,
    /// Share of a wheel's momentum above which thrusters unload it.
    pub desaturate_above: f64,
    /// Seed of misalignments.
    pub seed: u64,
    /// The device whose signals give its mode, and the offset of the body from its target, such as
    /// `docking.sequence`; none: `mode` stays.
    pub guidance: Option<String>,
}

/// A mode of control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlMode {
    /// What it uses.
    pub actuators: Actuators,
    /// Of attitude, Hz.
    pub bandwidth: f64,
    /// Damping ratio.
    pub damping: f64,
    /// Moments of inertia that the gains are made for, kg m²; `None`: those of the body with all that hangs outboard.
    pub inertia: Option<Vec3>,
    /// Of the place: bandwidth (Hz), dead bands (m, m/s).
    pub position: Option<(f64, f64, f64)>,
}
