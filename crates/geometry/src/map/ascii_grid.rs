//! Reads elevation maps in ESRI's ASCII grid format (`.asc`) into a [`Raster`]. The input is text: the caller
//! opens files.
//!
//! A header of keys and values, one pair a line in any order and case: `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`,
//! `cellsize`, and optionally `NODATA_value` (−9999 unless given). Then the heights in metres, rows from north to south, each from west to east; line
//! ends need not be row ends. Heights belong to the middle of cells: with `…corner` the first node lies half a cell inside.
//! Source: Esri, *ArcGIS documentation*, "Esri ASCII raster format".

use super::place::{Place, Unit};
use super::sheet::{Body, Sheet};
use super::{MOST_NODES, MapError};
use crate::{Raster, ReliefError};

/// The header's keys, as messages list them.
const KEYS: &str = "ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter, cellsize, NODATA_value";
/// Default value for no data of the format.
const DEFAULT_NO_DATA: f64 = -9999.0;
/// Writers that use the least 32-bit float for no data print it with differing digits; no height is of this size, m.
const BEYOND_ANY_HEIGHT: f64 = 1e30;

/// Errors of an ASCII grid. Lines count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AsciiGridError {
    /// A line of the header is not a known key.
    #[error("line {line}: found the key `{found}`, allowed: {KEYS}")]
    UnknownKey {
        /// Where.
        line: usize,
        /// The key.
        found: String,
    },
    /// A duplicate key (corner and centre of the same axis count as the same).
    #[error("line {line}: found {key} again, allowed: once")]
    RepeatedKey {
        /// Line of its repetition.
        line: usize,
        /// The key.
        key: &'static str,
    },
    /// A key's value is missing, followed by other words, or out of range.
    #[error("line {line}: {key} is `{found}`, allowed: {allowed}")]
    Value {
        /// Where.
        line: usize,
        /// The key.
        key: &'static str,
        /// The text after the key.
        found: String,
        /// Its range in words.
        allowed: &'static str,
    },
    /// Heights begin before the header is complete.
    #[error("line {line}: the header ends without {key}, allowed: {KEYS}")]
    MissingKey {
        /// Where the heights begin.
        line: usize,
        /// What is missing.
        key: &'static str,
    },
    /// A height is not a number.
    #[error("line {line}: found the height `{found}`, allowed: a finite number, or the no-data value")]
    Height {
        /// Where.
        line: usize,
        /// The word.
        found: String,
    },
    /// One line for each row, but this one has another number of heights than columns.
    #[error("line {line}: found {found} heights, allowed: ncols = {allowed}")]
    RowLength {
        /// Where.
        line: usize,
        /// Heights on it.
        found: usize,
        /// Columns.
        allowed: usize,
    },
    /// Too few or too many heights in all.
    #[error("line {line}: the text ends after {found} heights, allowed: ncols x nrows = {columns} x {rows}")]
    Count {
        /// The last line.
        line: usize,
        /// Heights in all.
        found: usize,
        /// ncols.
        columns: usize,
        /// nrows.
        rows: usize,
    },
    /// The numbers do not form a map.
    #[error(transparent)]
    Map(#[from] ReliefError),
}

/// Reads an ASCII grid.
pub fn parse_ascii_grid(text: &str) -> Result<Raster, AsciiGridError> {
    let (begin, lines, grid) = split(text)?;
    let southward = heights(begin, lines, &grid)?;
    // The format runs from north to south, a map from south to north.
    let northward = southward.chunks(grid.columns).rev().flatten().copied().collect();
    Ok(Raster::new(grid.origin, grid.spacing, grid.columns, grid.rows, northward)?)
}

/// Whether a text begins like an ASCII grid: with one of its keys.
pub(super) fn is_header(text: &str) -> bool {
    let word =
        text.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    let is_key = |key: &str| KEYS.to_ascii_lowercase().split([',', ' ']).any(|k| k == key);
    word != "or" && !word.is_empty() && is_key(&word)
}

/// Opens an ASCII grid as one of the formats of maps.
pub(super) fn open(text: &str) -> Result<(Sheet, Body<'static>), MapError> {
    let (begin, lines, grid) = split(text)?;
    let Grid { columns, rows, spacing, origin, no_data } = grid;
    if columns.checked_mul(rows).is_none_or(|nodes| nodes > MOST_NODES) {
        return Err(MapError::Gigantic { columns, rows });
    }
    let values = heights(begin, lines, &grid)?;
    let place = Place {
        first: [origin[0], origin[1] + (rows - 1) as f64 * spacing],
        step: [spacing; 2],
        unit: Unit::Length("m".into(), 1.0),
        equirectangular: None,
    };
    let sheet = Sheet {
        place: Some(place),
        no_data: Some(no_data),
        ..Sheet::new("ESRI ASCII grid", "text", columns, rows)
    };
    Ok((sheet, Body::Values(values)))
}

/// The header, and the lines of heights after it.
fn split(text: &str) -> Result<(usize, impl Iterator<Item = (usize, &str)>, Grid), AsciiGridError> {
    let mut header = Header::default();
    // Some editors write a byte order mark.
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines()).peekable();
    let mut line = 1;
    while let Some((number, content)) = lines.next_if(|(_, content)| !is_heights(content)) {
        line = number;
        header.read(number, content)?;
    }
    let begin = lines.peek().map_or(line, |(number, _)| *number);
    Ok((begin, lines, header.finish(begin)?))
}

/// Heights from north to south; not a number where there is no data.
fn heights<'a>(
    begin: usize,
    lines: impl Iterator<Item = (usize, &'a str)>,
    grid: &Grid,
) -> Result<Vec<f64>, AsciiGridError> {
    let mut heights = Heights { line: begin, ..Heights::default() };
    for (number, content) in lines {
        heights.read(number, content, grid)?;
    }
    heights.finish(grid)
}

/// Whether a line belongs to the heights: it begins with a number (`nan` is one), or with a word that is not
/// a key.
fn is_heights(line: &str) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| word.parse::<f64>().is_ok() || !word.starts_with(|c: char| c.is_alphabetic()))
}

/// Content of the header, in its own terms.
#[derive(Default)]
struct Header {
    columns: Option<usize>,
    rows: Option<usize>,
    spacing: Option<f64>,
    no_data: Option<f64>,
    /// Along x and y: the first node, m, and how many cells it lies inside the given coordinate.
    origin: [Option<(f64, f64)>; 2],
}

/// A complete header.
struct Grid {
    columns: usize,
    rows: usize,
    spacing: f64,
    origin: [f64; 2],
    no_data: f64,
}

impl Header {
    /// Reads a line of the header; empty ones are skipped.
    fn read(&mut self, line: usize, content: &str) -> Result<(), AsciiGridError> {
        let content = content.trim();
        let (key, value) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        let entry = |key, allowed| Entry { line, key, found: value.trim(), allowed };
        match key.to_ascii_lowercase().as_str() {
            "" => Ok(()),
            "ncols" => entry("ncols", "a whole number, at least 2").count(&mut self.columns),
            "nrows" => entry("nrows", "a whole number, at least 2").count(&mut self.rows),
            "cellsize" => {
                entry("cellsize", "a number > 0").number(&mut self.spacing, |v| v.is_finite() && v > 0.0)
            }
            "nodata_value" => entry("NODATA_value", "a number").number(&mut self.no_data, |_| true),
            "xllcorner" => entry("xllcorner", "a finite number").place(&mut self.origin[0], 0.5),
            "xllcenter" => entry("xllcenter", "a finite number").place(&mut self.origin[0], 0.0),
            "yllcorner" => entry("yllcorner", "a finite number").place(&mut self.origin[1], 0.5),
            "yllcenter" => entry("yllcenter", "a finite number").place(&mut self.origin[1], 0.0),
            _ => Err(AsciiGridError::UnknownKey { line, found: shorten(key) }),
        }
    }

    /// The header, complete; `line` is where the heights begin.
    fn finish(self, line: usize) -> Result<Grid, AsciiGridError> {
        let missing = |key| AsciiGridError::MissingKey { line, key };
        let spacing = self.spacing.ok_or(missing("cellsize"))?;
        let first = |place: Option<(f64, f64)>, key| {
            place.map(|(at, inside)| at + inside * spacing).ok_or(missing(key))
        };
        Ok(Grid {
            columns: self.columns.ok_or(missing("ncols"))?,
            rows: self.rows.ok_or(missing("nrows"))?,
            spacing,
            origin: [
                first(self.origin[0], "xllcorner or xllcenter")?,
                first(self.origin[1], "yllcorner or yllcenter")?,
            ],
            no_data: self.no_data.unwrap_or(DEFAULT_NO_DATA),
        })
    }
}

/// A key of the header and the text of its value.
struct Entry<'a> {
    line: usize,
    key: &'static str,
    found: &'a str,
    allowed: &'static str,
}

impl Entry<'_> {
    fn count(self, slot: &mut Option<usize>) -> Result<(), AsciiGridError> {
        let value = self.found.parse().ok().filter(|n| *n >= 2);
        self.fill(slot, value)
    }

    fn number(self, slot: &mut Option<f64>, is_allowed: impl Fn(f64) -> bool) -> Result<(), AsciiGridError> {
        let value = self.found.parse().ok().filter(|v| is_allowed(*v));
        self.fill(slot, value)
    }

    /// The coordinate of the lower left cell, and how many cells its middle lies inside it.
    fn place(self, slot: &mut Option<(f64, f64)>, inside: f64) -> Result<(), AsciiGridError> {
        let value = self.found.parse().ok().filter(|v: &f64| v.is_finite()).map(|v| (v, inside));
        self.fill(slot, value)
    }

    fn fill<T>(self, slot: &mut Option<T>, value: Option<T>) -> Result<(), AsciiGridError> {
        let Entry { line, key, found, allowed } = self;
        if slot.is_some() {
            return Err(AsciiGridError::RepeatedKey { line, key });
        }
        *slot = value;
        if slot.is_some() {
            Ok(())
        } else {
            Err(AsciiGridError::Value { line, key, found: shorten(found), allowed })
        }
    }
}

/// The heights so far, from north to south.
#[derive(Default)]
struct Heights {
    values: Vec<f64>,
    /// The last line.
    line: usize,
    /// Lines that are not empty.
    lines: usize,
    /// The first of them whose number of heights is not that of the columns: its line, and how many.
    uneven: Option<(usize, usize)>,
}

impl Heights {
    fn read(&mut self, line: usize, content: &str, grid: &Grid) -> Result<(), AsciiGridError> {
        let before = self.values.len();
        for word in content.split_whitespace() {
            let height = parse_height(word, grid.no_data);
            self.values.push(height.ok_or(AsciiGridError::Height { line, found: shorten(word) })?);
        }
        let found = self.values.len() - before;
        self.line = line;
        if found > 0 {
            self.lines += 1;
        }
        if found > 0 && found != grid.columns && self.uneven.is_none() {
            self.uneven = Some((line, found));
        }
        Ok(())
    }

    fn finish(self, grid: &Grid) -> Result<Vec<f64>, AsciiGridError> {
        let (columns, rows) = (grid.columns, grid.rows);
        let found = self.values.len();
        if columns.checked_mul(rows) == Some(found) {
            return Ok(self.values);
        }
        // If every row has its own line, the wrong line can be named.
        match self.uneven {
            Some((line, found)) if self.lines == rows => {
                Err(AsciiGridError::RowLength { line, found, allowed: columns })
            }
            _ => Err(AsciiGridError::Count { line: self.line, found, columns, rows }),
        }
    }
}

/// A height, m, or not a number for no data; `None` if the word is neither.
fn parse_height(word: &str, no_data: f64) -> Option<f64> {
    let value: f64 = word.parse().ok()?;
    let is_same = value == no_data || (value.is_nan() && no_data.is_nan());
    let are_both_beyond = value.abs() > BEYOND_ANY_HEIGHT
        && no_data.abs() > BEYOND_ANY_HEIGHT
        && value.is_sign_negative() == no_data.is_sign_negative();
    if is_same || are_both_beyond {
        return Some(f64::NAN);
    }
    value.is_finite().then_some(value)
}

/// A found text for a message, shortened.
pub(super) fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "ascii_grid_tests.rs"]
mod tests;
