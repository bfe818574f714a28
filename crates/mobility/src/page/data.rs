//! The runs behind a table, read back from `response.parquet` for the curves of the page.

use super::DataPoint;
use crate::response::{CASES, HELD_OUT};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use touchdown_record::Place;

/// Columns of numbers that a curve needs.
const NUMBERS: [&str; 4] =
    ["input.slope_deg", "input.heading_deg", "quantity.slip", "quantity.energy_j_per_m"];

/// The runs that a table was made of; those that were held out, or that have no slip, are left out.
pub fn data_points(place: &Place) -> Result<Vec<DataPoint>, String> {
    let path = place.path_of(CASES);
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let file = std::fs::File::open(&path).map_err(|e| wrong(&e))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut points = Vec::new();
    for batch in reader.map_err(|e| wrong(&e))? {
        let batch = batch.map_err(|e| wrong(&e))?;
        let found = of_batch(&batch).ok_or_else(|| wrong(&"a column of a response is missing"))?;
        points.extend(found);
    }
    Ok(points)
}

fn of_batch(batch: &RecordBatch) -> Option<Vec<DataPoint>> {
    let texts = |name: &str| batch.column_by_name(name)?.as_string_opt::<i32>();
    let (soils, batches) = (texts("soil")?, texts("batch")?);
    let mut columns = Vec::new();
    for name in NUMBERS {
        columns.push(batch.column_by_name(name)?.as_primitive_opt::<Float64Type>()?);
    }
    let number = |k: usize, row: usize| columns[k].is_valid(row).then(|| columns[k].value(row));
    let point = |row: usize| {
        Some(DataPoint {
            soil: soils.value(row).into(),
            slope_deg: number(0, row)?,
            heading_deg: number(1, row)?,
            slip: number(2, row)?,
            energy_j_per_m: number(3, row),
        })
    };
    Some((0..batch.num_rows()).filter(|row| batches.value(*row) != HELD_OUT).filter_map(point).collect())
}
