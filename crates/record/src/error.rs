//! Errors of recording, and how they reach the step loop as a `SinkError`.
//!
//! Every variant names the place; a full disk is a [`RecordError::Io`] with the path in `doing`.

use crate::resumption::Change;
use std::io;
use std::path::PathBuf;
use touchdown_sim::sink::SinkError;

/// Why a run folder could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused (a full disk, missing permissions, …).
    #[error("{doing}: {source}")]
    Io {
        /// The operation, with the path.
        doing: String,
        /// The cause.
        source: io::Error,
    },
    /// A file's content is invalid, or could not be encoded.
    #[error("{doing}: {why}")]
    Format {
        /// The operation, with the path.
        doing: String,
        /// The message of the format library.
        why: String,
    },
    /// The folder already holds a run.
    #[error("{} already holds a run; choose another folder, resume it, or ask to overwrite it", dir.display())]
    Exists {
        /// The folder.
        dir: PathBuf,
    },
    /// The run in the folder has reached its end.
    #[error("{}: the run has already finished, there is nothing to resume", dir.display())]
    Finished {
        /// The folder.
        dir: PathBuf,
    },
    /// Another process writes to the folder.
    #[error("{}: another process is writing to this folder", dir.display())]
    Busy {
        /// The folder.
        dir: PathBuf,
    },
    /// The folder or file was not made by this program, so nothing is written.
    #[error("{} was not made by touchdown ({found}); nothing was written", path.display())]
    Foreign {
        /// The folder or file.
        path: PathBuf,
        /// What exists there.
        found: String,
    },
    /// The run in the folder cannot be resumed.
    #[error("{}: {why}", path.display())]
    Refused {
        /// The folder, or the file in it.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The resumed run would differ from the run as it began.
    #[error("{}: not what the run began with: {}", dir.display(), list(changes))]
    Changed {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        changes: Vec<Change>,
    },
    /// The folder contains no run.
    #[error("{} holds no run", dir.display())]
    NoRun {
        /// The folder.
        dir: PathBuf,
    },
    /// The data handed over differ from what was announced.
    #[error("{what}: expected {expected}, found {found}")]
    Mismatch {
        /// What differs.
        what: String,
        /// As announced.
        expected: String,
        /// As given.
        found: String,
    },
    /// Nothing more is written to the folder; the reason was given before.
    #[error("{}: recording has stopped ({why})", dir.display())]
    Stopped {
        /// The folder.
        dir: PathBuf,
        /// The reason.
        why: String,
    },
}

fn list(changes: &[Change]) -> String {
    changes.iter().map(|change| format!("\n  {change}")).collect()
}

impl RecordError {
    /// The cause without the place, where the two can be separated.
    pub(crate) fn cause(&self) -> String {
        match self {
            RecordError::Io { source, .. } => source.to_string(),
            RecordError::Format { why, .. } => why.clone(),
            other => other.to_string(),
        }
    }
}

impl From<RecordError> for SinkError {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Io { doing, source } => SinkError { doing, source },
            RecordError::Format { doing, why } => SinkError { doing, source: io::Error::other(why) },
            other => SinkError { doing: "recording".into(), source: io::Error::other(other.to_string()) },
        }
    }
}

/// Adds the operation to the errors of the libraries below.
pub(crate) trait Doing<T> {
    /// `doing` is only called on failure.
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError> {
        self.map_err(|source| RecordError::Io { doing: doing(), source })
    }
}

impl<T> Doing<T> for Result<T, parquet::errors::ParquetError> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError> {
        use parquet::errors::ParquetError;
        self.map_err(|error| match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(source) => RecordError::Io { doing: doing(), source: *source },
                Err(inner) => RecordError::Format { doing: doing(), why: inner.to_string() },
            },
            other => RecordError::Format { doing: doing(), why: other.to_string() },
        })
    }
}

impl<T> Doing<T> for Result<T, arrow_schema::ArrowError> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError> {
        self.map_err(|error| RecordError::Format { doing: doing(), why: error.to_string() })
    }
}

impl<T> Doing<T> for mcap::McapResult<T> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError> {
        self.map_err(|error| match error {
            mcap::McapError::Io(source) => RecordError::Io { doing: doing(), source },
            other => RecordError::Format { doing: doing(), why: other.to_string() },
        })
    }
}

impl<T> Doing<T> for serde_json::Result<T> {
    fn doing(self, doing: impl FnOnce() -> String) -> Result<T, RecordError> {
        self.map_err(|error| RecordError::Format { doing: doing(), why: error.to_string() })
    }
}
