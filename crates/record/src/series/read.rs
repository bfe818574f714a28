//! Reads a series: the merged file, or the parts of a run that was killed.
//!
//! For the report, `identify` and tests; whole columns in memory.

use crate::decoding::decoded;
use crate::error::{Doing, RecordError};
use crate::files::{Folder, Stream};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, RecordBatch};
use arrow_schema::Field;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use std::fs::File;
use std::path::{Path, PathBuf};
use touchdown_sim::sink::current_name;

/// A recorded series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its columns, the time first.
    pub columns: Vec<SeriesColumn>,
}

/// A column with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesColumn {
    /// Dotted name ending in its unit.
    pub name: String,
    /// Unit as printed.
    pub unit: String,
    /// Frame of expression.
    pub frame: String,
    /// Its definition.
    pub about: String,
    /// One value per row.
    pub values: Vec<f64>,
}

impl Series {
    /// Values of a column.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.iter().find(|column| column.name == name).map(|column| column.values.as_slice())
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }
}

/// Reads the series of a run folder (the merged file if the run has ended, else the sealed parts) or a single
/// Parquet file.
pub fn read_series(path: &Path) -> Result<Series, RecordError> {
    let mut series = Series::default();
    for file in files_of(path)? {
        add_file(&mut series, &file, &|_| true)?;
    }
    Ok(series)
}

/// Reads columns of a run folder as far as possible: from the merged file, or from the sealed parts up to the
/// first damaged one. Only `wanted` columns get values; the others are empty. Returns the problems in words.
pub(crate) fn salvage(dir: &Path, wanted: &dyn Fn(&str) -> bool) -> (Series, Vec<String>) {
    let folder = Folder::new(dir);
    let (mut series, mut notes) = (Series::default(), Vec::new());
    let merged = folder.merged(Stream::Series);
    if merged.exists() {
        match add_file(&mut series, &merged, wanted) {
            Ok(()) => return (series, notes),
            Err(error) => notes.push(format!("series.parquet is damaged ({}).", error.cause())),
        }
    }
    let parts = folder.unbroken(Stream::Series).unwrap_or_default();
    if parts.is_empty() && !merged.exists() {
        notes.push("series.parquet is missing.".into());
    } else if !parts.is_empty() {
        // Whatever the damaged file yielded is read again from the parts.
        series = Series::default();
        let damaged = parts.iter().position(|part| add_file(&mut series, &part.path, wanted).is_err());
        notes.extend(damaged.map(|n| format!("part {} of {} of the series is damaged.", n + 1, parts.len())));
    }
    even(&mut series);
    (series, notes)
}

/// Cuts columns that were read further than others: the other values of these rows are missing.
fn even(series: &mut Series) {
    let with_values = series.columns.iter().map(|column| column.values.len()).filter(|n| *n > 0);
    let rows = with_values.min().unwrap_or(0);
    series.columns.iter_mut().for_each(|column| column.values.truncate(rows));
}

fn files_of(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let folder = Folder::new(path);
    let merged = folder.merged(Stream::Series);
    if !path.is_dir() {
        Ok(vec![path.to_path_buf()])
    } else if merged.exists() || !folder.parts().exists() {
        Ok(vec![merged])
    } else {
        Ok(folder.unbroken(Stream::Series)?.into_iter().map(|part| part.path).collect())
    }
}

fn add_file(series: &mut Series, path: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<(), RecordError> {
    /// Rows decoded at a time.
    const BATCH_ROWS: usize = 8192;
    let builder = open(path)?;
    if series.columns.is_empty() {
        series.columns = builder.schema().fields().iter().map(|field| column_of(field)).collect();
    }
    let chosen: Vec<usize> = (0..series.columns.len()).filter(|n| wanted(&series.columns[*n].name)).collect();
    if chosen.is_empty() {
        return Ok(());
    }
    let mask = ProjectionMask::roots(builder.parquet_schema(), chosen.iter().copied());
    let builder = builder.with_batch_size(BATCH_ROWS).with_projection(mask);
    let mut reader = builder.build().doing(|| format!("reading {}", path.display()))?;
    while let Some(batch) = next_batch(&mut reader, path)? {
        for (n, values) in chosen.iter().zip(columns_of(&batch, path)?) {
            series.columns[*n].values.extend_from_slice(values);
        }
    }
    Ok(())
}

fn column_of(field: &Field) -> SeriesColumn {
    let entry = |key: &str| field.metadata().get(key).cloned().unwrap_or_default();
    SeriesColumn {
        name: current_name(field.name()).into_owned(),
        unit: entry("unit"),
        frame: entry("frame"),
        about: entry("about"),
        values: Vec::new(),
    }
}

pub(super) fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, RecordError> {
    let file = File::open(path).doing(|| format!("opening {}", path.display()))?;
    let opened =
        decoded(|| ParquetRecordBatchReaderBuilder::try_new(file)).map_err(|why| damaged(path, why))?;
    opened.doing(|| format!("reading {}", path.display()))
}

/// The next batch of a reader, which must not be used again after an error; `None` at the end.
pub(super) fn next_batch(
    reader: &mut ParquetRecordBatchReader,
    path: &Path,
) -> Result<Option<RecordBatch>, RecordError> {
    let batch = decoded(|| reader.next()).map_err(|why| damaged(path, why))?;
    batch.transpose().doing(|| format!("reading {}", path.display()))
}

fn damaged(path: &Path, why: String) -> RecordError {
    RecordError::Format { doing: format!("reading {}", path.display()), why }
}

/// Batches of at most `rows` rows.
pub(crate) fn batches(path: &Path, rows: usize) -> Result<ParquetRecordBatchReader, RecordError> {
    open(path)?.with_batch_size(rows).build().doing(|| format!("reading {}", path.display()))
}

/// The columns of a batch as numbers.
pub(crate) fn columns_of<'a>(batch: &'a RecordBatch, path: &Path) -> Result<Vec<&'a [f64]>, RecordError> {
    let numbers = |array: &'a dyn Array| array.as_primitive_opt::<Float64Type>().map(|a| a.values().as_ref());
    batch.columns().iter().map(|array| numbers(array.as_ref())).collect::<Option<_>>().ok_or_else(|| {
        RecordError::Format {
            doing: format!("reading {}", path.display()),
            why: "a column is not of 64-bit floating-point numbers".into(),
        }
    })
}
