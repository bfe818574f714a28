//! Inputs: values that are commanded from outside, held until the next command, and part of the state.
//!
//! A command takes effect with the next step. The system stores commands in place of the described signals,
//! so that an evaluation has no extra cost.

use crate::description::{ElementNumber, Input, InputTarget, WorldDescription};
use crate::engine::history::History;
use crate::engine::method::StepFailure;
use crate::engine::simulation::Simulation;
use crate::engine::state::{MethodMemory, State};
use crate::engine::system::System;
use crate::interactions::described_signal;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_math::Signal;
use touchdown_multibody::description::{Command, ConstraintKind, DriveKind, ElementKind};
use touchdown_multibody::rigid::kinematics;

/// An active command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Commanded {
    /// The value, in the input's unit.
    pub value: f64,
    /// For rates: its time, s, and the value of the motion then.
    since: f64,
    from: f64,
}

/// Reasons for refusing a command; the simulation continues as if it had not been given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InputError {
    /// No such input.
    #[error("no input is called \"{name}\"; {}", listed(known))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Outside its limits, or not a number.
    #[error("input \"{name}\" must lie between {lower} and {upper} {unit}, found {value}")]
    Outside {
        /// The input.
        name: String,
        /// What was asked for.
        value: f64,
        /// Smallest value.
        lower: f64,
        /// Largest value.
        upper: f64,
        /// Unit as printed.
        unit: &'static str,
    },
}

fn listed(known: &[String]) -> String {
    match known {
        [] => "this scenario declares none: say input = true beside a command".into(),
        known => format!("inputs: {}", known.join(", ")),
    }
}

impl Simulation {
    /// The inputs, in the order of [`Simulation::command_at`].
    pub fn inputs(&self) -> &[Input] {
        &self.description.inputs
    }

    /// Index of an input.
    pub fn input(&self, name: &str) -> Result<usize, InputError> {
        let inputs = &self.description.inputs;
        inputs.iter().position(|input| input.name == name).ok_or_else(|| InputError::Unknown {
            name: name.into(),
            known: inputs.iter().map(|input| input.name.clone()).collect(),
        })
    }

    /// Commands an input by its name; it holds from the next step on, until the next command.
    pub fn command(&mut self, name: &str, value: f64) -> Result<(), InputError> {
        let index = self.input(name)?;
        self.command_at(index, value)
    }

    /// Commands an input by its index.
    pub fn command_at(&mut self, index: usize, value: f64) -> Result<(), InputError> {
        let Some(input) = self.description.inputs.get(index) else {
            let known = self.description.inputs.iter().map(|input| input.name.clone()).collect();
            return Err(InputError::Unknown { name: format!("number {index}"), known });
        };
        if !(input.lower <= value && value <= input.upper) {
            let Input { name, lower, upper, unit, .. } = input.clone();
            return Err(InputError::Outside { name, value, lower, upper, unit });
        }
        let s = &mut self.state;
        if s.held.inputs[index].is_none_or(|held| held.value != value) {
            let from = match input.target.is_rate() {
                true => described(&self.description, &input.target, s.held.inputs[index]).value(s.t),
                false => 0.0,
            };
            s.held.inputs[index] = Some(Commanded { value, since: s.t, from });
        }
        Ok(())
    }

    /// The present value of an input: the last command, or that of its signal.
    pub fn input_value(&self, index: usize) -> f64 {
        value_at(&self.description, &self.state.held.inputs, index, self.state.t)
    }

    /// The time of the next command of the schedule; infinite if there is none.
    pub(crate) fn next_command(&self) -> f64 {
        self.description.schedule.get(self.state.scheduled as usize).map_or(f64::INFINITY, |c| c.time)
    }

    /// Gives the commands of the schedule that are due.
    pub(crate) fn follow_schedule(&mut self) {
        let description = Arc::clone(&self.description);
        while let Some(next) = description.schedule.get(self.state.scheduled as usize)
            && next.time <= self.state.t + self.exchange_slack()
        {
            // Values were checked against their limits when the world was built.
            let _ = self.command_at(next.input, next.value);
            self.state.scheduled += 1;
        }
    }

    /// Applies commands given since the last step: the next step begins with their forces.
    pub(crate) fn accept_inputs(&mut self) -> Result<(), StepFailure> {
        if self.state.held.followed == self.state.held.inputs {
            return Ok(());
        }
        let (system, s) = (&mut self.system, &mut self.state);
        let changed = |which: fn(&InputTarget) -> bool| {
            let commands = system.inputs.iter().zip(&s.held.inputs).zip(&self.description.inputs);
            let mut targets = commands.filter(|((old, new), _)| old != new).map(|(_, input)| &input.target);
            targets.any(which)
        };
        // The energy stored in a spring changes with its parameters: the change is work of the command.
        let stores = changed(InputTarget::is_storing);
        let moves = changed(|target| matches!(target, InputTarget::Motion(_)));
        let drives = DrivesAlone::of(&self.description, &s.held);
        if let Some(drives) = drives.filter(|_| matches!(s.method, MethodMemory::Realtime)) {
            // A step of `realtime` has no stored accelerations: only the power with which it begins jumps.
            let before = drives.power(system, s);
            drives.add_to_parts(system, s, -1.0);
            system.take_inputs(&self.description, (&s.held.inputs, s.held.seed));
            s.last_powers.drives += drives.power(system, s) - before;
            drives.add_to_parts(system, s, 1.0);
            s.held.followed.clone_from(&s.held.inputs);
            return Ok(());
        }
        let before =
            if stores { Some(system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?.elastic) } else { None };
        system.take_inputs(&self.description, (&s.held.inputs, s.held.seed));
        s.held.followed.clone_from(&s.held.inputs);
        if moves {
            // The rates follow instantaneously, by an impulse of the drive.
            system.update_kinematics(&s.q, &s.v);
            let (kinetic, ..) = kinematics::energy_and_momentum(&system.cache);
            let (nq, nv) = (system.model.nq, system.model.nv);
            system.constrained.project_positions(&system.model, s.t, &mut s.q[..nq], &mut system.cache)?;
            system.constrained.factor(&system.model, &mut system.cache)?;
            system.constrained.project_velocities(&system.model, s.t, &mut s.v[..nv]);
            system.update_kinematics(&s.q, &s.v);
            let (after, ..) = kinematics::energy_and_momentum(&system.cache);
            s.works.drives += after - kinetic;
        }
        let powers = system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        s.works.loads += before.map_or(0.0, |before| powers.elastic - before);
        s.last_powers = powers.into();
        s.flows.begin_with(&system.accepted_parts);
        if stores || moves {
            s.ledger.absorb_jump(system, &mut s.flows);
        }
        if !matches!(s.method, MethodMemory::Realtime) {
            // The method's stored accelerations are those before.
            self.restart_method()?;
        }
        Ok(())
    }
}

/// Commands given since the last step, if all are for drives whose forces depend only on time, coordinates
/// and rates.
#[derive(Clone, Copy)]
struct DrivesAlone<'a> {
    description: &'a WorldDescription,
}

impl<'a> DrivesAlone<'a> {
    fn of(description: &'a WorldDescription, held: &History) -> Option<DrivesAlone<'a>> {
        let drives = DrivesAlone { description };
        let follows = |target: &InputTarget| match *target {
            InputTarget::Drive(k) => matches!(description.mechanism.drives[k].kind, DriveKind::Follow(_)),
            _ => false,
        };
        let alone = drives.changed(held).all(follows);
        alone.then_some(drives)
    }

    fn changed<'b>(self, held: &'b History) -> impl Iterator<Item = &'b InputTarget>
    where
        'a: 'b,
    {
        let commands = held.followed.iter().zip(&held.inputs).zip(&self.description.inputs);
        commands.filter(|((old, new), _)| old != new).map(|(_, input)| &input.target)
    }

    /// Their power in the present state, W.
    fn power(self, system: &System, s: &State) -> f64 {
        let power = |target: &InputTarget| match *target {
            InputTarget::Drive(k) => system.drive_power(among_drives(self.description, k), s.t, &s.q, &s.v),
            _ => 0.0,
        };
        self.changed(&s.held).map(power).sum()
    }

    /// Adds a share of their power to that with which their independent parts begin a step.
    fn add_to_parts(self, system: &System, s: &mut State, share: f64) {
        let State { t, q, v, held, flows, .. } = s;
        for target in self.changed(held) {
            if let InputTarget::Drive(k) = *target {
                let drive = among_drives(self.description, k);
                let power = share * system.drive_power(drive, *t, q, v);
                flows.add_drive_power(system.cache.parts.of_drive(drive), power);
            }
        }
    }
}

/// The value of an input at a time.
pub(crate) fn value_at(
    description: &WorldDescription,
    held: &[Option<Commanded>],
    index: usize,
    t: f64,
) -> f64 {
    let target = &description.inputs[index].target;
    match held[index] {
        Some(held) => held.value,
        None if target.is_rate() => described(description, target, None).jet(t)[1],
        None => described(description, target, None).value(t),
    }
}

/// The signal of a target: a command, or that of the description.
fn described(description: &WorldDescription, target: &InputTarget, held: Option<Commanded>) -> Signal {
    let mechanism = &description.mechanism;
    match held {
        Some(Commanded { value, since, from }) if target.is_rate() => {
            return Signal::Line { start: from - value * since, rate: value };
        }
        Some(held) => return Signal::Constant(held.value),
        None => {}
    }
    let followed = |command: &Command| match command {
        Command::Force(signal) => signal.clone(),
        Command::Speed { target, .. } | Command::Position { target, .. } => target.clone(),
    };
    let zero = Signal::Constant(0.0);
    match *target {
        InputTarget::Drive(k) => match &mechanism.drives[k].kind {
            DriveKind::Follow(command) => followed(command),
            DriveKind::RimSpeed { speed, .. } => speed.clone(),
            DriveKind::Lock => zero,
        },
        InputTarget::Actuator(k) => match &mechanism.elements[k].kind {
            ElementKind::Actuator { command, .. } => followed(command),
            _ => zero,
        },
        InputTarget::Load(k, component) => match &mechanism.elements[k].kind {
            ElementKind::Load { force, torque, .. } => {
                [force, torque][component / 3 % 2][component % 3].clone()
            }
            _ => zero,
        },
        InputTarget::Element(k, number) => {
            let mut kind = mechanism.elements[k].kind.clone();
            Signal::Constant(number_of(&mut kind, number).map_or(0.0, |x| *x))
        }
        InputTarget::Motion(k) => match &mechanism.constraints[k].kind {
            ConstraintKind::Prescribed { motion, .. } => motion.clone(),
            _ => zero,
        },
        _ => described_signal(description, target).unwrap_or(zero),
    }
}

/// Index of a drive among those that move: locks are part of the tree.
fn among_drives(description: &WorldDescription, k: usize) -> usize {
    let before = &description.mechanism.drives[..k];
    before.iter().filter(|drive| !matches!(drive.kind, DriveKind::Lock)).count()
}

/// A number of a force element.
fn number_of(kind: &mut ElementKind, number: ElementNumber) -> Option<&mut f64> {
    match (kind, number) {
        (
            ElementKind::Spring { stiffness, .. }
            | ElementKind::JointSpring { stiffness, .. }
            | ElementKind::JointLimit { stiffness, .. },
            ElementNumber::Stiffness,
        ) => Some(stiffness),
        (
            ElementKind::Spring { damping, .. }
            | ElementKind::JointSpring { damping, .. }
            | ElementKind::JointLimit { damping, .. },
            ElementNumber::Damping,
        ) => Some(damping),
        (ElementKind::Spring { preload, .. }, ElementNumber::Preload) => Some(preload),
        (ElementKind::JointFriction { coulomb, .. }, ElementNumber::Coulomb) => Some(coulomb),
        (ElementKind::JointFriction { viscous, .. }, ElementNumber::Viscous) => Some(viscous),
        _ => None,
    }
}

impl System {
    /// Sets another seed for the noise of devices.
    fn take_seed(&mut self, seed: Option<u64>) {
        if self.seed != seed {
            self.seed = seed;
            self.acts.devices = match seed {
                Some(seed) => Arc::new(self.fitted.reseeded(seed)),
                None => Arc::clone(&self.fitted),
            };
        }
    }

    /// Takes over the active commands and the seed.
    pub(crate) fn take_inputs(
        &mut self,
        description: &WorldDescription,
        (commands, seed): (&[Option<Commanded>], Option<u64>),
    ) {
        self.take_seed(seed);
        for (k, (input, new)) in description.inputs.iter().zip(commands).enumerate() {
            if self.inputs[k] == *new {
                continue;
            }
            self.inputs[k] = *new;
            let signal = described(description, &input.target, *new);
            let follow = |command: &mut Command, signal: Signal| match command {
                Command::Force(followed) => *followed = signal,
                Command::Speed { target, .. } | Command::Position { target, .. } => *target = signal,
            };
            match input.target {
                InputTarget::Drive(k) => {
                    match &mut Arc::make_mut(&mut self.model).drives[among_drives(description, k)].kind {
                        DriveKind::Follow(command) => follow(command, signal),
                        DriveKind::RimSpeed { speed, .. } => *speed = signal,
                        DriveKind::Lock => {}
                    }
                }
                InputTarget::Actuator(k) => {
                    if let ElementKind::Actuator { command, .. } =
                        &mut Arc::make_mut(&mut self.model).elements[k].kind
                    {
                        follow(command, signal);
                    }
                }
                InputTarget::Load(k, component) => {
                    if let ElementKind::Load { force, torque, .. } =
                        &mut Arc::make_mut(&mut self.model).elements[k].kind
                    {
                        [force, torque][component / 3 % 2][component % 3] = signal;
                    }
                }
                InputTarget::Element(k, number) => {
                    if let Some(x) = number_of(&mut Arc::make_mut(&mut self.model).elements[k].kind, number) {
                        *x = signal.value(0.0);
                    }
                }
                InputTarget::Motion(k) => Arc::make_mut(&mut self.model).follow(k, signal),
                target => self.follow(&target, &signal),
            }
        }
    }
}
