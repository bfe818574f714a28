//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.

pub mod description;
mod integrable;
pub mod sink;
mod system;

pub use system::System;
