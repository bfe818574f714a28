//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.
//!
//! [`description::WorldDescription`] ⇒ [`Simulation::build`] ⇒ [`Simulation::run`] into a [`sink::Sink`]. The state changes only when a step is
//! accepted; everything that evaluates forces is pure.
//!
//! Rooms: `engine` (the loop), `interactions` (what acts in it), `devices` (what ticks), `books` (what is kept of a run). Studies beside runs in time stand in `touchdown-studies`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod books;
pub mod description;
mod devices;
mod engine;
mod interactions;
pub mod sink;

pub use books::ledger::{Energies, Ledger, Works};
pub use books::need::{MemoryNeed, memory_need, soil_nodes};
pub use books::validity::warnings as broken_checks;
pub use books::vehicle_answers::vehicle_quantities;
pub use devices::{ActuatorError, DeviceError};
pub use engine::equilibrium::EquilibriumError;
pub use engine::inputs::InputError;
pub use engine::method::StepFailure;
pub use engine::paced::PacedError;
pub use engine::phases::PhaseTime;
pub use engine::run::RunError;
pub use engine::show;
pub use engine::simulation::{Simulation, WorldError};
pub use engine::state::{CheckpointError, State};
pub use engine::stepping::{AdvanceError, ObserveError};
pub use engine::system::System;
pub use interactions::{
    FlexBook, FlexDrawn, RimOnSoil, SoilPress, Statics, energy_of_rows, modes_checks, soil_volume,
};
