//! Cleaning a run folder: before a new run, after a finished one, and back to a checkpoint.
//!
//! Called while the folder's lock is held. Only files of this program are touched, by their names, never the user's.

use crate::checkpoint::Checkpoint;
use crate::disk::{Place, UNFINISHED};
use crate::error::RecordError;
use crate::files::{
    self, CHECKPOINT, CSV, Folder, INPUTS, MANIFEST, PARTS, PREVIOUS_CHECKPOINT, Part, REPORT, RESOLVED,
    SOIL, SUMMARY, Stream,
};
use crate::manifest::Manifest;
use crate::report::remove_figures;

/// Removes a former run's files, and only those. The manifest goes last: until then the folder counts as a run.
pub(crate) fn clear(place: &Place) -> Result<(), RecordError> {
    place.remove(SUMMARY)?;
    remove_scaffold(place)?;
    remove_unfinished(place)?;
    remove_results(place)?;
    remove_inputs(place)?;
    place.remove(RESOLVED)?;
    place.remove(MANIFEST)
}

/// Removes what is written at the end of a run, but for its summary.
fn remove_results(place: &Place) -> Result<(), RecordError> {
    // While the manifest still says which they are.
    remove_figures(place);
    let data = [Stream::Series.merged(), Stream::Frames.merged(), CSV.into(), SOIL.into()];
    data.iter().try_for_each(|name| place.remove(name))?;
    // A report of the former run must not be taken for one of this. If it cannot be removed it cannot be replaced either, which the
    // end of the run will say; that is no reason not to run.
    let _ = place.remove(REPORT);
    Ok(())
}

/// Removes the copies of inputs that the manifest names.
fn remove_inputs(place: &Place) -> Result<(), RecordError> {
    let Some(inputs) = place.below(INPUTS)? else { return Ok(()) };
    let manifest = Manifest::read(place.path());
    let kept = manifest.iter().flat_map(|manifest| &manifest.inputs).map(|input| input.copy.as_str());
    // A name with a folder in it is none that was written here.
    for name in kept.filter(|name| !name.is_empty() && !name.contains('/')) {
        inputs.remove(name)?;
    }
    drop(inputs);
    place.remove_empty(INPUTS)
}

/// Removes what only a run in progress needs.
pub(crate) fn remove_scaffold(place: &Place) -> Result<(), RecordError> {
    place.remove(CHECKPOINT)?;
    place.remove(PREVIOUS_CHECKPOINT)?;
    remove_parts(place, [0, 0])
}

/// Removes parts that hold more than this many rows and frames, and those that were not completed.
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

/// Removes whatever an interrupted write left behind.
pub(crate) fn remove_unfinished(place: &Place) -> Result<(), RecordError> {
    place.names()?.iter().filter(|name| files::is_unfinished(name)).try_for_each(|name| place.remove(name))
}

/// Brings the folder back to a checkpoint, or to its beginning: what came after it goes, and checkpoints that cannot be used.
pub(crate) fn forget_after(place: &Place, checkpoint: Option<&Checkpoint>) -> Result<(), RecordError> {
    place.remove(SUMMARY)?;
    remove_results(place)?;
    remove_unfinished(place)?;
    let Some(checkpoint) = checkpoint else { return remove_scaffold(place) };
    let newest = files::read(&Folder::new(place.path()).file(CHECKPOINT));
    if newest.is_ok_and(|bytes| Checkpoint::decode(&bytes).as_ref() != Ok(checkpoint)) {
        // It must not become the fallback of the next one.
        place.remove(CHECKPOINT)?;
    }
    remove_parts(place, [checkpoint.rows, checkpoint.frames])
}
