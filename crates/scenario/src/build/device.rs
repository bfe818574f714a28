//! Devices: sensors of columns and controllers of inputs, with their seeds.

use super::Builder;
use crate::table::{ControllerKeys, SensorKeys};
use touchdown_sim::description::{Controller, SampledSensor, SetPoint};
use touchdown_spacecraft::random::Noise;

impl Builder<'_> {
    /// Sensors, controllers and sequences of the scenario.
    pub fn collect_devices(&mut self) {
        for named in &self.root.sensor {
            self.remember("sensor", &named.name, named);
            let sensor = named.keys.as_ref().map(|keys| self.sensor(&named.name, keys));
            self.devices.sensors.extend(sensor);
        }
        for named in &self.root.controller {
            self.remember("controller", &named.name, named);
            let controller = named.keys.as_ref().and_then(|keys| self.controller(&named.name, keys));
            self.devices.controllers.extend(controller);
        }
        self.collect_sequences();
    }

    /// The seed of a device: its own, or one derived from the scenario's seed and its name.
    pub(super) fn seed_of(&self, own: Option<u64>, device: &str) -> u64 {
        own.unwrap_or_else(|| Noise::seed_of(self.seed(), device))
    }

    /// The scenario's seed.
    pub(super) fn seed(&self) -> u64 {
        self.root.seed.unwrap_or(0)
    }

    fn sensor(&self, name: &str, keys: &SensorKeys) -> SampledSensor {
        SampledSensor {
            name: name.into(),
            column: keys.column.to_string(),
            rate: keys.rate,
            bias: keys.bias,
            noise: keys.noise,
            resolution: keys.resolution,
            seed: self.seed_of(keys.seed, &format!("sensor.{name}")),
        }
    }

    fn controller(&mut self, name: &str, keys: &ControllerKeys) -> Option<Controller> {
        let set_point = match (&keys.set_point, &keys.set_point_from) {
            (Some(given), None) => SetPoint::Given(given.signal.clone()),
            (None, Some(signal)) => SetPoint::Read(signal.to_string()),
            (given, _) => {
                let what = if given.is_some() { "has two set points" } else { "has no set point" };
                let here = &keys.here;
                self.issues.at(here.loc, &here.path, what).hint("say one of set_point and set_point_from");
                return None;
            }
        };
        Some(Controller {
            name: name.into(),
            reads: keys.reads.to_string(),
            set_point,
            rate: keys.rate,
            proportional: keys.proportional,
            integral: keys.integral,
            derivative: keys.derivative,
            offset: keys.offset,
            lower: keys.lower.unwrap_or(f64::MIN),
            upper: keys.upper.unwrap_or(f64::MAX),
            commands: keys.commands.as_ref().map(ToString::to_string),
            active_from: keys.active_from.as_ref().map(ToString::to_string),
        })
    }
}
