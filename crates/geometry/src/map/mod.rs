//! Elevation maps from files: bytes in, a [`Raster`] and a record of all conversions out; and maps into files
//! ([`Cog`]). The caller opens files.
//!
//! Format by its first bytes ⇒ a `Sheet` (size, place, units, marks; nothing decoded yet) ⇒ crop and limits ⇒ heights of the crop only
//! ⇒ no-data, scale, units, origin ⇒ [`Map`]. Nothing is blanked, filled, scaled or moved without a line in the [`MapAudit`].
//!
//! | format | place | heights |
//! |---|---|---|
//! | GeoTIFF, also BigTIFF | its geo tags, or the user's spacing | 8 to 64 bits, whole or floating; strips or tiles; LZW, Deflate, PackBits |
//! | ESRI ASCII grid | its header | text |
//! | XYZ, CSV | its points, on a regular grid in any order | text |
//! | PNG | the user's spacing | 8 or 16 bits, grey; the user's scale |
//! | NPY | the user's spacing | two-dimensional, whole or floating |
//!
//! ```
//! use touchdown_geometry::map::{self, MapOptions};
//! let text = "x,y,z\n0,0,1\n2,0,1.5\n0,2,0.5\n2,2,-9999\n";
//! let options = MapOptions { no_data: Some(-9999.0), ..MapOptions::default() };
//! let map = map::read(text.as_bytes(), "site.csv", &options)?;
//! assert_eq!((map.raster.spacing(), map.raster.node(1, 0), map.audit.no_data), (2.0, Some(1.5), 1));
//! # Ok::<(), map::MapError>(())
//! ```

pub(crate) mod ascii_grid;
mod audit;
mod cog;
mod error;
mod geo_keys;
mod geo_tiff;
mod grey_png;
mod heights;
mod make;
mod npy;
mod packing;
mod picture;
mod place;
mod rows;
mod sheet;
mod tiff_directory;
mod xyz;

pub use audit::{Extent, MapAudit};
pub use cog::{Cog, CogLayout, Halving, Stored, is_cog};
pub use error::MapError;
pub use geo_keys::GeoTags;
pub use rows::MapRows;

use crate::Raster;
use sheet::{Body, Sheet};
use std::io::Cursor;

/// Largest number of nodes that are read, after cropping: 10,000 × 10,000, which takes 0.8 GB.
pub const MOST_NODES: usize = 100_000_000;

/// A map and the record of its conversions.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The heights, m, in world coordinates.
    pub raster: Raster,
    /// The record.
    pub audit: MapAudit,
}

/// The user's settings for a map. The default reads the whole file with its own metadata and keeps holes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapOptions {
    /// The part that is read.
    pub crop: Option<Crop>,
    /// Its position in the world.
    pub anchor: Anchor,
    /// Height in the file, m, that is z = 0 in the world.
    pub zero_height: f64,
    /// Distance of the nodes, m; only for files without it.
    pub spacing: Option<f64>,
    /// Heights are multiplied by this; for PNG the height of one count, m.
    pub scale: Option<f64>,
    /// Offset that is then added, m.
    pub offset: Option<f64>,
    /// A value, as stored in the file, that means no data, in addition to the file's own.
    pub no_data: Option<f64>,
    /// Treatment of nodes without data.
    pub fill: Fill,
    /// PNG, NPY and pictures without place: the first row is the southern one, not the northern one.
    pub south_first: bool,
}

/// The part of a map that is read; both ends are in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crop {
    /// In the file's coordinates.
    Coordinates {
        /// West and east.
        x: [f64; 2],
        /// South and north.
        y: [f64; 2],
    },
    /// In nodes, counted from 0 in the north-western corner.
    Nodes {
        /// First and last column.
        columns: [usize; 2],
        /// First and last row.
        rows: [usize; 2],
    },
}

/// Position of a map in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Anchor {
    /// World coordinates are the file's, in metres; where the file has none in a unit of length, the south-western node that is read lies at 0, 0.
    #[default]
    AsFile,
    /// The south-western node that is read lies here, m.
    SouthWest([f64; 2]),
    /// This place of the file, in its coordinates, is 0, 0 of the world.
    Zero([f64; 2]),
}

/// Treatment of nodes without data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fill {
    /// They stay holes: the cells around them have no ground.
    #[default]
    Hole,
    /// The map is refused.
    Error,
    /// They get this height, m, of the file after scale and units.
    Height(f64),
}

/// Reads a map. `name` is that of the file: its ending decides between formats that are plain text.
pub fn read(bytes: &[u8], name: &str, options: &MapOptions) -> Result<Map, MapError> {
    let (sheet, body) = open(bytes, name, options)?;
    make::make(sheet, body, options)
}

/// The format by the first bytes.
fn open<'a>(bytes: &'a [u8], name: &str, options: &MapOptions) -> Result<(Sheet, Body<'a>), MapError> {
    match bytes {
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => {
            let (sheet, picture) = geo_tiff::open(Cursor::new(bytes))?;
            Ok((sheet, Body::Picture(Box::new(picture))))
        }
        [0x89, b'P', b'N', b'G', ..] => grey_png::open(bytes, options),
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => npy::open(bytes, options),
        _ => {
            let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
            let Some(text) = text else {
                let first: Vec<String> = bytes.iter().take(8).map(|b| format!("{b:02x}")).collect();
                return Err(MapError::Format { found: format!("the bytes {}", first.join(" ")) });
            };
            let is_asc = name.to_ascii_lowercase().ends_with(".asc");
            if is_asc || ascii_grid::is_header(text) {
                ascii_grid::open(text)
            } else {
                xyz::open(text, options)
            }
        }
    }
}
