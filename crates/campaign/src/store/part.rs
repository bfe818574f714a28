//! Rows as Parquet: the schema of a plan, rows into batches and back, and files of them.

use super::Timing;
use crate::case::{Row, Status};
use crate::error::CampaignError;
use crate::marginal::Setting;
use crate::plan::{Named, Planned};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use touchdown_record::{Place, RecordError};

/// Rows of a row group of the result, whatever it was put together from.
pub(super) const GROUP: usize = 8192;
const PLAN_KEY: &str = "touchdown.plan";
const ROWS_KEY: &str = "touchdown.rows";
const BLOCK_KEY: &str = "touchdown.block";

/// Columns of the result: index, inputs, quantities, checks, status and reason, with units and meanings in their metadata.
pub fn schema(planned: &Planned) -> Schema {
    let plan = &planned.plan;
    let with = |field: Field, entries: &[(&str, &str)]| field.with_metadata(texts(entries));
    let mut fields = vec![with(
        Field::new("index", DataType::Int64, false),
        &[("unit", "1"), ("about", "number of the case, from 0")],
    )];
    let first = planned.inputs(0);
    for ((name, unit), value) in planned.input_names().iter().zip(&plan.units).zip(&first) {
        let kind = if value.number().is_some() { DataType::Float64 } else { DataType::Utf8 };
        fields.push(with(Field::new(format!("input.{name}"), kind, true), &[("unit", unit)]));
    }
    let named = |prefix: &str, n: &Named, kind: DataType| {
        with(
            Field::new(format!("{prefix}.{}", n.name), kind, true),
            &[("unit", &n.unit), ("about", &n.about)],
        )
    };
    fields.extend(plan.quantities.iter().map(|n| named("quantity", n, DataType::Float64)));
    fields.extend(plan.checks.iter().map(|n| named("check", n, DataType::Boolean)));
    fields.push(Field::new("status", DataType::Utf8, false));
    fields.push(Field::new("reason", DataType::Utf8, false));
    let build = &plan.build;
    let metadata = [
        (PLAN_KEY, planned.hash.as_str()),
        ("touchdown.version", &plan.version),
        ("touchdown.build", &build.source),
    ];
    Schema::new(fields).with_metadata(texts(&metadata))
}

fn texts(entries: &[(&str, &str)]) -> HashMap<String, String> {
    entries.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
}

/// Rows as a batch.
pub(super) fn batch(planned: &Planned, schema: &Arc<Schema>, rows: &[Row]) -> Result<RecordBatch, String> {
    let mut arrays: Vec<ArrayRef> =
        vec![Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| r.index as i64)))];
    let inputs: Vec<Vec<Setting>> = rows.iter().map(|r| planned.inputs(r.index)).collect();
    for k in 0..planned.input_names().len() {
        let array: ArrayRef = match schema.field(1 + k).data_type() {
            DataType::Float64 => Arc::new(Float64Array::from_iter(inputs.iter().map(|i| i[k].number()))),
            _ => Arc::new(StringArray::from_iter_values(inputs.iter().map(|i| i[k].written("")))),
        };
        arrays.push(array);
    }
    for k in 0..planned.plan.quantities.len() {
        let values = rows.iter().map(|r| Some(r.quantities[k]).filter(|x| !x.is_nan()));
        arrays.push(Arc::new(Float64Array::from_iter(values)));
    }
    for k in 0..planned.plan.checks.len() {
        arrays.push(Arc::new(BooleanArray::from_iter(rows.iter().map(|r| r.checks[k]))));
    }
    arrays.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.status.name()))));
    arrays.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.reason.as_str()))));
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(|e| e.to_string())
}

fn rows_of(batch: &RecordBatch, planned: &Planned) -> Option<Vec<Row>> {
    let (inputs, plan) = (planned.input_names().len(), &planned.plan);
    let index = batch.column(0).as_primitive_opt::<Int64Type>()?;
    let at = |k: usize| batch.columns().get(k);
    let quantities: Option<Vec<_>> =
        (0..plan.quantities.len()).map(|k| at(1 + inputs + k)?.as_primitive_opt::<Float64Type>()).collect();
    let before = 1 + inputs + plan.quantities.len();
    let checks: Option<Vec<_>> = (0..plan.checks.len()).map(|k| at(before + k)?.as_boolean_opt()).collect();
    let (quantities, checks) = (quantities?, checks?);
    let status = at(before + checks.len())?.as_string_opt::<i32>()?;
    let reason = at(before + checks.len() + 1)?.as_string_opt::<i32>()?;
    (0..batch.num_rows())
        .map(|r| {
            Some(Row {
                index: index.value(r) as u64,
                quantities: quantities
                    .iter()
                    .map(|q| if q.is_null(r) { f64::NAN } else { q.value(r) })
                    .collect(),
                checks: checks.iter().map(|c| (!c.is_null(r)).then(|| c.value(r))).collect(),
                status: Status::named(status.value(r))?,
                reason: reason.value(r).into(),
            })
        })
        .collect()
}

/// A Parquet file that takes batches.
pub(super) fn writer<W: Write + Send>(out: W, schema: &Arc<Schema>) -> Result<ArrowWriter<W>, String> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by("touchdown".into())
        .build();
    ArrowWriter::try_new(out, Arc::clone(schema), Some(properties)).map_err(|e| e.to_string())
}

fn hash(rows: &[Row]) -> Result<String, CampaignError> {
    let bytes = postcard::to_stdvec(rows).map_err(|e| CampaignError::Other(e.to_string()))?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}

/// Writes rows of a block as a part, whole or not at all.
pub(crate) fn write(
    place: &Place,
    name: &str,
    block: u64,
    rows: &[Row],
    planned: &Planned,
) -> Result<(), CampaignError> {
    let mut metadata =
        HashMap::from([(ROWS_KEY.to_string(), hash(rows)?), (BLOCK_KEY.to_string(), block.to_string())]);
    let plain = schema(planned);
    metadata.extend(plain.metadata.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    let schema = Arc::new(plain.with_metadata(metadata));
    let wrong = |why: String| CampaignError::Store { path: place.path_of(name), why };
    let batch = batch(planned, &schema, rows).map_err(wrong)?;
    place.write_with(name, |out| {
        let mut writer = writer(out, &schema).map_err(wrong)?;
        writer.write(&batch).map_err(|e| failed(place, name, e))?;
        writer.close().map_err(|e| failed(place, name, e))?;
        Ok(())
    })
}

/// Writing failed: most often the disk is full.
pub(super) fn failed(place: &Place, name: &str, error: ParquetError) -> CampaignError {
    let doing = format!("writing {}", place.path_of(name).display());
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => *io,
            Err(other) => std::io::Error::other(other),
        },
        other => std::io::Error::other(other),
    };
    RecordError::Io { doing, source }.into()
}

/// Writes timings of cases beside.
pub(crate) fn write_timings(place: &Place, name: &str, rows: &[(Row, Timing)]) -> Result<(), CampaignError> {
    let schema = Arc::new(Schema::new(vec![
        Field::new("index", DataType::Int64, false),
        Field::new("wall_s", DataType::Float64, false),
        Field::new("host", DataType::Utf8, false),
    ]));
    let wrong = |why: String| CampaignError::Store { path: place.path_of(name), why };
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter_values(rows.iter().map(|(r, _)| r.index as i64))),
        Arc::new(Float64Array::from_iter_values(rows.iter().map(|(_, t)| t.wall))),
        Arc::new(StringArray::from_iter_values(rows.iter().map(|(_, t)| t.host.as_str()))),
    ];
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).map_err(|e| wrong(e.to_string()))?;
    place.write_with(name, |out| {
        let mut writer = writer(out, &schema).map_err(wrong)?;
        writer.write(&batch).map_err(|e| failed(place, name, e))?;
        writer.close().map_err(|e| failed(place, name, e))?;
        Ok(())
    })
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, CampaignError> {
    let store = |why: String| CampaignError::Store { path: path.to_path_buf(), why };
    let file = File::open(path).map_err(|e| store(e.to_string()))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| store(format!("it is damaged: {e}")))
}

/// The block of a part, by its metadata; none if the name is not that of a part. A part of another plan is refused.
pub(super) fn block_of(name: &str, path: &Path, planned: &Planned) -> Result<Option<u64>, CampaignError> {
    if !name.starts_with("part-") || !name.ends_with(".parquet") {
        return Ok(None);
    }
    let builder = open(path)?;
    let metadata = &builder.schema().metadata;
    let store = |why: &str| CampaignError::Store { path: path.to_path_buf(), why: why.into() };
    if metadata.get(PLAN_KEY) != Some(&planned.hash) {
        return Err(store("it belongs to another plan; move it away"));
    }
    let block = metadata.get(BLOCK_KEY).and_then(|b| b.parse().ok());
    block.map(Some).ok_or_else(|| store("it is damaged: its block is missing"))
}

/// Reads rows of a part or of the result; returns how many. A part whose rows are not those that were written is refused.
pub(super) fn read_rows(
    path: &Path,
    planned: &Planned,
    take: &mut dyn FnMut(Row),
) -> Result<u64, CampaignError> {
    let store = |why: String| CampaignError::Store { path: path.to_path_buf(), why };
    let builder = open(path)?;
    let metadata = builder.schema().metadata.clone();
    if metadata.get(PLAN_KEY) != Some(&planned.hash) {
        return Err(store("it belongs to another plan; move it away".into()));
    }
    let reader = builder.with_batch_size(GROUP).build().map_err(|e| store(e.to_string()))?;
    let mut all = Vec::new();
    let stored = metadata.get(ROWS_KEY);
    let mut count = 0;
    for batch in reader {
        let batch = batch.map_err(|e| store(format!("it is damaged: {e}")))?;
        let rows =
            rows_of(&batch, planned).ok_or_else(|| store("its columns are not those of the plan".into()))?;
        count += rows.len() as u64;
        if stored.is_some() { all.extend(rows) } else { rows.into_iter().for_each(&mut *take) }
    }
    if let Some(stored) = stored {
        if *stored != hash(&all)? {
            return Err(store(
                "it is damaged: its rows do not match their hash; delete it and run again".into(),
            ));
        }
        all.into_iter().for_each(take);
    }
    Ok(count)
}
