//! Tidying a run folder: before a new run, after a finished one, and back to a checkpoint.
//!
//! Called by the recorder while it holds the folder's lock. Only files of this crate are touched, never the user's.

use crate::checkpoint::Checkpoint;
use crate::error::{Doing, RecordError};
use crate::files::{self, Folder, Stream};
use crate::report::remove_figures;
use std::{fs, io};

/// Removes a former run's files, and only those. The manifest goes last: until then the folder counts as a run.
pub(crate) fn clear(folder: &Folder) -> Result<(), RecordError> {
    files::remove(&folder.summary())?;
    remove_scaffold(folder)?;
    fs::create_dir_all(folder.parts()).doing(|| format!("creating {}", folder.parts().display()))?;
    folder.remove_unfinished()?;
    remove_results(folder)?;
    files::remove(&folder.manifest())?;
    Ok(())
}

/// Removes what is written at the end of a run, but for its summary.
fn remove_results(folder: &Folder) -> Result<(), RecordError> {
    // While the manifest still says which they are.
    remove_figures(folder);
    let data = [folder.merged(Stream::Series), folder.merged(Stream::Frames), folder.csv(), folder.soil()];
    for path in data {
        files::remove(&path)?;
    }
    // A report of the former run must not be taken for one of this. If it cannot be removed it cannot be replaced either, which the
    // end of the run will say; that is no reason not to run.
    let _ = files::remove(&folder.report());
    Ok(())
}

/// Removes what only a run in progress needs.
pub(crate) fn remove_scaffold(folder: &Folder) -> Result<(), RecordError> {
    files::remove(&folder.checkpoint())?;
    files::remove(&folder.previous_checkpoint())?;
    match fs::remove_dir_all(folder.parts()) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::Io { doing: format!("removing {}", folder.parts().display()), source: e })
        }
        _ => Ok(()),
    }
}

/// Brings the folder back to a checkpoint: parts sealed after it and results of an interrupted end go.
pub(crate) fn forget_after(folder: &Folder, checkpoint: &Checkpoint) -> Result<(), RecordError> {
    files::remove(&folder.summary())?;
    remove_results(folder)?;
    for (stream, entries) in [(Stream::Series, checkpoint.rows), (Stream::Frames, checkpoint.frames)] {
        for part in folder.list(stream)?.into_iter().filter(|part| part.end > entries) {
            files::remove(&part.path)?;
        }
    }
    folder.remove_unfinished()
}
