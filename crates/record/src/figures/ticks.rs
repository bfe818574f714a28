//! Labels of axes: every label gives the value of its tick exactly, in few digits.
//!
//! Short numbers are written out. Others have a power of ten beside the unit, or count from an offset that
//! the title names. The pages follow the same rules (`viewer/src/ticks.ts`); `viewer/tests/ticks.json` tests
//! both.

use touchdown_math::Elementary;

/// Labels with more digits than this are hard to read.
const MOST_DIGITS: i32 = 5;
/// More decimals than this would print round-off.
const MOST_DECIMALS: usize = 12;

/// Labels of an axis: the value of a tick is its text times 10 to the power, plus the offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    /// One for each tick.
    pub texts: Vec<String>,
    /// A multiple of three.
    pub power: i32,
    /// With its sign and digits in groups; empty without an offset.
    pub offset: String,
}

/// Labels of ticks that lie a step apart.
pub fn labels(values: &[f64], step: f64) -> Labels {
    let largest = |from: f64| values.iter().map(|v| (v - from).abs()).fold(step, f64::max);
    let (from, offset, power) = match power_of(largest(0.0), step) {
        Some(power) => (0.0, String::new(), power),
        None => {
            let (from, text) = offset_of(values, step);
            (from, text, power_of(largest(from), step).unwrap_or(0))
        }
    };
    let scale = 10f64.whole_power(-power);
    let decimals = decimals_of(step * scale);
    Labels { texts: values.iter().map(|v| written((v - from) * scale, decimals)).collect(), power, offset }
}

impl Labels {
    /// `x, m (+ 412 000 m)`: quantity, unit, and what the labels omit.
    pub fn title(&self, label: &str, unit: &str) -> String {
        let unit = if unit == "1" { "" } else { unit };
        let factor = if self.power == 0 { String::new() } else { format!("10{}", raised(self.power)) };
        let title = joined(&[label, &joined(&[&factor, unit], " ")], ", ");
        if self.offset.is_empty() {
            return title;
        }
        format!("{title} ({})", joined(&[&self.offset, unit], " ")).trim_start().into()
    }
}

/// The smallest permitted step between ticks that is not less than `least`: 1, 2 or 5 times a power of ten.
/// Degrees use fractions of a turn, except for small angles and many turns.
pub fn round_step(least: f64, unit: &str) -> f64 {
    const PARTS: [f64; 5] = [15.0, 30.0, 45.0, 90.0, 180.0];
    let enough = |step: &f64| *step >= least * (1.0 - 1e-9);
    if unit == "°"
        && !enough(&10.0)
        && let Some(part) = PARTS.into_iter().find(enough)
    {
        return part;
    }
    let magnitude = 10f64.power(least.decimal_log().floor());
    [1.0, 2.0, 5.0].map(|factor| factor * magnitude).into_iter().find(enough).unwrap_or(10.0 * magnitude)
}

/// The power of ten of the first digit. Computed logarithms of powers of ten can lie slightly below the
/// integer.
fn exponent_of(value: f64) -> i32 {
    (value.decimal_log() + 1e-9).floor() as i32
}

/// Decimals needed to write a step in full.
fn decimals_of(step: f64) -> usize {
    let first = exponent_of(step).min(0).unsigned_abs() as usize;
    let is_whole = |decimals: &usize| {
        let whole = step * 10f64.whole_power(*decimals as i32);
        (whole - whole.round()).abs() <= 1e-6 * whole
    };
    (first..MOST_DECIMALS).find(is_whole).unwrap_or(MOST_DECIMALS)
}

/// The power of ten that makes the labels short, if there is one.
fn power_of(largest: f64, step: f64) -> Option<i32> {
    if exponent_of(largest).max(0) + 1 + decimals_of(step) as i32 <= MOST_DIGITS {
        return Some(0);
    }
    let power = exponent_of(step).div_euclid(3) * 3;
    (exponent_of(largest) - power < MOST_DIGITS).then_some(power)
}

/// A round number, towards zero from all ticks, whose last digit is larger than the range of the ticks; and
/// its text.
fn offset_of(values: &[f64], step: f64) -> (f64, String) {
    let nearest = values.iter().map(|v| v.abs()).fold(f64::INFINITY, f64::min);
    let (first, last) = (values.first().copied().unwrap_or(0.0), values.last().copied().unwrap_or(0.0));
    let digit = ((last - first).abs().max(step).decimal_log() - 1e-9).ceil() as i32;
    let unit = 10f64.whole_power(digit);
    let size = (nearest / unit + 1e-9).floor() * unit;
    let text = grouped(size, (-digit).max(0) as usize);
    if first < 0.0 { (-size, format!("− {text}")) } else { (size, format!("+ {text}")) }
}

/// A number with the digits of its integer part in groups of three.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let end = text.find('.').unwrap_or(text.len());
    let mut grouped = String::with_capacity(text.len() + end / 3);
    for (at, c) in text.char_indices() {
        if at > 0 && at < end && (end - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(c);
    }
    grouped
}

/// A number with a typographic minus sign, and without "−0".
fn written(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero { text.replace('-', "") } else { text.replace('-', "−") }
}

fn joined(parts: &[&str], by: &str) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(by)
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
    use serde_json::Value;

    /// The table that the tests of the pages also read.
    fn table(part: &str) -> Vec<Value> {
        let text = include_str!("../../../../viewer/tests/ticks.json");
        let table: Value = serde_json::from_str(text).expect("the table is JSON");
        table[part].as_array().expect("a list").clone()
    }

    /// Every label gives the value of its tick, and the title what labels leave out, as on the pages.
    #[test]
    fn labels_are_those_of_the_pages() {
        for case in table("labels") {
            let (text, number) =
                (|key: &str| case[key].as_str().unwrap(), |key: &str| case[key].as_f64().unwrap());
            let expected: Vec<&str> =
                case["texts"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
            let (first, step) = (number("first"), number("step"));
            let ticks: Vec<f64> = (0..expected.len()).map(|k| first + k as f64 * step).collect();
            let labels = labels(&ticks, step);
            assert_eq!(labels.texts, expected, "{}", text("rule"));
            assert_eq!(labels.title(text("label"), text("unit")), text("title"), "{}", text("rule"));
        }
    }

    /// Ticks lie at the same round numbers as on the pages.
    #[test]
    fn steps_are_those_of_the_pages() {
        for case in table("steps") {
            let step = round_step(case["least"].as_f64().unwrap(), case["unit"].as_str().unwrap());
            let expected = case["step"].as_f64().unwrap();
            assert!((step - expected).abs() <= 1e-12 * expected, "{case}: {step}");
        }
    }
}
