//! Sealed parts into `series.parquet` (and `series.csv`), a row group at a time.
//!
//! The groups are cut by row number alone: the bytes do not depend on the division into parts.

use super::{csv, read, write};
use crate::disk::{OutFile, Place, Replacement};
use crate::error::{Doing, RecordError};
use crate::files::{CSV, Folder, Part, Stream};
use std::io::BufWriter;
use touchdown_sim::sink::Column;

/// Merges the parts of the folder; the parts remain.
pub(crate) fn merge(place: &Place, columns: &[Column], with_csv: bool) -> Result<(), RecordError> {
    let (replacement, file) = place.start(&Stream::Series.merged())?;
    let series = write::SeriesWriter::new(file, columns, replacement.doing())?;
    let csv = if with_csv { Some(Text::start(place, columns)?) } else { None };
    let mut merger =
        Merger { series, csv, pending: empty(columns.len()), group: write::group_rows(columns.len()) };
    for part in Folder::new(place.path()).unbroken(Stream::Series)? {
        merger.add_part(&part)?;
    }
    merger.flush()?;
    replacement.commit(merger.series.finish()?)?;
    merger.csv.map_or(Ok(()), Text::finish)
}

fn empty(columns: usize) -> Vec<Vec<f64>> {
    vec![Vec::new(); columns]
}

struct Merger {
    series: write::SeriesWriter<BufWriter<OutFile>>,
    csv: Option<Text>,
    pending: Vec<Vec<f64>>,
    group: usize,
}

impl Merger {
    fn add_part(&mut self, part: &Part) -> Result<(), RecordError> {
        part.check()?;
        let (width, path) = (self.pending.len(), part.path.as_path());
        for batch in read::batches(path, self.group)? {
            let batch = batch.doing(|| format!("reading {}", path.display()))?;
            let batch = read::columns_of(&batch, path)?;
            if batch.len() != width {
                return Err(RecordError::Mismatch {
                    what: format!("columns of {}", path.display()),
                    expected: width.to_string(),
                    found: batch.len().to_string(),
                });
            }
            self.add_rows(&batch)?;
        }
        Ok(())
    }

    fn add_rows(&mut self, batch: &[&[f64]]) -> Result<(), RecordError> {
        let rows = batch.first().map_or(0, |column| column.len());
        let mut taken = 0;
        while taken < rows {
            let room = self.group - self.pending[0].len();
            let next = (taken + room).min(rows);
            for (pending, column) in self.pending.iter_mut().zip(batch) {
                pending.extend_from_slice(&column[taken..next]);
            }
            taken = next;
            if self.pending[0].len() == self.group {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        if self.pending.first().is_none_or(Vec::is_empty) {
            return Ok(());
        }
        if let Some(csv) = &mut self.csv {
            csv.lines(&self.pending)?;
        }
        let next = empty(self.pending.len());
        self.series.write(std::mem::replace(&mut self.pending, next))
    }
}

/// `series.csv` during the merge.
struct Text {
    replacement: Replacement,
    file: BufWriter<OutFile>,
}

impl Text {
    fn start(place: &Place, columns: &[Column]) -> Result<Self, RecordError> {
        let (replacement, mut file) = place.start(CSV)?;
        csv::header(&mut file, columns).doing(|| replacement.doing())?;
        Ok(Text { replacement, file })
    }

    fn lines(&mut self, columns: &[Vec<f64>]) -> Result<(), RecordError> {
        csv::lines(&mut self.file, columns).doing(|| self.replacement.doing())
    }

    fn finish(self) -> Result<(), RecordError> {
        self.replacement.commit(self.file)
    }
}
