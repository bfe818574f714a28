//! Rows of the sealed parts of a run, in sequence: for files that combine them with frames.

use super::{group_rows, read};
use crate::error::RecordError;
use crate::files::{Folder, Part, Stream};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use std::path::PathBuf;

/// Rows decoded at a time, at most.
const BATCH_ROWS: usize = 1024;

/// Rows in their order; one batch is in memory at a time.
pub(crate) struct Rows {
    parts: std::vec::IntoIter<Part>,
    reader: Option<(PathBuf, ParquetRecordBatchReader)>,
    width: usize,
    /// Rows of the batch, flattened, and the index of the next number.
    batch: Vec<f64>,
    used: usize,
    index: u64,
}

impl Rows {
    /// For a folder whose series has this many columns.
    pub fn of(folder: &Folder, width: usize) -> Result<Rows, RecordError> {
        let parts = folder.unbroken(Stream::Series)?.into_iter();
        Ok(Rows { parts, reader: None, width, batch: Vec::new(), used: 0, index: 0 })
    }

    /// The next row with its number, if its time has been reached.
    pub fn next_if(&mut self, is_due: impl Fn(f64) -> bool) -> Result<Option<(u64, &[f64])>, RecordError> {
        if self.used == self.batch.len() && !self.fetch()? {
            return Ok(None);
        }
        let row = self.used..self.used + self.width;
        if !is_due(self.batch[row.start]) {
            return Ok(None);
        }
        (self.used, self.index) = (row.end, self.index + 1);
        Ok(Some((self.index - 1, &self.batch[row])))
    }

    /// The next batch that has rows; `false` at the end.
    fn fetch(&mut self) -> Result<bool, RecordError> {
        (self.used, self.batch) = (0, Vec::new());
        loop {
            if let Some((path, reader)) = &mut self.reader
                && let Some(batch) = read::next_batch(reader, path)?
            {
                let columns = read::columns_of(&batch, path)?;
                if columns.len() != self.width {
                    return Err(RecordError::Mismatch {
                        what: format!("columns of {}", path.display()),
                        expected: self.width.to_string(),
                        found: columns.len().to_string(),
                    });
                }
                let rows = 0..batch.num_rows();
                self.batch.extend(rows.flat_map(|row| columns.iter().map(move |column| column[row])));
                if !self.batch.is_empty() {
                    return Ok(true);
                }
            } else {
                let Some(part) = self.parts.next() else { return Ok(false) };
                part.check()?;
                let reader = read::batches(&part.path, group_rows(self.width).min(BATCH_ROWS))?;
                self.reader = Some((part.path, reader));
            }
        }
    }
}
