//! Numbers in readable form, the same on the terminal and on the page.

use touchdown_math::Elementary;

/// Five significant digits, without the zeros at the end; in powers of ten far from one.
pub(crate) fn number(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 {
            "0".into()
        } else if x.is_nan() {
            "no value".into()
        } else {
            format!("{x}")
        };
    }
    let size = x.abs().decimal_log().floor();
    if !(-4.0..6.0).contains(&size) {
        let text = format!("{x:.2e}");
        return text.replace(".00e", "e");
    }
    let digits = (4.0 - size).max(0.0) as usize;
    let text = format!("{x:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// With its unit; pure numbers stand alone.
pub(crate) fn with_unit(x: f64, unit: &str) -> String {
    let text = number(x);
    if unit.is_empty() || unit == "1" || x.is_nan() { text } else { format!("{text} {unit}") }
}

/// With as many decimals as a tolerance makes worth reading: a tenth of it.
pub(crate) fn to_tolerance(x: f64, tolerance: f64, unit: &str) -> String {
    let decimals = (1.0 - tolerance.decimal_log()).ceil();
    if x == 0.0 || !x.is_finite() || !(0.0..=12.0).contains(&decimals) || x.abs() < 1e-4 {
        return with_unit(x, unit);
    }
    // Never fewer digits than elsewhere.
    let at_least = (4.0 - x.abs().decimal_log().floor()).clamp(0.0, 12.0);
    let text = format!("{x:.*}", decimals.max(at_least) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if unit.is_empty() || unit == "1" { text.into() } else { format!("{text} {unit}") }
}

/// "1 run", "2 runs".
pub(crate) fn count(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_five_digits() {
        let shown = [0.0341107, 1187.52, -34.14114, 2.8e-14, 1e-6, 0.95, 180000.0, 40.0].map(number);
        assert_eq!(shown, ["0.034111", "1187.5", "-34.141", "2.80e-14", "1e-6", "0.95", "180000", "40"]);
        assert_eq!(with_unit(f64::NAN, "N"), "no value");
        assert_eq!(to_tolerance(15.81077119629904, 1e-6, "rad"), "15.8107712 rad");
        assert_eq!(to_tolerance(193.36970074, 0.97, "N"), "193.37 N");
    }
}
