//! `map.json`: what was asked of a map, with the hashes of its files. A folder answers one question: whatever stands in it belongs together.

use crate::map::MapStageError;
use serde::Serialize;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use touchdown_record::{Place, RecordError, StudyFolder, check_sealed, sealed};

/// Name of the file.
const ASKED: &str = "map.json";
/// Kind of the folder.
const KIND: &str = "mobility";

/// A folder that was asked something else, or whose question is damaged.
pub(crate) struct AskedOtherwise {
    pub file: String,
    pub why: String,
}

/// Opens a folder for a question that stands sealed in the file `name`, and writes it there if the folder is new.
pub(crate) fn hold(
    dir: &Path,
    name: &str,
    asked: &impl Serialize,
) -> Result<Result<Place, AskedOtherwise>, RecordError> {
    let folder = StudyFolder::open(dir, KIND)?;
    let place = folder.place().clone();
    let bytes = sealed(asked, || format!("writing {name}"))?;
    match place.read(name)? {
        Some(old) if old == bytes => {}
        Some(old) => {
            let why = check_sealed(&old).err().unwrap_or("it was asked something else".into());
            return Ok(Err(AskedOtherwise { file: place.path_of(name).display().to_string(), why }));
        }
        None => place.write(name, &bytes)?,
    }
    Ok(Ok(place))
}

/// Opens the folder of a map for a question; one that was asked something else is refused.
pub fn bind(dir: &Path, asked: &Value) -> Result<Place, MapStageError> {
    hold(dir, ASKED, asked)?.map_err(|other| MapStageError::Asked { file: other.file, why: other.why })
}

/// The hash of a file of any size.
pub fn file_hash(path: &Path) -> Result<String, MapStageError> {
    let unreadable = |why: String| MapStageError::Unreadable { file: path.display().to_string(), why };
    touchdown_scenario::check_plain(path, u64::MAX).map_err(|problem| unreadable(format!("it {problem}")))?;
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(file).map_err(|error| unreadable(error.to_string()))?;
    Ok(hasher.finalize().to_hex().to_string())
}
