//! What every door to the engine shares: worlds built with mistakes at their places, what a manifest says about a run, runs kept in memory, and which program this is.
//!
//! The command line, the Python package, the C interface and FMUs stand on it, so that they use the same words and leave the same run folders:
//!
//! ```
//! let scenario = touchdown_scenario::load("pendulum", &["duration_s=1".into()])?;
//! let mut simulation = touchdown_session::build_world(&scenario, None, 1)?;
//! let mut kept = touchdown_session::Kept::new(simulation.columns().len(), false);
//! let outcome = simulation.run(&mut kept)?;
//! assert!(outcome.finished && kept.rows() > 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod date;
pub mod identity;
mod info;
mod kept;
mod located;
mod shown;

pub use info::{import_warnings, info, info_without_scenario};
pub use kept::Kept;
pub use located::build_world;
pub use shown::shown;
