//! Text to people: tables, numbers, and writing that survives a closed pipe.

use crate::failure::Failure;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use std::io::{self, IsTerminal, Write};

/// Width of tables where there is no terminal to ask, characters.
const PIPE_WIDTH: u16 = 140;

/// Writes results to stdout. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other { what: format!("writing to stdout: {error}"), hint: None })
        }
        _ => Ok(()),
    }
}

/// Writes a remark or an error to stderr; nobody is left to hear if that fails.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", text.trim_end());
}

/// Tables have a line under their headings and no others.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// An empty table, as wide as the terminal at most.
pub fn table(headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !io::stdout().is_terminal() {
        table.set_width(PIPE_WIDTH);
    }
    table.set_header(headings.to_vec());
    table
}

/// A number as people read it: seven digits, a power of ten only where it helps.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || !x.is_finite() {
        return format!("{x}");
    }
    if !(1e-4..1e7).contains(&size) {
        return format!("{x:.4e}");
    }
    let digits = 6 - size.log10().floor() as i32;
    let text = format!("{x:.*}", digits.clamp(0, 10) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A number with its unit; `1` stands for none.
pub fn with_unit(x: f64, unit: &str) -> String {
    match unit {
        "" | "1" => number(x),
        unit => format!("{} {unit}", number(x)),
    }
}

/// "1 mistake", "2 mistakes".
pub fn count(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_seven_digits() {
        // A printed number differs from the recorded one by less than 1e-6 of it, and round numbers stay round.
        for (x, text) in [
            (320.0, "320"),
            (1187.5199999, "1187.52"),
            (-0.0194444444, "-0.01944444"),
            (0.0, "0"),
            (2.5e-9, "2.5000e-9"),
            (1e7, "1.0000e7"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(number(x), text);
        }
    }
}
