//! Tables in time as signals.

use touchdown_math::Signal;

/// The travel that speeds add up to, times a sign; at rest if there are none.
pub(crate) fn travel(rows: &[(f64, f64)], sign: f64) -> Signal {
    match rows {
        [] => Signal::Constant(0.0),
        rows => Signal::Travel(rows.iter().map(|(t, v)| (*t, sign * v)).collect()),
    }
}

/// Values times a sign, blended smoothly from row to row; zero if there are none.
pub(crate) fn smooth(rows: &[(f64, f64)], sign: f64) -> Signal {
    match rows {
        [] => Signal::Constant(0.0),
        rows => Signal::Smooth(rows.iter().map(|(t, y)| (*t, sign * y)).collect()),
    }
}
