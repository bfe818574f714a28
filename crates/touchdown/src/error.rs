//! All errors, in one type for `?`.

use touchdown_scenario::ScenarioErrors;
use touchdown_sim::{AdvanceError, CheckpointError, InputError, ObserveError, RunError, WorldError};

/// Why something could not be done; each carries the words of the command line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A scenario with mistakes.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// A world that cannot be built: every mistake.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    World(Vec<WorldError>),
    /// A name that is not there.
    #[error("no {kind} is called \"{name}\"; there are: {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        kind: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A command that was refused.
    #[error("{0}")]
    Input(#[from] InputError),
    /// A step that could not be made.
    #[error("{0}")]
    Advance(#[from] AdvanceError),
    /// A column that could not be read.
    #[error("{0}")]
    Observe(#[from] ObserveError),
    /// A state that could not be put back.
    #[error("{0}")]
    Checkpoint(#[from] CheckpointError),
    /// A run that was not finished.
    #[error("{0}")]
    Run(#[from] RunError),
    /// A call of a ground for another simulator that was refused.
    #[error("{0}")]
    Ground(#[from] crate::soil::GroundError),
    /// A call of a contact for another simulator that was refused.
    #[error("{0}")]
    Contact(#[from] crate::polygonal::ContactError),
}

impl From<Vec<WorldError>> for Error {
    fn from(errors: Vec<WorldError>) -> Error {
        Error::World(errors)
    }
}
