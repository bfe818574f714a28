//! Maps as Cloud-Optimised GeoTIFFs: rows in, from the north, one after the other; a file out, in bounded
//! memory.
//!
//! OGC 21-026, *Cloud Optimized GeoTIFF Standard* 1.0: tiles, overviews by halves until one tile holds the map, all directories before all pixels,
//! pixels of small overviews before those of large ones. Directories are those of BigTIFF, so that no map is too large. Tiles are compressed by
//! Deflate after differences along the rows (TIFF 6.0, section 14; Adobe Photoshop TIFF technical note 3 for floating numbers).
//!
//! Rows ⇒ [`level::Level`] (tiles of one resolution, compressed as they fill, in a scratch file of the caller) ⇒ half of the rows and columns to
//! the next level ⇒ `finish`: `directory` ⇒ header, directories, tiles.
//!
//! ```
//! use std::io::Cursor;
//! use touchdown_geometry::map::{self, Cog, CogLayout, GeoTags, Halving, MapOptions, Stored};
//! let layout = CogLayout {
//!     columns: 3,
//!     rows: 2,
//!     stored: Stored::Float,
//!     no_data: Some(-9999.0),
//!     halving: Halving::Mean,
//!     bands: vec!["height, m".into()],
//!     place: GeoTags::local([500.0, 900.0], 2.0, "a site"),
//! };
//! let mut cog = Cog::new(layout, || Ok(Cursor::new(Vec::new())))?;
//! cog.row(&[1.0, 2.0, 3.0])?;
//! cog.row(&[4.0, f32::NAN, 6.0])?;
//! let mut file = Vec::new();
//! cog.finish(&mut file)?;
//! let map = map::read(&file, "site.tif", &MapOptions::default()).expect("a map");
//! assert_eq!((map.raster.node(2, 1), map.audit.no_data, map.raster.origin()), (Some(3.0), 1, [501.0, 897.0]));
//! # Ok::<(), std::io::Error>(())
//! ```

mod directory;
mod level;
#[cfg(test)]
mod tests;

use super::geo_keys::GeoTags;
use directory::{Directory, HEADER};
use level::Level;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// Pixels along the side of a tile, as in GDAL's driver.
const TILE: usize = 512;

/// Software name in the first directory.
const SOFTWARE: &str = "touchdown";

/// Whether a file was written by this module.
pub fn is_cog(bytes: &[u8]) -> bool {
    let name = [SOFTWARE.as_bytes(), &[0]].concat();
    // The first directory and its values stand at the beginning.
    let head = &bytes[..bytes.len().min(1 << 16)];
    head.starts_with(b"II\x2b\0") && head.windows(name.len()).any(|window| window == name)
}

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stored {
    /// Floating numbers of 32 bits.
    Float,
    /// Whole numbers of 16 bits: value = `scale` × number. Values beyond their range are kept as the nearest one.
    Scaled {
        /// The value of a count.
        scale: f64,
    },
    /// Whole numbers from 0 to 255: classes.
    Class,
}

/// Reduction of pixels for an overview.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halving {
    /// The mean of the four below it that have data.
    Mean,
    /// The north-western one of the four that has data: classes have no mean.
    First,
}

/// Layout of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct CogLayout {
    /// Pixels from west to east.
    pub columns: usize,
    /// Pixels from north to south.
    pub rows: usize,
    /// How values are stored.
    pub stored: Stored,
    /// The stored number for no data.
    pub no_data: Option<f64>,
    /// Reduction of overviews.
    pub halving: Halving,
    /// A description for each band.
    pub bands: Vec<String>,
    /// Position of the pixels.
    pub place: GeoTags,
}

/// A file being written. `S` is a scratch file for each resolution.
pub struct Cog<S> {
    layout: CogLayout,
    levels: Vec<Level<S>>,
    statistics: Vec<Statistics>,
    rows: usize,
}

/// Extremes and moments of the values of a band, as written.
#[derive(Clone, Copy, Debug)]
struct Statistics {
    count: u64,
    range: [f64; 2],
    mean: f64,
    /// Sum of squares of the deviations from the mean.
    squares: f64,
}

impl Statistics {
    const NONE: Statistics =
        Statistics { count: 0, range: [f64::INFINITY, f64::NEG_INFINITY], mean: 0.0, squares: 0.0 };

    /// B. P. Welford, *Technometrics* 4 (1962), 419.
    fn add(&mut self, value: f64) {
        self.count += 1;
        self.range = [self.range[0].min(value), self.range[1].max(value)];
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }
}

impl<S: Read + Write + Seek> Cog<S> {
    /// Begins a file. `scratch` gives an empty file to write to and read from, once for each resolution.
    pub fn new(layout: CogLayout, mut scratch: impl FnMut() -> io::Result<S>) -> io::Result<Cog<S>> {
        let refuse = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        if layout.columns == 0 || layout.rows == 0 || layout.bands.is_empty() {
            return refuse("a map needs at least one pixel and one band");
        }
        let bands = layout.bands.len();
        let (mut columns, mut rows) = (layout.columns, layout.rows);
        let mut levels = vec![Level::new(columns, rows, bands, layout.stored, layout.no_data, scratch()?)];
        while columns > TILE || rows > TILE {
            (columns, rows) = (columns.div_ceil(2), rows.div_ceil(2));
            levels.push(Level::new(columns, rows, bands, layout.stored, layout.no_data, scratch()?));
        }
        let statistics = vec![Statistics::NONE; bands];
        Ok(Cog { layout, levels, statistics, rows: 0 })
    }

    /// The next row to the south: the values of all bands of its first pixel, of the next pixel, and so on; not a number where there is no data.
    pub fn row(&mut self, values: &[f32]) -> io::Result<()> {
        let bands = self.layout.bands.len();
        if values.len() != self.layout.columns * bands || self.rows == self.layout.rows {
            let why = format!(
                "row {} has {} values; allowed: {} rows of {} values",
                self.rows,
                values.len(),
                self.layout.rows,
                self.layout.columns * bands
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        self.rows += 1;
        for pixel in values.chunks_exact(bands) {
            for (statistics, value) in self.statistics.iter_mut().zip(pixel) {
                if !value.is_nan() {
                    statistics.add(f64::from(*value));
                }
            }
        }
        self.pass(0, values)
    }

    /// Passes a row to a level, and every second one, halved with the previous one, to the next.
    fn pass(&mut self, index: usize, values: &[f32]) -> io::Result<()> {
        let halving = self.layout.halving;
        let level = &mut self.levels[index];
        level.row(values)?;
        if index + 1 == self.levels.len() {
            return Ok(());
        }
        let Some(half) = self.levels[index].halved(values, halving) else { return Ok(()) };
        self.pass(index + 1, &half)
    }

    /// Writes the file.
    pub fn finish(mut self, out: &mut impl Write) -> io::Result<()> {
        if self.rows != self.layout.rows {
            let why = format!("{} rows of {} were given", self.rows, self.layout.rows);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        let metadata = self.metadata();
        let mut directories: Vec<Directory> = Vec::new();
        for (k, level) in self.levels.iter().enumerate() {
            directories.push(level.directory(&self.layout, k > 0, (k == 0).then_some(metadata.as_str())));
        }
        // Directories first; then tiles, the smallest picture first.
        let mut at = HEADER;
        let mut places = Vec::new();
        for directory in &directories {
            places.push(at);
            at += directory.length();
        }
        let mut starts = vec![0; self.levels.len()];
        for (start, level) in starts.iter_mut().zip(&self.levels).rev() {
            *start = at;
            at += level.bytes();
        }
        out.write_all(&directory::header(places[0]))?;
        for (k, directory) in directories.iter_mut().enumerate() {
            directory.shift_tiles(starts[k]);
            let next = places.get(k + 1).copied().unwrap_or(0);
            out.write_all(&directory.encode(places[k], next))?;
        }
        for level in self.levels.iter_mut().rev() {
            let scratch = level.scratch();
            scratch.seek(SeekFrom::Start(0))?;
            io::copy(scratch, out)?;
        }
        out.flush()
    }

    /// GDAL metadata in addition to the tags: scale, description and statistics of every band.
    fn metadata(&self) -> String {
        let mut text = String::from("<GDALMetadata>\n");
        let mut item = |name: &str, band: usize, role: &str, value: &str| {
            text += &format!("  <Item name=\"{name}\" sample=\"{band}\"{role}>{value}</Item>\n");
        };
        for (band, (description, statistics)) in self.layout.bands.iter().zip(&self.statistics).enumerate() {
            item("DESCRIPTION", band, " role=\"description\"", &escaped(description));
            // Statistics are those of the stored numbers.
            let mut unit = 1.0;
            if let Stored::Scaled { scale } = self.layout.stored {
                item("SCALE", band, " role=\"scale\"", &scale.to_string());
                item("OFFSET", band, " role=\"offset\"", "0");
                unit = scale;
            }
            if statistics.count > 0 {
                let deviation = (statistics.squares / statistics.count as f64).sqrt();
                item("STATISTICS_MINIMUM", band, "", &(statistics.range[0] / unit).to_string());
                item("STATISTICS_MAXIMUM", band, "", &(statistics.range[1] / unit).to_string());
                item("STATISTICS_MEAN", band, "", &(statistics.mean / unit).to_string());
                item("STATISTICS_STDDEV", band, "", &(deviation / unit).to_string());
            }
        }
        text + "</GDALMetadata>\n"
    }
}

/// A text inside XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
