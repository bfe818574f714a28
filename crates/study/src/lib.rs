//! Studies: many runs that together say how far to trust one. Nothing here knows the command line.

mod case;
pub mod converge;
pub mod identify;
pub mod validate;

pub use case::{Case, CaseError, run_case};
