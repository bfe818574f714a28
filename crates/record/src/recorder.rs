//! The recorder: the loop's side of recording. Fills blocks, hands them to the writer thread, and closes the
//! run folder.
//!
//! `create` or `resume` → (`series`, `frame`, `checkpoint`)* → `finish`. If it is dropped without `finish` (a
//! panic, an early return) it still seals the data handed over, and the run can be resumed.

use crate::block::{self, Block, Pool};
use crate::checkpoint::Checkpoint;
use crate::disk::{Disk, Place};
use crate::error::{Doing, RecordError};
use crate::files::{Folder, LOCK, Part, RESOLVED, Stream};
use crate::frames::{self, Scene};
use crate::manifest::{Manifest, RunInfo};
use crate::resumption::Resumption;
use crate::writer::{Message, Writer};
use crate::{claim, inputs, series, summary, surface, tidy};
use std::fs::File;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use touchdown_sim::sink::{Column, Frame, Outcome, Progress, Sink, SinkError, SoilNode};

/// Rows and frames of a block at most; enough to make the hand-over inexpensive.
const BLOCK_ENTRIES: usize = 256;
/// Numbers of a block at most (512 KiB), for runs with thousands of columns or bodies.
const BLOCK_VALUES: usize = 1 << 16;

/// Options of recording.
#[derive(Clone, Debug)]
pub struct Options {
    /// Write `series.csv` too.
    pub csv: bool,
    /// Replace the run in the folder.
    pub overwrite: bool,
    /// Longest wall-clock time until rows and frames are on disk, with or without a checkpoint.
    pub seal_every: Duration,
    /// Number of blocks, at least 2; when all of them wait for the disk, the loop waits too.
    pub blocks: usize,
    /// The disk.
    pub disk: Disk,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            csv: false,
            overwrite: false,
            seal_every: Duration::from_secs(5),
            blocks: 8,
            disk: Disk::default(),
        }
    }
}

/// Writes a run folder.
pub struct Recorder {
    place: Place,
    manifest: Manifest,
    columns: Vec<Column>,
    scene: Scene,
    options: Options,
    block: Block,
    /// When the first entry of the present block was added.
    block_since: Instant,
    /// `None` once the writer has ended.
    link: Option<Link>,
    /// Why it ended early.
    stopped_because: String,
    /// Held until the end, so that no second process writes to the folder.
    _lock: File,
}

/// The loop's ends of the channels to the writer thread.
struct Link {
    outbox: SyncSender<Message>,
    pool: Pool,
    /// A single buffer is passed back and forth, so that at most one checkpoint waits for the disk.
    buffers: Receiver<Vec<u8>>,
    thread: JoinHandle<Result<(), RecordError>>,
}

/// The request of the caller of `create` or `resume`.
struct Setup<'a> {
    columns: &'a [Column],
    scene: &'a Scene,
    options: &'a Options,
    /// The parts that a resumed run depends on: rows, frames.
    sealed: [&'a [Part]; 2],
}

/// A run in progress.
pub struct Resumed {
    /// Its recorder.
    pub recorder: Recorder,
    /// The state of its last valid checkpoint; `None` if it starts from its beginning.
    pub state: Option<Vec<u8>>,
    /// What was damaged, in words.
    pub notes: Vec<String>,
}

impl Recorder {
    /// Starts a run folder at `dir`: a new or empty one, or with `options.overwrite` one that contains a run.
    /// Any other is refused.
    pub fn create(
        dir: &Path,
        info: &RunInfo,
        columns: &[Column],
        scene: &Scene,
        options: &Options,
    ) -> Result<Self, RecordError> {
        check(columns)?;
        let (place, lock) = claim::for_run(dir, options.overwrite, &options.disk)?;
        tidy::clear(&place)?;
        let mut manifest = Manifest::new(info, columns, scene);
        manifest.inputs = inputs::keep(&place, &info.inputs)?;
        place.write(RESOLVED, info.resolved_toml.as_bytes())?;
        manifest.write(&place)?;
        Self::start((place, lock), manifest, Setup { columns, scene, options, sealed: [&[], &[]] })
    }

    /// Resumes an interrupted run from its last valid checkpoint and discards what came after it.
    pub fn resume(
        resumption: Resumption,
        columns: &[Column],
        scene: &Scene,
        options: &Options,
    ) -> Result<Resumed, RecordError> {
        check(columns)?;
        let Resumption { place, lock, manifest, .. } = resumption;
        manifest.check_same(columns, scene)?;
        let folder = Folder::new(place.path());
        let (checkpoint, notes) = Checkpoint::load(&folder, manifest.run_hash()?)?;
        tidy::forget_after(&place, checkpoint.as_ref())?;
        let parts = [folder.unbroken(Stream::Series)?, folder.unbroken(Stream::Frames)?];
        let setup = Setup { columns, scene, options, sealed: [&parts[0], &parts[1]] };
        let recorder = Self::start((place, lock), manifest, setup)?;
        Ok(Resumed { recorder, state: checkpoint.map(|checkpoint| checkpoint.state), notes })
    }

    fn start(
        (place, lock): (Place, File),
        manifest: Manifest,
        setup: Setup<'_>,
    ) -> Result<Self, RecordError> {
        let Setup { columns, scene, options, sealed } = setup;
        let blocks = options.blocks.max(2);
        let make = || Block::with_capacity(capacity(columns.len()), capacity(scene.frame_values()));
        // The loop holds one block.
        let (pool, returns) = block::pool(blocks - 1, make);
        // The channel has room for every block, a checkpoint and a flush: the loop waits only for the pool.
        let (outbox, inbox) = sync_channel(blocks + 2);
        let (buffer_back, buffers) = sync_channel(1);
        let _ = buffer_back.try_send(Vec::new());
        let writer = Writer::new((&place, manifest.run_hash()?), columns, scene, sealed, options.seal_every)?;
        let thread = std::thread::Builder::new()
            .name("recorder".into())
            .spawn(move || writer.run(&inbox, &returns, &buffer_back))
            .doing(|| "starting the writer thread".into())?;
        Ok(Recorder {
            place,
            manifest,
            columns: columns.to_vec(),
            scene: scene.clone(),
            options: options.clone(),
            block: make(),
            block_since: Instant::now(),
            link: Some(Link { outbox, pool, buffers, thread }),
            stopped_because: "the run was closed".into(),
            _lock: lock,
        })
    }

    /// Closes the folder of a run that is resumed later: everything handed over is on disk, and nothing is
    /// merged.
    pub fn suspend(mut self) -> Result<(), RecordError> {
        self.close()
    }

    /// Waits until everything handed over so far is on disk.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.ship()?;
        let (reply, done) = sync_channel(1);
        self.send(Message::Flush(reply))?;
        done.recv().map_err(|_| self.lost())
    }

    /// Ends the run: merges the parts into `series.parquet` and `frames.mcap` and writes `summary.json`. If
    /// the run did not reach its end, parts and checkpoint are kept, so that it can be resumed. If writing
    /// fails, the parts stay readable and a summary with the reason is attempted.
    pub fn finish(mut self, outcome: &Outcome, wall_time: f64) -> Result<(), RecordError> {
        let merged = self.close().and_then(|()| {
            series::merge(&self.place, &self.columns, self.options.csv)?;
            frames::merge(&self.place, &self.columns, &self.scene)?;
            self.summarise(outcome, wall_time)
        });
        if let Err(error) = merged {
            let failed = Outcome {
                finished: false,
                stopped_because: Some(format!("recording failed: {error}")),
                ..outcome.clone()
            };
            // The first error is reported; on a full disk this file may not fit either.
            let _ = self.summarise(&failed, wall_time);
            return Err(error);
        }
        if outcome.finished {
            tidy::remove_scaffold(&self.place)?;
            self.place.remove(LOCK)?;
        }
        Ok(())
    }

    fn summarise(&self, outcome: &Outcome, wall_time: f64) -> Result<(), RecordError> {
        let mut summary = summary::summary(&self.manifest, outcome, wall_time);
        summary["files"] = summary::hashes(&self.place)?.into();
        summary::write(&self.place, &summary)
    }

    /// Sends the present block and takes an empty one, waiting if necessary.
    fn ship(&mut self) -> Result<(), RecordError> {
        if self.block.is_empty() {
            return Ok(());
        }
        let Some(link) = &self.link else { return Err(self.lost()) };
        let Ok(empty) = link.pool.take() else { return Err(self.lost()) };
        let full = std::mem::replace(&mut self.block, empty);
        self.send(Message::Block(full))
    }

    fn ship_if_due(&mut self, full: bool) -> Result<(), RecordError> {
        if full || self.block_since.elapsed() >= self.options.seal_every { self.ship() } else { Ok(()) }
    }

    fn send(&mut self, message: Message) -> Result<(), RecordError> {
        match &self.link {
            Some(link) if link.outbox.send(message).is_ok() => Ok(()),
            _ => Err(self.lost()),
        }
    }

    /// The writer has ended early: the first call returns its reason, later calls refer to it.
    fn lost(&mut self) -> RecordError {
        let reason = match self.link.take().map(Link::join) {
            Some(Ok(Err(error))) => Some(error),
            Some(_) => {
                self.stopped_because = "the writer thread ended unexpectedly".into();
                None
            }
            None => None,
        };
        if let Some(error) = &reason {
            self.stopped_because = error.to_string();
        }
        reason.unwrap_or_else(|| self.stopped())
    }

    fn stopped(&self) -> RecordError {
        RecordError::Stopped { dir: self.place.path().to_path_buf(), why: self.stopped_because.clone() }
    }

    /// Hands over the rest and waits for the writer to end.
    fn close(&mut self) -> Result<(), RecordError> {
        self.ship()?;
        match self.link.take().map(Link::join) {
            Some(Ok(result)) => result,
            _ => Err(self.stopped()),
        }
    }

    fn check_length(&self, what: &str, expected: usize, found: usize) -> Result<(), RecordError> {
        if expected == found {
            return Ok(());
        }
        Err(RecordError::Mismatch {
            what: what.into(),
            expected: expected.to_string(),
            found: found.to_string(),
        })
    }
}

impl Link {
    /// Closes the channel and waits for the writer.
    fn join(self) -> std::thread::Result<Result<(), RecordError>> {
        drop((self.outbox, self.pool, self.buffers));
        self.thread.join()
    }
}

impl Sink for Recorder {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.check_length("numbers of a row", self.columns.len(), row.len())?;
        if self.block.is_empty() {
            self.block_since = Instant::now();
        }
        self.block.rows.extend_from_slice(row);
        let full = self.block.rows.len() + row.len() > capacity(row.len());
        Ok(self.ship_if_due(full)?)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.check_length("poses of a frame", self.scene.bodies.len(), frame.poses.len())?;
        self.check_length("contacts of a frame", self.scene.contacts.len(), frame.contacts.len())?;
        for patch in &frame.soil {
            self.check_length("heights of a patch of soil", patch.nx * patch.ny, patch.heights.len())?;
            self.check_length(
                "undisturbed heights of a patch",
                patch.nx * patch.ny,
                patch.undisturbed.len(),
            )?;
        }
        if frame.pressures.len() > frame.contacts.len() {
            self.check_length("bodies with pressures", frame.contacts.len(), frame.pressures.len())?;
        }
        if self.block.is_empty() {
            self.block_since = Instant::now();
        }
        self.block.push_frame(frame);
        let width = self.scene.frame_values();
        let full =
            self.block.frames.len() + width > capacity(width) || self.block.words.len() > 2 * BLOCK_VALUES;
        Ok(self.ship_if_due(full)?)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError> {
        self.ship()?;
        let buffer = self.link.as_ref().and_then(|link| link.buffers.recv().ok());
        let Some(mut buffer) = buffer else { return Err(self.lost().into()) };
        buffer.clear();
        buffer.extend_from_slice(state);
        Ok(self.send(Message::Checkpoint { state: buffer, rows, frames })?)
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        Ok(surface::write(&self.place, nodes)?)
    }

    fn progress(&mut self, _: Progress) {}
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if self.link.is_some() {
            // No receiver is left for an error; the parts sealed before it remain.
            let _ = self.close();
        }
    }
}

/// Numbers that a block holds for entries of this width: at least one entry.
fn capacity(width: usize) -> usize {
    (BLOCK_VALUES / width.max(1)).clamp(1, BLOCK_ENTRIES) * width
}

fn check(columns: &[Column]) -> Result<(), RecordError> {
    if columns.is_empty() {
        let (expected, found) = ("at least the time".into(), "none".into());
        return Err(RecordError::Mismatch { what: "columns of the series".into(), expected, found });
    }
    Ok(())
}
