//! Data file ⇒ table.

use super::IdentifyError;
use super::file::Stage;
use std::path::Path;
use touchdown_identify::{Column, Table, TableError};

/// Reads the data of a stage: rows without numbers left out if that was asked for, averages taken.
pub(super) fn table(file: &Path, stage: &Stage) -> Result<Table, IdentifyError> {
    let wrong = |error: TableError| IdentifyError::Data { path: file.to_path_buf(), error };
    let mut table = read(file)?;
    if stage.skip_missing_rows {
        let names: Vec<&str> = stage.columns.values().map(|c| c.name()).collect();
        table = table.without_missing(&names).map_err(wrong)?.0;
    }
    if let Some(by) = &stage.average_by {
        // A mean over a missing number is missing: the row is named before it is lost in a group.
        for choice in stage.columns.values() {
            table.check_finite(choice.name()).map_err(wrong)?;
        }
        table = table.averaged_by(by).map_err(wrong)?;
    }
    Ok(table)
}

fn read(file: &Path) -> Result<Table, IdentifyError> {
    let wrong = |error: TableError| IdentifyError::Data { path: file.to_path_buf(), error };
    let unreadable = |why: String| IdentifyError::File { path: file.to_path_buf(), why };
    if file.is_dir() || file.extension().is_some_and(|e| e == "parquet") {
        let series = touchdown_record::read_series(file).map_err(|error| unreadable(error.to_string()))?;
        let column = |c: touchdown_record::SeriesColumn| {
            let unit = touchdown_identify::table::Unit::parse(&c.unit);
            Column {
                unit: unit.or(touchdown_identify::table::unit_of(&c.name)),
                name: c.name,
                values: c.values,
            }
        };
        let columns = series.columns.into_iter().map(column).collect();
        return Ok(Table { columns, lines: Vec::new() });
    }
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    Table::from_csv(&text).map_err(wrong)
}
