//! An axis: the range that the data need, and ticks at round numbers.

use super::ticks::{labels, round_step};

/// Approximate number of ticks.
const TICKS: f64 = 6.0;
/// A range narrower than this, relative to the numbers themselves, is round-off.
const NARROWEST: f64 = 1e-9;

/// A range with ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub from: f64,
    pub to: f64,
    /// Positions of the ticks and their labels.
    pub ticks: Vec<(f64, String)>,
    /// Quantity and unit, with the power of ten and the offset that the tick labels omit.
    pub title: String,
}

/// Smallest and largest of the finite numbers.
pub(super) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|v| v.is_finite()).fold(None, |range, v| match range {
        None => Some((v, v)),
        Some((low, high)) => Some((low.min(v), high.max(v))),
    })
}

impl Axis {
    /// From the first to the last number.
    pub fn tight((low, high): (f64, f64), label: &str, unit: &str) -> Axis {
        let (from, to) = widened(low, high);
        Axis::new(from, to, label, unit)
    }

    /// With a margin above and below, and extended to zero if that is near.
    pub fn roomy((low, high): (f64, f64), label: &str, unit: &str) -> Axis {
        /// Fraction of the range that is left free on either side.
        const ROOM: f64 = 0.05;
        let (low, high) = widened(low, high);
        let room = ROOM * (high - low);
        let near_zero = |edge: f64, far: f64| edge * far > 0.0 && edge.abs() < 0.4 * far.abs();
        let from = if low == 0.0 || near_zero(low, high) { 0.0 } else { low - room };
        let to = if high == 0.0 || near_zero(high, low) { 0.0 } else { high + room };
        Axis::new(from, to, label, unit)
    }

    fn new(from: f64, to: f64, label: &str, unit: &str) -> Axis {
        let step = round_step((to - from) / TICKS, unit);
        let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
        let count = (last - first).clamp(0.0, 50.0) as usize;
        let places: Vec<f64> = (0..=count).map(|i| (first + i as f64) * step).collect();
        let labels = labels(&places, step);
        let title = labels.title(label, unit);
        Axis { from, to, ticks: places.into_iter().zip(labels.texts).collect(), title }
    }
}

/// A range that is not empty, even if all numbers are equal.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > NARROWEST * size && (high - low).is_normal() {
        return (low, high);
    }
    let half = if size > f64::MIN_POSITIVE / NARROWEST { 0.1 * size } else { 1.0 };
    (low - half, high + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|t| t.1.as_str()).collect()
    }

    /// Ticks lie at round numbers within the range, written with the digits that the step needs.
    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(&Axis::tight((0.0, 180.0), "time", "s")), ["0", "50", "100", "150"]);
        let axis = Axis::tight((-0.013, 0.021), "x", "m");
        assert_eq!(ticks(&axis), ["−0.01", "0.00", "0.01", "0.02"]);
        assert!(axis.ticks.iter().all(|t| (axis.from..=axis.to).contains(&t.0)));
    }

    /// Degrees are counted in parts of a turn.
    #[test]
    fn angles_have_ticks_of_their_own() {
        assert_eq!(ticks(&Axis::tight((0.0, 350.0), "direction", "°")), ["0", "90", "180", "270"]);
        assert_eq!(
            ticks(&Axis::tight((-90.0, 90.0), "angle", "°")),
            ["−90", "−60", "−30", "0", "30", "60", "90"]
        );
        assert_eq!(
            ticks(&Axis::tight((0.0, 3.0), "tilt", "°")),
            ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]
        );
    }

    /// Equal numbers, zeros, the largest and the smallest numbers: always a range, and ticks in it.
    #[test]
    fn every_range_has_room() {
        for (low, high) in
            [(0.0, 0.0), (3.0, 3.0), (5e-324, 5e-324), (-1e300, 1e300), (1.0, 1.0 + 1e-15), (0.0, 1e-310)]
        {
            for axis in [Axis::tight((low, high), "", ""), Axis::roomy((low, high), "", "")] {
                assert!(
                    axis.from < axis.to && (1..=20).contains(&axis.ticks.len()),
                    "{low} {high}: {axis:?}"
                );
                assert!(axis.from <= low && axis.to >= high);
            }
        }
    }
}
