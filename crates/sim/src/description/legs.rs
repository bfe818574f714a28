//! Legged machines that are controlled during the run.

/// A controller of a legged machine: a rhythm of steps, footholds that follow the velocity, and joint torques
/// that hold the body. It writes the signals `legs.NAME.forward_m_per_s`,
/// `.sideways_m_per_s`, `.turn_rad_per_s`, `.height_m`, `.feet_planned` and `.limp`.
#[derive(Clone, Debug, PartialEq)]
pub struct LegController {
    /// Unique name.
    pub name: String,
    /// The body that the legs carry, on a free joint: index in the mechanism's bodies; its x axis is forward, z up.
    pub body: usize,
    /// The legs.
    pub legs: Vec<ControlledLeg>,
    /// The order in which they step.
    pub gait: LegGait,
    /// Time of a cycle, s.
    pub period: f64,
    /// Share of a cycle on the ground.
    pub duty: f64,
    /// Height to which a foot is lifted, m.
    pub step_height: f64,
    /// Of the body's origin above the ground, m.
    pub height: f64,
    /// How fast the height changes, m/s.
    pub rise: f64,
    /// Velocity forwards and to the left, m/s, and rate of turn, rad/s, until commanded otherwise.
    pub velocity: [f64; 3],
    /// Time from which they are followed, s.
    pub start: f64,
    /// Fastest change of the velocity, m/s².
    pub acceleration: f64,
    /// Largest ratio of tangential to normal force of the feet.
    pub friction: f64,
    /// Natural frequencies of the body's lean and height, and of a swinging foot about its path, rad/s.
    pub body_frequency: f64,
    /// See `body_frequency`.
    pub foot_frequency: f64,
    /// How often it acts, Hz.
    pub rate: f64,
}

/// A leg under control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledLeg {
    /// The foot: index in [`WorldDescription::feet`](super::WorldDescription::feet).
    pub foot: usize,
    /// Its joints, from the body on.
    pub joints: Vec<ControlledJoint>,
    /// Where the foot stands under the body at rest, x and y in the body's frame, m.
    pub stance: [f64; 2],
    /// Where its first joint is in the body's frame, x and y, m.
    pub hip: [f64; 2],
}

/// A joint of a leg, turning or sliding.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledJoint {
    /// Index in the mechanism's joints.
    pub joint: usize,
    /// The input that sets its torque or force.
    pub input: String,
    /// Largest torque or force.
    pub limit: f64,
    /// Preferred position of a leg with more than three joints.
    pub rest: f64,
}

/// The order in which legs step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegGait {
    /// All feet stay where they are.
    Stand,
    /// Neighbours alternate: diagonals of four legs, tripods of six.
    Trot,
    /// One leg after the other, a wave from rear to front on each side.
    Crawl,
    /// Waves from rear to front on both sides, half a cycle apart.
    Ripple,
}
