//! The loop: one state, one step, and their users.

mod checkpoint;
pub(crate) mod course;
pub(crate) mod equilibrium;
pub(crate) mod gravity;
pub(crate) mod ground_speed;
pub(crate) mod history;
mod impulse;
pub(crate) mod inputs;
pub(crate) mod integrable;
pub(crate) mod look;
mod memory;
pub(crate) mod method;
pub(crate) mod momentum;
pub(crate) mod paced;
pub(crate) mod phases;
pub(crate) mod recording;
pub(crate) mod run;
pub mod show;
pub(crate) mod simulation;
pub(crate) mod state;
pub(crate) mod step;
pub(crate) mod stepping;
pub(crate) mod system;
pub(crate) mod time_error;
