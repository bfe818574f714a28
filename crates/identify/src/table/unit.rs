//! Units of measured columns.

/// What a column measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Time.
    Time,
    /// Force.
    Force,
    /// Length.
    Length,
    /// Speed.
    Speed,
    /// No unit, or any: taken as it is.
    Number,
}

/// A unit with its factor to SI.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// As written.
    pub symbol: &'static str,
    /// What it measures.
    pub kind: Measure,
    /// SI units in one of it.
    pub factor: f64,
}

const UNITS: [Unit; 15] = [
    unit("s", Measure::Time, 1.0),
    unit("ms", Measure::Time, 1e-3),
    unit("us", Measure::Time, 1e-6),
    unit("min", Measure::Time, 60.0),
    unit("N", Measure::Force, 1.0),
    unit("kN", Measure::Force, 1e3),
    unit("mN", Measure::Force, 1e-3),
    unit("m", Measure::Length, 1.0),
    unit("cm", Measure::Length, 1e-2),
    unit("mm", Measure::Length, 1e-3),
    unit("um", Measure::Length, 1e-6),
    unit("m/s", Measure::Speed, 1.0),
    unit("mm/s", Measure::Speed, 1e-3),
    unit("cm/s", Measure::Speed, 1e-2),
    unit("1", Measure::Number, 1.0),
];

const fn unit(symbol: &'static str, kind: Measure, factor: f64) -> Unit {
    Unit { symbol, kind, factor }
}

impl Unit {
    /// From its symbol; `n` and `kn` in lower case are newtons too, as columns of runs write them.
    pub fn parse(text: &str) -> Option<Unit> {
        let text = match text.trim() {
            "n" => "N",
            "kn" => "kN",
            "m_per_s" => "m/s",
            "mm_per_s" => "mm/s",
            other => other,
        };
        UNITS.into_iter().find(|u| u.symbol == text)
    }
}

impl Measure {
    /// Units of the kind.
    pub fn allowed(self) -> String {
        let symbols: Vec<&str> = UNITS.iter().filter(|u| u.kind == self).map(|u| u.symbol).collect();
        symbols.join(", ")
    }
}

/// Name without unit, and the unit that it says: `force_N`, `force (N)`, `force [N]`, `speed_m_per_s`.
pub(super) fn split_name(name: &str) -> (&str, Option<Unit>) {
    let name = name.trim();
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((stem, rest)) = name.split_once(open)
            && let Some(symbol) = rest.strip_suffix(close)
        {
            return (stem.trim(), Unit::parse(symbol));
        }
    }
    for suffix in ["_mm_per_s", "_m_per_s"] {
        if let Some(stem) = name.strip_suffix(suffix) {
            return (stem, Unit::parse(&suffix[1..]));
        }
    }
    match name.rsplit_once('_') {
        Some((stem, symbol)) if Unit::parse(symbol).is_some() && symbol != "1" => (stem, Unit::parse(symbol)),
        _ => (name, None),
    }
}
