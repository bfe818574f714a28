//! A docking on the bus: sensors on chaser and tool, and the sequence that drives boom and crown and guides the chaser's control.

mod books;
mod columns;
mod findings;
mod hardware;
mod sensors;
mod sequence;
mod sight;

pub(crate) use sensors::{DockingSensors, SensorsState};
pub(crate) use sequence::{DockingSequence, SequencerState};
