//! The series: rows of numbers in Parquet, with the definition of each column in the file itself.
//!
//! `write` encodes parts (writer thread), `merge` joins them into `series.parquet` and `series.csv` (at the
//! end). `read` reads whole columns, `pieces` one column in pieces, `rows` the sealed rows in sequence.

mod csv;
mod merge;
mod pieces;
mod read;
mod rows;
mod write;

pub(crate) use merge::merge;
pub(crate) use pieces::hand_over;
pub(crate) use read::salvage;
pub use read::{Series, SeriesColumn, read_series};
pub(crate) use rows::Rows;
pub(crate) use write::{SeriesWriter, encode_part, group_rows};
