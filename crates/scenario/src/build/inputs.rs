//! Inputs: what a scenario lets others command while it runs.

use super::Builder;
use touchdown_multibody::description::ElementKind;
use touchdown_sim::description::{ElementNumber, Input, InputTarget, ScheduledCommand};

/// Names of a load's components.
const COMPONENTS: [&str; 6] = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];

impl Builder<'_> {
    /// An input without limits; one that is there already stays.
    pub fn add_input(&mut self, name: String, target: InputTarget) {
        if self.inputs.iter().all(|input| input.target != target) {
            // The unit follows from the mechanism, which is not complete yet.
            let (lower, upper) = (f64::MIN, f64::MAX);
            self.inputs.push(Input { name, target, unit: "1", lower, upper });
        }
    }

    /// Inputs of the force element that comes next.
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

    /// All commands of the machines that say so, and the units of all inputs.
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
            }
        }
        for input in &mut self.inputs {
            input.unit = input.target.unit(&self.mechanism);
            if input.unit.starts_with("N/m") || input.unit.starts_with("N m/rad") {
                input.lower = 0.0;
            }
        }
    }

    /// Commands from the file that the scenario names.
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

/// A table of commands: time_s first, then inputs by their names. The error is what is wrong, and a hint.
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
