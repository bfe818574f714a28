//! Sources of text: the files, machine files and `--set` arguments of a scenario, and locations in them.
//!
//! First stage of reading; every value and every diagnostic carries a [`Loc`] into [`Sources`].

use std::ops::Range;

/// One text that was read: a file or a `--set` argument.
#[derive(Clone, Debug)]
pub struct Source {
    /// Name shown to the user, such as `rover.toml` or `--set links=5`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// All texts of one scenario.
#[derive(Clone, Debug, Default)]
pub struct Sources(pub Vec<Source>);

/// A range of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Loc {
    /// Index in [`Sources`].
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Sources {
    /// Adds a text; returns its index.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        self.0.push(Source { name: name.into(), text: text.into() });
        (self.0.len() - 1) as u32
    }

    /// Line and column (both from 1, columns in characters) of the start of `loc`.
    pub fn line_column(&self, loc: Loc) -> (usize, usize) {
        let Some(source) = self.0.get(loc.source as usize) else { return (1, 1) };
        let upto = floor_boundary(&source.text, loc.start as usize);
        let before = &source.text[..upto];
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// Name of the source of `loc`.
    pub fn name(&self, loc: Loc) -> &str {
        self.0.get(loc.source as usize).map_or("?", |s| &s.name)
    }
}

impl Loc {
    /// From a source and a byte range.
    pub fn new(source: u32, span: Range<usize>) -> Self {
        Loc { source, start: span.start as u32, end: span.end as u32 }
    }

    /// The byte range.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The nearest character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
