//! One column of a series in pieces: for the 3-D page, which can have many slow readers.

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

/// Passes on a column of a run folder in these rows, in pieces, until `each` stops it. The values come from
/// the merged file, or from the sealed parts, which hold the same rows, if it cannot be read. Damage ends it
/// early; an error means that the system is short of descriptors or memory at present.
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

/// `None` if a file is unreadable; an error if reading may succeed later, so that its rows are not treated as
/// lost.
fn unless_damaged<T>(read: Result<T, RecordError>) -> io::Result<Option<T>> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(RecordError::Io { source, .. }) if is_short(&source) => Err(source),
        Err(_) => Ok(None),
    }
}

/// A column and the remaining rows.
struct Column<'a> {
    name: &'a str,
    rows: Range<usize>,
    each: &'a mut dyn FnMut(&[f64]) -> ControlFlow<()>,
}

impl Column<'_> {
    /// Passes on the requested rows of a file; its first row has number `first`.
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
