//! Validation: every claim of the papers, closed forms and reference solutions that the scenarios reproduce, as rows that run.
//!
//! `validation/*.toml` ⇒ claims by topic ([`built_in`], [`select`]) ⇒ [`Plan`]: which runs, what is read from each ⇒
//! [`Plan::carry_out`]: runs on a few threads ⇒ [`Report`] of [`Row`]s with a verdict each ⇒ [`page`]. A run serves all rows that ask for
//! it. Rows do not depend on the number of threads.

mod claim;
mod error;
mod judge;
mod library;
mod limits;
mod measure;
pub mod measured;
pub mod page;
mod pedigree;
mod plan;
mod read;
mod report;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use claim::ClaimKind;
pub use error::ValidateError;
pub use library::{Topic, built_in, parse, select};
pub use pedigree::{Pedigree, pedigree};
pub(crate) use plan::alone;
pub use plan::{Plan, Progress};
pub use report::{Report, Row, RunNote, Verdict};
