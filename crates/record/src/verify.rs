//! Verification of a run folder: every file with a hash is compared with it; nothing is changed.

use crate::checkpoint::{self, Checkpoint};
use crate::claim;
use crate::disk::{Disk, Place};
use crate::error::RecordError;
use crate::files::{
    self, CHECKPOINT, Folder, INPUTS, MANIFEST, PREVIOUS_CHECKPOINT, REPORT, RESOLVED, SUMMARY, Stream,
};
use crate::manifest::{InputFile, Manifest};
use crate::resumption::copied;
use crate::sealed;
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// A file, and its damage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Its name in the folder.
    pub file: String,
    /// `None` if it is unchanged.
    pub damage: Option<String>,
}

/// Result of the verification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Whether all files are present and unchanged.
    pub intact: bool,
    /// Whether the run has reached its end; otherwise it can be resumed.
    pub finished: bool,
    /// Files that were checked.
    pub files: Vec<Checked>,
    /// Inputs without a copy in the folder, with the reason.
    pub not_in_folder: Vec<String>,
    /// Other files in the folder: not made by a run, or left behind by a killed process.
    pub others: Vec<String>,
}

impl Verified {
    fn note(&mut self, file: &str, found: Result<(), String>) {
        self.files.push(Checked { file: file.into(), damage: found.err() });
    }
}

/// Checks a run folder. Refuses one without the marker of a run, or with that of another version.
pub fn verify(dir: &Path) -> Result<Verified, RecordError> {
    let place =
        Place::open(dir, &Disk::default()).map_err(|_| RecordError::NoRun { dir: dir.to_path_buf() })?;
    let mut found = Verified::default();
    match Manifest::trusted(dir) {
        Ok(manifest) => {
            found.note(MANIFEST, Ok(()));
            found.note(RESOLVED, compare(&place, RESOLVED, &manifest.resolved_blake3));
            check_inputs(&place, &manifest.inputs, &mut found);
            check_scaffold(&place, &manifest, &mut found)?;
        }
        Err(error) if claim::holds_run(&place) || place.has(SUMMARY) => {
            found.note(MANIFEST, Err(error.cause()))
        }
        Err(_) => return Err(RecordError::NoRun { dir: dir.to_path_buf() }),
    }
    check_results(&place, &mut found)?;
    found.others = place
        .names()?
        .into_iter()
        .filter(|name| !files::is_own(name) || files::is_unfinished(name))
        .collect();
    found.intact = found.files.iter().all(|file| file.damage.is_none());
    Ok(found)
}

fn compare(place: &Place, name: &str, expected: &str) -> Result<(), String> {
    if !place.has(name) {
        return Err("it is missing".into());
    }
    let hash = files::hash(&place.path_of(name)).map_err(|error| error.cause())?;
    if hash.to_hex().as_str() == expected {
        Ok(())
    } else {
        Err("its content does not match its hash".into())
    }
}

fn check_inputs(place: &Place, inputs: &[InputFile], found: &mut Verified) {
    for input in inputs {
        let file = format!("{INPUTS}/{}", input.copy);
        match copied(place, input) {
            Ok(None) if input.not_copied.is_empty() => {}
            Ok(None) => found.not_in_folder.push(format!("{}: {}", input.name, input.not_copied)),
            Ok(Some(hash)) if hash == input.blake3 => found.note(&file, Ok(())),
            Ok(Some(hash)) if hash == "missing" => found.note(&file, Err("it is missing".into())),
            Ok(Some(_)) => found.note(&file, Err("its content does not match its hash".into())),
            Err(error) => found.note(&file, Err(error.cause())),
        }
    }
}

/// Parts and checkpoints of a run that has not reached its end.
fn check_scaffold(place: &Place, manifest: &Manifest, found: &mut Verified) -> Result<(), RecordError> {
    let folder = Folder::new(place.path());
    let mut parts = [Vec::new(), Vec::new()];
    for (n, stream) in [Stream::Series, Stream::Frames].into_iter().enumerate() {
        for part in folder.list(stream)? {
            found.note(&part.shown(), part.check().map_err(|error| error.cause()));
        }
        parts[n] = checkpoint::sound(&folder, stream, &mut Vec::new())?;
    }
    let run = manifest.run_hash()?;
    for name in [CHECKPOINT, PREVIOUS_CHECKPOINT].into_iter().filter(|name| place.has(name)) {
        let content = files::read(&folder.file(name)).map_err(|error| error.cause());
        let checkpoint = content.and_then(|bytes| Checkpoint::decode(&bytes));
        found.note(name, checkpoint.and_then(|c| c.check(run, &parts)).map(|_| ()));
    }
    Ok(())
}

/// The summary, the files that belong to it, and the report.
fn check_results(place: &Place, found: &mut Verified) -> Result<(), RecordError> {
    if let Some(bytes) = place.read(SUMMARY)? {
        found.note(SUMMARY, sealed::check_json(&bytes));
        let summary: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        found.finished = summary["finished"] == true;
        for (name, hash) in summary["files"].as_object().into_iter().flatten() {
            let same = compare(place, name, hash.as_str().unwrap_or_default());
            // The manifest carries its own hash; this hash reveals the manifest of another run. A run that is
            // resumed with changes writes it again.
            if name != MANIFEST || (found.finished && same.is_err()) {
                found.note(name, same);
            }
        }
    }
    if let Some(page) = place.read(REPORT)? {
        found.note(REPORT, sealed::check_page(&page));
    }
    Ok(())
}
