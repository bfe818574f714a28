//! The replay of a run in progress: a sink that passes everything on and keeps a copy for the page.

use super::buffer::Frames;
use super::scene::scene_json;
use super::{Encoder, Extent, Source};
use crate::frames::Scene;
use crate::manifest::{Manifest, RunInfo};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use touchdown_sim::sink::{Column, Frame, Progress, Sink, SinkError, SoilNode};

/// Rows that are passed on together if no frame comes in between.
const ROWS_AT_ONCE: usize = 64;
/// Values passed to the page at a time; the run waits during this.
const VALUES_AT_ONCE: usize = 8192;

/// The source that the page of a run in progress reads.
pub struct LiveSource {
    scene: String,
    columns: Vec<String>,
    shared: Mutex<Shared>,
}

#[derive(Default)]
struct Shared {
    frames: Frames,
    /// Rows one after the other.
    rows: Vec<f64>,
    ended: bool,
}

/// Wraps the sink of a run. When it is dropped or finished, the page receives the end of the run.
pub struct Live<S> {
    inner: S,
    encoder: Encoder,
    /// Scratch: an encoded frame, and rows not yet passed on.
    bytes: Vec<u8>,
    rows: Vec<f64>,
    page: Page,
}

/// A sink around `inner`, and the source for its page.
pub fn live<S: Sink>(
    inner: S,
    info: &RunInfo,
    columns: &[Column],
    scene: &Scene,
) -> (Live<S>, Arc<LiveSource>) {
    let manifest = Manifest::new(info, columns, scene);
    let source = Arc::new(LiveSource {
        scene: scene_json(Some(&manifest), scene, &[]),
        columns: columns.iter().map(|column| column.name.clone()).collect(),
        shared: Mutex::default(),
    });
    let page = Page(Arc::clone(&source));
    (Live { inner, encoder: Encoder::default(), bytes: Vec::new(), rows: Vec::new(), page }, source)
}

impl<S> Live<S> {
    /// Returns the inner sink, to close it.
    pub fn finish(mut self) -> S {
        self.hand_over();
        self.inner
    }

    /// Passes on the waiting rows: at the end of a run, before the page continues with the next.
    pub fn hand_over(&mut self) {
        self.page.0.lock().rows.append(&mut self.rows);
    }

    /// The sink.
    pub fn inner(&mut self) -> &mut S {
        &mut self.inner
    }
}

/// The page's side of the sink; when it is dropped, the page receives the end of the run.
struct Page(Arc<LiveSource>);

impl Drop for Page {
    fn drop(&mut self) {
        self.0.lock().ended = true;
    }
}

impl LiveSource {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        // A panic while the lock was held leaves at most a part of a row, which is never shown.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn width(&self) -> usize {
        self.columns.len().max(1)
    }
}

impl<S: Sink> Sink for Live<S> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.rows.extend_from_slice(row);
        if self.rows.len() >= ROWS_AT_ONCE * row.len() {
            self.page.0.lock().rows.append(&mut self.rows);
        }
        self.inner.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.bytes.clear();
        self.encoder.frame(frame, &mut self.bytes);
        {
            let mut shared = self.page.0.lock();
            shared.frames.push(|out| out.extend_from_slice(&self.bytes));
            shared.rows.append(&mut self.rows);
        }
        self.inner.frame(frame)
    }

    fn checkpoint(&mut self, state: &[u8], rows: u64, frames: u64) -> Result<(), SinkError> {
        self.inner.checkpoint(state, rows, frames)
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.inner.surface(nodes)
    }

    fn progress(&mut self, progress: Progress) {
        self.inner.progress(progress);
    }

    fn is_stop_requested(&self) -> bool {
        self.inner.is_stop_requested()
    }
}

impl Source for LiveSource {
    fn scene(&self) -> String {
        self.scene.clone()
    }

    fn frames(&self, from: usize) -> Vec<u8> {
        self.lock().frames.from(from)
    }

    fn column(
        &self,
        name: &str,
        rows: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let Some(place) = self.columns.iter().position(|column| column == name) else { return Ok(()) };
        let mut next = rows.start;
        loop {
            let wanted = rows.end.saturating_sub(next).min(VALUES_AT_ONCE);
            let values: Vec<f64> = {
                let shared = self.lock();
                let found = shared.rows.chunks_exact(self.width()).skip(next).take(wanted);
                found.map(|row| row[place]).collect()
            };
            next += values.len();
            if values.is_empty() || each(&values).is_break() {
                return Ok(());
            }
        }
    }

    fn extent(&self) -> Extent {
        let shared = self.lock();
        let rows = shared.rows.len() / self.width();
        Extent { frames: shared.frames.len(), rows, live: !shared.ended }
    }
}
