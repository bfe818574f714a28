//! `[table]`: cases of a CSV or Parquet file, in its order. Its columns are knobs, or named by `columns = { KNOB = "COLUMN" }`.

use super::CaseTable;
use super::items::{Keys, Spans, shown};
use super::mistakes::{Mistakes, meant};
use crate::marginal::{Setting, Vary};
use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use std::fs::File;
use std::path::Path;
use toml_edit::Item;
use touchdown_record::decoded;
use touchdown_scenario::{LARGEST_TABLE, read_file};

/// A column of a file.
struct Column {
    name: String,
    /// All of them numbers or all of them words; none where a value is missing.
    cells: Vec<Option<Setting>>,
    /// A type of which no knob is.
    strange: Option<String>,
}

impl Column {
    /// Its values, or why a knob cannot have them.
    fn values(&self) -> Result<Vec<Setting>, String> {
        if let Some(kind) = &self.strange {
            return Err(format!(
                "has the column {} of type {kind}; allowed: numbers, texts, flags",
                self.name
            ));
        }
        let values = self.cells.iter().cloned().enumerate();
        let values = values
            .map(|(row, v)| v.ok_or_else(|| format!("has no value for {} in row {}", self.name, row + 1)));
        values.collect()
    }
}

pub(super) fn read(
    item: &Item,
    (folder, vary): (&Path, &[Vary]),
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) -> Option<CaseTable> {
    let span = item.span();
    let Some(table) = item.as_table_like() else {
        mistakes.at(span, "table", "must be a table").found = Some(shown(item));
        return None;
    };
    let mut keys = Keys::new(table, "table", mistakes);
    let file = keys.text("file");
    let chosen: Option<Vec<(String, String)>> = keys
        .take("columns")
        .and_then(Item::as_table_like)
        .map(|t| t.iter().filter_map(|(k, v)| Some((k.to_string(), v.as_str()?.to_string()))).collect());
    keys.note(spans, &["file"]);
    let is_missing = keys.is_missing("file");
    keys.finish();
    let Some(file) = file else {
        if is_missing {
            mistakes.at(span, "table.file", "is missing");
        }
        return None;
    };
    let path = folder.join(&file);
    let read = read_file(&path, LARGEST_TABLE).map_err(|e| e.to_string());
    let read = read.and_then(|bytes| {
        let columns = if file.ends_with(".parquet") { parquet_columns(&path) } else { csv_columns(&bytes) };
        Ok((columns?, blake3::hash(&bytes).to_hex().to_string()))
    });
    let (columns, blake3) = match read {
        Ok(read) => read,
        Err(why) => {
            mistakes.at(span, "table.file", format!("{file} {why}"));
            return None;
        }
    };
    let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
    let chosen = chosen.unwrap_or_else(|| names.iter().map(|n| (n.to_string(), n.to_string())).collect());
    let mut cells = Vec::new();
    for (knob, name) in &chosen {
        let path = format!("table.columns.{knob}");
        if vary.iter().any(|v| v.name == *knob) {
            mistakes.at(span.clone(), &path, "varies by itself, too");
        }
        spans.insert(format!("vary.{knob}"), span.clone().unwrap_or(0..0));
        let same: Vec<&Column> = columns.iter().filter(|c| c.name == *name).collect();
        let values = match same.as_slice() {
            [column] => column.values(),
            [] => Err(format!("has no column {name}")),
            _ => Err(format!("has the column {name} twice")),
        };
        match values {
            Ok(values) => cells.push(values),
            Err(why) => {
                let hint = same.is_empty().then(|| meant(name, &names));
                mistakes.at(span.clone(), &path, format!("{file} {why}")).hint = hint;
            }
        }
    }
    if cells.len() < chosen.len() {
        return None;
    }
    let rows = cells.first().map_or(0, Vec::len);
    if rows == 0 {
        mistakes.at(span, "table.file", format!("{file} has no rows"));
        return None;
    }
    Some(CaseTable {
        knobs: chosen.into_iter().map(|(knob, _)| knob).collect(),
        rows: (0..rows).map(|row| cells.iter().map(|column| column[row].clone()).collect()).collect(),
        blake3,
    })
}

/// One heading, cells divided by comma, semicolon or tab; quotes hold dividers; lines that begin with # are comments.
fn csv_columns(bytes: &[u8]) -> Result<Vec<Column>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_string())?;
    // Spreadsheets begin with a byte-order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    let Some((_, heading)) = lines.next() else { return Ok(Vec::new()) };
    let divider = [';', '\t'].into_iter().find(|d| heading.contains(*d)).unwrap_or(',');
    let names = cells(heading, divider);
    let mut columns: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    for (line, row) in lines {
        let row = cells(row, divider);
        if row.len() != names.len() {
            return Err(format!(
                "has {} cells in line {}, {} in its heading",
                row.len(),
                line + 1,
                names.len()
            ));
        }
        columns.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
    }
    Ok(names.into_iter().zip(columns).map(|(name, cells)| csv_column(name, cells)).collect())
}

/// A column with a word is one of words: a number in it stays as it was written.
fn csv_column(name: String, cells: Vec<String>) -> Column {
    let is_missing = |cell: &String| cell.is_empty() || cell.eq_ignore_ascii_case("nan");
    let number = |cell: &String| cell.parse().ok().filter(|x: &f64| x.is_finite());
    let all_numbers = cells.iter().all(|cell| is_missing(cell) || number(cell).is_some());
    let setting = |cell: String| match number(&cell) {
        _ if is_missing(&cell) => None,
        Some(x) if all_numbers => Some(Setting::Number(x)),
        _ => Some(Setting::Text(cell)),
    };
    Column { name, cells: cells.into_iter().map(setting).collect(), strange: None }
}

/// Cells of a line. Quotes hold dividers, two of them in quotes are one.
fn cells(line: &str, divider: char) -> Vec<String> {
    let (mut out, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            c if c == divider && !quoted => out.push(std::mem::take(&mut cell).trim().to_string()),
            c => cell.push(c),
        }
    }
    out.push(cell.trim().to_string());
    out
}

/// Numbers of any width, texts and flags, as pandas, Polars and DuckDB write them.
fn parquet_columns(path: &Path) -> Result<Vec<Column>, String> {
    let damaged = |e: &dyn std::fmt::Display| format!("cannot be read: {e}");
    let file = File::open(path).map_err(|e| damaged(&e))?;
    // Without what the writer remembers of its own types, a text is a text, whether it was a category or not.
    let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = decoded(|| ParquetRecordBatchReaderBuilder::try_new_with_options(file, plain))
        .map_err(|e| damaged(&e))?;
    let builder = builder.map_err(|e| damaged(&e))?;
    let fields = builder.schema().fields();
    let empty = |name: &String| Column { name: name.clone(), cells: Vec::new(), strange: None };
    let mut columns: Vec<Column> = fields.iter().map(|field| empty(field.name())).collect();
    let mut reader = builder.build().map_err(|e| damaged(&e))?;
    while let Some(batch) = decoded(|| reader.next()).map_err(|e| damaged(&e))? {
        let batch = batch.map_err(|e| damaged(&e))?;
        columns.iter_mut().zip(batch.columns()).for_each(|(column, array)| add(column, array));
    }
    Ok(columns)
}

fn add(column: &mut Column, array: &dyn Array) {
    let cells = &mut column.cells;
    match array.data_type() {
        DataType::Float64 => numbers::<Float64Type>(cells, array, |x| x),
        DataType::Float32 => numbers::<Float32Type>(cells, array, f64::from),
        DataType::Int64 => numbers::<Int64Type>(cells, array, |x| x as f64),
        DataType::Int32 => numbers::<Int32Type>(cells, array, f64::from),
        DataType::Int16 => numbers::<Int16Type>(cells, array, f64::from),
        DataType::Int8 => numbers::<Int8Type>(cells, array, f64::from),
        DataType::UInt64 => numbers::<UInt64Type>(cells, array, |x| x as f64),
        DataType::UInt32 => numbers::<UInt32Type>(cells, array, f64::from),
        DataType::UInt16 => numbers::<UInt16Type>(cells, array, f64::from),
        DataType::UInt8 => numbers::<UInt8Type>(cells, array, f64::from),
        DataType::Utf8 => {
            cells.extend(array.as_string::<i32>().iter().map(|text| Some(Setting::Text(text?.into()))));
        }
        DataType::Boolean => {
            cells.extend(array.as_boolean().iter().map(|flag| Some(Setting::Text(flag?.to_string()))));
        }
        other => column.strange = Some(other.to_string()),
    }
}

fn numbers<T: ArrowPrimitiveType>(
    cells: &mut Vec<Option<Setting>>,
    array: &dyn Array,
    to: impl Fn(T::Native) -> f64,
) {
    let finite = |x: Option<T::Native>| x.map(&to).filter(|x| x.is_finite()).map(Setting::Number);
    cells.extend(array.as_primitive::<T>().iter().map(finite));
}
