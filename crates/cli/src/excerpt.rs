//! The lines around a mistake as a terminal can show them: short, without control characters, with their true line and column.
//!
//! A line of a broken file may be megabytes long, too long to show, and too long for the printer to count.

use crate::output::plain;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Characters shown before the mistake and after its start, at most.
const BEFORE: usize = 100;
const AFTER: usize = 200;

/// One line before the mistake, its own, and one after it.
#[derive(Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// The mistake in `text`.
    marked: Range<usize>,
    /// Line of the first character of `text`, from 0.
    first_line: usize,
    /// Column of the mistake in its file, from 0.
    column: usize,
}

impl Excerpt {
    /// Cuts the lines about `span` out of a text; a span over several lines is shown by its first.
    pub fn new(name: &str, text: &str, span: Range<usize>) -> Excerpt {
        let at = floor(text, span.start);
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
        let stop = floor(text, span.end.min(end)).max(at);
        let line = text[..start].bytes().filter(|b| *b == b'\n').count();
        let (mut out, mut first_line) = (String::new(), line);
        if let Some(before) = text[..start].strip_suffix('\n') {
            out += &head(before.rsplit('\n').next().unwrap_or(""));
            out.push('\n');
            first_line -= 1;
        }
        out += &tail(&text[start..at]);
        let from = out.len();
        out += &head(&text[at..stop]);
        let to = out.len();
        out += &head(&text[stop..end]);
        if let Some(after) = text[end..].strip_prefix('\n').filter(|after| !after.is_empty()) {
            out.push('\n');
            out += &head(after.split('\n').next().unwrap_or(""));
        }
        let column = text[start..at].chars().count();
        Excerpt { name: plain(name).into_owned(), text: out, marked: from..to, first_line, column }
    }

    /// The mistake in the excerpt.
    pub fn marked(&self) -> Range<usize> {
        self.marked.clone()
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        // Only without context does the text start at the mistake.
        let column = if before == 0 { self.column } else { inner.column() };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            self.first_line + inner.line(),
            column,
            inner.line_count(),
        )))
    }
}

/// The first characters of a line.
fn head(line: &str) -> String {
    let line = line.trim_end_matches('\r');
    match line.char_indices().nth(AFTER) {
        Some((cut, _)) => format!("{}…", plain(&line[..cut])),
        None => plain(line).into_owned(),
    }
}

/// The last characters of a line.
fn tail(line: &str) -> String {
    match line.char_indices().rev().nth(BEFORE - 1) {
        Some((cut, _)) if cut > 0 => format!("…{}", plain(&line[cut..])),
        _ => plain(line).into_owned(),
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mistake far out in a long line keeps its line and column, and what is shown of the line is short and free of escapes.
    #[test]
    fn long_lines_are_cut_and_escaped() {
        let long = format!("a = 1\nb = \"{}\u{1b}[2J\", c\nd = 2\n", "é".repeat(80_000));
        let at = long.find(", c").unwrap() + 2;
        let excerpt = Excerpt::new("x\u{7}.toml", &long, at..at + 1);
        assert_eq!(&excerpt.text[excerpt.marked()], "c");
        assert!(excerpt.text.len() < 600 && !excerpt.text.contains('\u{1b}'), "{}", excerpt.text);
        assert!(excerpt.text.contains("\\u{1b}[2J"));
        let label = SourceSpan::from(excerpt.marked());
        let read = excerpt.read_span(&label, 0, 0).unwrap();
        assert_eq!((read.line(), read.column()), (1, 80_012));
        assert_eq!(read.name(), Some("x\\u{7}.toml"));
        let around = excerpt.read_span(&label, 1, 1).unwrap();
        assert_eq!(around.line(), 0);
    }

    /// The end of a text, an empty text and a place inside a character are no reason to panic.
    #[test]
    fn any_place_can_be_shown() {
        for text in ["", "\n", "ä", "a\nä\r\n", "a = [\n1,\n2"] {
            for start in 0..=text.len() {
                for end in start..=text.len() + 1 {
                    let excerpt = Excerpt::new("f", text, start..end);
                    let _ = excerpt.text[excerpt.marked()].len();
                }
            }
        }
    }
}
