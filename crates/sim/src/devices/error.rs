//! Errors of devices, found when they are fitted.

use super::ActuatorError;

/// Errors that prevent fitting.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DeviceError {
    /// Names must differ.
    #[error("two devices are called {device}")]
    SameName {
        /// The name.
        device: String,
    },
    /// A signal without writer.
    #[error("{device} reads the signal \"{signal}\", which no device writes; {}", listed("signals", known))]
    NoSignal {
        /// Who reads it.
        device: String,
        /// What it reads.
        signal: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A signal with two writers.
    #[error("the signal \"{signal}\" is written by {first} and by {second}")]
    WrittenTwice {
        /// The signal.
        signal: String,
        /// Who was first.
        first: String,
        /// Who came after.
        second: String,
    },
    /// There is no order of ticks with producers before consumers.
    #[error("the devices {} wait for each other's signals", devices.join(", "))]
    Circle {
        /// Those that wait.
        devices: Vec<String>,
    },
    /// A sensor samples a column.
    #[error("{device} samples the column \"{column}\", which this world does not have{}", nearest.as_ref().map_or_else(String::new, |n| format!("; the nearest is \"{n}\"")))]
    NoColumn {
        /// The sensor.
        device: String,
        /// What it samples.
        column: String,
        /// A column whose name is like it.
        nearest: Option<String>,
    },
    /// A controller commands an input.
    #[error(
        "{device} commands the input \"{input}\", which this world does not have; {}",
        listed("inputs", known)
    )]
    NoInput {
        /// The controller.
        device: String,
        /// What it commands.
        input: String,
        /// What there is.
        known: Vec<String>,
    },
    /// An input has one master.
    #[error("the input \"{input}\" is commanded by {first} and by {second}")]
    CommandedTwice {
        /// The input.
        input: String,
        /// Who was first.
        first: String,
        /// Who came after.
        second: String,
    },
    /// A number that cannot be used.
    #[error("{device}: {what} must be {allowed}, found {found}")]
    Number {
        /// The device.
        device: String,
        /// Which number.
        what: &'static str,
        /// Its value.
        found: f64,
        /// What it may be.
        allowed: String,
    },
    /// A number in another unit than the column or input.
    #[error("{device}: {name} is in {expected}, and what it is given or compared with is in {found}")]
    Unit {
        /// The device.
        device: String,
        /// The column or input.
        name: String,
        /// Its unit.
        expected: &'static str,
        /// The unit of the number.
        found: &'static str,
    },
    /// A value that an input does not take.
    #[error("{device}: the input \"{input}\" takes {lower} to {upper} {unit}, found {found}")]
    Outside {
        /// The device.
        device: String,
        /// The input.
        input: String,
        /// What it is given.
        found: f64,
        /// Smallest value.
        lower: f64,
        /// Largest value.
        upper: f64,
        /// Unit as printed.
        unit: &'static str,
    },
    /// An unreachable phase.
    #[error("{device}: nothing leads to the phase {phase}")]
    Unreachable {
        /// The sequence.
        device: String,
        /// The phase.
        phase: String,
    },
    /// Wheels or thrusters cannot be used.
    #[error("{device}: {problem}")]
    Actuators {
        /// The device.
        device: String,
        /// What is wrong.
        problem: ActuatorError,
    },
}

impl DeviceError {
    /// The device that it is about.
    pub fn device(&self) -> &str {
        match self {
            DeviceError::SameName { device }
            | DeviceError::NoSignal { device, .. }
            | DeviceError::NoColumn { device, .. }
            | DeviceError::NoInput { device, .. }
            | DeviceError::Number { device, .. }
            | DeviceError::Unit { device, .. }
            | DeviceError::Outside { device, .. }
            | DeviceError::Unreachable { device, .. }
            | DeviceError::Actuators { device, .. } => device,
            DeviceError::WrittenTwice { second, .. } | DeviceError::CommandedTwice { second, .. } => second,
            DeviceError::Circle { devices } => devices.first().map_or("", String::as_str),
        }
    }
}

fn listed(what: &str, known: &[String]) -> String {
    match known {
        [] => format!("there are no {what}"),
        known => format!("{what}: {}", known.join(", ")),
    }
}
