//! Contact dynamics for space robots as a library: wheels in soil, feet, flexible tyres, hard parts and docking.
//!
//! A [`Simulation`] is made from a scenario by its name or file ([`scenario()`]), or from a [`World`] that a program builds. Both make the same
//! description, so that a program can do all that a scenario file can. A simulation is then stepped, commanded, observed, saved, restored and forked:
//!
//! ```
//! use touchdown::prelude::*;
//!
//! let mut sim = scenario("pendulum").set("duration_s", 5).simulate()?;
//! let angle = sim.column("joint.hinge.position_rad")?;
//! let mut seen = [0.0];
//! sim.advance_to(0.5)?;
//! let saved = sim.save();
//! sim.advance_to(1.0)?;
//! sim.observe(&[angle], &mut seen)?;
//! sim.restore(saved)?;
//! assert_eq!(sim.state().t, 0.5);
//! # Ok::<(), touchdown::Error>(())
//! ```
//!
//! `touchdown::campaign`, with the feature `campaign`, runs thousands of cases that answer one question.
//!
//! Contact models can be used without the engine, in other simulators: [`soil`] with its [`soil::Ground`], [`polygonal`] with its [`polygonal::Contact`], [`surface`], [`tyre`], [`foot`], [`flexible`], [`bumper`] take poses and velocities and return
//! wrenches with their derivatives.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod error;
mod motion;
pub mod polygonal;
mod scenario;
pub mod soil;
mod solid;
mod world;

pub use error::Error;
pub use motion::{NoMotion, motion_from};
pub use scenario::{ScenarioBuilder, scenario, scenario_text};
pub use solid::Solid;
pub use world::{BodyId, JointId, Part, World};

#[cfg(feature = "campaign")]
pub use touchdown_campaign as campaign;
pub use touchdown_contact::{bumper, flexible, foot, surface, tyre};
pub use touchdown_geometry as geometry;
pub use touchdown_machines as machines;
pub use touchdown_math as math;
pub use touchdown_multibody::description as mechanism;
pub use touchdown_sim::description;
pub use touchdown_sim::sink;
pub use touchdown_sim::{
    AdvanceError, CheckpointError, InputError, ObserveError, RunError, Simulation, State, StepFailure,
    WorldError,
};

/// What most programs need.
pub mod prelude {
    pub use crate::math::{Pose, Signal, Vec3};
    pub use crate::mechanism::{Command, JointKind};
    pub use crate::{BodyId, Error, JointId, Simulation, Solid, State, World, scenario, scenario_text};
}
