//! A PID controller: reads a signal, follows a set point, commands an input within limits.
//!
//! u = u₀ + K_p e + ∫ K_i e dt − K_d dy/dt, with e = r − y. The derivative acts only on the reading, so that
//! a step of the set point causes no kick. At a limit the integral stops growing outwards (conditional
//! integration; Åström & Hägglund, *Advanced PID Control*, 2006, 3.5).

use super::bus::Port;
use super::sampled::check_rate;
use super::wiring::Wiring;
use super::{Bus, DeviceError, Effect, Now, Seen, Shown, Tick};
use crate::books::channels::unit_suffix;
use crate::description::{Controller, Input, SetPoint};
use crate::sink::Column;
use serde::{Deserialize, Serialize};
use touchdown_math::Signal;
use touchdown_spacecraft::clock::Clock;

#[derive(Clone, Debug)]
enum Follows {
    Signal(Signal),
    Port(Port),
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Output,
    Error,
}

/// A controller.
#[derive(Clone, Debug)]
pub(crate) struct Regulator {
    reads: Port,
    follows: Follows,
    /// Signal that activates it; none: always active.
    active: Option<Port>,
    /// K_p, K_i, K_d, and the output without error.
    gains: [f64; 3],
    offset: f64,
    limits: [f64; 2],
    /// The input that it commands.
    input: Option<usize>,
    out: Port,
    shown: Shown<Value>,
}

/// Its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RegulatorState {
    clock: Clock,
    integral: f64,
    /// Time and reading of the last tick.
    last: Option<(f64, f64)>,
    error: Option<f64>,
}

impl Regulator {
    /// That of a description.
    pub fn new(
        controller: &Controller,
        device: &str,
        inputs: &[Input],
        wiring: &mut Wiring,
    ) -> Result<(Regulator, RegulatorState), DeviceError> {
        check_rate(device, controller.rate)?;
        let input = match &controller.commands {
            None => None,
            Some(name) => Some(inputs.iter().position(|input| input.name == *name).ok_or_else(|| {
                let known = inputs.iter().map(|input| input.name.clone()).collect();
                DeviceError::NoInput { device: device.into(), input: name.clone(), known }
            })?),
        };
        let (unit, room) = match input.map(|k| &inputs[k]) {
            Some(input) => (input.unit, [input.lower, input.upper]),
            None => ("1", [f64::MIN, f64::MAX]),
        };
        let limits = [controller.lower.max(room[0]), controller.upper.min(room[1])];
        check_numbers(controller, device, limits)?;
        let suffix = format!("output{}", unit_suffix(unit));
        let mut shown = Shown::new(device);
        let about = "what it commands; not a number before the first tick";
        shown.put(Value::Output, &suffix, (unit, "-"), about);
        let about = "set point less reading at the last tick, in the reading's unit; not a number before";
        shown.put(Value::Error, "error", ("1", "-"), about);
        let made = Regulator {
            reads: wiring.read(&controller.reads),
            follows: match &controller.set_point {
                SetPoint::Given(signal) => Follows::Signal(signal.clone()),
                SetPoint::Read(name) => Follows::Port(wiring.read(name)),
            },
            active: controller.active_from.as_ref().map(|name| wiring.read(name)),
            gains: [controller.proportional, controller.integral, controller.derivative],
            offset: controller.offset,
            limits,
            input,
            out: wiring.write(&suffix),
            shown,
        };
        let clock = Clock::new(controller.rate);
        Ok((made, RegulatorState { clock, integral: 0.0, last: None, error: None }))
    }

    /// The output for a reading and an error at `t`.
    fn output(&self, state: &mut RegulatorState, t: f64, (reading, error): (f64, f64)) -> f64 {
        let [proportional, integral, derivative] = self.gains;
        let (dt, slope) = match state.last {
            Some((last, before)) if t > last => (t - last, (reading - before) / (t - last)),
            _ => (0.0, 0.0),
        };
        let [lower, upper] = self.limits;
        let rest = self.offset + proportional * error - derivative * slope;
        let grown = state.integral + integral * error * dt;
        let wanted = rest + grown;
        let outwards =
            (wanted > upper && grown > state.integral) || (wanted < lower && grown < state.integral);
        if !outwards {
            state.integral = grown;
        }
        state.last = Some((t, reading));
        (rest + state.integral).clamp(lower, upper)
    }
}

fn check_numbers(controller: &Controller, device: &str, [lower, upper]: [f64; 2]) -> Result<(), DeviceError> {
    let numbers = [
        ("proportional", controller.proportional),
        ("integral", controller.integral),
        ("derivative", controller.derivative),
        ("offset", controller.offset),
    ];
    let error =
        |what, found, allowed: String| DeviceError::Number { device: device.into(), what, found, allowed };
    if let Some((what, found)) = numbers.into_iter().find(|(_, found)| !found.is_finite()) {
        return Err(error(what, found, "a number".into()));
    }
    if lower.partial_cmp(&upper).is_none_or(|order| order.is_gt()) {
        return Err(error("the upper limit", upper, format!("at least the lower one, {lower}")));
    }
    Ok(())
}

impl Tick for Regulator {
    type State = RegulatorState;

    fn next_time(&self, state: &RegulatorState) -> f64 {
        state.clock.next_time()
    }

    fn tick(&self, state: &mut RegulatorState, now: &Now, bus: &mut Bus) -> Option<Effect> {
        state.clock.due(now.t)?;
        if self.active.is_some_and(|port| !bus.flag(port)) {
            // It restarts when it is activated.
            (state.integral, state.last, state.error) = (0.0, None, None);
            let [lower, upper] = self.limits;
            bus.set(self.out, 0.0_f64.clamp(lower, upper));
            return Some(Effect::default());
        }
        let target = match &self.follows {
            Follows::Signal(signal) => Some(signal.value(now.t)),
            Follows::Port(port) => bus.get(*port),
        };
        // Without a reading or a set point the last command is held.
        let (reading, target) = bus.get(self.reads).zip(target)?;
        let error = target - reading;
        state.error = Some(error);
        let output = self.output(state, now.t, (reading, error));
        bus.set(self.out, output);
        Some(Effect::default())
    }

    fn command(&self, _: &RegulatorState, bus: &Bus, give: &mut impl FnMut(usize, f64)) {
        if let Some((input, output)) = self.input.zip(bus.get(self.out)) {
            give(input, output);
        }
    }

    fn columns(&self) -> Vec<Column> {
        self.shown.columns()
    }

    fn value(&self, state: &RegulatorState, column: usize, seen: &Seen) -> f64 {
        let value = match self.shown.value(column) {
            Value::Output => seen.bus.get(self.out),
            Value::Error => state.error,
        };
        value.unwrap_or(f64::NAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regulator(gains: [f64; 3], limits: [f64; 2]) -> (Regulator, RegulatorState) {
        let [proportional, integral, derivative] = gains;
        let described = Controller {
            name: "c".into(),
            reads: "sensor.x.value".into(),
            set_point: SetPoint::Given(Signal::Constant(1.0)),
            rate: 10.0,
            proportional,
            integral,
            derivative,
            offset: 0.25,
            lower: limits[0],
            upper: limits[1],
            commands: None,
            active_from: None,
        };
        let mut wiring = Wiring::default();
        wiring.begin("controller.c");
        Regulator::new(&described, "controller.c", &[], &mut wiring).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Each part does what its formula says: offset and proportion at once, the integral with time, the derivative with the reading alone.
    #[test]
    fn parts_add_up() {
        let (law, mut state) = regulator([2.0, 4.0, 0.5], [-100.0, 100.0]);
        assert_eq!(law.output(&mut state, 0.0, (0.0, 1.0)), 0.25 + 2.0);
        // After 0.1 s: the integral is 4·0.5·0.1, the slope 5 per second.
        let second = law.output(&mut state, 0.1, (0.5, 0.5));
        assert!((second - (0.25 + 1.0 + 0.2 - 0.5 * 5.0)).abs() < 1e-14, "{second}");
    }

    /// At a limit the integral does not wind up: the output leaves it at the first tick at which the error has turned round.
    #[test]
    fn the_integral_does_not_wind_up() {
        let (law, mut state) = regulator([1.0, 1.0, 0.0], [-1.0, 1.0]);
        for k in 0..1000 {
            let u = law.output(&mut state, 0.1 * f64::from(k), (0.0, 5.0));
            assert_eq!(u, 1.0);
        }
        assert!(law.output(&mut state, 100.0, (0.0, -0.5)) < 1.0);
    }
}
