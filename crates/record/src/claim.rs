//! Ownership of folders and files: results are written only where nothing exists, or over results of this
//! program.

use crate::disk::{Disk, Place};
use crate::error::RecordError;
use crate::files::{self, INPUTS, LOCK, MANIFEST, PARTS, RESOLVED};
use crate::platform::is_locked;
use serde_json::Value;
use std::fs::File;
use std::path::Path;

/// Content of a run's lock file: without a manifest, it marks a run that was stopped before it began.
const MARK: &[u8] = b"touchdown run\n";
/// Marks the folder of a study that is not a run.
const STUDY: &str = "study.json";
/// How many names an error lists of a folder that is not ours.
const SHOWN: usize = 4;

/// Opens a folder for a run, created if missing, and locks it. A folder that holds a run is refused unless
/// `overwrite`.
pub(crate) fn for_run(dir: &Path, overwrite: bool, disk: &Disk) -> Result<(Place, File), RecordError> {
    let place = Place::make(dir, disk)?;
    check_free(&place, overwrite, None)?;
    let lock = lock(&place)?;
    // Checked a second time, because another process can have written before the lock was held.
    check_free(&place, overwrite, Some(&lock))?;
    Ok((place, lock))
}

/// Locks the folder of a run.
pub(crate) fn lock(place: &Place) -> Result<File, RecordError> {
    place.lock(LOCK, MARK)?.ok_or_else(|| RecordError::Busy { dir: place.path().to_path_buf() })
}

/// `held`: the lock, once this process has it. On Windows a locked file can be read only through its own
/// handle.
fn check_free(place: &Place, overwrite: bool, held: Option<&File>) -> Result<(), RecordError> {
    let dir = place.path().to_path_buf();
    let names = place.names()?;
    if holds_run(place) {
        return if overwrite { Ok(()) } else { Err(RecordError::Exists { dir }) };
    }
    let lock = match held {
        Some(file) => Some(place.read_again(LOCK, file)?),
        None if names.iter().any(|name| name == LOCK) => match place.read(LOCK) {
            Err(RecordError::Io { source, .. }) if is_locked(&source) => {
                return Err(RecordError::Busy { dir });
            }
            read => read?,
        },
        None => None,
    };
    // A process that is killed while it marks the folder leaves only the beginning of the mark.
    let ours = lock.as_deref().is_some_and(|content| MARK.starts_with(content));
    let begun = |name: &String| {
        [LOCK, RESOLVED, INPUTS, PARTS].contains(&name.as_str()) || files::is_unfinished(name)
    };
    if names.is_empty() || (ours && names.iter().all(begun)) {
        return Ok(());
    }
    Err(foreign(place, &names))
}

/// Whether the folder carries the marker of a run: a manifest that this program wrote.
pub(crate) fn holds_run(place: &Place) -> bool {
    let manifest = place.read(MANIFEST).ok().flatten();
    let value: Option<Value> = manifest.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    value.is_some_and(|value| {
        let texts = ["scenario", "version", "resolved_blake3"].iter().all(|key| value[key].is_string());
        texts && value["format"].is_u64() && value["columns"].is_array()
    })
}

fn foreign(place: &Place, names: &[String]) -> RecordError {
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let found = format!("it holds {}{more}", names[..names.len().min(SHOWN)].join(", "));
    RecordError::Foreign { path: place.path().to_path_buf(), found }
}

/// The folder of a study that is not a run (an identification): new, empty, or with the marker of such a
/// study.
pub struct StudyFolder {
    place: Place,
}

impl StudyFolder {
    /// Opens it and writes the marker.
    pub fn open(dir: &Path, kind: &str) -> Result<Self, RecordError> {
        let place = Place::make(dir, &Disk::default())?;
        let names = place.names()?;
        let marker = place.read(STUDY).ok().flatten();
        let marked: Option<Value> = marker.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if !names.is_empty() && marked.is_none_or(|value| value["touchdown"] != kind) {
            return Err(foreign(&place, &names));
        }
        place.write(STUDY, format!("{}\n", serde_json::json!({ "touchdown": kind })).as_bytes())?;
        Ok(StudyFolder { place })
    }

    /// Replaces one of its files.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        self.place.write(name, bytes)
    }

    /// The folder itself.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

/// Refuses an existing file unless this program made it; `is_ours` decides by its content.
pub fn check_file(path: &Path, is_ours: impl Fn(&[u8]) -> bool) -> Result<(), RecordError> {
    let (place, name) = around(path)?;
    let refuse = |found: &str| RecordError::Foreign { path: path.to_path_buf(), found: found.into() };
    match place.read(&name) {
        Ok(None) => Ok(()),
        Ok(Some(content)) if is_ours(&content) => Ok(()),
        Ok(Some(_)) => Err(refuse("a file with other content")),
        Err(_) => Err(refuse("a link, a folder or a file that cannot be read")),
    }
}

/// Writes a whole file or none; replaces only a file that this program made.
pub fn write_file(path: &Path, bytes: &[u8], is_ours: impl Fn(&[u8]) -> bool) -> Result<(), RecordError> {
    check_file(path, is_ours)?;
    let (place, name) = around(path)?;
    let (replacement, writer) = place.start_loose(&name)?;
    replacement.fill(writer, bytes)
}

fn around(path: &Path) -> Result<(Place, String), RecordError> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| RecordError::Format {
        doing: format!("writing {}", path.display()),
        why: "it is not the name of a file".into(),
    })?;
    let place = Place::open(path.parent().unwrap_or(Path::new("")), &Disk::default());
    let place = place.map_err(|error| match error {
        RecordError::Io { source, .. } => {
            RecordError::Io { doing: format!("writing {}", path.display()), source }
        }
        other => other,
    })?;
    Ok((place, name.to_string()))
}
