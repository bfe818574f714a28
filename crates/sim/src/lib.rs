//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.

pub mod description;
pub mod sink;
