//! Functional mock-up units: a scenario as an FMU for co-simulation (FMI 3.0 and 2.0), without a compiler.
//!
//! ```
//! use touchdown_fmu::{Asked, Plan};
//!
//! let asked = Asked { outputs: vec!["joint.hinge.position_rad".into()], ..Asked::default() };
//! let plan = Plan::new("pendulum", &[], &asked)?;
//! assert_eq!(plan.variables.len(), 1);
//! # Ok::<(), touchdown_fmu::ExportError>(())
//! ```
//!
//! [`Plan`] says which inputs, columns and knobs become variables; [`Plan::archive`] makes the archive: description, the library `libtouchdown_c` and the scenario as a
//! resource. In the importing tool the library reads the plan again and drives an [`Instance`]. Names of variables are those of inputs, columns and knobs.

#![forbid(unsafe_code)]

mod archive;
mod instance;
mod plan;
mod terminals;
#[cfg(test)]
mod tests;
mod xml;

pub use archive::is_fmu;
pub use instance::{Instance, InstanceError, Saved};
pub use plan::{Asked, ExportError, Fmi, Plan, Role, Start, Variable};
