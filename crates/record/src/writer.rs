//! The writer thread: takes blocks from the step loop, seals parts, stores checkpoints.
//!
//! The only code that writes while a run is going on. It ends when the loop hangs up (after a last seal) or at the first
//! error, which the loop finds when it joins the thread.

use crate::block::{Block, Returns};
use crate::checkpoint::Checkpoint;
use crate::error::RecordError;
use crate::files::{self, Folder, Stream};
use crate::frames::{self, Scene};
use crate::series;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use touchdown_sim::sink::Column;

/// Numbers that a part holds at most: 8 MiB of rows and of frames, and as much in words; with the pool this bounds the memory of recording.
const PART_VALUES: usize = 1 << 20;
const PART_WORDS: usize = 2 * PART_VALUES;

/// What the loop sends.
pub(crate) enum Message {
    /// Rows and frames.
    Block(Block),
    /// A restart point after everything sent so far; the buffer goes back to the loop.
    Checkpoint { state: Vec<u8>, rows: u64, frames: u64 },
    /// Seal everything sent so far, then answer.
    Flush(SyncSender<()>),
}

/// A stream in the making: numbers that wait to be sealed.
struct Pending {
    stream: Stream,
    values: Vec<f64>,
    /// What varies in size of the waiting frames: see `words`.
    words: Vec<u32>,
    /// Numbers of one entry.
    width: usize,
    /// Index of the first waiting entry.
    first: u64,
    /// Sealed parts of the folder.
    parts: u32,
}

impl Pending {
    fn new(stream: Stream, width: usize, start: (u64, u32)) -> Self {
        Pending { stream, values: Vec::new(), words: Vec::new(), width, first: start.0, parts: start.1 }
    }

    fn end(&self) -> u64 {
        self.first + (self.values.len() / self.width) as u64
    }
}

/// State of the writer thread.
pub(crate) struct Writer {
    folder: Folder,
    columns: Vec<Column>,
    scene: Scene,
    series: Pending,
    frames: Pending,
    seal_every: Duration,
    last_seal: Instant,
}

impl Writer {
    /// `start` is the restart point of a resumed run.
    pub fn new(
        folder: &Folder,
        columns: &[Column],
        scene: &Scene,
        start: Option<&Checkpoint>,
        seal_every: Duration,
    ) -> Self {
        let series = start.map_or((0, 0), |c| (c.rows, c.series_parts));
        let frames = start.map_or((0, 0), |c| (c.frames, c.frame_parts));
        Writer {
            folder: folder.clone(),
            columns: columns.to_vec(),
            scene: scene.clone(),
            series: Pending::new(Stream::Series, columns.len(), series),
            frames: Pending::new(Stream::Frames, scene.frame_values(), frames),
            seal_every,
            last_seal: Instant::now(),
        }
    }

    /// Works until the loop hangs up.
    pub fn run(
        mut self,
        inbox: &Receiver<Message>,
        returns: &Returns,
        buffers: &SyncSender<Vec<u8>>,
    ) -> Result<(), RecordError> {
        loop {
            let wait = self.seal_every.saturating_sub(self.last_seal.elapsed());
            match inbox.recv_timeout(wait) {
                Ok(Message::Block(block)) => {
                    self.take(&block)?;
                    returns.give(block);
                }
                Ok(Message::Checkpoint { state, rows, frames }) => {
                    let buffer = self.checkpoint(state, rows, frames)?;
                    // Fails only when the loop has ended, and then nobody needs the buffer.
                    let _ = buffers.try_send(buffer);
                }
                Ok(Message::Flush(reply)) => {
                    self.seal()?;
                    let _ = reply.try_send(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return self.seal(),
            }
            if self.last_seal.elapsed() >= self.seal_every {
                self.seal()?;
            }
        }
    }

    fn take(&mut self, block: &Block) -> Result<(), RecordError> {
        self.series.values.extend_from_slice(&block.rows);
        self.frames.values.extend_from_slice(&block.frames);
        self.frames.words.extend_from_slice(&block.words);
        let waiting = [&self.series.values, &self.frames.values];
        if waiting.iter().any(|values| values.len() >= PART_VALUES) || self.frames.words.len() >= PART_WORDS {
            self.seal()?;
        }
        Ok(())
    }

    /// Turns everything that waits into parts.
    fn seal(&mut self) -> Result<(), RecordError> {
        self.last_seal = Instant::now();
        let Writer { folder, columns, scene, .. } = self;
        seal_one(folder, &mut self.series, |rows, doing| series::encode_part(&rows.values, columns, doing))?;
        seal_one(folder, &mut self.frames, |frames, doing| {
            frames::encode_part((&frames.values, &frames.words), scene, frames.first, doing)
        })
    }

    fn checkpoint(&mut self, state: Vec<u8>, rows: u64, frames: u64) -> Result<Vec<u8>, RecordError> {
        self.seal()?;
        for (what, expected, found) in
            [("rows", self.series.first, rows), ("frames", self.frames.first, frames)]
        {
            if expected != found {
                return Err(RecordError::Mismatch {
                    what: format!("{what} at a checkpoint"),
                    expected: format!("{expected} as recorded"),
                    found: found.to_string(),
                });
            }
        }
        let (series_parts, frame_parts) = (self.series.parts, self.frames.parts);
        let checkpoint = Checkpoint { rows, frames, series_parts, frame_parts, state };
        checkpoint.store(&self.folder)?;
        Ok(checkpoint.state)
    }
}

/// Writes what waits as one part, `encode(pending, doing)` giving its bytes.
fn seal_one(
    folder: &Folder,
    pending: &mut Pending,
    encode: impl FnOnce(&Pending, String) -> Result<Vec<u8>, RecordError>,
) -> Result<(), RecordError> {
    if pending.values.is_empty() {
        return Ok(());
    }
    let end = pending.end();
    let path = folder.part(pending.stream, pending.first, end);
    let bytes = encode(pending, format!("writing {}", path.display()))?;
    files::write_whole(&path, &bytes)?;
    pending.values.clear();
    pending.words.clear();
    pending.first = end;
    pending.parts += 1;
    Ok(())
}
