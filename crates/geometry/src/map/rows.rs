//! A map read from north to south, a row at a time: the memory is that of one line of tiles, so that no map
//! is too large.
//!
//! Strips and tiles of a GeoTIFF are read from the file as they are needed; other formats are read whole, to
//! at most [`MOST_NODES`]. Settings, errors and records are those of [`super::read`]: both use the same
//! `Frame` and `Heights`.

use super::heights::Heights;
use super::make::Frame;
use super::picture::Picture;
use super::sheet::{Sheet, Window};
use super::{GeoTags, MOST_NODES, MapAudit, MapError, MapOptions, geo_tiff, open};
use crate::ReliefError;
use std::io::{Read, Seek, SeekFrom};

/// Largest number of nodes of a line of strips or tiles: 0.5 GB of heights.
const MOST_IN_LINE: usize = 64_000_000;
/// Largest file of the formats that are read whole, bytes.
const LARGEST_WHOLE: u64 = 2 << 30;

/// A map whose rows are read one after the other, from the north.
pub struct MapRows<R: Read + Seek> {
    sheet: Sheet,
    options: MapOptions,
    frame: Frame,
    heights: Heights,
    source: Source<R>,
    /// Rows of the file that were decoded last, and their values.
    decoded: std::ops::Range<usize>,
    values: Vec<f64>,
    next: usize,
}

/// Source of values.
enum Source<R: Read + Seek> {
    /// All of the window was decoded.
    Whole,
    Picture(Box<Picture<R>>),
}

impl<R: Read + Seek> MapRows<R> {
    /// Opens a map. `name` is that of the file, as in [`super::read`].
    pub fn open(mut file: R, name: &str, options: &MapOptions) -> Result<MapRows<R>, MapError> {
        let unreadable = |error: std::io::Error| MapError::Damaged { format: "map", why: error.to_string() };
        let mut first = Vec::new();
        file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        (&mut file).take(4).read_to_end(&mut first).map_err(unreadable)?;
        if matches!(first[..], [b'I', b'I', 42 | 43, 0] | [b'M', b'M', 0, 42 | 43]) {
            let (sheet, picture) = geo_tiff::open(file)?;
            let frame = Frame::new(&sheet, options)?;
            let line = picture.chunk[1].min(picture.rows).saturating_mul(frame.size()[0]);
            let chunk = picture.chunk[0].saturating_mul(picture.chunk[1]);
            if line.max(chunk) > MOST_IN_LINE {
                return Err(MapError::Unsupported {
                    format: geo_tiff::FORMAT,
                    found: format!(
                        "strips or tiles of {} rows, {line} nodes in a line of them",
                        picture.chunk[1]
                    ),
                    allowed: "64 million nodes in a line of strips or tiles",
                    hint: "gdal_translate -co TILED=YES -co COMPRESS=DEFLATE IN.tif OUT.tif",
                });
            }
            return Self::start(sheet, frame, Source::Picture(Box::new(picture)), Vec::new(), options);
        }
        let mut bytes = first;
        (&mut file).take(LARGEST_WHOLE).read_to_end(&mut bytes).map_err(unreadable)?;
        let (sheet, body) = open(&bytes, name, options)?;
        let frame = Frame::new(&sheet, options)?;
        let [columns, rows] = frame.size();
        if columns.checked_mul(rows).is_none_or(|nodes| nodes > MOST_NODES)
            || bytes.len() as u64 > LARGEST_WHOLE
        {
            return Err(MapError::Gigantic { columns, rows });
        }
        let values = body.decode(&sheet, &frame.in_file_order(&sheet))?;
        Self::start(sheet, frame, Source::Whole, values, options)
    }

    fn start(
        sheet: Sheet,
        frame: Frame,
        source: Source<R>,
        values: Vec<f64>,
        options: &MapOptions,
    ) -> Result<MapRows<R>, MapError> {
        let [columns, rows] = frame.size();
        if columns < 2 || rows < 2 {
            return Err(ReliefError::TooSmall { columns, rows }.into());
        }
        let heights = Heights::new(&sheet, options);
        let decoded = match source {
            Source::Whole => frame.in_file_order(&sheet).rows,
            Source::Picture(_) => 0..0,
        };
        Ok(MapRows { sheet, options: options.clone(), frame, heights, source, decoded, values, next: 0 })
    }

    /// Columns that are read.
    pub fn columns(&self) -> usize {
        self.frame.size()[0]
    }

    /// Rows that are read.
    pub fn rows(&self) -> usize {
        self.frame.size()[1]
    }

    /// Distance of the nodes, m.
    pub fn spacing(&self) -> f64 {
        self.frame.spacing()
    }

    /// Position of a node in the file's coordinates; columns from the west, rows from the north.
    pub fn place(&self, column: usize, row: usize) -> [f64; 2] {
        let Window { columns, rows } = &self.frame.window;
        [self.frame.place.x(columns.start + column), self.frame.place.y(rows.start + row)]
    }

    /// Distance from node to node along x and y in the file's coordinates, and their unit.
    pub fn step(&self) -> ([f64; 2], &str) {
        (self.frame.place.step, self.frame.place.unit_name())
    }

    /// Tags for a picture of the same size, position and coordinate system.
    pub fn geo_tags(&self) -> GeoTags {
        let [x, y] = self.place(0, 0);
        let step = self.frame.place.step;
        let corner = |inside: f64| [x - inside * step[0], y + inside * step[1]];
        match &self.sheet.geo_tags {
            Some((tags, is_area)) if !tags.directory.is_empty() => {
                let [x, y] = corner(if *is_area { 0.5 } else { 0.0 });
                GeoTags {
                    pixel_scale: vec![step[0], step[1], 0.0],
                    tie_points: vec![0.0, 0.0, 0.0, x, y, 0.0],
                    transformation: Vec::new(),
                    ..tags.clone()
                }
            }
            _ => GeoTags::local(corner(0.5), step[1], "coordinates of a map that names no system"),
        }
    }

    /// Heights of the next row, m, from west to east; not a number where there is no data. `None` after the last row.
    pub fn next_row(&mut self) -> Result<Option<&[f64]>, MapError> {
        let [columns, rows] = self.frame.size();
        if self.next == rows {
            return Ok(None);
        }
        let row = self.next;
        self.next += 1;
        let window = self.frame.in_file_order(&self.sheet);
        let in_file =
            if self.sheet.south_first { window.rows.end - 1 - row } else { window.rows.start + row };
        if !self.decoded.contains(&in_file)
            && let Source::Picture(picture) = &mut self.source
        {
            let first = in_file - in_file % picture.chunk[1];
            let line = first.max(window.rows.start)..(first + picture.chunk[1]).min(window.rows.end);
            self.values = picture.decode(&Window { columns: window.columns, rows: line.clone() })?;
            self.decoded = line;
        }
        let start = (in_file - self.decoded.start) * columns;
        let line = &mut self.values[start..start + columns];
        self.heights.convert(line, row)?;
        Ok(Some(line))
    }

    /// The record of the whole map: remaining rows are read for it.
    pub fn finish(mut self) -> Result<MapAudit, MapError> {
        while self.next_row()?.is_some() {}
        self.frame.audit(self.sheet, &self.options, self.heights)
    }
}
