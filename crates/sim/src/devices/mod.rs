//! Devices: sensors, estimators, controllers, actuators and sequences that tick at their own rates and
//! communicate over a bus.
//!
//! | file | holds |
//! |---|---|
//! | `bus` | signals by name, held between ticks, part of the state |
//! | `wiring` | writers and readers of signals; the order of the ticks |
//! | `fit` | description ⇒ devices |
//! | `in_loop` | calls by the loop: before forces, with forces, after accepted steps |
//! | `attitude`, `control`, `actuators` | a satellite's sensors with their filter, its control, its wheels and thrusters |
//! | `docking/` | sensors and sequence of a docking |
//! | `sampled`, `regulator` | a sensor of any column, a PID controller of any input |
//! | `path/` | a driver that follows a route |
//! | `legs/` | a controller of a legged machine |
//! | `phases/` | a sequence of phases with conditions over any columns and signals |
//!
//! Devices tick when an accepted step ends on one of their times; the bus and their states change only then.
//! Between ticks their effects are functions of time, so that evaluation stays pure. Loop, state, checkpoint
//! and columns do not depend on any kind.

mod actuators;
mod attitude;
mod bus;
mod control;
mod docking;
mod error;
mod fit;
mod in_loop;
mod legs;
mod path;
mod phases;
mod regulator;
mod sampled;
mod shown;
mod wiring;

pub use actuators::ActuatorError;
pub use error::DeviceError;
pub(crate) use fit::Fitting;

use crate::engine::system::System;
use crate::sink::{Column, Table};
use actuators::{Actuators, ActuatorsState};
use attitude::Attitude;
use bus::Bus;
use control::{Control, ControlState};
use docking::{DockingSensors, DockingSequence, SensorsState, SequencerState};
use legs::{Legs, LegsState};
use path::{Path, PathState};
use phases::{Phases, PhasesState};
use regulator::{Regulator, RegulatorState};
use sampled::{Sampled, SampledState};
use serde::{Deserialize, Serialize};
use shown::Shown;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Cache, Model};
use touchdown_spacecraft::attitude::AttitudeState;

/// Input of a device at a tick: the accepted state, with its kinematics and forces.
pub(crate) struct Now<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub system: &'a System,
    /// Columns that sensors sample, in the order of [`Devices::sampled`].
    pub samples: &'a [f64],
}

/// Effects of a tick other than signals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Effect {
    /// Change of the power supplied by drives, W, and a body that they move.
    pub power: Option<(f64, usize)>,
}

/// A length that a device sets between ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Setting {
    /// Length of a boom, m, and its rate.
    Boom(usize, f64, f64),
    /// Opening of a polygonal contact's reference, m, and its rate.
    Opening(usize, f64, f64),
}

/// Source of a column.
pub(crate) struct Seen<'a> {
    pub t: f64,
    pub v: &'a [f64],
    pub system: &'a System,
    pub bus: &'a Bus,
}

/// A kind of device. `State` is its memory between ticks.
pub(crate) trait Tick {
    type State;

    /// The time of its next tick, s.
    fn next_time(&self, state: &Self::State) -> f64;

    /// Acts if it is due.
    fn tick(&self, state: &mut Self::State, now: &Now, bus: &mut Bus) -> Option<Effect>;

    /// Inputs that it commands after a tick, and their values, within their limits.
    fn command(&self, _: &Self::State, _: &Bus, _give: &mut impl FnMut(usize, f64)) {}

    /// Whether it samples a column.
    fn samples(&self) -> bool {
        false
    }

    /// The next time after `t` at which its effect has a kink that a step must not pass; `step` is the length
    /// of fixed steps.
    fn next_kink(&self, _: &Self::State, _t: f64, _step: Option<f64>) -> f64 {
        f64::INFINITY
    }

    /// Lengths that it sets at `t`.
    fn set(&self, _: &Self::State, _t: f64, _set: &mut impl FnMut(Setting)) {}

    /// Adds its wrenches on bodies and torques on rates at `t`. Needs kinematics.
    fn push(&self, _: &Self::State, _: &Model, _: &mut Cache, _at: (f64, &[f64])) -> Powers {
        Powers::default()
    }

    /// Books an accepted step. Needs its kinematics and forces.
    fn book(&self, _: &mut Self::State, _: &System) {}

    /// Its columns.
    fn columns(&self) -> Vec<Column> {
        Vec::new()
    }

    /// The number in one of its columns.
    fn value(&self, _: &Self::State, _column: usize, _: &Seen) -> f64 {
        f64::NAN
    }

    /// Its tables of results.
    fn tables(&self, _: &Self::State, _: &Fleet, _t: f64) -> Vec<Table> {
        Vec::new()
    }

    /// Warnings for the user.
    fn warning(&self, _: &Self::State) -> Option<String> {
        None
    }

    /// Sets the seed of its noise.
    fn reseed(&mut self, _seed: u64) {}

    /// Sizes of its memory: a state with other sizes belongs to another device.
    fn sizes(_: &Self::State) -> [usize; 2] {
        [0; 2]
    }
}

/// A device.
#[derive(Clone, Debug)]
pub(crate) enum Device {
    Attitude(Box<Attitude>),
    Control(Box<Control>),
    Actuators(Box<Actuators>),
    DockingSensors(Box<DockingSensors>),
    Sequence(Box<DockingSequence>),
    Sampled(Box<Sampled>),
    Regulator(Box<Regulator>),
    Path(Box<Path>),
    Legs(Box<Legs>),
    Phases(Box<Phases>),
}

/// What a device remembers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum DeviceState {
    Attitude(Box<AttitudeState>),
    Control(Box<ControlState>),
    Actuators(Box<ActuatorsState>),
    DockingSensors(Box<SensorsState>),
    Sequence(Box<SequencerState>),
    Sampled(Box<SampledState>),
    Regulator(Box<RegulatorState>),
    Path(Box<PathState>),
    Legs(Box<LegsState>),
    Phases(Box<PhasesState>),
}

/// Calls the method of a kind with its own state. A state is restored only if its devices are of the same kinds.
macro_rules! each {
    ($device:expr, $state:expr, $d:ident, $s:ident => $call:expr) => {
        match ($device, $state) {
            (Device::Attitude($d), DeviceState::Attitude($s)) => $call,
            (Device::Control($d), DeviceState::Control($s)) => $call,
            (Device::Actuators($d), DeviceState::Actuators($s)) => $call,
            (Device::DockingSensors($d), DeviceState::DockingSensors($s)) => $call,
            (Device::Sequence($d), DeviceState::Sequence($s)) => $call,
            (Device::Sampled($d), DeviceState::Sampled($s)) => $call,
            (Device::Regulator($d), DeviceState::Regulator($s)) => $call,
            (Device::Path($d), DeviceState::Path($s)) => $call,
            (Device::Legs($d), DeviceState::Legs($s)) => $call,
            (Device::Phases($d), DeviceState::Phases($s)) => $call,
            _ => unreachable!("the state of another kind of device"),
        }
    };
}
use each;

impl Device {
    fn columns(&self) -> Vec<Column> {
        match self {
            Device::Attitude(d) => d.columns(),
            Device::Control(d) => d.columns(),
            Device::Actuators(d) => d.columns(),
            Device::DockingSensors(d) => d.columns(),
            Device::Sequence(d) => d.columns(),
            Device::Sampled(d) => d.columns(),
            Device::Regulator(d) => d.columns(),
            Device::Path(d) => d.columns(),
            Device::Legs(d) => d.columns(),
            Device::Phases(d) => d.columns(),
        }
    }
}

impl Device {
    fn reseed(&mut self, seed: u64) {
        match self {
            Device::Attitude(d) => d.reseed(seed),
            Device::Control(d) => d.reseed(seed),
            Device::Actuators(d) => d.reseed(seed),
            Device::DockingSensors(d) => d.reseed(seed),
            Device::Sequence(d) => d.reseed(seed),
            Device::Sampled(d) => d.reseed(seed),
            Device::Regulator(d) => d.reseed(seed),
            Device::Path(d) => d.reseed(seed),
            Device::Legs(d) => d.reseed(seed),
            Device::Phases(d) => d.reseed(seed),
        }
    }
}

impl DeviceState {
    /// Kind and sizes.
    fn shape(&self) -> (std::mem::Discriminant<DeviceState>, [usize; 2]) {
        let sizes = match self {
            DeviceState::Attitude(s) => Attitude::sizes(s),
            DeviceState::Control(s) => Control::sizes(s),
            DeviceState::Actuators(s) => Actuators::sizes(s),
            DeviceState::DockingSensors(s) => DockingSensors::sizes(s),
            DeviceState::Sequence(s) => DockingSequence::sizes(s),
            DeviceState::Sampled(s) => Sampled::sizes(s),
            DeviceState::Regulator(s) => Regulator::sizes(s),
            DeviceState::Path(s) => Path::sizes(s),
            DeviceState::Legs(s) => Legs::sizes(s),
            DeviceState::Phases(s) => Phases::sizes(s),
        };
        (std::mem::discriminant(self), sizes)
    }
}

/// The devices of a world, in the order of their description.
#[derive(Clone, Debug, Default)]
pub(crate) struct Devices {
    list: Vec<Device>,
    /// The order in which they tick at one instant.
    order: Vec<usize>,
    /// Columns that are sampled.
    sampled: Vec<usize>,
    /// Names of the signals on the bus.
    signals: Vec<String>,
    /// What they remember at the start.
    start: DevicesState,
}

impl Devices {
    /// The same devices with noise that follows from a seed and their names.
    pub fn reseeded(&self, seed: u64) -> Devices {
        let mut devices = self.clone();
        devices.list.iter_mut().for_each(|device| device.reseed(seed));
        devices
    }
}

/// What all devices remember, and what is on their bus.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DevicesState {
    list: Vec<DeviceState>,
    bus: Bus,
}

impl DevicesState {
    /// How many devices and signals there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.list.len(), self.bus.len()]
    }

    /// How many devices are of the same kind and size as those of another state.
    pub fn count_alike(&self, other: &DevicesState) -> usize {
        self.list.iter().zip(&other.list).filter(|(a, b)| a.shape() == b.shape()).count()
    }
}

/// The devices with what they remember.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fleet<'a> {
    devices: &'a Devices,
    states: &'a DevicesState,
}

impl<'a> Fleet<'a> {
    pub fn new(devices: &'a Devices, states: &'a DevicesState) -> Fleet<'a> {
        Fleet { devices, states }
    }

    fn each(&self) -> impl Iterator<Item = (&'a Device, &'a DeviceState)> + use<'a> {
        self.devices.list.iter().zip(&self.states.list)
    }

    /// What devices answer in words.
    pub fn tables(&self, t: f64) -> Vec<Table> {
        self.each().flat_map(|(device, state)| each!(device, state, d, s => d.tables(s, self, t))).collect()
    }

    /// Warnings for the user.
    pub fn warnings(&self) -> impl Iterator<Item = String> + use<'a> {
        self.each().filter_map(|(device, state)| each!(device, state, d, s => d.warning(s)))
    }

    /// Wheels and thrusters of a body.
    fn actuators_on(&self, body: usize) -> Option<(&'a Actuators, &'a ActuatorsState)> {
        self.each().find_map(|pair| match pair {
            (Device::Actuators(d), DeviceState::Actuators(s)) if d.body == body => Some((&**d, &**s)),
            _ => None,
        })
    }

    /// Sensors of a docking.
    fn docking_sensors(&self, base: &str) -> Option<&'a SensorsState> {
        self.each().find_map(|pair| match pair {
            (Device::DockingSensors(d), DeviceState::DockingSensors(s)) if d.base == base => Some(&**s),
            _ => None,
        })
    }
}

/// `KIND`, or `KIND.NAME` for one that has a name.
fn base(kind: &str, name: &str) -> String {
    if name.is_empty() { kind.into() } else { format!("{kind}.{name}") }
}
