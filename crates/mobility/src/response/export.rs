//! `response.parquet`: the cases of all soils and batches in one table, as pandas and DuckDB read it.

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::collections::HashMap;
use std::sync::Arc;
use touchdown_campaign::{CampaignError, Row, Store};

/// Name of the file.
pub const CASES: &str = "response.parquet";

/// One campaign of the stage.
pub(crate) struct Batch<'a> {
    pub soil: &'a str,
    /// `design`, `refined-01` or `held-out`.
    pub batch: String,
    pub store: &'a Store,
}

/// One case with where it stands.
struct Line<'a> {
    batch: &'a Batch<'a>,
    row: Row,
    inputs: Vec<Option<f64>>,
}

/// Names and units of all inputs, in the order in which they are met.
fn inputs(batches: &[Batch]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for batch in batches {
        let planned = &batch.store.planned;
        for (name, unit) in planned.input_names().into_iter().zip(&planned.plan.units) {
            if all.iter().all(|(known, _)| known != name) {
                all.push((name.into(), unit.clone()));
            }
        }
    }
    all
}

/// The bytes of the file.
pub(crate) fn parquet(batches: &[Batch]) -> Result<Vec<u8>, CampaignError> {
    let wrong = |e: &dyn std::fmt::Display| CampaignError::Other(format!("writing response.parquet: {e}"));
    let inputs = inputs(batches);
    let mut lines = Vec::new();
    for batch in batches {
        let planned = &batch.store.planned;
        let names = planned.input_names();
        for row in batch.store.rows()? {
            let values = planned.inputs(row.index);
            // The ground is a word of the plan and a number to everybody else.
            let number = |k: usize| values[k].number().or_else(|| values[k].written("").parse().ok());
            let of = |(name, _): &(String, String)| number(names.iter().position(|n| n == name)?);
            lines.push(Line { batch, inputs: inputs.iter().map(of).collect(), row });
        }
    }
    let with = |field: Field, unit: &str, about: &str| {
        field.with_metadata(HashMap::from([("unit".into(), unit.into()), ("about".into(), about.into())]))
    };
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let mut fields = vec![text("soil"), text("batch"), Field::new("index", DataType::Int64, false)];
    let texts = |read: &dyn Fn(&Line) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(lines.iter().map(read)))
    };
    let mut arrays: Vec<ArrayRef> = vec![
        texts(&|l| l.batch.soil.into()),
        texts(&|l| l.batch.batch.clone()),
        Arc::new(Int64Array::from_iter_values(lines.iter().map(|l| l.row.index as i64))),
    ];
    for (k, (name, unit)) in inputs.iter().enumerate() {
        fields.push(with(Field::new(format!("input.{name}"), DataType::Float64, true), unit, ""));
        arrays.push(Arc::new(Float64Array::from_iter(lines.iter().map(|l| l.inputs[k]))));
    }
    let quantities = batches.first().map_or(&[][..], |b| &b.store.planned.plan.quantities);
    for (k, quantity) in quantities.iter().enumerate() {
        let field = Field::new(format!("quantity.{}", quantity.name), DataType::Float64, true);
        fields.push(with(field, &quantity.unit, &quantity.about));
        let value = |l: &Line| l.row.quantities.get(k).copied().filter(|x| !x.is_nan());
        arrays.push(Arc::new(Float64Array::from_iter(lines.iter().map(value))));
    }
    fields.extend([text("status"), text("reason")]);
    arrays.extend([texts(&|l| l.row.status.name().into()), texts(&|l| l.row.reason.clone())]);
    let schema = Arc::new(Schema::new(fields));
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(|e| wrong(&e))?;
    let properties =
        WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).map_err(|e| wrong(&e))?;
    writer.write(&batch).map_err(|e| wrong(&e))?;
    writer.into_inner().map_err(|e| wrong(&e))
}
