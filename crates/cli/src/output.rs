//! Text output: tables, numbers, and writing that tolerates a closed pipe.

use crate::args::Colour;
use crate::failure::Failure;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
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

/// When text is coloured, as the command line says; on terminals until it has been read.
static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Takes over `--color`.
pub fn set_colour(colour: Colour) {
    let _ = COLOUR.set(colour);
}

/// Whether text on a stream is coloured. `NO_COLOR` (see no-color.org) counts unless `--color always` overrules it.
pub fn is_coloured(terminal: bool) -> bool {
    match COLOUR.get().copied().unwrap_or(Colour::Auto) {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|word| word.is_empty()),
    }
}

/// What a coloured word says.
#[derive(Clone, Copy)]
pub enum Tone {
    Good,
    Bad,
    Strong,
}

/// Text for stdout in a tone, where colour is wanted; control characters in it are shown.
pub fn toned(text: &str, tone: Tone) -> String {
    let text = plain(text);
    if !is_coloured(io::stdout().is_terminal()) {
        return text.into_owned();
    }
    let code = match tone {
        Tone::Good => "1;32",
        Tone::Bad => "1;31",
        Tone::Strong => "1",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// Breaks a text into lines of at most `width` characters, all but the first behind `indent` spaces.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut out = String::new();
    let mut used = indent;
    for word in text.split_whitespace() {
        let long = word.chars().count();
        if used > indent && used + 1 + long > width {
            out += &format!("\n{:indent$}", "");
            used = indent;
        } else if used > indent {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += long;
    }
    out
}

/// Writes one JSON document to stdout.
pub fn print_json(value: &serde_json::Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

/// Writes results to stdout. A reader that has seen enough (`| head`) is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    print_styled(&plain(text))
}

/// As [`print`], for text that was made plain before it was coloured.
pub fn print_styled(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other { what: format!("writing to stdout: {error}"), hint: None })
        }
        _ => Ok(()),
    }
}

/// Writes a remark to stderr; a failure to do so cannot be reported.
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
    fn text_is_broken_between_words() {
        // No line is longer than the width, no word is cut, and following lines are indented.
        assert_eq!(wrapped("one two three four", 12, 3), "one two\n   three\n   four");
        assert_eq!(wrapped("incomprehensibilities", 10, 2), "incomprehensibilities");
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
