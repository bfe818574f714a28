//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.
//!
//! [`description::WorldDescription`] ⇒ [`World::build`] ⇒ [`World::run`] into a [`sink::Sink`]. The state changes only when a step is
//! accepted; everything that evaluates forces is pure.

mod bevameter;
mod boom;
mod capture;
mod channels;
mod crew;
mod deform;
pub mod description;
mod equilibrium;
mod feet;
mod flexible;
mod forms;
mod gradability;
mod gravity;
mod ground_speed;
mod history;
mod impulse;
mod inputs;
mod integrable;
mod ledger;
mod lift_off;
mod look;
mod memory;
mod method;
mod modes;
mod momentum;
mod need;
mod outcome;
mod pairs;
mod phases;
mod polygonal;
mod quantities;
mod recording;
mod rigid_ground;
mod run;
mod satellites;
pub mod show;
mod sides;
mod simulation;
pub mod sink;
mod soil;
mod soil_on_link;
mod spacings;
mod state;
mod static_load;
mod step;
mod surface;
mod system;
mod tilt;
mod validity;
mod vehicle;
mod wheel_press;
mod world;

pub use equilibrium::EquilibriumError;
pub use inputs::InputError;
pub use ledger::{Energies, Ledger, Works};
pub use method::StepFailure;
pub use need::{MemoryNeed, memory_need, soil_nodes};
pub use phases::Phase;
pub use run::RunError;
pub use simulation::{AdvanceError, ObserveError};
pub use state::{CheckpointError, State};
pub use system::System;
pub use world::{World, WorldError};
