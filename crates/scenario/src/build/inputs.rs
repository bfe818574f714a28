//! Inputs: what a scenario lets others command while it runs.

use super::Builder;
use touchdown_multibody::description::ElementKind;
use touchdown_sim::description::{ElementNumber, Input, InputTarget};

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
            let (record, prefix) = (self.scopes[s].record, self.scopes[s].prefix.clone());
            if record.flag("inputs") {
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
}
