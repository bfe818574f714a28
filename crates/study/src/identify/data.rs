//! Data file ⇒ table.

use super::IdentifyError;
use super::file::Stage;
use std::path::Path;
use touchdown_identify::{Column, Table, TableError};
use touchdown_record::RecordError;
use touchdown_scenario::{FileProblem, LARGEST_TABLE, check_plain, read_text};

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
    let unreadable = |problem| IdentifyError::File { path: file.to_path_buf(), problem };
    if file.is_dir() || file.extension().is_some_and(|e| e == "parquet") {
        let held = if file.is_dir() { file.join("series.parquet") } else { file.to_path_buf() };
        // A folder of an unfinished run has parts instead of it.
        match check_plain(&held, LARGEST_TABLE) {
            Err(FileProblem::Io(_)) | Ok(()) => {}
            Err(problem) => return Err(unreadable(problem)),
        }
        let why =
            |error: RecordError| IdentifyError::Series { path: file.to_path_buf(), why: error.to_string() };
        let series = touchdown_record::read_series(file).map_err(why)?;
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
    let text = read_text(file, LARGEST_TABLE).map_err(unreadable)?;
    Table::from_csv(&text).map_err(wrong)
}
