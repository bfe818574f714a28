//! Quantities: columns of the series reduced to numbers, row by row, so that a resumed run ends with the same bits.

use crate::description::{Quantity, Take};
use crate::sink::{Column, NamedValue};
use serde::{Deserialize, Serialize};

/// A running reduction; part of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Accumulator {
    count: u64,
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    mean: f64,
    /// Sum of squared deviations (Welford).
    squares: f64,
}

impl Accumulator {
    fn add(&mut self, x: f64) {
        if self.count == 0 {
            (self.first, self.min, self.max) = (x, x, x);
        }
        self.count += 1;
        self.last = x;
        self.min = self.min.min(x);
        self.max = self.max.max(x);
        let delta = x - self.mean;
        self.mean += delta / self.count as f64;
        self.squares += delta * (x - self.mean);
    }

    fn result(&self, take: Take) -> f64 {
        if self.count == 0 {
            return f64::NAN;
        }
        match take {
            Take::End => self.last,
            Take::Begin => self.first,
            Take::Max => self.max,
            Take::Min => self.min,
            Take::Mean => self.mean,
            Take::Deviation => (self.squares / self.count as f64).sqrt(),
            Take::Change => self.last - self.first,
            Take::AtCrossing => f64::NAN,
        }
    }
}

/// A quantity with the index of its column.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub quantity: Quantity,
    pub column: usize,
    pub unit: &'static str,
}

/// Finds the columns; an error holds the quantity's name and the column that does not exist.
pub(crate) fn resolve(
    quantities: &[Quantity],
    columns: &[Column],
) -> Result<Vec<Resolved>, Vec<(String, String)>> {
    let mut resolved = Vec::new();
    let mut missing = Vec::new();
    for quantity in quantities {
        match columns.iter().position(|c| c.name == quantity.column) {
            Some(column) => {
                resolved.push(Resolved { quantity: quantity.clone(), column, unit: columns[column].unit })
            }
            None => missing.push((quantity.name.clone(), quantity.column.clone())),
        }
    }
    if missing.is_empty() { Ok(resolved) } else { Err(missing) }
}

/// Takes one row in.
pub(crate) fn add_row(resolved: &[Resolved], accumulators: &mut [Accumulator], row: &[f64]) {
    for (r, accumulator) in resolved.iter().zip(accumulators) {
        // A row that round-off puts just outside a window belongs to it.
        let slack = 1e-9 * (1.0 + row[0].abs());
        if row[0] >= r.quantity.from - slack && row[0] <= r.quantity.to + slack {
            accumulator.add(row[r.column]);
        }
    }
}

/// The numbers so far.
pub(crate) fn results(resolved: &[Resolved], accumulators: &[Accumulator]) -> Vec<NamedValue> {
    let value = |(r, a): (&Resolved, &Accumulator)| NamedValue {
        name: r.quantity.name.clone(),
        value: a.result(r.quantity.take),
        unit: r.unit.into(),
        about: r.quantity.about.clone(),
    };
    resolved.iter().zip(accumulators).map(value).collect()
}
