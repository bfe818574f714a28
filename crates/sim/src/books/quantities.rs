//! Quantities: columns of the series reduced to numbers, row by row, so that a resumed run ends with the same bits.

use crate::description::{Quantity, Take};
use crate::sink::{Column, NamedValue, find_column};
use serde::{Deserialize, Serialize};

/// A running reduction; part of the state.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Accumulator {
    count: u64,
    first: f64,
    last: f64,
    min: f64,
    max: f64,
    mean: f64,
    /// Sum of squared deviations (Welford).
    squares: f64,
    /// For [`Take::AtCrossing`]: the crossing column at the last row, and the value at its first crossing.
    last_level: f64,
    crossed: Option<f64>,
}

/// By bits, so that values that are not a number are equal.
impl PartialEq for Accumulator {
    fn eq(&self, other: &Accumulator) -> bool {
        let numbers = |a: &Accumulator| {
            [a.first, a.last, a.min, a.max, a.mean, a.squares, a.last_level].map(f64::to_bits)
        };
        let crossed = |a: &Accumulator| a.crossed.map(f64::to_bits);
        self.count == other.count && numbers(self) == numbers(other) && crossed(self) == crossed(other)
    }
}

impl Accumulator {
    /// Tracks the crossing column; must be called before `add` for the same row.
    fn watch(&mut self, x: f64, now: f64, level: f64) {
        let before = self.last_level;
        if self.crossed.is_none() && self.count > 0 && before < level && now >= level {
            self.crossed = Some(self.last + (level - before) / (now - before) * (x - self.last));
        }
        self.last_level = now;
    }

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

    pub fn result(&self, take: Take) -> f64 {
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
            Take::AtCrossing => self.crossed.unwrap_or(f64::NAN),
        }
    }
}

/// A quantity with the index of its column.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub quantity: Quantity,
    pub column: usize,
    /// For [`Take::AtCrossing`]: the column that crosses, and its level.
    pub crossing: Option<(usize, f64)>,
    /// Unit of the number.
    pub unit: &'static str,
    /// Factor from the column's unit to it.
    pub scale: f64,
}

/// Finds the columns; an error contains the quantity's name and the missing column.
pub(crate) fn resolve(
    quantities: &[Quantity],
    columns: &[Column],
) -> Result<Vec<Resolved>, Vec<(String, String)>> {
    let mut resolved = Vec::new();
    let mut missing = Vec::new();
    for quantity in quantities {
        let mut find = |name: &str| {
            let found = find_column(columns, name);
            if found.is_none() {
                missing.push((quantity.name.clone(), name.to_string()));
            }
            found
        };
        let column = find(&quantity.column);
        let crossing =
            quantity.crossing.as_ref().and_then(|(name, level)| find(name).map(|column| (column, *level)));
        if let Some(column) = column {
            resolved.push(Resolved {
                quantity: quantity.clone(),
                column,
                crossing,
                unit: columns[column].unit,
                scale: 1.0,
            });
        }
    }
    if missing.is_empty() { Ok(resolved) } else { Err(missing) }
}

/// Adds one row.
pub(crate) fn add_row(resolved: &[Resolved], accumulators: &mut [Accumulator], row: &[f64]) {
    for (r, accumulator) in resolved.iter().zip(accumulators) {
        // A row just outside a window by round-off belongs to it.
        let slack = 1e-9 * (1.0 + row[0].abs());
        if row[0] >= r.quantity.from - slack && row[0] <= r.quantity.to + slack {
            if let Some((column, level)) = r.crossing {
                accumulator.watch(row[r.column], row[column], level);
            }
            accumulator.add(row[r.column]);
        }
    }
}

/// The numbers so far.
pub(crate) fn results(resolved: &[Resolved], accumulators: &[Accumulator]) -> Vec<NamedValue> {
    let value = |(r, a): (&Resolved, &Accumulator)| NamedValue {
        name: r.quantity.name.clone(),
        value: a.result(r.quantity.take) * r.scale,
        unit: r.unit.into(),
        about: r.quantity.about.clone(),
    };
    resolved.iter().zip(accumulators).map(value).collect()
}

/// For each quantity without a value: the reason.
pub(crate) fn warnings(resolved: &[Resolved], accumulators: &[Accumulator]) -> Vec<String> {
    let warning = |(r, a): (&Resolved, &Accumulator)| {
        if !a.result(r.quantity.take).is_nan() {
            return None;
        }
        let Quantity { name, column, take, crossing, .. } = &r.quantity;
        let why = match (take, crossing) {
            _ if a.count == 0 => "no row of the series lies in its window".into(),
            (Take::AtCrossing, Some((crossing, level))) if a.crossed.is_none() => {
                format!("column \"{crossing}\" never rose to {level}")
            }
            _ => format!("column \"{column}\" holds something that is not a number"),
        };
        Some(format!("quantity \"{name}\" has no value: {why}"))
    };
    resolved.iter().zip(accumulators).filter_map(warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        ["time_s", "slip", "pull_n"]
            .map(|name| Column { name: name.into(), unit: "1", frame: "-", about: String::new() })
            .to_vec()
    }

    fn pull_at_slip(level: f64, from: f64) -> Quantity {
        Quantity {
            name: "pull_at_slip_n".into(),
            column: "pull_n".into(),
            take: Take::AtCrossing,
            crossing: Some(("slip".into(), level)),
            from,
            to: f64::INFINITY,
            about: String::new(),
            scale: None,
        }
    }

    /// Rows (time, slip, pull) into one quantity.
    fn after(quantity: &Quantity, rows: &[[f64; 3]]) -> (Vec<Resolved>, [Accumulator; 1]) {
        let resolved = resolve(std::slice::from_ref(quantity), &columns()).expect("columns exist");
        let mut accumulators = [Accumulator::default()];
        rows.iter().for_each(|row| add_row(&resolved, &mut accumulators, row));
        (resolved, accumulators)
    }

    #[test]
    fn a_crossing_is_interpolated_between_its_rows() {
        // Slip passes 0.2 a quarter of the way from 0.1 to 0.5: so does the pull from 10 N to 50 N. Later crossings do not count.
        let rows = [[0.0, 0.0, 5.0], [1.0, 0.1, 10.0], [2.0, 0.5, 50.0], [3.0, 0.0, 7.0], [4.0, 1.0, 99.0]];
        let (resolved, a) = after(&pull_at_slip(0.2, 0.0), &rows);
        assert!((results(&resolved, &a)[0].value - 20.0).abs() < 1e-13);
        assert!(warnings(&resolved, &a).is_empty());
    }

    #[test]
    fn a_row_on_the_level_is_the_crossing() {
        // Reaching the level is enough, and then the value is that of the row itself.
        let (resolved, a) = after(&pull_at_slip(0.2, 0.0), &[[0.0, 0.0, 5.0], [1.0, 0.2, 11.0]]);
        assert_eq!(results(&resolved, &a)[0].value, 11.0);
    }

    #[test]
    fn what_begins_above_the_level_has_not_risen_to_it() {
        // Only a rise through the level counts, also where the window opens above it.
        let rows = [[0.0, 0.0, 1.0], [1.0, 0.6, 2.0], [2.0, 0.5, 3.0], [3.0, 0.1, 4.0], [4.0, 0.3, 8.0]];
        let (resolved, a) = after(&pull_at_slip(0.2, 1.0), &rows);
        assert!((results(&resolved, &a)[0].value - 6.0).abs() < 1e-13);
        let (resolved, a) = after(&pull_at_slip(0.2, 1.0), &rows[..4]);
        assert!(results(&resolved, &a)[0].value.is_nan());
    }

    #[test]
    fn a_crossing_that_never_happens_is_not_a_number_and_is_named() {
        // No value, and a warning with the quantity, the column and the level.
        let (resolved, a) = after(&pull_at_slip(0.2, 0.0), &[[0.0, 0.0, 5.0], [1.0, 0.1, 10.0]]);
        assert!(results(&resolved, &a)[0].value.is_nan());
        let warning = warnings(&resolved, &a).join("");
        for part in ["pull_at_slip_n", "\"slip\"", "0.2"] {
            assert!(warning.contains(part), "{warning}");
        }
        let (resolved, a) = after(&pull_at_slip(0.2, 5.0), &[[0.0, 0.0, 5.0]]);
        assert!(warnings(&resolved, &a)[0].contains("window"));
    }

    #[test]
    fn a_crossing_survives_a_checkpoint_between_its_rows() {
        // The accumulator as bytes and back, between the two rows that enclose the crossing, gives the same bits.
        let rows = [[0.0, 0.0, 5.0], [1.0, 0.1, 10.0], [2.0, 0.37, 50.0]];
        let (resolved, straight) = after(&pull_at_slip(0.2, 0.0), &rows);
        let (_, half) = after(&pull_at_slip(0.2, 0.0), &rows[..2]);
        let bytes = postcard::to_stdvec(&half).expect("plain data");
        let mut resumed: [Accumulator; 1] = postcard::from_bytes(&bytes).expect("the same data");
        add_row(&resolved, &mut resumed, &rows[2]);
        assert_eq!(resumed, straight);
    }

    #[test]
    fn a_crossing_column_that_does_not_exist_is_named() {
        // Both columns of a crossing are looked up before the run.
        let mut quantity = pull_at_slip(0.2, 0.0);
        quantity.crossing = Some(("slope".into(), 0.2));
        let missing = resolve(&[quantity], &columns()).expect_err("no such column");
        assert_eq!(missing, [("pull_at_slip_n".to_string(), "slope".to_string())]);
    }
}
