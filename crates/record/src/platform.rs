//! Differences between operating systems: folders that cannot be replaced while they are open, plain files,
//! offsets in a file, shortages.
//!
//! The module `disk` is built on this. On Unix every name is looked up in the open folder itself. Windows has
//! no such calls in the standard library: names are appended to the folder's path, and the folder is held
//! open without the right for others to rename or remove it.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as own;
#[cfg(windows)]
use windows as own;

pub(crate) use own::{Dir, is_locked, read_at, write_at};
pub use own::{is_short, open_plain};
