//! Satellites in the loop: what the orbit does to them, what their actuators do, and the devices that tick.

mod actuators;
mod avionics;
mod columns;
mod docking;
mod environment;

pub use actuators::ActuatorError;
pub(crate) use avionics::{Avionics, AvionicsState};
pub(crate) use docking::{DockingInLoop, DockingState};

use crate::books::channels::{Columns, Snapshot};
use crate::description::WorldDescription;
use crate::engine::system::{Instant, System};
use crate::engine::world::WorldError;
use crate::interactions::{Accepted, How, Interaction, Making};
use crate::sink::Table;
use columns::AocsValue;
use docking::columns::DockingValue;
use environment::Environment;
use serde::{Deserialize, Serialize};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_spacecraft::sequence::{Phase, SequenceState};

/// Orbit, sunlight, and the devices of satellites.
pub(crate) struct Devices;

/// What is on board, and around.
#[derive(Clone, Debug)]
pub(crate) struct DeviceParts {
    /// Orbit and sunlight.
    pub environment: Option<Environment>,
    /// Devices of a satellite.
    pub avionics: Option<Box<Avionics>>,
    /// A docking.
    pub docking: Option<Box<DockingInLoop>>,
}

/// What devices remember.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DevicesState {
    /// Sensors, filters and commands of a satellite.
    pub avionics: Option<AvionicsState>,
    /// Sensors, sequence and commands of a docking.
    pub docking: Option<DockingState>,
}

/// A number of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DeviceValue {
    Aocs(AocsValue),
    Docking(DockingValue),
}

impl Interaction for Devices {
    const NAME: &'static str = "devices";
    type Parts = DeviceParts;
    type Memory = DevicesState;
    type Book = ();
    type Drawn = ();
    type Value = DeviceValue;

    fn build(making: &mut Making) -> Result<DeviceParts, Vec<WorldError>> {
        let satellites = &making.description.satellites;
        let avionics = Avionics::at_start(satellites, making.model).map_err(|e| vec![e.into()])?;
        Ok(DeviceParts {
            environment: Environment::new(satellites),
            avionics: avionics.map(Box::new),
            docking: DockingInLoop::new(making.description).map(Box::new),
        })
    }

    fn count(system: &System) -> usize {
        let parts = &system.acts.devices;
        usize::from(parts.avionics.is_some()) + usize::from(parts.docking.is_some())
    }

    fn start(system: &mut System, _at: (&[f64], &[f64]), _z: &mut [f64]) -> DevicesState {
        let parts = &system.acts.devices;
        DevicesState {
            avionics: parts.avionics.as_ref().map(|avionics| avionics.start.clone()),
            docking: parts.docking.as_ref().map(|docking| docking.start()),
        }
    }

    fn prepare(system: &mut System, at: &Instant) {
        system.follow_docking(at);
    }

    fn evaluate(system: &mut System, at: &Instant, _how: How) -> Powers {
        let mut powers = system.update_environment(at.t);
        let actuators = system.update_actuators(at);
        powers.drives += actuators.drives;
        powers.loads += actuators.loads;
        powers
    }

    fn next_time(system: &System, memory: &DevicesState, t: f64, kinks: bool) -> f64 {
        system.acts.devices.next_tick(memory, t, kinks)
    }

    fn book(system: &System, _times: (f64, f64), memory: &mut DevicesState, _: &mut [()]) {
        system.book_docking(&mut memory.docking);
    }

    fn begin(system: &mut System, step: &mut Accepted, memory: &mut DevicesState) {
        system.tick(step, memory);
    }

    fn commit(system: &mut System, step: &mut Accepted, memory: &mut DevicesState, _: &mut [()]) {
        system.tick(step, memory);
    }

    fn settle(system: &System, memory: &mut DevicesState) -> bool {
        let parts = &system.acts.devices;
        let same = |a: bool, b: bool| a == b;
        same(parts.avionics.is_some(), memory.avionics.is_some())
            && same(parts.docking.is_some(), memory.docking.is_some())
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<DeviceValue>) {
        columns::add(&system.acts.devices, out);
        docking::columns::add(&system.acts.devices, out);
    }

    fn value(system: &System, s: &Snapshot, value: DeviceValue) -> f64 {
        match value {
            DeviceValue::Aocs(value) => columns::value(system, s, value),
            DeviceValue::Docking(value) => docking::columns::value(system, s.held, value),
        }
    }

    fn warnings(_: &System, _t: f64, memory: &DevicesState, _: &[()], out: &mut Vec<String>) {
        let docking = memory.docking.as_ref().map(|d| &d.sequence);
        out.extend(docking.filter(|s| s.phase != Phase::Docked).map(SequenceState::verdict));
    }

    fn tables(system: &System, t: f64, memory: &DevicesState) -> Vec<Table> {
        docking::tables(&system.acts.devices, memory, t)
    }
}
