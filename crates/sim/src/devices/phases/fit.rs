//! Description ⇒ sequence: columns and signals found, inputs and units checked, every mistake of it reported.

use super::condition::{Compiled, Reading};
use super::{PhaseOnBus, Phases, PhasesState, Value, Way};
use crate::description::{Condition, Input, Phase, Sequence};
use crate::devices::sampled::check_rate;
use crate::devices::wiring::Wiring;
use crate::devices::{DeviceError, Shown};
use crate::engine::stepping::nearest_column;
use crate::sink::{Column, find_column};
use touchdown_spacecraft::clock::Clock;

/// First words of signals written by described devices.
const DEVICES: [&str; 3] = ["sensor.", "controller.", "sequence."];

/// Environment of a sequence: columns, those sampled so far, and inputs.
type World<'a> = (&'a [Column], &'a mut Vec<usize>, &'a [Input]);

struct Fit<'a> {
    device: &'a str,
    columns: &'a [Column],
    sampled: &'a mut Vec<usize>,
    inputs: &'a [Input],
    wiring: &'a mut Wiring,
    /// Conditions with a duration so far.
    held: usize,
    samples: bool,
    errors: Vec<DeviceError>,
}

impl Phases {
    /// From a description, with its initial memory.
    pub fn new(
        sequence: &Sequence,
        device: &str,
        (columns, sampled, inputs): World,
        wiring: &mut Wiring,
    ) -> Result<(Phases, PhasesState), Vec<DeviceError>> {
        let out = wiring.write("phase");
        let mut shown = Shown::new(device);
        let list = sequence.phases.iter().map(|phase| phase.name.as_str()).collect::<Vec<_>>().join(", ");
        let about = format!("number of the phase, from 0: {list}; not a number before the first tick");
        shown.put(Value::Phase, "phase", ("1", "-"), &about);
        shown.put(Value::Since, "time_in_phase_s", ("s", "-"), "time since its phase began");
        shown.put(Value::Ending, "ending", ("1", "-"), "0 under way, 1 done, -1 aborted");
        for (k, phase) in sequence.phases.iter().enumerate() {
            let about = format!("when the phase {} began first; not a number before", phase.name);
            shown.put(Value::Entered(k), &format!("{}_at_s", phase.name), ("s", "-"), &about);
        }
        let mut fit =
            Fit { device, columns, sampled, inputs, wiring, held: 0, samples: false, errors: Vec::new() };
        fit.errors.extend(check_rate(device, sequence.rate).err());
        let mut signals = Vec::new();
        for (name, _) in sequence.phases.iter().flat_map(|phase| &phase.signals) {
            if signals.iter().all(|(known, _)| known != name) {
                let port = fit.wiring.write(name);
                shown.put(Value::Signal(port), name, ("1", "-"), "signal that its phases set");
                signals.push((name.clone(), port));
            }
        }
        let phases: Vec<PhaseOnBus> =
            sequence.phases.iter().map(|phase| fit.phase(phase, &signals)).collect();
        fit.check_reach(sequence);
        if !fit.errors.is_empty() {
            return Err(fit.errors);
        }
        let state = PhasesState {
            clock: Clock::new(sequence.rate),
            phase: None,
            held: vec![None; fit.held],
            first: vec![None; phases.len()],
            log: Vec::new(),
            count: 0,
        };
        let (name, start, samples) = (sequence.name.clone(), sequence.start, fit.samples);
        Ok((Phases { name, phases, start, out, shown, samples }, state))
    }
}

impl Fit<'_> {
    fn phase(&mut self, phase: &Phase, signals: &[(String, crate::devices::bus::Port)]) -> PhaseOnBus {
        let mut commands = Vec::new();
        for command in &phase.commands {
            commands.extend(self.command(command));
        }
        let set = phase.signals.iter().filter_map(|(name, value)| {
            signals.iter().find(|(known, _)| known == name).map(|(_, port)| (*port, *value))
        });
        let mut ways = Vec::new();
        for way in &phase.transitions {
            let when = self.condition(&way.when);
            ways.extend(when.map(|when| Way { to: way.to, when, text: way.text.clone() }));
        }
        PhaseOnBus {
            name: phase.name.clone(),
            about: phase.about.clone(),
            commands,
            signals: set.collect(),
            ways,
            ending: phase.ending,
        }
    }

    fn command(&mut self, command: &crate::description::PhaseCommand) -> Option<(usize, f64)> {
        let device = self.device.to_string();
        let Some(k) = self.inputs.iter().position(|input| input.name == command.input) else {
            let known = self.inputs.iter().map(|input| input.name.clone()).collect();
            self.errors.push(DeviceError::NoInput { device, input: command.input.clone(), known });
            return None;
        };
        let input = &self.inputs[k];
        self.check_unit(&input.name, input.unit, command.unit);
        let (found, lower, upper, unit) = (command.value, input.lower, input.upper, input.unit);
        if !(lower <= found && found <= upper) {
            let input = input.name.clone();
            self.errors.push(DeviceError::Outside { device, input, found, lower, upper, unit });
            return None;
        }
        Some((k, command.value))
    }

    /// The unit of a number must be that of its target.
    fn check_unit(&mut self, name: &str, expected: &'static str, found: Option<&'static str>) {
        if let Some(found) = found.filter(|found| *found != expected) {
            let (device, name) = (self.device.into(), name.into());
            self.errors.push(DeviceError::Unit { device, name, expected, found });
        }
    }

    fn reading(&mut self, name: &str, unit: Option<&'static str>) -> Option<Reading> {
        if let Some(column) = find_column(self.columns, name) {
            self.check_unit(name, self.columns[column].unit, unit);
            self.sampled.push(column);
            self.samples = true;
            return Some(Reading::Sample(self.sampled.len() - 1));
        }
        if DEVICES.iter().any(|device| name.starts_with(device)) {
            return Some(Reading::Signal(self.wiring.read(name)));
        }
        let nearest = nearest_column(self.columns, name);
        let (device, column) = (self.device.into(), name.into());
        self.errors.push(DeviceError::NoColumn { device, column, nearest });
        None
    }

    fn condition(&mut self, condition: &Condition) -> Option<Compiled> {
        let all = |fit: &mut Self, parts: &[Condition]| {
            let made: Vec<_> = parts.iter().map(|part| fit.condition(part)).collect();
            made.into_iter().collect::<Option<Vec<_>>>()
        };
        Some(match condition {
            Condition::Compare { name, magnitude, relation, value, unit } => {
                Compiled::Compare(self.reading(name, *unit)?, *magnitude, *relation, *value)
            }
            Condition::All(parts) => Compiled::All(all(self, parts)?),
            Condition::Any(parts) => Compiled::Any(all(self, parts)?),
            Condition::Not(part) => Compiled::Not(Box::new(self.condition(part)?)),
            Condition::Held(part, duration) => {
                let part = Box::new(self.condition(part)?);
                self.held += 1;
                Compiled::Held(part, *duration, self.held - 1)
            }
            Condition::After(duration) => Compiled::After(*duration),
        })
    }

    /// Every phase must be the first, or reachable from another.
    fn check_reach(&mut self, sequence: &Sequence) {
        let mut reached = vec![false; sequence.phases.len()];
        let mut open = vec![sequence.start];
        while let Some(k) = open.pop() {
            if !std::mem::replace(&mut reached[k], true) {
                open.extend(sequence.phases[k].transitions.iter().map(|way| way.to));
            }
        }
        for (phase, _) in sequence.phases.iter().zip(reached).filter(|(_, reached)| !reached) {
            let (device, phase) = (self.device.into(), phase.name.clone());
            self.errors.push(DeviceError::Unreachable { device, phase });
        }
    }
}
