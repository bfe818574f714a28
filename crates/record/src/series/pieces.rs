//! One column of a series, piece by piece: for the 3-D page, which may have many slow readers.

use super::read::{columns_of, open};
use crate::error::{Doing, RecordError};
use crate::files::{Folder, Stream};
use crate::platform::is_short;
use parquet::arrow::ProjectionMask;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 8192;

/// Hands over a column of a run folder in these rows, piece by piece, until `each` breaks off: from the merged file, and from where that
/// cannot be read, from the sealed parts, which hold the same rows. Damage ends it early; an error says that the system is short of
/// descriptors or memory now.
pub(crate) fn hand_over(
    dir: &Path,
    name: &str,
    rows: Range<usize>,
    each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
) -> io::Result<()> {
    let folder = Folder::new(dir);
    let merged = folder.merged(Stream::Series);
    let mut column = Column { name, rows, each };
    if merged.exists() && unless_damaged(column.add_file(&merged, 0))?.is_some() {
        return Ok(());
    }
    for part in unless_damaged(folder.unbroken(Stream::Series))?.unwrap_or_default() {
        if column.rows.is_empty()
            || unless_damaged(column.add_file(&part.path, part.first as usize))?.is_none()
        {
            break;
        }
    }
    Ok(())
}

/// None where a file cannot be read; an error where it could be at another time, so that its rows are not taken for lost.
fn unless_damaged<T>(read: Result<T, RecordError>) -> io::Result<Option<T>> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(RecordError::Io { source, .. }) if is_short(&source) => Err(source),
        Err(_) => Ok(None),
    }
}

/// A column and the rows that are still to come.
struct Column<'a> {
    name: &'a str,
    rows: Range<usize>,
    each: &'a mut dyn FnMut(&[f64]) -> ControlFlow<()>,
}

impl Column<'_> {
    /// Hands over what a file has of the rows; its first row has number `first`.
    fn add_file(&mut self, path: &Path, first: usize) -> Result<(), RecordError> {
        let reading = || format!("reading {}", path.display());
        let builder = open(path)?;
        let place = builder.schema().fields().iter().position(|field| field.name() == self.name);
        let Some(place) = place else { return Ok(()) };
        let mask = ProjectionMask::roots(builder.parquet_schema(), [place]);
        let reader = builder
            .with_projection(mask)
            .with_batch_size(BATCH_ROWS)
            .with_offset(self.rows.start.saturating_sub(first))
            .with_limit(self.rows.len())
            .build()
            .doing(reading)?;
        for batch in reader {
            let batch = batch.doing(reading)?;
            for values in columns_of(&batch, path)? {
                self.rows.start += values.len();
                if (self.each)(values).is_break() {
                    self.rows.start = self.rows.end;
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
