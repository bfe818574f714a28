//! Satellites in the loop: what the orbit does to them, what their actuators do, and the devices that tick.

mod actuators;
mod avionics;
mod docking;
mod environment;

pub use actuators::ActuatorError;
pub(crate) use avionics::{Avionics, AvionicsState};
pub(crate) use docking::{DockingInLoop, DockingState, phase_number, tables as docking_tables};
pub(crate) use environment::Environment;
