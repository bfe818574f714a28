//! Recording: the run folder of a simulation, written and read.
//!
//! ```no_run
//! let series = touchdown_record::read_series("runs/pendulum".as_ref())?;
//! let angle = series.column("joint.hinge.position_rad").unwrap_or_default();
//! println!("{} rows, the last at {:?} rad", series.rows(), angle.last());
//! # Ok::<(), touchdown_record::RecordError>(())
//! ```
//!
//! The step loop hands rows, frames and checkpoints to the [`Recorder`] (a `Sink`); a writer thread puts them
//! on disk in sealed parts; [`Recorder::finish`] merges the parts. The folder holds
//!
//! | file | content |
//! |---|---|
//! | `manifest.json` | what ran: version, build, hashes of the resolved scenario and of every input, seed, threads, columns |
//! | `resolved.toml` | the scenario with every default written out |
//! | `series.parquet` | one row per output time; unit, frame and definition of each column in its metadata |
//! | `series.csv` | the same for people, if asked for |
//! | `frames.mcap` | poses, meshes and contact forces for Foxglove, Rerun and PlotJuggler |
//! | `soil.parquet` | where there is soil: its surface at the end, node by node |
//! | `summary.json` | answers, ledger, warnings: what scripts read; its presence says that the run has ended |
//! | `report.html` | the whole run on one page that opens offline |
//! | `parts/`, `checkpoint.bin` | while running or after an interruption: sealed parts and the restart point |
//!
//! Invariants: a file under its final name is complete (written beside it, synced, renamed). Equal rows and
//! frames give byte-identical `series.parquet` and `frames.mcap`, whatever the division of the run into
//! parts. No clock and no random number enters those two. If the disk is slow the loop waits, so that memory
//! is bounded.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod block;
mod checkpoint;
mod claim;
mod decoding;
mod disk;
mod error;
mod figure;
pub mod figures;
mod files;
mod frames;
mod inputs;
mod manifest;
pub mod page;
mod patch;
pub mod platform;
mod recorder;
pub mod replay;
pub mod report;
mod resumption;
mod sealed;
mod sensitivity;
mod series;
mod stamp;
pub mod stream;
mod summary;
mod surface;
mod tidy;
mod verify;
mod words;
mod writer;

pub use claim::{StudyFolder, check_file, write_file};
pub use decoding::decoded;
pub use disk::{Answer, Call, Disk, OutFile, Place};
pub use error::RecordError;
pub use figure::ReportSpec;
pub use frames::{FramesRead, Scene, read_frames};
pub use manifest::{Assumed, Build, ColumnEntry, InputFile, KnobEntry, Manifest, MapEntry, RunInfo};
pub use recorder::{Options, Recorder, Resumed};
pub use resumption::{Change, Resumption};
pub use sealed::{check_json as check_sealed, json as sealed};
pub use sensitivity::{Sensitivity, Swing};
pub use series::{Series, SeriesColumn, read_series};
pub use stamp::{Refinement, Stamp};
pub use summary::write_answers;
pub use surface::read_surface;
pub use verify::{Checked, Verified, verify};
