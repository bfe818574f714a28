//! The replay that the 3-D page plays: of a run folder, of a run in progress, or inside a report.
//!
//! The page asks a [`Source`] for the scene once (JSON) and for frames from a number on (bytes, see `viewer/FORMAT.md`); the page
//! of a run in progress asks again and again. `scene` and `encode` make these from a [`crate::Scene`] and from frames, for all three:
//! [`FolderSource`], [`LiveSource`] (with [`Live`], which listens to the run), [`embedded`].

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

/// Where the 3-D page gets its data.
pub trait Source: Send + Sync {
    /// The scene as JSON.
    fn scene(&self) -> String;
    /// Encoded frames from number `from` on, one after the other, as many as there are (about a megabyte at a time).
    fn frames(&self, from: usize) -> Vec<u8>;
    /// Hands over a column's values in these rows, piece by piece, until `each` breaks off; none of a column that is not there, and
    /// fewer where the recording is damaged. An error says that they cannot be read now, but may be later.
    fn column(
        &self,
        name: &str,
        rows: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()>;
    /// How much there is.
    fn extent(&self) -> Extent;
}

/// How much of a run there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Frames so far.
    pub frames: usize,
    /// Rows of the series so far.
    pub rows: usize,
    /// Whether more will come.
    pub live: bool,
}
