//! The world and its step loop: mechanism, contacts, integrator, ledger, checkpoints.
//!
//! ```
//! use touchdown_math::Vec3;
//! use touchdown_multibody::description::{Body, Gravity, Joint, JointKind};
//! use touchdown_sim::Simulation;
//! use touchdown_sim::description::WorldDescription;
//!
//! // A stone falls on the Moon for a second.
//! let mut world = WorldDescription::default();
//! world.mechanism.gravity = Gravity::Uniform(Vec3::z() * -1.62);
//! world.mechanism.bodies.push(Body::new("stone", 1.0, Vec3::zeros(), Vec3::repeat(0.1)));
//! world.mechanism.joints.push(Joint::new("free", JointKind::Free, None, 0, Vec3::zeros()));
//! let mut sim = Simulation::build(&world).expect("a stone");
//! sim.advance_to(1.0)?;
//! assert!((sim.state().q[2] + 0.81).abs() < 1e-9);
//! # Ok::<(), touchdown_sim::AdvanceError>(())
//! ```
//!
//! [`description::WorldDescription`] ⇒ [`Simulation::build`] ⇒ [`Simulation::run`] into a [`sink::Sink`]. The state changes only when a step is
//! accepted; everything that evaluates forces is pure.
//!
//! Modules: `engine` (the loop), `interactions` (contacts and other forces), `devices` (sensors, controllers,
//! sequences), `books` (accounts of a run). Studies other than runs in time are in `touchdown-studies`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod books;
pub mod description;
mod devices;
mod engine;
pub mod figure;
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
