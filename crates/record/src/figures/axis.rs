//! An axis: the range that data need, ticks at round numbers, and a power of ten in front of the unit where numbers are large or small.

/// About as many ticks as this.
const TICKS: f64 = 6.0;
/// Numbers from 10⁵ or below 10⁻³ are shown with a power of ten.
const LARGE: i32 = 5;
const SMALL: i32 = -3;
/// A range narrower than this, beside the numbers themselves, is round-off.
const NARROWEST: f64 = 1e-9;

/// A range with ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub from: f64,
    pub to: f64,
    /// Places of the ticks and what is written there.
    pub ticks: Vec<(f64, String)>,
    /// What the axis shows and its unit, with the power of ten that the ticks leave out.
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

    /// With some room above and below, and down to zero if that is near.
    pub fn roomy((low, high): (f64, f64), label: &str, unit: &str) -> Axis {
        /// Part of the range that is left free on either side.
        const ROOM: f64 = 0.05;
        let (low, high) = widened(low, high);
        let room = ROOM * (high - low);
        let near_zero = |edge: f64, far: f64| edge * far > 0.0 && edge.abs() < 0.4 * far.abs();
        let from = if low == 0.0 || near_zero(low, high) { 0.0 } else { low - room };
        let to = if high == 0.0 || near_zero(high, low) { 0.0 } else { high + room };
        Axis::new(from, to, label, unit)
    }

    fn new(from: f64, to: f64, label: &str, unit: &str) -> Axis {
        let step =
            if unit == "°" { round_angle((to - from) / TICKS) } else { round_step((to - from) / TICKS) };
        let (first, last) = ((from / step - 1e-9).ceil(), (to / step + 1e-9).floor());
        let power = power_of(from.abs().max(to.abs()));
        let scale = 10f64.powi(-power);
        let decimals = (-(step * scale).log10().floor()).clamp(0.0, 12.0) as usize;
        let count = (last - first).clamp(0.0, 50.0) as usize;
        let place = |i: usize| (first + i as f64) * step;
        let ticks = (0..=count).map(|i| (place(i), written(place(i) * scale, decimals))).collect();
        Axis { from, to, ticks, title: title(label, unit, power) }
    }
}

/// A range that is not empty, even if all numbers are the same.
fn widened(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > NARROWEST * size && (high - low).is_normal() {
        return (low, high);
    }
    let half = if size > f64::MIN_POSITIVE / NARROWEST { 0.1 * size } else { 1.0 };
    (low - half, high + half)
}

/// 1, 2 or 5 times a power of ten, at or above a step.
fn round_step(step: f64) -> f64 {
    let magnitude = 10f64.powf(step.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * magnitude);
    steps.into_iter().find(|s| *s >= step * (1.0 - 1e-9)).unwrap_or(10.0 * magnitude)
}

/// Degrees are counted in parts of a turn; small angles and many turns like other numbers.
fn round_angle(step: f64) -> f64 {
    const PARTS: [f64; 5] = [15.0, 30.0, 45.0, 90.0, 180.0];
    let part = PARTS.into_iter().find(|part| *part >= 0.85 * step).filter(|_| step > 10.0);
    part.unwrap_or_else(|| round_step(step))
}

/// The power of ten, a multiple of three, that is written beside the unit.
fn power_of(largest: f64) -> i32 {
    let exponent = largest.log10().floor() as i32;
    if (SMALL..LARGE).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 }
}

/// A number of an axis, with a proper minus sign and without "-0".
fn written(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

fn title(label: &str, unit: &str, power: i32) -> String {
    let factor = if power == 0 { String::new() } else { format!("10{}", raised(power)) };
    let inside =
        [factor.as_str(), unit].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    // As on the charts of the page: "sinkage, mm".
    [label, inside.as_str()].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn raised(power: i32) -> String {
    let signs = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + (digit as u32 - '0' as u32)).unwrap_or(digit),
    };
    power.to_string().chars().map(signs).collect()
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

    /// Small and large numbers have their power of ten beside the unit.
    #[test]
    fn powers_of_ten_stand_beside_the_unit() {
        let axis = Axis::tight((0.0, 4.2e-13), "residual", "J");
        assert_eq!(
            (axis.title.as_str(), ticks(&axis)),
            ("residual, 10⁻¹⁵ J", vec!["0", "100", "200", "300", "400"])
        );
        assert_eq!(Axis::tight((0.0, 3e6), "force", "N").title, "force, 10⁶ N");
        assert_eq!(Axis::tight((0.0, 0.5), "slip", "").title, "slip");
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
