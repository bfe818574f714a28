//! Description of devices: sensors of columns and controllers of inputs, in any number.

use super::LegController;
use touchdown_math::Signal;

/// Devices other than those of satellites.
#[derive(Clone, Debug, Default)]
pub struct PlainDevices {
    /// Sensors.
    pub sensors: Vec<SampledSensor>,
    /// Controllers.
    pub controllers: Vec<Controller>,
    /// Drivers of vehicles.
    pub paths: Vec<PathFollower>,
    /// Controllers of legged machines.
    pub legs: Vec<LegController>,
    /// Sequences.
    pub sequences: Vec<Sequence>,
}

/// A sensor that samples a column. It writes the signal `sensor.NAME.value`, with the column's unit as suffix, such as `sensor.speed.value_rad_per_s`.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledSensor {
    /// Unique name.
    pub name: String,
    /// What it samples: a column of the world.
    pub column: String,
    /// Samples per second.
    pub rate: f64,
    /// Standard deviation of its bias, which is drawn once, in the column's unit.
    pub bias: f64,
    /// Standard deviation of each sample, in the column's unit.
    pub noise: f64,
    /// Readings are multiples of this, in the column's unit; 0: of any value.
    pub resolution: f64,
    /// Seed of bias and noise: separate for each device, so that other devices do not change them.
    pub seed: u64,
}

/// A PID controller. It writes the signal `controller.NAME.output`, with the unit of its input as suffix.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Unique name.
    pub name: String,
    /// The signal that it reads.
    pub reads: String,
    /// The set point.
    pub set_point: SetPoint,
    /// How often it acts, Hz.
    pub rate: f64,
    /// Output for each unit of error.
    pub proportional: f64,
    /// Output for each unit of error and second.
    pub integral: f64,
    /// Output for each unit of the reading's rate, against it.
    pub derivative: f64,
    /// Output without error.
    pub offset: f64,
    /// Smallest output; the input's own limit holds, too.
    pub lower: f64,
    /// Largest output.
    pub upper: f64,
    /// The input that it commands; none: its output is for other devices.
    pub commands: Option<String>,
    /// The signal that activates it while not zero; none: always active. While inactive, its output is zero,
    /// or the limit nearest to zero.
    pub active_from: Option<String>,
}

/// Set point of a reading.
#[derive(Clone, Debug, PartialEq)]
pub enum SetPoint {
    /// A function of time.
    Given(Signal),
    /// A signal of another device.
    Read(String),
}

/// A driver that moves a vehicle along a route. It writes the signals `path.NAME.cross_track_m`,
/// `.distance_left_m`, `.goal`, `.forward_m_per_s`,
/// `.sideways_m_per_s`, `.turn_rad_per_s` and `.arrived`.
#[derive(Clone, Debug, PartialEq)]
pub struct PathFollower {
    /// Unique name.
    pub name: String,
    /// The vehicle: index in the mechanism's bodies; its x axis is forward, z up.
    pub body: usize,
    /// Its wheels.
    pub wheels: Vec<PathWheel>,
    /// The route: x and y of its points, m, two or more.
    pub points: Vec<[f64; 2]>,
    /// How it drives curves.
    pub mode: PathMode,
    /// Speed over the ground, m/s.
    pub speed: f64,
    /// Fastest change of the speed, m/s².
    pub acceleration: f64,
    /// Look-ahead distance on the route, m.
    pub look_ahead: f64,
    /// Distance at which a point counts as reached, m.
    pub arrival: f64,
    /// Largest rate of turns on the spot, and of those that keep a heading, rad/s.
    pub turn_rate: f64,
    /// Smallest radius of curves, m.
    pub radius: f64,
    /// Steering rate of the wheels, rad/s.
    pub steering_rate: f64,
    /// How often it acts, Hz.
    pub rate: f64,
}

impl PathFollower {
    /// Distance of its farthest wheel from the vehicle's origin, m.
    pub fn reach(&self) -> f64 {
        self.wheels
            .iter()
            .map(|w| (w.place[0] * w.place[0] + w.place[1] * w.place[1]).sqrt())
            .fold(0.0, f64::max)
    }
}

/// How a vehicle drives curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMode {
    /// On circles about a point beside it.
    Ackermann,
    /// It turns on the spot at each point, and drives straight between them.
    PointTurn,
    /// It keeps its heading and drives in any direction.
    Crab,
}

/// A wheel that a driver steers and turns.
#[derive(Clone, Debug, PartialEq)]
pub struct PathWheel {
    /// x and y of its steering axis, or of its centre where it has none, in the vehicle's frame, m.
    pub place: [f64; 2],
    /// Its drive; a wheel without one rolls freely.
    pub drive: Option<WheelDrive>,
    /// Its steering.
    pub steering: Option<WheelSteering>,
}

/// A drive that turns a wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelDrive {
    /// The input that commands it.
    pub input: String,
    /// Command for each m/s of the rim.
    pub per_speed: f64,
}

/// A drive that steers a wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelSteering {
    /// The input that commands its angle, rad.
    pub input: String,
    /// Its joint: index in the mechanism's joints.
    pub joint: usize,
    /// 1 where the joint turns to the left, −1 where to the right.
    pub sign: f64,
    /// Least and largest angle to the left, rad.
    pub limits: [f64; 2],
}
/// Phases that follow each other when conditions hold. It writes the signal `sequence.NAME.phase`, the number of its phase, and one for each signal that its
/// phases set.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Unique name.
    pub name: String,
    /// Rate at which it checks its conditions, Hz.
    pub rate: f64,
    /// Its phases.
    pub phases: Vec<Phase>,
    /// Index of the first.
    pub start: usize,
}

/// A phase of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Unique name in its sequence.
    pub name: String,
    /// Purpose of the phase.
    pub about: String,
    /// Commands given when it begins.
    pub commands: Vec<PhaseCommand>,
    /// Signals that it sets when it begins, by name: `sequence.SEQUENCE.NAME`.
    pub signals: Vec<(String, f64)>,
    /// Transitions; the first whose condition holds is taken.
    pub transitions: Vec<Transition>,
    /// Its ending, if it ends the sequence.
    pub ending: Option<Ending>,
}

/// A value for an input.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseCommand {
    /// The input.
    pub input: String,
    /// SI, or a plain number in the input's unit.
    pub value: f64,
    /// Unit that the value was given in, as printed; none: the input's.
    pub unit: Option<&'static str>,
}

/// Ending of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Success.
    Done,
    /// It was aborted.
    Aborted,
}

/// A transition from one phase to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Index of the next phase.
    pub to: usize,
    /// When.
    pub when: Condition,
    /// The condition as written by the user.
    pub text: String,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A column or signal, or its magnitude, against a number.
    Compare {
        /// Name of the column or signal.
        name: String,
        /// Whether its magnitude is compared.
        magnitude: bool,
        /// How.
        relation: Relation,
        /// With what, SI.
        value: f64,
        /// Unit that the number was given in; none: the column's.
        unit: Option<&'static str>,
    },
    /// All hold.
    All(Vec<Condition>),
    /// One holds.
    Any(Vec<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
    /// It has held for this time without interruption, s.
    Held(Box<Condition>, f64),
    /// The phase has lasted for this time, s.
    After(f64),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// <
    Less,
    /// <=
    AtMost,
    /// >
    Greater,
    /// >=
    AtLeast,
    /// ==
    Equal,
    /// !=
    Different,
}

impl Relation {
    /// Whether it holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::AtMost => a <= b,
            Relation::Greater => a > b,
            Relation::AtLeast => a >= b,
            Relation::Equal => a == b,
            Relation::Different => a != b,
        }
    }
}
