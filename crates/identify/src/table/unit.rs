//! Units of measured columns.

/// What a column measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
    pub kind: Kind,
    /// SI units in one of it.
    pub factor: f64,
}

const UNITS: [Unit; 15] = [
    unit("s", Kind::Time, 1.0),
    unit("ms", Kind::Time, 1e-3),
    unit("us", Kind::Time, 1e-6),
    unit("min", Kind::Time, 60.0),
    unit("N", Kind::Force, 1.0),
    unit("kN", Kind::Force, 1e3),
    unit("mN", Kind::Force, 1e-3),
    unit("m", Kind::Length, 1.0),
    unit("cm", Kind::Length, 1e-2),
    unit("mm", Kind::Length, 1e-3),
    unit("um", Kind::Length, 1e-6),
    unit("m/s", Kind::Speed, 1.0),
    unit("mm/s", Kind::Speed, 1e-3),
    unit("cm/s", Kind::Speed, 1e-2),
    unit("1", Kind::Number, 1.0),
];

const fn unit(symbol: &'static str, kind: Kind, factor: f64) -> Unit {
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

impl Kind {
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
