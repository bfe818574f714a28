//! The replay that the 3-D page plays: of a run folder, of a run in progress, or inside a report.
//!
//! The page asks a [`Source`] once for the scene (JSON) and for frames from a number on (bytes, see
//! `viewer/FORMAT.md`); the page of a run in progress repeats its requests. `scene` and `encode` make these
//! from a [`crate::Scene`] and from frames, for all three: [`FolderSource`], [`LiveSource`] (with [`Live`], a
//! sink that copies the run), [`embedded`].

mod buffer;
mod embed;
mod encode;
mod folder;
mod live;
mod scene;

pub use embed::embedded;
pub use encode::Encoder;
pub use folder::FolderSource;
pub use live::{Live, LiveSource, live};

use std::io;
use std::ops::{ControlFlow, Range};

/// Data source of the 3-D page.
pub trait Source: Send + Sync {
    /// The scene as JSON.
    fn scene(&self) -> String;
    /// Encoded frames from number `from` on, in sequence, as many as exist (about a megabyte at a time).
    fn frames(&self, from: usize) -> Vec<u8>;
    /// Passes on a column's values in these rows, in pieces, until `each` stops it. A missing column has no
    /// values, and a damaged recording fewer. An error means that they cannot be read now, but may be later.
    fn column(
        &self,
        name: &str,
        rows: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()>;
    /// The extent of the data.
    fn extent(&self) -> Extent;
}

/// The extent of a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Frames so far.
    pub frames: usize,
    /// Rows of the series so far.
    pub rows: usize,
    /// Whether the run continues.
    pub live: bool,
}
