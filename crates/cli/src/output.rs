//! Text to people: tables, numbers, and writing that survives a closed pipe.

use crate::failure::Failure;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use touchdown_math::Elementary;

/// Width of tables where there is no terminal to ask, characters.
const PIPE_WIDTH: u16 = 140;

/// Text that cannot command a terminal: control characters but line ends and tabs, and those that turn the direction of writing, stand
/// as `\u{1b}`. Titles, names and cells of files are other people's words.
pub fn plain(text: &str) -> Cow<'_, str> {
    let commands = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(commands) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if commands(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Writes results to stdout. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(plain(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other { what: format!("writing to stdout: {error}"), hint: None })
        }
        _ => Ok(()),
    }
}

/// Writes a remark to stderr; nobody is left to hear if that fails.
pub fn say(text: &str) {
    say_styled(&plain(text));
}

/// As [`say`], for text that was made plain before it was coloured.
pub fn say_styled(text: &str) {
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
    let digits = 6 - size.decimal_log().floor() as i32;
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
    fn text_cannot_command_a_terminal() {
        // Escapes, bells, carriage returns, C1 controls and turned writing are shown; lines, tabs and letters of any script stay.
        assert_eq!(plain("a\u{1b}[2J\u{7}\r\u{9b}1m\u{202e}"), "a\\u{1b}[2J\\u{7}\\u{d}\\u{9b}1m\\u{202e}");
        assert_eq!(plain("x\ty\nπ ≤ 3 — 月"), "x\ty\nπ ≤ 3 — 月");
    }

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
