//! The replay of a run folder: everything is read and encoded once, on opening.

use super::buffer::Frames;
use super::scene::scene_json;
use super::{Encoder, Extent, Source};
use crate::error::RecordError;
use crate::files::Folder;
use crate::frames::{FramesRead, read_frames};
use crate::manifest::Manifest;
use crate::series::{Series, read_series};
use std::path::Path;

/// A run folder, whole or damaged.
pub struct FolderSource {
    scene: String,
    frames: Frames,
    series: Series,
}

impl FolderSource {
    /// Opens a folder that holds something of a run. Whatever is missing or damaged is named in the scene's notes, and the rest is there.
    pub fn open(dir: &Path) -> Result<FolderSource, RecordError> {
        Folder::new(dir).check_holds_run()?;
        // The series and the frames lie in files of their own: read side by side.
        let ((read, frames), series) = std::thread::scope(|scope| {
            let series = scope.spawn(|| read_series(dir));
            (encode_all(dir), series.join())
        });
        let mut notes = read.notes;
        let series = match series {
            Ok(Ok(series)) => series,
            Ok(Err(error)) => {
                notes.push(format!("the series cannot be read: {error}"));
                Series::default()
            }
            Err(_) => {
                notes.push("the series cannot be read".into());
                Series::default()
            }
        };
        let manifest = Manifest::read(dir).ok();
        Ok(FolderSource { scene: scene_json(manifest.as_ref(), &read.scene, &notes), frames, series })
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
        let values = |name: &&str| {
            let column = self.series.column(name)?;
            Some(column.get(from..).unwrap_or_default().to_vec())
        };
        columns.iter().map(values).collect()
    }

    fn extent(&self) -> Extent {
        Extent { frames: self.frames.len(), rows: self.series.rows(), live: false }
    }
}
