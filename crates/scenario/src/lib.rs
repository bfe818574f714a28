//! Scenario files: TOML in, a checked [`WorldDescription`](touchdown_sim::description::WorldDescription) out,
//! or every mistake at once with its place, what was found, what is allowed and a hint.
//!
//! Stages: text → [`source`] places → nodes → machine files merged → knobs set → records read by the one
//! [`table`] of keys → names, frames and consistency checked → description. See [`load`].
//!
//! ```
//! let scenario = touchdown_scenario::load("pendulum-chain", &["links=3".to_string()])?;
//! assert_eq!(scenario.description.mechanism.bodies.len(), 3);
//!
//! let mistakes = touchdown_scenario::load("pendulum-chain", &["links=none".to_string()]).unwrap_err();
//! assert!(mistakes.to_string().contains("must be a whole number from 1 to 100000"));
//! # Ok::<(), touchdown_scenario::ScenarioErrors>(())
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
#![forbid(unsafe_code)]

mod answer;
mod build;
mod catalogue;
mod converge;
mod error;
mod figures;
mod files;
mod include;
mod later;
mod memo;
mod mesh;
mod node;
mod parameters;
mod points;
mod prepared;
mod read;
mod reference;
mod report;
mod resolve;
mod scatter;
mod scenario;
mod schema;
mod size;
mod soil;
pub mod source;
pub mod table;
#[cfg(test)]
mod tests;
pub mod unit;
mod urdf;

pub use catalogue::{Entry, EntryKind, catalogue};
pub use converge::{Converge, Setting};
pub use error::{Diagnostic, ScenarioErrors};
pub use files::{FileProblem, LARGEST_FILE, LARGEST_MAP, LARGEST_TABLE, check_plain, read_file, read_text};
pub use include::{INPUTS, kept_name};
pub use parameters::Parameter;
pub use prepared::{Prepared, Variant};
pub use reference::{reference_markdown, reference_text};
pub use report::{
    AnswerRule, AxisKeys, Condition, Figures, Limit, LineKeys, Piece, Relation, Report, Shows, Tolerance,
    WrittenFigure,
};
pub use scatter::Scattered;
pub use scenario::{Assumed, MapFile, Scenario, load, load_str};
pub use schema::{json_schema, machine_schema, soil_schema};
pub use size::MemoryLimit;
pub use soil::{Soil, SoilSpread, SoilValue, soils};
pub use urdf::Audit;
