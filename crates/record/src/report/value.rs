//! Numbers and units in readable form, and the named numbers of a summary.

use maud::{Markup, html};
use serde_json::Value;
use touchdown_math::Elementary;

/// Significant digits of numbers in tables.
pub(super) const TABLE_DIGITS: i32 = 5;
/// Significant digits of the answer.
pub(super) const ANSWER_DIGITS: i32 = 4;

/// A named number of `summary.json`. Missing parts are empty, because the file can be of another version, or
/// damaged.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub name: String,
    /// `None` where it is not finite or not a number at all.
    pub value: Option<f64>,
    /// A word instead of a number, if it is one.
    pub word: Option<String>,
    pub unit: String,
    pub about: String,
}

/// The named numbers of a table of the summary, in its order.
pub(super) fn entries(summary: &Value, table: &str) -> Vec<Entry> {
    let Some(map) = summary[table].as_object() else { return Vec::new() };
    map.iter()
        .map(|(name, entry)| Entry {
            name: name.clone(),
            value: entry["value"].as_f64(),
            word: entry["value"].as_str().map(str::to_string),
            unit: text(&entry["unit"]),
            about: text(&entry["about"]),
        })
        .collect()
}

/// A text, or nothing.
pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// A number with this many significant digits, without trailing zeros, with a power of ten only where that is
/// shorter.
pub(super) fn number(x: f64, digits: i32) -> String {
    if !x.is_finite() {
        return "no value".into();
    }
    let size = x.abs();
    if size == 0.0 || (size < 1e7 && x.fract() == 0.0) {
        return x.abs().to_string().signed(x < 0.0);
    }
    if !(1e-4..1e7).contains(&size) {
        let text = format!("{size:.*e}", (digits - 1).max(0) as usize);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}\u{a0}×\u{a0}10{}", trimmed(mantissa), raised(exponent)).signed(x < 0.0);
    }
    let decimals = (digits - 1 - size.decimal_log().floor() as i32).clamp(0, 12);
    trimmed(&format!("{size:.*}", decimals as usize)).to_string().signed(x < 0.0)
}

/// The sign in front of a size.
trait Signed {
    fn signed(self, negative: bool) -> String;
}

impl Signed for String {
    fn signed(self, negative: bool) -> String {
        if negative { format!("\u{2212}{self}") } else { self }
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn raised(exponent: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    exponent.chars().map(|c| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])).collect()
}

/// A unit as printed: `1` stands for none, exponents are raised.
pub(super) fn unit(unit: &str) -> String {
    match unit {
        "1" | "-" => String::new(),
        "deg" => "°".into(),
        "deg/s" => "°/s".into(),
        unit => unit.replace("m3", "m³").replace("m2", "m²").replace("s2", "s²").replace(' ', "\u{a0}"),
    }
}

/// A number in a page: rounded for display, with all digits in the page's source.
pub(super) fn shown(value: Option<f64>, digits: i32) -> Markup {
    html! {
        @match value {
            Some(x) => data value=(x) { (number(x, digits)) },
            None => span.absent { "no value" },
        }
    }
}

/// A name of several parts, which can break between them.
pub(super) fn name(name: &str) -> Markup {
    let parts = name.split_inclusive(['_', '.', '/']).enumerate();
    html! { code { @for (n, part) in parts { @if n > 0 { wbr; } (part) } } }
}

/// A number with its unit, as text.
pub(super) fn with_unit(x: f64, digits: i32, name: &str) -> String {
    let printed = unit(name);
    let gap = if printed.is_empty() || printed.starts_with('°') { "" } else { "\u{a0}" };
    format!("{}{gap}{printed}", number(x, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_digits_that_matter() {
        // The printed number lies within half a unit of its last digit; round numbers stay round; nothing
        // overflows.
        for (x, printed) in [
            (68.75618587633419, "68.756"),
            (-34.14114, "\u{2212}34.141"),
            (180000.0, "180000"),
            (0.0, "0"),
            (0.0336375, "0.033638"),
            (6.391214860618299e-5, "6.3912\u{a0}×\u{a0}10⁻⁵"),
            (1e300, "1\u{a0}×\u{a0}10³⁰⁰"),
            (123456.78, "123457"),
            (f64::NAN, "no value"),
            (f64::NEG_INFINITY, "no value"),
        ] {
            assert_eq!(number(x, TABLE_DIGITS), printed);
        }
    }

    #[test]
    fn units_are_printed_as_engineers_write_them() {
        for (name, printed) in
            [("1", ""), ("m3", "m³"), ("N m", "N\u{a0}m"), ("m/s, rad/s", "m/s,\u{a0}rad/s"), ("deg", "°")]
        {
            assert_eq!(unit(name), printed);
        }
        assert_eq!(with_unit(2.5, 5, "N"), "2.5\u{a0}N");
        assert_eq!(with_unit(2.5, 5, "1"), "2.5");
    }
}
