//! Functions of time: a quantity, or a table with one of `ramp`, `table`, `smooth`, `travel`, `sine`, `line`.
//!
//! In a key that names its unit (`force_n = { ramp = [0, 400], ... }`) plain numbers inside are SI and times
//! are seconds.

use super::{Spot, number};
use crate::error::Issues;
use crate::node::{Data, Entry, Node};
use crate::table::{ANY, Range};
use crate::unit::{ANGLE, Dim, FREQUENCY, TIME, parse_quantity};
use touchdown_math::{Signal, SignalError};

/// Forms of a function of time, for messages.
pub(crate) const FORMS: &str = "a quantity; { ramp = [first, last], from = time, to = time }; { table = [[time, value], ...] }; \
     { smooth = [[time, value], ...] }; { travel = [[time, rate], ...] }; { sine = { amplitude, frequency, phase, offset } }; { line = { start, rate } }";

/// Most rows of a table of (time, value).
const MOST_ROWS: usize = 1_000_000;
/// Times of a signal, s.
const TIMES: Range = Range { min: -1e12, max: 1e12, open: false };

static TIMES_IN: &[&Dim] = &[&TIME];
static FREQUENCIES: &[&Dim] = &[&FREQUENCY];
static PHASES: &[&Dim] = &[&ANGLE];

type Read = Option<(Signal, &'static Dim)>;

struct Reader<'a> {
    dims: &'static [&'static Dim],
    spot: Spot<'a>,
    issues: &'a mut Issues,
    /// Dimension of the first value read; all others must have the same.
    dim: Option<&'static Dim>,
}

/// Reads a function of time and its dimension.
pub(crate) fn read_signal(
    node: &Node,
    dims: &'static [&'static Dim],
    spot: Spot,
    issues: &mut Issues,
) -> Read {
    let mut reader = Reader { dims, spot, issues, dim: None };
    let signal = match &node.data {
        Data::Table(entries) => reader.table(node, entries)?,
        _ => Signal::Constant(reader.value(node)?),
    };
    if let Err(error) = signal.check() {
        reader.report(node, error);
        return None;
    }
    reader.dim.map(|dim| (signal, dim))
}

impl Reader<'_> {
    fn table(&mut self, node: &Node, entries: &[Entry]) -> Option<Signal> {
        let forms = ["ramp", "table", "smooth", "travel", "sine", "line"];
        let chosen: Vec<&Entry> = entries.iter().filter(|e| forms.contains(&e.key.as_str())).collect();
        let [form] = chosen[..] else {
            self.issues
                .at(node.loc, self.spot.path, "must be one function of time")
                .found(format!("{} of ramp, table, smooth, travel, sine, line", chosen.len()))
                .allowed(FORMS);
            return None;
        };
        let beside: &[&str] =
            if form.key == "ramp" { &["ramp", "from", "to", "from_s", "to_s"] } else { &forms };
        self.refuse_unknown(entries, beside);
        match form.key.as_str() {
            "ramp" => self.ramp(node, form),
            "table" => self.rows(&form.node, Self::value).map(Signal::Linear),
            "smooth" => self.rows(&form.node, Self::value).map(Signal::Smooth),
            "travel" => self.rows(&form.node, Self::rate).map(Signal::Travel),
            "sine" => self.sine(&form.node),
            _ => self.line(&form.node),
        }
    }

    fn refuse_unknown(&mut self, entries: &[Entry], allowed: &[&str]) {
        for entry in entries.iter().filter(|e| !allowed.contains(&e.key.as_str())) {
            let path = format!("{}.{}", self.spot.path, entry.key);
            self.issues
                .at(entry.key_loc, path, "is not a key of this function of time")
                .allowed(allowed.join(", "));
        }
    }

    fn value(&mut self, node: &Node) -> Option<f64> {
        let (value, dim) = number::read_number(node, self.dims, ANY, self.spot, self.issues)?;
        match self.dim {
            Some(first) if first != dim => {
                self.issues
                    .at(
                        node.loc,
                        self.spot.path,
                        format!("mixes {} with {}", first.with_article(), dim.with_article()),
                    )
                    .found(node.show());
                None
            }
            _ => {
                self.dim = Some(dim);
                Some(value)
            }
        }
    }

    /// A quantity of a given dimension in addition to the values: a time, a frequency, a phase.
    fn other(&mut self, node: &Node, dims: &'static [&'static Dim], plain: bool) -> Option<f64> {
        let dim = dims[0];
        let spot = Spot {
            dim: (plain || self.spot.dim.is_some() && node.number().is_some()).then_some(dim),
            ..self.spot
        };
        number::read_number(node, dims, TIMES, spot, self.issues).map(|q| q.0)
    }

    fn keyed(&mut self, entries: &[Entry], key: &str, dims: &'static [&'static Dim]) -> Option<f64> {
        let suffixed = format!("{key}_{}", dims[0].suffix);
        let entry = entries.iter().find(|e| e.key == key || e.key == suffixed)?;
        self.other(&entry.node, dims, entry.key == suffixed)
    }

    fn ramp(&mut self, node: &Node, form: &Entry) -> Option<Signal> {
        let Data::Array(ends) = &form.node.data else { return self.need(&form.node, "ramp = [first, last]") };
        let [first, last] = &ends[..] else { return self.need(&form.node, "ramp = [first, last]") };
        let values = (self.value(first), self.value(last));
        let entries = node.entries();
        let from = self.keyed(entries, "from", TIMES_IN);
        let to = self.keyed(entries, "to", TIMES_IN);
        if !entries.iter().any(|e| e.key.starts_with("to")) {
            return self.need(node, "to = \"… s\" beside ramp, the time at which it ends");
        }
        let from = if entries.iter().any(|e| e.key.starts_with("from")) { from? } else { 0.0 };
        Some(Signal::Linear(vec![(from, values.0?), (to?, values.1?)]))
    }

    fn rows(&mut self, node: &Node, read: fn(&mut Self, &Node) -> Option<f64>) -> Option<Vec<(f64, f64)>> {
        let Data::Array(rows) = &node.data else { return self.need(node, "[[time, value], ...]") };
        if rows.len() > MOST_ROWS {
            self.issues
                .at(node.loc, self.spot.path, format!("must have at most {MOST_ROWS} rows"))
                .found(rows.len());
            return None;
        }
        let rows: Vec<Option<(f64, f64)>> = rows.iter().map(|row| self.row(row, read)).collect();
        rows.into_iter().collect()
    }

    fn row(&mut self, node: &Node, read: fn(&mut Self, &Node) -> Option<f64>) -> Option<(f64, f64)> {
        match &node.data {
            Data::Array(pair) if pair.len() == 2 => {
                let time = self.other(&pair[0], TIMES_IN, false);
                let value = read(self, &pair[1]);
                Some((time?, value?))
            }
            _ => self.need(node, "[time, value]"),
        }
    }

    fn sine(&mut self, node: &Node) -> Option<Signal> {
        let keys = ["amplitude", "frequency", "frequency_hz", "phase", "phase_rad", "offset"];
        let entries = node.entries();
        self.refuse_unknown(entries, &keys);
        let Some(amplitude) = node.get("amplitude") else {
            return self.need(node, "sine = { amplitude, frequency }");
        };
        let amplitude = self.value(amplitude);
        let offset = node.get("offset").map(|n| self.value(n));
        if !entries.iter().any(|e| e.key.starts_with("frequency")) {
            return self.need(node, "frequency, such as \"2 Hz\"");
        }
        let frequency_hz = self.keyed(entries, "frequency", FREQUENCIES);
        let phase = entries.iter().any(|e| e.key.starts_with("phase"));
        let phase_rad = if phase { self.keyed(entries, "phase", PHASES)? } else { 0.0 };
        let offset = match offset {
            Some(read) => read?,
            None => 0.0,
        };
        Some(Signal::Sine { offset, amplitude: amplitude?, frequency_hz: frequency_hz?, phase_rad })
    }

    /// A value per second; the value's own dimension is derived from it.
    fn rate(&mut self, node: &Node) -> Option<f64> {
        let (rate, dim) = match (&node.data, node.number(), self.spot.dim) {
            (_, Some(rate), Some(dim)) => (rate, Some(dim)),
            (Data::Text(text), ..) => match parse_quantity(text) {
                Ok((rate, exponents)) => (rate, self.dims.iter().copied().find(|d| per_second(d, exponents))),
                Err(_) => (0.0, None),
            },
            _ => (0.0, None),
        };
        match (dim, self.dim) {
            (Some(dim), before) if before.is_none_or(|b| b == dim) => {
                self.dim = Some(dim);
                Some(rate)
            }
            _ => {
                let unit = self.dims.first().map_or("", |d| d.unit);
                self.need(node, &format!("a rate, such as \"1 {unit}/s\""))
            }
        }
    }

    fn line(&mut self, node: &Node) -> Option<Signal> {
        self.refuse_unknown(node.entries(), &["start", "rate"]);
        let (Some(start), Some(rate)) = (node.get("start"), node.get("rate")) else {
            return self.need(node, "line = { start = value, rate = value per second }");
        };
        let start = self.value(start)?;
        let dim = self.dim?;
        let rate = match (&rate.data, rate.number()) {
            (_, Some(rate)) if self.spot.dim.is_some() => Some(rate),
            (Data::Text(text), _) => parse_quantity(text).ok().filter(|q| per_second(dim, q.1)).map(|q| q.0),
            _ => None,
        };
        match rate {
            Some(rate) => Some(Signal::Line { start, rate }),
            None => {
                self.need(node, &format!("a rate in {} per second, such as \"1 {}/s\"", dim.unit, dim.unit))
            }
        }
    }

    fn need<T>(&mut self, node: &Node, what: &str) -> Option<T> {
        let issue = self.issues.at(node.loc, self.spot.path, format!("needs {what}"));
        if !matches!(node.data, Data::Table(_)) {
            issue.found(node.show());
        }
        None
    }

    fn report(&mut self, node: &Node, error: SignalError) {
        let path = self.spot.path;
        match error {
            SignalError::Empty => self.issues.at(node.loc, path, "needs at least one row"),
            SignalError::Unsorted(row) => self
                .issues
                .at(node.loc, path, "must have rising times")
                .found(format!("row {} not later than the one before", row + 1)),
            SignalError::NotFinite => self.issues.at(node.loc, path, "must have finite numbers"),
        };
    }
}

/// Whether `exponents` are those of `dim` per second.
fn per_second(dim: &Dim, exponents: [i8; 4]) -> bool {
    let mut expected = dim.exponents;
    expected[2] -= 1;
    expected == exponents
}
