//! `map.json`: what was asked of a map, with the hashes of its files. A folder answers one question: whatever stands in it belongs together.

use crate::map::MapStageError;
use serde_json::Value;
use std::fs::File;
use std::path::Path;
use touchdown_record::{Place, StudyFolder, check_sealed, sealed};

/// Name of the file.
const ASKED: &str = "map.json";
/// Kind of the folder.
pub(crate) const KIND: &str = "mobility";

/// Opens the folder of a map for a question; one that was asked something else is refused.
pub fn bind(dir: &Path, asked: &Value) -> Result<Place, MapStageError> {
    let folder = StudyFolder::open(dir, KIND)?;
    let place = folder.place().clone();
    let bytes = sealed(asked, || format!("writing {ASKED}"))?;
    match place.read(ASKED)? {
        Some(old) if old == bytes => {}
        Some(old) => {
            let why = check_sealed(&old).err().unwrap_or("it was asked something else".into());
            return Err(MapStageError::Asked { file: place.path_of(ASKED).display().to_string(), why });
        }
        None => place.write(ASKED, &bytes)?,
    }
    Ok(place)
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
