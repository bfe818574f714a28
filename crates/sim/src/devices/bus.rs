//! The bus: numbers by name, each written by one device, read by any, held between ticks and part of the state.

use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;

/// Place of a signal on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Port(pub(super) usize);

/// The present values of the signals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bus {
    /// `None`: nothing was written yet, or there is no value.
    values: Vec<Option<f64>>,
}

impl Bus {
    /// A bus with the values of its signals before the first tick.
    pub fn new(values: Vec<Option<f64>>) -> Bus {
        Bus { values }
    }

    /// How many signals there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Value of a signal.
    pub fn get(&self, port: Port) -> Option<f64> {
        self.values[port.0]
    }

    /// Values of N signals; `None` unless all have one.
    pub fn all<const N: usize>(&self, ports: &[Port; N]) -> Option<[f64; N]> {
        let mut values = [0.0; N];
        for (value, port) in values.iter_mut().zip(ports) {
            *value = self.get(*port)?;
        }
        Some(values)
    }

    /// A vector of three signals.
    pub fn vector(&self, ports: &[Port; 3]) -> Option<Vec3> {
        self.all(ports).map(Vec3::from)
    }

    /// Whether a signal is true.
    pub fn flag(&self, port: Port) -> bool {
        self.get(port).is_some_and(|value| value != 0.0)
    }

    /// Writes a signal.
    pub fn set(&mut self, port: Port, value: impl Into<Option<f64>>) {
        self.values[port.0] = value.into();
    }

    /// Writes N signals.
    pub fn set_all<const N: usize>(&mut self, ports: &[Port; N], values: Option<[f64; N]>) {
        for (k, port) in ports.iter().enumerate() {
            self.set(*port, values.map(|values| values[k]));
        }
    }

    /// Writes a boolean.
    pub fn set_flag(&mut self, port: Port, on: bool) {
        self.set(port, f64::from(u8::from(on)));
    }
}
