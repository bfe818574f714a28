//! `series.csv`: the series for spreadsheets, written while the parts are merged.
//!
//! Numbers have as many digits as it takes to read them back to the same bits.

use std::io::{self, Write};
use touchdown_sim::sink::Column;

/// The header line.
pub(crate) fn header(out: &mut impl Write, columns: &[Column]) -> io::Result<()> {
    let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    writeln!(out, "{}", names.join(","))
}

/// Columns of equal length as lines.
pub(crate) fn lines(out: &mut impl Write, columns: &[Vec<f64>]) -> io::Result<()> {
    let rows = columns.first().map_or(0, Vec::len);
    for row in 0..rows {
        for (i, column) in columns.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            // `{:?}` is the shortest text that parses to the same number, with an exponent where that is shorter.
            write!(out, "{comma}{:?}", column[row])?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// RFC 4180: names with separators in quotes, quotes doubled.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_to_the_same_bits() {
        // Whatever is printed parses to the number that was recorded.
        let column = vec![0.1, -0.0, 1e300, 5e-324, 1.0 / 3.0, f64::INFINITY, f64::NAN];
        let mut text = Vec::new();
        lines(&mut text, std::slice::from_ref(&column)).expect("into memory");
        let text = String::from_utf8(text).expect("plain text");
        for (line, value) in text.lines().zip(&column) {
            let parsed: f64 = line.parse().expect("a number");
            assert!(parsed.to_bits() == value.to_bits() || (parsed.is_nan() && value.is_nan()), "{line}");
        }
        assert_eq!(text.lines().count(), column.len());
    }

    #[test]
    fn odd_names_are_quoted() {
        // A comma in a name does not make two columns.
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(quoted("time_s"), "time_s");
    }
}
