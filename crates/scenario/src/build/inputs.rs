//! Inputs: quantities of a scenario that can be commanded during the run.

use super::Builder;
use super::names::glob;
use crate::unit::{DIMENSIONS, Dim, FREQUENCY, NUMBER};
use touchdown_multibody::description::ElementKind;
use touchdown_sim::description::{ElementNumber, Input, InputTarget, ScheduledCommand};

/// Names of a load's components.
const COMPONENTS: [&str; 6] = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];

impl Builder<'_> {
    /// Adds an input without limits; an existing one is kept.
    pub fn add_input(&mut self, name: String, target: InputTarget) {
        self.add_limited(name, target, [f64::MIN, f64::MAX]);
    }

    /// Adds an input with limits; an existing one is kept.
    pub fn add_limited(&mut self, name: String, target: InputTarget, [lower, upper]: [f64; 2]) {
        if self.inputs.iter().all(|input| input.target != target) {
            // The unit depends on the mechanism, which is not complete yet.
            self.inputs.push(Input { name, target, unit: "1", lower, upper });
        }
    }

    /// The opening rate of a polygonal contact: of a drive's travel, or between two sections.
    pub fn add_opening(&mut self, name: &str, contact: usize, unit: &'static str) {
        self.add_input(name.into(), InputTarget::Opening(contact));
        let added = self.inputs.iter_mut().filter(|input| input.target == InputTarget::Opening(contact));
        added.for_each(|input| input.unit = unit);
    }

    /// The motor of a reaction wheel, up to its maximum torque.
    pub fn add_motor(&mut self, wheel: usize, name: &str, torque: f64) {
        self.add_limited(name.into(), InputTarget::WheelMotor(wheel), [-torque, torque]);
    }

    /// A thruster, from zero to its thrust.
    pub fn add_jet(&mut self, thruster: usize, name: &str, thrust: f64) {
        self.add_limited(name.into(), InputTarget::Thruster(thruster), [0.0, thrust]);
    }

    /// Inputs of the force element that is added next.
    pub fn element_inputs(&mut self, name: &str, kind: &ElementKind) {
        let k = self.mechanism.elements.len();
        match kind {
            ElementKind::Actuator { .. } => self.add_input(name.into(), InputTarget::Actuator(k)),
            ElementKind::Load { .. } => {
                for (component, part) in COMPONENTS.iter().enumerate() {
                    self.add_input(format!("{name}.{part}"), InputTarget::Load(k, component));
                }
            }
            ElementKind::JointFriction { .. } => {
                let target = InputTarget::Element(k, ElementNumber::Coulomb);
                self.add_input(format!("{name}.coulomb"), target);
            }
            _ => {
                let target = InputTarget::Element(k, ElementNumber::Stiffness);
                self.add_input(format!("{name}.stiffness"), target);
            }
        }
    }

    /// Adds the commands of all machines that request it, and sets the units of all inputs.
    pub fn collect_inputs(&mut self) {
        let commands = InputTarget::commands_of(&self.mechanism);
        let named = |prefix: &str, name: &str| match prefix {
            "" => !name.contains('/'),
            prefix => name.starts_with(prefix),
        };
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            if parts.inputs {
                for (name, target) in commands.iter().filter(|(name, _)| named(&prefix, name)) {
                    self.add_input(name.clone(), *target);
                }
                for k in 0..self.satellites.wheels.len() {
                    let (name, torque) =
                        (self.satellites.wheels[k].name.clone(), self.satellites.wheels[k].limits.torque);
                    if named(&prefix, &name) && torque > 0.0 {
                        self.add_motor(k, &name, torque);
                    }
                }
                for k in 0..self.satellites.thrusters.len() {
                    let (name, thrust) =
                        (self.satellites.thrusters[k].name.clone(), self.satellites.thrusters[k].thrust);
                    if named(&prefix, &name) {
                        self.add_jet(k, &name, thrust);
                    }
                }
            }
        }
        for input in &mut self.inputs {
            if !matches!(input.target, InputTarget::Opening(_)) {
                input.unit = input.target.unit(&self.mechanism);
            }
            if input.unit.starts_with("N/m") || input.unit.starts_with("N m/rad") {
                input.lower = 0.0;
            }
        }
        self.check_masters();
        self.limit_inputs();
    }

    /// Inputs that a docking commands cannot be commanded from elsewhere.
    fn check_masters(&mut self) {
        for docking in &self.satellites.dockings {
            let driven = [InputTarget::Boom(docking.boom), InputTarget::Opening(docking.contacts.crown)];
            for input in self.inputs.iter().filter(|input| driven.contains(&input.target)) {
                let Some(keys) = &self.root.docking else { continue };
                let what = format!("drives {}, which is an input, too", input.name);
                self.issues
                    .at(keys.loc, &keys.path, what)
                    .hint("say input = false there, or leave [docking] out");
            }
        }
    }

    /// Limits that the scenario gives.
    fn limit_inputs(&mut self) {
        for named in &self.root.input {
            let Some(keys) = &named.keys else { continue };
            let mut found = false;
            for input in self.inputs.iter_mut().filter(|input| glob(&named.name, &input.name)) {
                found = true;
                for (limit, own) in [(&keys.min, &mut input.lower), (&keys.max, &mut input.upper)] {
                    let Some(limit) = limit else { continue };
                    if dimension(input.unit) != Some(limit.dim) {
                        let what =
                            format!("is {}, and the input is in {}", limit.dim.with_article(), input.unit);
                        self.issues.at(limit.loc, &limit.path, what);
                    }
                    *own = limit.value;
                }
                if input.lower > input.upper {
                    let what =
                        format!("leaves {} nothing between {} and {}", input.name, input.lower, input.upper);
                    self.issues.at(keys.here.loc, &keys.here.path, what).hint("min must not exceed max");
                }
            }
            if !found {
                let known =
                    self.inputs.iter().map(|input| input.name.as_str()).collect::<Vec<_>>().join(", ");
                let issue = self.issues.at(keys.here.loc, &keys.here.path, "names no input");
                issue.allowed(if known.is_empty() { "no input is declared".into() } else { known });
            }
        }
    }

    /// Commands from the file named in the scenario.
    pub fn collect_schedule(&mut self) {
        let Some(file) = &self.root.commands else { return };
        let read = match self.library.open(file.loc.source, file) {
            Err(error) => Err((error.message, String::new())),
            Ok((bytes, _)) => schedule(&String::from_utf8_lossy(&bytes), &self.inputs),
        };
        match read {
            Ok(commands) => self.schedule = commands,
            Err((what, hint)) => {
                let issue = self.issues.at(file.loc, &file.path, what).found(format!("\"{file}\""));
                if !hint.is_empty() {
                    issue.hint(hint);
                }
            }
        }
    }
}

/// The dimension of an input, from its unit as printed.
fn dimension(unit: &str) -> Option<&'static Dim> {
    match unit {
        "1/s" => Some(&FREQUENCY),
        "1" => Some(&NUMBER),
        unit => DIMENSIONS.iter().copied().find(|dim| dim.unit == unit),
    }
}

/// A table of commands: time_s first, then inputs by their names. The error is the fault, and a hint.
fn schedule(text: &str, inputs: &[Input]) -> Result<Vec<ScheduledCommand>, (String, String)> {
    let known = || match inputs {
        [] => {
            "the scenario declares no input: say input = true beside a command, or inputs = true in a machine"
                .into()
        }
        inputs => {
            format!("inputs: {}", inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(", "))
        }
    };
    let mut lines =
        text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.trim_start().starts_with('#'));
    let Some((_, header)) = lines.next() else { return Err(("holds no table".into(), known())) };
    let mut names = header.split(',').map(str::trim);
    if names.next() != Some("time_s") {
        return Err(("must begin with a column time_s".into(), known()));
    }
    let mut columns = Vec::new();
    for name in names {
        match inputs.iter().position(|input| input.name == name) {
            Some(k) => columns.push(k),
            None => return Err((format!("has a column \"{name}\", which is no input"), known())),
        }
    }
    let (mut commands, mut last) = (Vec::new(), f64::NEG_INFINITY);
    for (line, row) in lines {
        let line = line + 1;
        let cells: Vec<&str> = row.split(',').map(str::trim).collect();
        let number = |cell: &str| cell.parse::<f64>().ok().filter(|x| x.is_finite());
        if cells.len() != columns.len() + 1 {
            let what = format!("line {line} has {} cells, the header has {}", cells.len(), columns.len() + 1);
            return Err((what, String::new()));
        }
        let Some(time) = number(cells[0]).filter(|t| *t >= 0.0 && *t > last) else {
            return Err((
                format!("line {line}: times must rise from zero on"),
                format!("found {}", cells[0]),
            ));
        };
        last = time;
        for (cell, input) in cells[1..].iter().zip(&columns).filter(|(cell, _)| !cell.is_empty()) {
            let Input { name, lower, upper, unit, .. } = &inputs[*input];
            let Some(value) = number(cell).filter(|x| lower <= x && x <= upper) else {
                let what =
                    format!("line {line}: \"{name}\" takes a number from {lower:e} to {upper:e} {unit}");
                return Err((what, format!("found {cell}")));
            };
            commands.push(ScheduledCommand { time, input: *input, value });
        }
    }
    Ok(commands)
}
