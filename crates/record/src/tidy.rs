//! Cleans a run folder: before a new run, after a finished one, and when it returns to a checkpoint.
//!
//! Called while the folder's lock is held. Only files of this program are removed, by name; files of the user
//! are not.

use crate::checkpoint::Checkpoint;
use crate::disk::{Place, UNFINISHED};
use crate::error::RecordError;
use crate::files::{
    self, CHECKPOINT, CSV, Folder, INPUTS, MANIFEST, PARTS, PREVIOUS_CHECKPOINT, Part, REPORT, RESOLVED,
    SOIL, SUMMARY, Stream,
};
use crate::manifest::Manifest;
use crate::report::remove_figures;

/// Removes the files of a previous run. The manifest is removed last: until then the folder counts as a run.
pub(crate) fn clear(place: &Place) -> Result<(), RecordError> {
    place.remove(SUMMARY)?;
    remove_scaffold(place)?;
    remove_unfinished(place)?;
    remove_results(place)?;
    remove_inputs(place)?;
    place.remove(RESOLVED)?;
    place.remove(MANIFEST)
}

/// Removes the files that are written at the end of a run, except its summary.
fn remove_results(place: &Place) -> Result<(), RecordError> {
    // Done while the manifest still names them.
    remove_figures(place);
    let data = [Stream::Series.merged(), Stream::Frames.merged(), CSV.into(), SOIL.into()];
    data.iter().try_for_each(|name| place.remove(name))?;
    // A report of the previous run must not be mistaken for one of this run. If it cannot be removed it
    // cannot be replaced either; the end of the run reports that, and it does not prevent the run.
    let _ = place.remove(REPORT);
    Ok(())
}

/// Removes the copies of inputs that the manifest names.
fn remove_inputs(place: &Place) -> Result<(), RecordError> {
    let Some(inputs) = place.below(INPUTS)? else { return Ok(()) };
    let manifest = Manifest::read(place.path());
    let kept = manifest.iter().flat_map(|manifest| &manifest.inputs).map(|input| input.copy.as_str());
    // A name that contains a folder was not written by this program.
    for name in kept.filter(|name| !name.is_empty() && !name.contains('/')) {
        inputs.remove(name)?;
    }
    drop(inputs);
    place.remove_empty(INPUTS)
}

/// Removes the files needed only during a run.
pub(crate) fn remove_scaffold(place: &Place) -> Result<(), RecordError> {
    place.remove(CHECKPOINT)?;
    place.remove(PREVIOUS_CHECKPOINT)?;
    remove_parts(place, [0, 0])
}

/// Removes parts beyond this number of rows and frames, and incomplete ones.
fn remove_parts(place: &Place, keep: [u64; 2]) -> Result<(), RecordError> {
    let Some(below) = place.below(PARTS)? else { return Ok(()) };
    for name in below.names()? {
        let whole = name.strip_suffix(UNFINISHED).and_then(|stem| stem.strip_suffix('.'));
        let part = |name: &str, stream| Part::at(below.path_of(name), stream);
        let late = |(stream, entries): (Stream, u64)| {
            whole.is_some_and(|name| part(name, stream).is_some())
                || part(&name, stream).is_some_and(|part| part.end > entries)
        };
        if [(Stream::Series, keep[0]), (Stream::Frames, keep[1])].into_iter().any(late) {
            below.remove(&name)?;
        }
    }
    drop(below);
    place.remove_empty(PARTS)
}

/// Removes the remains of interrupted writes.
pub(crate) fn remove_unfinished(place: &Place) -> Result<(), RecordError> {
    place.names()?.iter().filter(|name| files::is_unfinished(name)).try_for_each(|name| place.remove(name))
}

/// Restores the folder to a checkpoint, or to its beginning: removes everything later, and unusable
/// checkpoints.
pub(crate) fn forget_after(place: &Place, checkpoint: Option<&Checkpoint>) -> Result<(), RecordError> {
    place.remove(SUMMARY)?;
    remove_results(place)?;
    remove_unfinished(place)?;
    let Some(checkpoint) = checkpoint else { return remove_scaffold(place) };
    let newest = files::read(&Folder::new(place.path()).file(CHECKPOINT));
    if newest.is_ok_and(|bytes| Checkpoint::decode(&bytes).as_ref() != Ok(checkpoint)) {
        // An unusable checkpoint must not become the fallback of the next one.
        place.remove(CHECKPOINT)?;
    }
    remove_parts(place, [checkpoint.rows, checkpoint.frames])
}
