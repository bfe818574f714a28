//! Devices in the user's words: sensors of columns and controllers of inputs, in any number.

use touchdown_math::Signal;

/// Devices beside those of satellites.
#[derive(Clone, Debug, Default)]
pub struct PlainDevices {
    /// Sensors.
    pub sensors: Vec<SampledSensor>,
    /// Controllers.
    pub controllers: Vec<Controller>,
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
}

/// What a reading shall be.
#[derive(Clone, Debug, PartialEq)]
pub enum SetPoint {
    /// A function of time.
    Given(Signal),
    /// A signal of another device.
    Read(String),
}
