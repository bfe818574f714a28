//! Why a campaign could not be planned, run or read.

use std::path::PathBuf;
use touchdown_record::RecordError;
use touchdown_scenario::ScenarioErrors;

/// Why a campaign could not be planned, run or read.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The study file, or the scenario, has mistakes.
    #[error("{0}")]
    Mistakes(#[from] ScenarioErrors),
    /// The disk refused, or a folder is not ours.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// The plan is not what it was.
    #[error("{}: {why}", path.display())]
    Plan {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A file of the store does not belong here or is damaged.
    #[error("{}: {why}", path.display())]
    Store {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Something that the plan stands on has changed.
    #[error("not what the campaign was planned with: {what}")]
    Changed {
        /// What differs.
        what: String,
    },
    /// The run was asked to stop.
    #[error("interrupted after {done} of {of} cases")]
    Interrupted {
        /// Cases on disk.
        done: u64,
        /// Cases to do.
        of: u64,
    },
    /// A scheduler did not do what it was asked.
    #[error("{0}")]
    Engine(String),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}
