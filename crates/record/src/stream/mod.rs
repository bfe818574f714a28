//! A run in progress for other viewers: a sink that forwards everything and sends each listener the channels
//! it subscribed to.
//!
//! [`streamed`] wraps the sink of a run and returns the [`Hub`] where listeners [join](Hub::join). A message
//! is encoded once, if its channel has a listener, and sending never blocks: a [`Listener`] that does not
//! take its messages loses some, and receives the complete state of each affected channel at its next call.
//! Listeners do not slow the run.

mod hub;
#[cfg(test)]
mod tests;

pub use crate::frames::stream::{Channel, ROWS, Stream};
pub use hub::{Hub, Listener, Said};

use crate::frames::Scene;
use std::sync::Arc;
use touchdown_sim::sink::{Column, Frame, Progress, Sink, SinkError, SoilNode};

/// Wraps the sink of a run.
pub struct Streamed<S> {
    inner: S,
    hub: Arc<Hub>,
}

/// A sink around `inner`, and the hub for listeners.
pub fn streamed<S: Sink>(inner: S, columns: &[Column], scene: &Scene) -> (Streamed<S>, Arc<Hub>) {
    let hub = Arc::new(Hub::new(Stream::new(columns, scene)));
    (Streamed { inner, hub: Arc::clone(&hub) }, hub)
}

impl<S> Streamed<S> {
    /// Returns the inner sink, to close it. Listeners can still join and receive the last state.
    pub fn finish(self) -> S {
        self.inner
    }
}

impl<S: Sink> Sink for Streamed<S> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.hub.row(row);
        self.inner.series(row)
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.hub.frame(frame);
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
