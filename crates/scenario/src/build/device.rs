//! Devices: sensors of columns and controllers of inputs, with their seeds.

use super::Builder;
use crate::read::Record;
use touchdown_sim::description::{Controller, SampledSensor, SetPoint};
use touchdown_spacecraft::random::Noise;

impl Builder<'_> {
    /// Sensors and controllers of the scenario.
    pub fn collect_devices(&mut self) {
        let root = self.scopes[0].record;
        for named in root.map("sensor") {
            self.remember("sensor", &named.name, &named.record);
            let sensor = self.sensor(&named.name, &named.record);
            self.devices.sensors.extend(sensor);
        }
        for named in root.map("controller") {
            self.remember("controller", &named.name, &named.record);
            let controller = self.controller(&named.name, &named.record);
            self.devices.controllers.extend(controller);
        }
    }

    /// The seed of a device: its own, or one that follows from the scenario's seed and its name.
    pub(super) fn seed_of(&self, r: &Record, device: &str) -> u64 {
        r.count("seed").unwrap_or_else(|| Noise::seed_of(self.seed(), device))
    }

    /// The scenario's seed.
    pub(super) fn seed(&self) -> u64 {
        self.scopes[0].record.count("seed").unwrap_or(0)
    }

    fn sensor(&mut self, name: &str, r: &Record) -> Option<SampledSensor> {
        Some(SampledSensor {
            name: name.into(),
            column: r.text("column")?.into(),
            rate: r.number("rate")?,
            bias: r.number("bias")?,
            noise: r.number("noise")?,
            resolution: r.number("resolution")?,
            seed: self.seed_of(r, &format!("sensor.{name}")),
        })
    }

    fn controller(&mut self, name: &str, r: &Record) -> Option<Controller> {
        let set_point = match (r.signal("set_point"), r.text("set_point_from")) {
            (Some((signal, _)), None) => SetPoint::Given(signal.clone()),
            (None, Some(signal)) => SetPoint::Read(signal.into()),
            (given, _) => {
                let what = if given.is_some() { "has two set points" } else { "has no set point" };
                self.issues.at(r.loc, &r.path, what).hint("say one of set_point and set_point_from");
                return None;
            }
        };
        Some(Controller {
            name: name.into(),
            reads: r.text("reads")?.into(),
            set_point,
            rate: r.number("rate")?,
            proportional: r.number("proportional")?,
            integral: r.number("integral")?,
            derivative: r.number("derivative")?,
            offset: r.number("offset")?,
            lower: r.number("lower").unwrap_or(f64::MIN),
            upper: r.number("upper").unwrap_or(f64::MAX),
            commands: r.text("commands").map(Into::into),
        })
    }
}
