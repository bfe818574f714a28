//! Rows into Parquet: schema with unit, frame and definition of every column, and the encoding of one batch.
//!
//! `write` is used by the writer thread for parts, and by `merge` for the whole file.

use crate::error::{Doing, RecordError};
use crate::manifest::ColumnEntry;
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::Arc;
use touchdown_sim::sink::Column;

/// Name of the file's key-value entry that repeats the columns' metadata as JSON, for readers without Arrow.
pub(crate) const COLUMNS_KEY: &str = "touchdown.columns";

/// Numbers in a row group of the merged file: 16 MiB before compression, which bounds the memory of merging
/// and reading.
const GROUP_VALUES: usize = 1 << 21;

/// Rows in a row group; it depends on the number of columns alone, so that equal rows give equal bytes.
pub(crate) fn group_rows(columns: usize) -> usize {
    (GROUP_VALUES / columns.max(1)).clamp(1, 1 << 16)
}

/// The Arrow schema of the series.
pub(crate) fn schema(columns: &[Column]) -> Arc<Schema> {
    let field = |column: &Column| {
        Field::new(&column.name, DataType::Float64, false).with_metadata([
            ("unit", column.unit),
            ("frame", column.frame),
            ("about", column.about.as_str()),
        ])
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

fn properties(columns: &[Column]) -> WriterProperties {
    let about: Map<String, Value> = columns
        .iter()
        .map(ColumnEntry::from)
        .map(|c| (c.name, json!({ "unit": c.unit, "frame": c.frame, "about": c.about })))
        .collect();
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        // Measured numbers rarely repeat, so that a dictionary has no benefit; splitting the bytes places the
        // slowly changing signs and exponents next to each other.
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(Some(group_rows(columns.len())))
        .set_key_value_metadata(Some(vec![KeyValue::new(
            COLUMNS_KEY.into(),
            Value::Object(about).to_string(),
        )]))
        .build()
}

/// A Parquet file that is written one row group at a time.
pub(crate) struct SeriesWriter<W: Write + Send> {
    schema: Arc<Schema>,
    writer: ArrowWriter<W>,
    doing: String,
}

impl<W: Write + Send> SeriesWriter<W> {
    /// `doing` is the operation in errors, such as `writing runs/a/series.parquet`.
    pub fn new(sink: W, columns: &[Column], doing: String) -> Result<Self, RecordError> {
        let schema = schema(columns);
        let writer = ArrowWriter::try_new(sink, Arc::clone(&schema), Some(properties(columns)));
        Ok(SeriesWriter { schema, writer: writer.doing(|| doing.clone())?, doing })
    }

    /// Writes columns of equal length.
    pub fn write(&mut self, columns: Vec<Vec<f64>>) -> Result<(), RecordError> {
        let arrays = columns.into_iter().map(|c| Arc::new(Float64Array::from(c)) as ArrayRef).collect();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).doing(|| self.doing.clone())?;
        self.writer.write(&batch).doing(|| self.doing.clone())
    }

    /// Writes the footer and returns the file.
    pub fn finish(self) -> Result<W, RecordError> {
        let doing = self.doing;
        self.writer.into_inner().doing(|| doing)
    }
}

/// Rows in sequence, as the bytes of a Parquet file.
pub(crate) fn encode_part(rows: &[f64], columns: &[Column], doing: String) -> Result<Vec<u8>, RecordError> {
    let width = columns.len();
    let column = |i: usize| rows.iter().skip(i).step_by(width).copied().collect();
    let mut writer = SeriesWriter::new(Vec::new(), columns, doing)?;
    writer.write((0..width).map(column).collect())?;
    writer.finish()
}
