//! Studies: many runs that together show how far to trust one. Independent of the command line.
//!
//! ```
//! let swung = touchdown_study::run_case("pendulum", &["duration_s=0.1".into()])?;
//! let angle = swung.column("joint.hinge.position_rad").expect("it has a hinge");
//! assert!(angle.last() > angle.first(), "it falls");
//! # Ok::<(), touchdown_study::CaseError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod case;
pub mod converge;
pub mod identify;
mod runs;
pub mod sensitivity;
mod subject;
pub mod validate;
mod words;

pub use case::{Case, CaseError, run_case};
pub use runs::Progress;
pub use subject::SubjectError;

/// JSON Schema of the study files of [`identify`], for editors.
pub const IDENTIFY_SCHEMA: &str = include_str!("identify/schema.json");
/// JSON Schema of the files of claims that [`validate`] reads, for editors.
pub const CLAIMS_SCHEMA: &str = include_str!("validate/schema.json");
