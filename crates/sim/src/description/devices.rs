//! Devices in the user's words: sensors of columns and controllers of inputs, in any number.

use touchdown_math::Signal;

/// Devices beside those of satellites.
#[derive(Clone, Debug, Default)]
pub struct PlainDevices {
    /// Sensors.
    pub sensors: Vec<SampledSensor>,
    /// Controllers.
    pub controllers: Vec<Controller>,
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
    /// Seed of bias and noise: its own, so that other devices do not change them.
    pub seed: u64,
}

/// A PID controller. It writes the signal `controller.NAME.output`, with the unit of its input as suffix.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Unique name.
    pub name: String,
    /// The signal that it reads.
    pub reads: String,
    /// What the reading shall be.
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
    /// The signal that lets it act while it is not zero; none: it always acts. While it rests, its output is zero, or the limit next to it.
    pub active_from: Option<String>,
}

/// What a reading shall be.
#[derive(Clone, Debug, PartialEq)]
pub enum SetPoint {
    /// A function of time.
    Given(Signal),
    /// A signal of another device.
    Read(String),
}

/// Phases that follow each other when conditions hold. It writes the signal `sequence.NAME.phase`, the number of its phase, and one for each signal that its
/// phases set.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Unique name.
    pub name: String,
    /// How often it looks at its conditions, Hz.
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
    /// What is done in it.
    pub about: String,
    /// What it commands when it begins.
    pub commands: Vec<Command>,
    /// Signals that it sets when it begins, by name: `sequence.SEQUENCE.NAME`.
    pub signals: Vec<(String, f64)>,
    /// Where it leads; the first whose condition holds is taken.
    pub transitions: Vec<Transition>,
    /// What it comes to, if it ends the sequence.
    pub ending: Option<Ending>,
}

/// A value for an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The input.
    pub input: String,
    /// SI, or a plain number in the input's unit.
    pub value: f64,
    /// Unit that the value was given in, as printed; none: the input's.
    pub unit: Option<&'static str>,
}

/// What the end of a sequence comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What was wanted.
    Done,
    /// It was given up.
    Aborted,
}

/// A way from a phase to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// Index of the phase it leads to.
    pub to: usize,
    /// When.
    pub when: Condition,
    /// The same in the user's words.
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
    /// It has held for so long without a break, s.
    Held(Box<Condition>, f64),
    /// The phase has lasted so long, s.
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
