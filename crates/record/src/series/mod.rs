//! The series: rows of numbers in Parquet, with what each column means in the file itself.
//!
//! `write` encodes parts (writer thread), `merge` joins them into `series.parquet` and `series.csv` (at the end), `read`
//! opens either again.

mod csv;
mod merge;
mod read;
mod write;

pub(crate) use merge::merge;
pub(crate) use read::salvage;
pub use read::{Series, SeriesColumn, read_series};
pub(crate) use write::{SeriesWriter, encode_part, group_rows};
