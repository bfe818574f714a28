//! Numbers in the text of a verdict.

use touchdown_math::Elementary;

/// Two digits of a percentage or factor.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    let digits = (1 - x.abs().decimal_log().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A length or time with the prefix that people use.
pub(crate) fn with_prefix(x: f64, unit: &str) -> String {
    match unit {
        "m" | "s" if x.abs() < 0.1 => format!("{} m{unit}", short(x * 1e3)),
        "" if x != 0.0 && x.abs() < 1e-3 => format!("{x:.1e}"),
        "" => short(x),
        unit => format!("{} {unit}", short(x)),
    }
}

/// A value with four digits and its unit.
pub(crate) fn quantity(x: f64, unit: &str) -> String {
    let text = match x.abs() {
        size if x == 0.0 || !x.is_finite() => format!("{}", if size == 0.0 { 0.0 } else { x }),
        size if !(1e-4..1e7).contains(&size) => format!("{x:.3e}"),
        size => format!("{x:.*}", (3 - size.decimal_log().floor() as i32).clamp(0, 9) as usize),
    };
    if matches!(unit, "" | "1") { text } else { format!("{text} {unit}") }
}

/// Ten digits, for values that are nearly exact.
fn long(x: f64) -> String {
    if !(1e-4..1e7).contains(&x.abs()) {
        return if x == 0.0 { "0".into() } else { format!("{x:.9e}") };
    }
    let text = format!("{x:.*}", (9 - x.abs().decimal_log().floor() as i32).max(1) as usize);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// A value as precise as its uncertainty allows: two digits of that.
pub(crate) fn plus_minus(x: f64, within: f64, unit: &str) -> String {
    let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" {unit}") };
    if !(within > 0.0 && within.is_finite() && x.is_finite()) || within < 1e-9 * x.abs() {
        return format!("{} ± {within:.1e}{unit}", long(x));
    }
    let digits = 1 - within.decimal_log().floor() as i32;
    if digits > 9 || x.abs().max(within) >= 1e9 {
        return format!("{x:.6e} ± {within:.1e}{unit}");
    }
    let digits = digits.max(0) as usize;
    format!("{x:.digits$} ± {within:.digits$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_uncertainty_allows() {
        // Two digits of the uncertainty, and the value to the same place.
        for (x, within, text) in [
            (-34.14113, 1.0734, "-34.1 ± 1.1 N"),
            (0.047446, 0.00213, "0.0474 ± 0.0021 N"),
            (1234.5, 56.7, "1234 ± 57 N"),
            (0.011351798853, 1.7e-17, "0.01135179885 ± 1.7e-17 N"),
            (2.0, 0.0, "2 ± 0.0e0 N"),
        ] {
            assert_eq!(plus_minus(x, within, "N"), text);
        }
        assert_eq!(quantity(-34.14113, "N"), "-34.14 N");
        assert_eq!(quantity(0.0, "1"), "0");
    }

    #[test]
    fn settings_have_the_prefix_that_people_use() {
        // Millimetres and milliseconds below a tenth; tolerances as powers of ten.
        assert_eq!(with_prefix(0.05, "m"), "50 mm");
        assert_eq!(with_prefix(0.001, "s"), "1 ms");
        assert_eq!(with_prefix(1.2, "m"), "1.2 m");
        assert_eq!(with_prefix(1e-10, ""), "1.0e-10");
    }
}
