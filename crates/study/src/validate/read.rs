//! Reading a number from a run that has ended.

use super::claim::{Reading, Take};
use super::error::nearest;
use crate::Case;

/// A number with its unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    pub value: f64,
    pub unit: String,
}

/// Reads it, or says why that is impossible.
pub(crate) fn read(case: &Case, reading: &Reading) -> Result<Measured, String> {
    if let Some(measure) = reading.measure {
        return measure.of(case).map(|value| Measured { value, unit: measure.unit().into() });
    }
    if let Some(column) = &reading.column {
        return of_column(case, column, reading);
    }
    let name = reading.value.as_deref().unwrap_or_default();
    let all = || case.outcome.quantities.iter().chain(&case.outcome.ledger);
    match all().find(|value| value.name == name) {
        Some(found) => Ok(Measured { value: found.value, unit: found.unit.clone() }),
        None => Err(missing("quantity", name, case, all().map(|value| value.name.as_str()))),
    }
}

fn missing<'a>(what: &str, name: &str, case: &Case, there: impl Iterator<Item = &'a str>) -> String {
    let near = nearest(name, there).map(|near| format!("; did you mean {near:?}?"));
    format!("{} has no {what} {name:?}{}", case.scenario.name, near.unwrap_or_default())
}

fn of_column(case: &Case, name: &str, reading: &Reading) -> Result<Measured, String> {
    let Some(at) = case.columns.iter().position(|column| column.name == name) else {
        return Err(missing("column", name, case, case.columns.iter().map(|column| column.name.as_str())));
    };
    // Times of rows are sums of steps.
    let (from, to) =
        (reading.from.unwrap_or(f64::NEG_INFINITY) - 1e-9, reading.to.unwrap_or(f64::INFINITY) + 1e-9);
    let counts = case.rows.iter().filter(|row| (from..=to).contains(&row[0]));
    let values: Vec<f64> = counts.map(|row| row[at]).collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return Err(format!(
            "{} has no rows in the time that column {name:?} is requested",
            case.scenario.name
        ));
    };
    let fold = |start: f64, f: fn(f64, f64) -> f64| values.iter().copied().fold(start, f);
    let value = match reading.take {
        Take::End => *last,
        Take::Begin => *first,
        Take::Max => fold(f64::NEG_INFINITY, larger),
        Take::Min => fold(f64::INFINITY, |a, b| -larger(-a, -b)),
        Take::Mean => values.iter().sum::<f64>() / values.len() as f64,
        Take::Largest => fold(0.0, |a, b| larger(a, b.abs())),
        Take::Change => last - first,
    };
    Ok(Measured { value, unit: case.columns[at].unit.into() })
}

/// The larger of two; not a number if one of them is none, so that a run gone wrong cannot hide.
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}
