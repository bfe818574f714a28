//! The replay of a run folder: frames are read and encoded once when it is opened; columns of the series are
//! read on request.

use super::buffer::Frames;
use super::scene::scene_json;
use super::{Encoder, Extent, Source};
use crate::error::RecordError;
use crate::files::Folder;
use crate::frames::{FramesRead, read_frames};
use crate::manifest::Manifest;
use crate::series::{hand_over, salvage};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// A run folder, complete or damaged.
pub struct FolderSource {
    dir: PathBuf,
    scene: String,
    frames: Frames,
    rows: usize,
}

impl FolderSource {
    /// Opens a folder that contains parts of a run. The scene's notes name whatever is missing or damaged;
    /// the rest is available.
    pub fn open(dir: &Path) -> Result<FolderSource, RecordError> {
        Folder::new(dir).check_holds_run()?;
        let manifest = Manifest::read(dir).ok();
        let (read, frames) = encode_all(dir);
        let mut notes = read.notes;
        // One column gives the number of rows and shows whether they can be read.
        let first = manifest.as_ref().and_then(|m| m.columns.first()).map_or("time_s", |c| c.name.as_str());
        let (series, lost) = salvage(dir, &|name| name == first);
        notes.extend(lost);
        let rows = series.column(first).map_or(0, <[f64]>::len);
        Ok(FolderSource {
            dir: dir.to_path_buf(),
            scene: scene_json(manifest.as_ref(), &read.scene, &notes),
            frames,
            rows,
        })
    }
}

/// Reads and encodes all frames.
fn encode_all(dir: &Path) -> (FramesRead, Frames) {
    let (mut frames, mut encoder) = (Frames::default(), Encoder::default());
    let read = read_frames(dir, |frame| {
        frames.push(|out| encoder.frame(frame, out));
    });
    (read, frames)
}

impl Source for FolderSource {
    fn scene(&self) -> String {
        self.scene.clone()
    }

    fn frames(&self, from: usize) -> Vec<u8> {
        self.frames.from(from)
    }

    fn column(
        &self,
        name: &str,
        rows: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        hand_over(&self.dir, name, rows.start..rows.end.min(self.rows), each)
    }

    fn extent(&self) -> Extent {
        Extent { frames: self.frames.len(), rows: self.rows, live: false }
    }
}
