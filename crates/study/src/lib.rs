//! Studies: many runs that together say how far to trust one. Nothing here knows the command line.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod case;
pub mod converge;
pub mod identify;
pub mod validate;

pub use case::{Case, CaseError, run_case};
