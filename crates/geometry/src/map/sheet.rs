//! A map file opened but not yet decoded: the result of every format's reader.

use super::picture::Picture;
use super::place::Place;
use super::{GeoTags, MapError};
use std::io::Cursor;
use std::ops::Range;

/// Metadata of a file.
#[derive(Debug)]
pub(super) struct Sheet {
    /// Name for messages.
    pub format: &'static str,
    /// How heights are stored.
    pub encoding: String,
    pub columns: usize,
    pub rows: usize,
    /// Positions of its nodes; `None` if not given.
    pub place: Option<Place>,
    /// The coordinate system, in words.
    pub coordinates: Option<String>,
    /// Geo tags as stored in the file, and whether heights belong to the middle of pixels.
    pub geo_tags: Option<(GeoTags, bool)>,
    /// Value for no data.
    pub no_data: Option<f64>,
    /// The file's own factor and offset of heights.
    pub scale: f64,
    pub offset: f64,
    /// Unit of the heights and its size in m.
    pub height_unit: (String, f64),
    /// The first row is the southern one.
    pub south_first: bool,
    /// Heights are counts of a size that only the user knows.
    pub needs_scale: bool,
    /// Conversions made while opening.
    pub conversions: Vec<String>,
    pub cautions: Vec<String>,
}

impl Sheet {
    /// Heights in metres, rows from the north, nothing else known.
    pub fn new(format: &'static str, encoding: impl Into<String>, columns: usize, rows: usize) -> Sheet {
        Sheet {
            format,
            encoding: encoding.into(),
            columns,
            rows,
            place: None,
            coordinates: None,
            geo_tags: None,
            no_data: None,
            scale: 1.0,
            offset: 0.0,
            height_unit: ("m".into(), 1.0),
            south_first: false,
            needs_scale: false,
            conversions: Vec::new(),
            cautions: Vec::new(),
        }
    }
}

/// A part of a sheet, columns and rows in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

/// Converts the bytes of one value to a number.
pub(super) type ReadValue = fn(&[u8]) -> f64;

/// Heights still in the file.
pub(super) enum Body<'a> {
    /// Already numbers, row by row.
    Values(Vec<f64>),
    /// Plain values in the file: row by row, or column by column.
    Plain {
        bytes: &'a [u8],
        read: ReadValue,
        size: usize,
        by_columns: bool,
    },
    Picture(Box<Picture<Cursor<&'a [u8]>>>),
}

impl Body<'_> {
    /// Heights of a window as stored, row by row in the order of the file; not a number where the file has none.
    pub fn decode(self, sheet: &Sheet, window: &Window) -> Result<Vec<f64>, MapError> {
        let (columns, rows) = (sheet.columns, sheet.rows);
        let is_whole = window.columns == (0..columns) && window.rows == (0..rows);
        match self {
            Body::Values(values) if is_whole => Ok(values),
            Body::Values(values) => {
                Ok(nodes(window).map(|(column, row)| values[row * columns + column]).collect())
            }
            Body::Plain { bytes, read, size, by_columns } => {
                let at =
                    |(column, row)| if by_columns { column * rows + row } else { row * columns + column };
                Ok(nodes(window).map(|node| read(&bytes[at(node) * size..][..size])).collect())
            }
            Body::Picture(picture) if picture.is_empty(window) => {
                Err(MapError::AllMissing { nodes: window.columns.len() * window.rows.len() })
            }
            Body::Picture(mut picture) => picture.decode(window),
        }
    }
}

/// Columns and rows of a window, row by row.
fn nodes(window: &Window) -> impl Iterator<Item = (usize, usize)> + '_ {
    window.rows.clone().flat_map(move |row| window.columns.clone().map(move |column| (column, row)))
}
