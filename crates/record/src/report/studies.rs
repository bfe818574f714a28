//! Studies that belong to a run: those with exactly the same inputs.

use crate::sensitivity::Sensitivity;
use crate::stamp::Stamp;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Larger files are not studies, bytes.
const LARGEST: u64 = 1 << 20;
/// Limit on the studies of one scenario that are read.
const MOST: usize = 12;

/// The result of a study, as it is stored for the reports of its inputs.
pub(super) trait Study: DeserializeOwned + PartialEq {
    /// Beginning of its name in a run folder, and name of the folder beside it.
    const PLACE: &'static str;
    /// Hash of its inputs.
    fn resolved_blake3(&self) -> &str;
}

impl Study for Stamp {
    const PLACE: &'static str = "convergence";
    fn resolved_blake3(&self) -> &str {
        &self.resolved_blake3
    }
}

impl Study for Sensitivity {
    const PLACE: &'static str = "sensitivity";
    fn resolved_blake3(&self) -> &str {
        &self.resolved_blake3
    }
}

/// Studies in the folder (`PLACE*.json`) and in `PLACE/` beside it, for these inputs. Other files are
/// ignored.
pub(super) fn find<S: Study>(dir: &Path, resolved_blake3: &str) -> Vec<S> {
    if resolved_blake3.is_empty() {
        return Vec::new();
    }
    let own = listed(dir).filter(|path| file_name(path).starts_with(S::PLACE));
    let parent = std::fs::canonicalize(dir).ok().and_then(|dir| dir.parent().map(Path::to_path_buf));
    let beside = parent.into_iter().flat_map(|parent| listed(&parent.join(S::PLACE)));
    let mut paths: Vec<PathBuf> =
        own.chain(beside).filter(|path| file_name(path).ends_with(".json")).collect();
    paths.sort();
    let mut studies: Vec<S> = Vec::new();
    for study in paths.iter().filter_map(|path| read::<S>(path)) {
        if study.resolved_blake3() == resolved_blake3 && !studies.contains(&study) && studies.len() < MOST {
            studies.push(study);
        }
    }
    studies
}

fn listed(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn read<S: Study>(path: &Path) -> Option<S> {
    let facts = std::fs::metadata(path).ok()?;
    if !facts.is_file() || facts.len() > LARGEST {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}
