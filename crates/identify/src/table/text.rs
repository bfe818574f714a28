//! CSV text ⇒ table.

use super::unit::split_name;
use super::{Column, Table, TableError, Unit};

pub(super) fn read(text: &str) -> Result<Table, TableError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim_end_matches('\r')))
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let Some((_, header)) = lines.next() else { return Err(TableError::Empty) };
    let divider = [';', '\t'].into_iter().find(|d| header.contains(*d)).unwrap_or(',');
    let mut table = Table::default();
    for name in cells(header, divider) {
        if table.columns.iter().any(|c| c.name == name) {
            return Err(TableError::Twice { name });
        }
        let unit = split_name(&name).1;
        table.columns.push(Column { name, unit, values: Vec::new() });
    }
    for (line, row) in lines {
        let found = cells(row, divider);
        let row = table.lines.len() + 1;
        if found.len() != table.columns.len() {
            return Err(TableError::Ragged { row, line, found: found.len(), expected: table.columns.len() });
        }
        for (column, cell) in table.columns.iter_mut().zip(found) {
            column.values.push(number(column, &cell, row, line)?);
        }
        table.lines.push(line);
    }
    if table.lines.is_empty() { Err(TableError::Empty) } else { Ok(table) }
}

/// Cells of a line; quotes hold dividers.
fn cells(line: &str, divider: char) -> Vec<String> {
    let (mut out, mut cell, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.chars() {
        if c == '"' {
            quoted = !quoted;
        } else if c == divider && !quoted {
            out.push(std::mem::take(&mut cell).trim().to_owned());
        } else {
            cell.push(c);
        }
    }
    out.push(cell.trim().to_owned());
    out
}

/// A cell: empty and `nan` are missing; a unit behind the number must be the column's.
fn number(column: &Column, cell: &str, row: usize, line: usize) -> Result<f64, TableError> {
    if cell.is_empty() || ["nan", "na", "null", "none", "-"].contains(&cell.to_lowercase().as_str()) {
        return Ok(f64::NAN);
    }
    if let Ok(value) = cell.parse() {
        return Ok(value);
    }
    let digits = cell.trim_end_matches(|c: char| c.is_alphabetic() || c == '/').trim_end();
    let symbol = cell[digits.len()..].trim();
    let (column_name, line) = (column.name.clone(), Some(line));
    match (digits.parse::<f64>(), Unit::parse(symbol)) {
        (Ok(value), Some(unit)) if column.unit == Some(unit) => Ok(value),
        (Ok(_), Some(unit)) => {
            let own = column.unit.map_or("none", |u| u.symbol);
            let what = format!("the cell says {}, the header {own}: give the column one unit", unit.symbol);
            Err(TableError::MixedUnits { column: column_name, row, line, what })
        }
        _ => Err(TableError::NotANumber { column: column_name, row, line, text: cell.to_owned() }),
    }
}
