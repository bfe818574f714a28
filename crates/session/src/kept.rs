//! A run kept in memory: rows and frames as the engine hands them over, to be read at once or written as a run folder later.

use std::path::Path;
use touchdown_record::{Options, RecordError, Recorder, RunInfo, Scene};
use touchdown_sim::sink::{Column, Frame, Outcome, Progress, Sink, SinkError, SoilNode};

/// Rows, frames and the final surface of a run, in memory.
#[derive(Clone, Debug)]
pub struct Kept {
    width: usize,
    values: Vec<f64>,
    frames: Option<Vec<Frame>>,
    surface: Option<Vec<SoilNode>>,
}

impl Kept {
    /// For rows of this many columns; frames only if asked for, since they take most of the memory.
    pub fn new(columns: usize, frames: bool) -> Kept {
        Kept { width: columns, values: Vec::new(), frames: frames.then(Vec::new), surface: None }
    }

    /// Rows so far.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Frames so far; empty if they are not kept.
    pub fn frames(&self) -> &[Frame] {
        self.frames.as_deref().unwrap_or_default()
    }

    /// Writes the run folder that the command would have written, byte for byte in its series and frames.
    pub fn write(
        &self,
        dir: &Path,
        (info, columns, scene): (&RunInfo, &[Column], &Scene),
        (outcome, wall_time): (&Outcome, f64),
        overwrite: bool,
    ) -> Result<(), RecordError> {
        let options = Options { overwrite, ..Options::default() };
        let mut recorder = Recorder::create(dir, info, columns, scene, &options)?;
        let stopped =
            |error: SinkError| RecordError::Stopped { dir: dir.to_path_buf(), why: error.to_string() };
        for row in self.values.chunks_exact(self.width.max(1)) {
            recorder.series(row).map_err(stopped)?;
        }
        for frame in self.frames() {
            recorder.frame(frame).map_err(stopped)?;
        }
        if let Some(surface) = &self.surface {
            recorder.surface(surface).map_err(stopped)?;
        }
        recorder.finish(outcome, wall_time)
    }
}

impl Sink for Kept {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.values.extend_from_slice(row);
        Ok(())
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        if let Some(frames) = &mut self.frames {
            frames.push(frame.clone());
        }
        Ok(())
    }

    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.surface = Some(nodes.to_vec());
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}
}
