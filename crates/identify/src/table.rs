//! Measured columns with units, and everything that can be wrong with them, said with the row.

mod text;
mod unit;

pub use unit::{Measure, Unit};

use thiserror::Error;

/// A column of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name as in the file.
    pub name: String,
    /// Unit, if the name or the file says one.
    pub unit: Option<Unit>,
    /// Values in that unit; a cell that holds none is not a number.
    pub values: Vec<f64>,
}

/// Columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// Line of the file in which each row stands; empty where there are no lines (Parquet).
    pub lines: Vec<usize>,
}

/// What is wrong with a data set. Rows count from one, below the header.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableError {
    /// Nothing in it.
    #[error("the file holds no rows")]
    Empty,
    /// A column that was asked for is not there.
    #[error("there is no column {name:?}; the file has {}", found.join(", "))]
    Missing {
        /// Its name.
        name: String,
        /// What there is.
        found: Vec<String>,
    },
    /// Two columns of one name.
    #[error("column {name:?} is there twice")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A row with more or fewer cells than the header.
    #[error("row {row} (line {line}): the header has {expected} cells, this row {found}")]
    Ragged {
        /// Which row.
        row: usize,
        /// Its line.
        line: usize,
        /// Its cells.
        found: usize,
        /// Those of the header.
        expected: usize,
    },
    /// A cell that is no number.
    #[error("row {row}{} of column {column:?}: {text:?} is not a number", at(*line))]
    NotANumber {
        /// Its column.
        column: String,
        /// Its row.
        row: usize,
        /// Its line.
        line: Option<usize>,
        /// What stands there.
        text: String,
    },
    /// A value that is not finite, or an empty cell.
    #[error("row {row}{} of column {column:?} holds no finite number; remove the row or set `skip_missing_rows = true`", at(*line))]
    NotFinite {
        /// Its column.
        column: String,
        /// Its row.
        row: usize,
        /// Its line.
        line: Option<usize>,
    },
    /// A unit that does not exist, or of another kind.
    #[error("column {column:?}: unit {found:?} is not one of {allowed}")]
    Unit {
        /// Its column.
        column: String,
        /// What was given.
        found: String,
        /// What is possible.
        allowed: String,
    },
    /// No unit is known.
    #[error(
        "column {column:?} has no unit: name it in the header (…_mm, … [mm]) or with `unit` in the study"
    )]
    NoUnit {
        /// Its column.
        column: String,
    },
    /// Rows in different units.
    #[error("row {row}{} of column {column:?}: {what}", at(*line))]
    MixedUnits {
        /// Its column.
        column: String,
        /// First row of the other unit.
        row: usize,
        /// Its line.
        line: Option<usize>,
        /// Why it is thought so.
        what: String,
    },
    /// All values alike.
    #[error("column {column:?} is constant ({value}) in all {rows} rows: nothing can be fitted to it")]
    Constant {
        /// Its column.
        column: String,
        /// Its value.
        value: f64,
        /// How many rows.
        rows: usize,
    },
    /// Not enough of them.
    #[error("{found} rows are too few: at least {least} are needed")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many there must be.
        least: usize,
    },
    /// Time that does not grow.
    #[error("row {row}{} of column {column:?}: {value} does not come after {before}: sort the rows by time", at(*line))]
    Unsorted {
        /// Its column.
        column: String,
        /// First row that is out of order.
        row: usize,
        /// Its line.
        line: Option<usize>,
        /// Value of the row before.
        before: f64,
        /// Its value.
        value: f64,
    },
}

fn at(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!(" (line {line})"))
}

impl Table {
    /// From the text of a CSV file: one header line, cells divided by comma, semicolon or tab; lines that begin with # are comments. Units stand in the header,
    /// as `sinkage_mm`, `sinkage (mm)` or `sinkage [mm]`.
    pub fn from_csv(text: &str) -> Result<Table, TableError> {
        text::read(text)
    }

    /// A column by its name, or by its name without unit.
    pub fn column(&self, name: &str) -> Result<&Column, TableError> {
        let found = self.columns.iter().find(|c| c.name == name);
        let by_stem = || self.columns.iter().find(|c| unit::split_name(&c.name).0 == name);
        found.or_else(by_stem).ok_or_else(|| TableError::Missing {
            name: name.to_owned(),
            found: self.columns.iter().map(|c| c.name.clone()).collect(),
        })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    fn line(&self, row: usize) -> Option<usize> {
        self.lines.get(row).copied()
    }

    /// Values of a column in SI units of a kind; `given` is the unit that the study names. Every value must be finite, and no jump may look like a change of units.
    pub fn si(&self, name: &str, kind: unit::Measure, given: Option<&str>) -> Result<Vec<f64>, TableError> {
        let column = self.column(name)?;
        let unit = match given {
            Some(text) => Unit::parse(text).filter(|u| u.kind == kind).ok_or_else(|| TableError::Unit {
                column: name.to_owned(),
                found: text.to_owned(),
                allowed: kind.allowed(),
            })?,
            None => column.unit.ok_or_else(|| TableError::NoUnit { column: name.to_owned() })?,
        };
        if unit.kind != kind {
            let found = unit.symbol.to_owned();
            return Err(TableError::Unit { column: name.to_owned(), found, allowed: kind.allowed() });
        }
        if let Some(row) = column.values.iter().position(|v| !v.is_finite()) {
            return Err(TableError::NotFinite {
                column: name.to_owned(),
                row: row + 1,
                line: self.line(row),
            });
        }
        if let Some(row) = change_of_units(&column.values) {
            let what =
                "values change by a factor near 1000 here and stay so: are the units mixed?".to_owned();
            return Err(TableError::MixedUnits {
                column: name.to_owned(),
                row: row + 1,
                line: self.line(row),
                what,
            });
        }
        Ok(column.values.iter().map(|v| v * unit.factor).collect())
    }

    /// As [`Table::si`] for a column of any kind; without a unit it is taken as SI.
    pub fn si_any(&self, name: &str, given: Option<&str>) -> Result<Vec<f64>, TableError> {
        let column = self.column(name)?;
        match (given.map(Unit::parse), column.unit) {
            (Some(None), _) => Err(TableError::Unit {
                column: name.to_owned(),
                found: given.unwrap_or_default().to_owned(),
                allowed: "the units that data may have".into(),
            }),
            (Some(Some(unit)), _) | (None, Some(unit)) => self.si(name, unit.kind, given),
            (None, None) => self.check_finite(name).map(|()| column.values.clone()),
        }
    }

    /// That every value is a finite number.
    pub fn check_finite(&self, name: &str) -> Result<(), TableError> {
        match self.column(name)?.values.iter().position(|v| !v.is_finite()) {
            None => Ok(()),
            Some(row) => {
                Err(TableError::NotFinite { column: name.to_owned(), row: row + 1, line: self.line(row) })
            }
        }
    }

    /// Without the rows in which one of these columns holds no finite number; and how many those were.
    pub fn without_missing(&self, names: &[&str]) -> Result<(Table, usize), TableError> {
        let used: Vec<&Column> = names.iter().map(|n| self.column(n)).collect::<Result<_, _>>()?;
        let keep: Vec<bool> =
            (0..self.rows()).map(|i| used.iter().all(|c| c.values[i].is_finite())).collect();
        let kept = |values: &[f64]| values.iter().zip(&keep).filter(|(_, k)| **k).map(|(v, _)| *v).collect();
        let columns = self.columns.iter().map(|c| Column { values: kept(&c.values), ..c.clone() }).collect();
        let lines = self.lines.iter().zip(&keep).filter(|(_, k)| **k).map(|(l, _)| *l).collect();
        Ok((Table { columns, lines }, keep.iter().filter(|k| !**k).count()))
    }

    /// Means over rows that agree in a column, in the order in which its values come.
    pub fn averaged_by(&self, name: &str) -> Result<Table, TableError> {
        let keys = &self.column(name)?.values;
        let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            match groups.iter_mut().find(|(k, _)| k == key) {
                Some((_, rows)) => rows.push(i),
                None => groups.push((*key, vec![i])),
            }
        }
        let mean = |values: &[f64]| {
            groups
                .iter()
                .map(|(_, rows)| rows.iter().map(|i| values[*i]).sum::<f64>() / rows.len() as f64)
                .collect()
        };
        let columns = self.columns.iter().map(|c| Column { values: mean(&c.values), ..c.clone() }).collect();
        Ok(Table { columns, lines: Vec::new() })
    }

    /// That time grows from row to row.
    pub fn check_time(&self, name: &str) -> Result<(), TableError> {
        let values = &self.column(name)?.values;
        match values.windows(2).position(|w| w[1] <= w[0]) {
            None => Ok(()),
            Some(i) => Err(TableError::Unsorted {
                column: name.to_owned(),
                row: i + 2,
                line: self.line(i + 1),
                before: values[i],
                value: values[i + 1],
            }),
        }
    }

    /// That a column varies.
    pub fn check_varies(&self, name: &str) -> Result<(), TableError> {
        let values = &self.column(name)?.values;
        match values.first() {
            Some(&value) if values.iter().all(|v| *v == value) => {
                Err(TableError::Constant { column: name.to_owned(), value, rows: values.len() })
            }
            _ => Ok(()),
        }
    }

    /// That there are enough rows.
    pub fn check_rows(&self, least: usize) -> Result<(), TableError> {
        let found = self.rows();
        if found == 0 {
            Err(TableError::Empty)
        } else if found < least {
            Err(TableError::TooFew { found, least })
        } else {
            Ok(())
        }
    }
}

/// Unit that the name of a column says.
pub fn unit_of(name: &str) -> Option<Unit> {
    unit::split_name(name).1
}

/// Rows on each side that must agree within a factor of three before a jump counts as a change of units.
const WINDOW: usize = 3;

/// First row of a change by a factor near a thousand between values that are steady on both sides.
fn change_of_units(values: &[f64]) -> Option<usize> {
    let steady = |window: &[f64]| {
        let most = window.iter().fold(0.0f64, |a, v| a.max(v.abs()));
        let least = window.iter().fold(f64::INFINITY, |a, v| a.min(v.abs()));
        (least > 0.0 && most < 3.0 * least).then(|| (most * least).sqrt())
    };
    (WINDOW..values.len().saturating_sub(WINDOW - 1)).find(|&i| {
        let (before, after) = (steady(&values[i - WINDOW..i]), steady(&values[i..i + WINDOW]));
        let (Some(before), Some(after)) = (before, after) else { return false };
        let ratio = (after / before).max(before / after);
        (300.0..3000.0).contains(&ratio)
    })
}
