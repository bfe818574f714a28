//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.
//!
//! [`description::WorldDescription`] ⇒ [`Simulation::build`] ⇒ [`Simulation::run`] into a [`sink::Sink`]. The state changes only when a step is
//! accepted; everything that evaluates forces is pure.
//!
//! Rooms: `engine` (the loop), `interactions` (what acts in it), `devices` (what ticks), `books` (what is kept of a run), `studies`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod books;
pub mod description;
mod devices;
mod engine;
mod interactions;
pub mod sink;
mod studies;

pub use books::ledger::{Energies, Ledger, Works};
pub use books::need::{MemoryNeed, memory_need, soil_nodes};
pub use devices::{ActuatorError, DeviceError};
pub use engine::equilibrium::EquilibriumError;
pub use engine::inputs::InputError;
pub use engine::method::StepFailure;
pub use engine::paced::PacedError;
pub use engine::phases::PhaseTime;
pub use engine::run::RunError;
pub use engine::show;
pub use engine::simulation::{AdvanceError, ObserveError};
pub use engine::state::{CheckpointError, State};
pub use engine::system::System;
pub use engine::world::{Simulation, WorldError};
