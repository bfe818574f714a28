//! The replay of a run folder: frames are read and encoded once, on opening; columns of the series when they are asked for.

use super::buffer::Frames;
use super::scene::scene_json;
use super::{Encoder, Extent, Source};
use crate::error::RecordError;
use crate::files::Folder;
use crate::frames::{FramesRead, read_frames};
use crate::manifest::Manifest;
use crate::series::salvage;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// A run folder, whole or damaged.
pub struct FolderSource {
    dir: PathBuf,
    scene: String,
    frames: Frames,
    rows: usize,
    /// Columns that somebody asked for; the others are there without values.
    columns: Mutex<BTreeMap<String, Option<Vec<f64>>>>,
}

impl FolderSource {
    /// Opens a folder that holds something of a run. Whatever is missing or damaged is named in the scene's notes, and the rest is there.
    pub fn open(dir: &Path) -> Result<FolderSource, RecordError> {
        Folder::new(dir).check_holds_run()?;
        let manifest = Manifest::read(dir).ok();
        let (read, frames) = encode_all(dir);
        let mut notes = read.notes;
        // One column tells how many rows there are, and whether they can be read.
        let first = manifest.as_ref().and_then(|m| m.columns.first()).map_or("time_s", |c| c.name.as_str());
        let (series, lost) = salvage(dir, &|name| name == first);
        notes.extend(lost);
        let rows = series.column(first).map_or(0, <[f64]>::len);
        let columns = series.columns.into_iter().map(|column| {
            let values = (column.name == first).then_some(column.values);
            (column.name, values)
        });
        Ok(FolderSource {
            dir: dir.to_path_buf(),
            scene: scene_json(manifest.as_ref(), &read.scene, &notes),
            frames,
            rows,
            columns: Mutex::new(columns.collect()),
        })
    }

    /// Reads columns that nobody has asked for before.
    fn load(&self, names: &[&str], columns: &mut BTreeMap<String, Option<Vec<f64>>>) {
        let missing = |name: &str| columns.get(name).is_some_and(Option::is_none) && names.contains(&name);
        if !names.iter().any(|name| missing(name)) {
            return;
        }
        let (series, _) = salvage(&self.dir, &missing);
        for mut column in series.columns {
            if names.contains(&column.name.as_str()) && !column.values.is_empty() {
                // Where a file is damaged, one column may reach further than another.
                column.values.resize(self.rows, f64::NAN);
                columns.insert(column.name, Some(column.values));
            }
        }
    }
}

/// Reads and encodes all frames.
fn encode_all(dir: &Path) -> (FramesRead, Frames) {
    let (mut frames, mut encoder) = (Frames::default(), Encoder::default());
    let read = read_frames(dir, |frame| {
        encoder.frame(frame, &mut frames.bytes);
        frames.mark();
    });
    (read, frames)
}

impl Source for FolderSource {
    fn scene(&self) -> String {
        self.scene.clone()
    }

    fn frames(&self, from: usize) -> Vec<u8> {
        self.frames.from(from).to_vec()
    }

    fn series(&self, columns: &[&str], from: usize) -> Vec<Option<Vec<f64>>> {
        let mut known = self.columns.lock().unwrap_or_else(PoisonError::into_inner);
        self.load(columns, &mut known);
        let values = |name: &&str| {
            let column = known.get(*name)?.as_ref()?;
            Some(column.get(from..).unwrap_or_default().to_vec())
        };
        columns.iter().map(values).collect()
    }

    fn extent(&self) -> Extent {
        Extent { frames: self.frames.len(), rows: self.rows, live: false }
    }
}
