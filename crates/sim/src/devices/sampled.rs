//! A sensor of any column: samples at a rate, with seeded bias and noise and finite resolution.

use super::bus::Port;
use super::wiring::Wiring;
use super::{Bus, DeviceError, Effect, Now, Seen, Shown, Tick};
use crate::books::channels::unit_suffix;
use crate::description::SampledSensor;
use crate::engine::stepping::nearest_column;
use crate::sink::{Column, find_column};
use serde::{Deserialize, Serialize};
use touchdown_spacecraft::clock::Clock;
use touchdown_spacecraft::random::Noise;

/// Channel of the seed; components of it: noise of a sample, and of sample 0 the bias.
const CHANNEL: u32 = 40;
const NOISE: u16 = 0;
const BIAS: u16 = 1;

/// A sensor of a column.
#[derive(Clone, Debug)]
pub(crate) struct Sampled {
    /// Its place among the samples.
    slot: usize,
    sensor: SampledSensor,
    noise: Noise,
    out: Port,
    shown: Shown<()>,
}

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SampledState {
    clock: Clock,
}

impl Sampled {
    /// From a description: the sampled column, the sensor, and its memory.
    pub fn new(
        sensor: &SampledSensor,
        device: &str,
        (columns, slot): (&[Column], usize),
        wiring: &mut Wiring,
    ) -> Result<(usize, Sampled, SampledState), DeviceError> {
        let Some(column) = find_column(columns, &sensor.column) else {
            let nearest = nearest_column(columns, &sensor.column);
            let (device, column) = (device.into(), sensor.column.clone());
            return Err(DeviceError::NoColumn { device, column, nearest });
        };
        check_rate(device, sensor.rate)?;
        for (what, found) in
            [("bias", sensor.bias), ("noise", sensor.noise), ("resolution", sensor.resolution)]
        {
            if !(found >= 0.0 && found.is_finite()) {
                let allowed = "zero or more".into();
                return Err(DeviceError::Number { device: device.into(), what, found, allowed });
            }
        }
        let unit = columns[column].unit;
        let suffix = format!("value{}", unit_suffix(unit));
        let mut shown = Shown::new(device);
        let about = format!("the latest sample of {}; not a number before the first", sensor.column);
        shown.put((), &suffix, (unit, columns[column].frame), &about);
        let made = Sampled {
            slot,
            sensor: sensor.clone(),
            noise: Noise::new(sensor.seed, CHANNEL),
            out: wiring.write(&suffix),
            shown,
        };
        Ok((column, made, SampledState { clock: Clock::new(sensor.rate) }))
    }

    /// Its reading for the true `value`.
    fn reading(&self, value: f64, index: u64) -> f64 {
        let SampledSensor { bias, noise, resolution, .. } = self.sensor;
        let read = value + bias * self.noise.normal(0, BIAS) + noise * self.noise.normal(index, NOISE);
        if resolution > 0.0 { (read / resolution).round() * resolution } else { read }
    }
}

/// The rate of a device must be positive.
pub(super) fn check_rate(device: &str, found: f64) -> Result<(), DeviceError> {
    if found > 0.0 && found.is_finite() {
        return Ok(());
    }
    let allowed = "more than 0 Hz".into();
    Err(DeviceError::Number { device: device.into(), what: "rate", found, allowed })
}

impl Tick for Sampled {
    type State = SampledState;

    fn next_time(&self, state: &SampledState) -> f64 {
        state.clock.next_time()
    }

    fn samples(&self) -> bool {
        true
    }

    fn reseed(&mut self, seed: u64) {
        self.noise.seed = Noise::seed_of(seed, &format!("sensor.{}", self.sensor.name));
    }

    fn tick(&self, state: &mut SampledState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        let index = state.clock.due(now.t)?;
        let value = now.samples[self.slot];
        // A column without a value, such as a time not yet reached, gives no reading.
        bus.set(self.out, value.is_finite().then(|| self.reading(value, index)));
        Some(Effect::default())
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, _: &SampledState, _: usize, seen: &Seen) -> f64 {
        seen.bus.get(self.out).unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sensor(seed: u64, resolution: f64) -> Sampled {
        let column = Column { name: "x_m".into(), unit: "m", frame: "-", about: String::new() };
        let described = SampledSensor {
            name: "x".into(),
            column: "x_m".into(),
            rate: 10.0,
            bias: 0.5,
            noise: 0.1,
            resolution,
            seed,
        };
        let mut wiring = Wiring::default();
        wiring.begin("sensor.x");
        match Sampled::new(&described, "sensor.x", (&[column], 0), &mut wiring) {
            Ok((_, made, _)) => made,
            Err(error) => panic!("{error}"),
        }
    }

    /// Readings scatter about truth and bias with the standard deviation of the noise; the bias is that of the seed.
    #[test]
    fn noise_and_bias_are_those_of_the_seed() {
        let n = 20_000;
        let mean_of = |s: &Sampled| (0..n).map(|k| s.reading(2.0, k)).sum::<f64>() / n as f64;
        let (one, two) = (sensor(1, 0.0), sensor(2, 0.0));
        let mean = mean_of(&one);
        let square = (0..n).map(|k| (one.reading(2.0, k) - mean).powi(2)).sum::<f64>() / n as f64;
        // Standard deviation of a standard deviation: σ/√(2n).
        assert!((square.sqrt() - 0.1).abs() < 4.0 * 0.1 / (2.0 * n as f64).sqrt(), "{square}");
        assert!((mean - 2.0 - 0.5 * one.noise.normal(0, BIAS)).abs() < 4.0 * 0.1 / (n as f64).sqrt());
        assert!((mean - mean_of(&two)).abs() > 0.05, "another seed, another bias");
        assert_eq!(one.reading(2.0, 7), sensor(1, 0.0).reading(2.0, 7));
    }

    /// Readings are whole multiples of the resolution, at most half of it from what they would be.
    #[test]
    fn readings_come_in_steps() {
        let (fine, coarse) = (sensor(3, 0.0), sensor(3, 0.25));
        for k in 0..100 {
            let x = 0.37 * k as f64;
            let read = coarse.reading(x, k);
            assert_eq!((read / 0.25).fract(), 0.0);
            assert!((read - fine.reading(x, k)).abs() <= 0.125);
        }
    }
}
