//! The writer thread: takes blocks from the step loop, seals parts, stores checkpoints.
//!
//! The only code that writes during a run. It ends when the loop closes the channel (after a last seal) or at
//! the first error, which the loop receives when it joins the thread.

use crate::block::{Block, Returns};
use crate::checkpoint::{Checkpoint, chain, chain_of};
use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{self, PARTS, Part, Stream};
use crate::frames::{self, Scene};
use crate::series;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use touchdown_sim::sink::Column;

/// Maximum count of numbers in a part: 8 MiB of rows and of frames, and as much in words; together with the pool this
/// bounds the memory of recording.
const PART_VALUES: usize = 1 << 20;
const PART_WORDS: usize = 2 * PART_VALUES;

/// Messages from the loop.
pub(crate) enum Message {
    /// Rows and frames.
    Block(Block),
    /// A restart point after everything sent so far; the buffer is returned to the loop.
    Checkpoint { state: Vec<u8>, rows: u64, frames: u64 },
    /// Seal everything sent so far, then answer.
    Flush(SyncSender<()>),
}

/// A stream that is being written: numbers that wait to be sealed.
struct Pending {
    stream: Stream,
    values: Vec<f64>,
    /// The variable parts of the waiting frames: see `words`.
    words: Vec<u32>,
    /// Number of values of one entry.
    width: usize,
    /// Index of the first waiting entry.
    first: u64,
    /// Sealed parts of the folder, and the running hash over them.
    parts: u32,
    chain: blake3::Hasher,
}

impl Pending {
    fn new(stream: Stream, width: usize, sealed: &[Part]) -> Self {
        Pending {
            stream,
            values: Vec::new(),
            words: Vec::new(),
            width,
            first: sealed.last().map_or(0, |part| part.end),
            parts: sealed.len() as u32,
            chain: chain(sealed),
        }
    }

    fn end(&self) -> u64 {
        self.first + (self.values.len() / self.width) as u64
    }
}

/// State of the writer thread.
pub(crate) struct Writer {
    place: Place,
    /// Folder of the parts.
    parts: Place,
    /// The run's hash, for checkpoints.
    run: blake3::Hash,
    columns: Vec<Column>,
    scene: Scene,
    series: Pending,
    frames: Pending,
    seal_every: Duration,
    last_seal: Instant,
}

impl Writer {
    /// `sealed` are the parts that a resumed run depends on: rows, frames.
    pub fn new(
        (place, run): (&Place, blake3::Hash),
        columns: &[Column],
        scene: &Scene,
        sealed: [&[Part]; 2],
        seal_every: Duration,
    ) -> Result<Self, RecordError> {
        Ok(Writer {
            place: place.clone(),
            parts: place.make_below(PARTS)?,
            run,
            columns: columns.to_vec(),
            scene: scene.clone(),
            series: Pending::new(Stream::Series, columns.len(), sealed[0]),
            frames: Pending::new(Stream::Frames, scene.frame_values(), sealed[1]),
            seal_every,
            last_seal: Instant::now(),
        })
    }

    /// Works until the loop closes the channel.
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
                    // Fails only when the loop has ended, and then the buffer is not needed.
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

    /// Seals everything that waits into parts.
    fn seal(&mut self) -> Result<(), RecordError> {
        self.last_seal = Instant::now();
        let Writer { parts, columns, scene, .. } = self;
        seal_one(parts, &mut self.series, |rows, doing| series::encode_part(&rows.values, columns, doing))?;
        seal_one(parts, &mut self.frames, |frames, doing| {
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
        let parts = chain_of(&[&self.series, &self.frames].map(|pending| pending.chain.clone()));
        let checkpoint = Checkpoint { rows, frames, series_parts, frame_parts, run: self.run, parts, state };
        checkpoint.store(&self.place)?;
        Ok(checkpoint.state)
    }
}

/// Writes the waiting numbers as one part; `encode(pending, doing)` returns its bytes.
fn seal_one(
    parts: &Place,
    pending: &mut Pending,
    encode: impl FnOnce(&Pending, String) -> Result<Vec<u8>, RecordError>,
) -> Result<(), RecordError> {
    if pending.values.is_empty() {
        return Ok(());
    }
    let end = pending.end();
    let bytes = encode(pending, format!("writing {}", parts.path().display()))?;
    let hash = blake3::hash(&bytes);
    parts.write(&Part::name(pending.stream, pending.first, end, &hash), &bytes)?;
    files::add_to_chain(&mut pending.chain, pending.first, end, &hash);
    pending.values.clear();
    pending.words.clear();
    pending.first = end;
    pending.parts += 1;
    Ok(())
}
