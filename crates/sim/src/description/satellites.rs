//! Satellites in the user's words: their orbit, wheels, thrusters and control.

use touchdown_math::Vec3;
use touchdown_spacecraft::orbit::{Orbit, SolarPressure};
use touchdown_spacecraft::wheel::WheelLimits;

/// What acts on satellites beside joints, elements and contacts.
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
