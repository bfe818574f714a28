//! Errors of map files: what, found, allowed, and a hint.

use super::MOST_NODES;
use super::ascii_grid::AsciiGridError;
use crate::ReliefError;

const FORMATS: &str = "GeoTIFF, ESRI ASCII grid, XYZ or CSV text, grey PNG, NPY";

/// Errors of a map file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MapError {
    /// Unknown format.
    #[error("the file begins with {found}, allowed: {FORMATS}")]
    Format {
        /// Its beginning.
        found: String,
    },
    /// Truncated or inconsistent.
    #[error("the {format} file is damaged: {why}")]
    Damaged {
        /// The format.
        format: &'static str,
        /// What was found.
        why: String,
    },
    /// A valid file of an unsupported kind.
    #[error("the {format} file has {found}, allowed: {allowed}")]
    Unsupported {
        /// The format.
        format: &'static str,
        /// Its kind.
        found: String,
        /// Supported kinds.
        allowed: &'static str,
        /// A hint.
        hint: &'static str,
    },
    /// The distance between nodes is not stated.
    #[error("the {format} file does not say where its nodes lie, and no spacing is given")]
    NotGeoreferenced {
        /// The format.
        format: &'static str,
    },
    /// Rows do not run along x, or columns not along y.
    #[error(
        "the map is turned or sheared: a column further is {column:?} in x and y, a row further {row:?}, allowed: columns along x, rows along y"
    )]
    Rotated {
        /// From one column to the next.
        column: [f64; 2],
        /// From one row to the next.
        row: [f64; 2],
    },
    /// Different distances along x and y.
    #[error(
        "the nodes lie {x} apart along x and {y} along y ({unit}), allowed: the same, to {tolerance} of it"
    )]
    NotSquare {
        /// Along x.
        x: f64,
        /// Along y.
        y: f64,
        /// The unit of both.
        unit: String,
        /// The largest accepted share.
        tolerance: f64,
    },
    /// Too many nodes.
    #[error("{columns} × {rows} nodes would be read, allowed: {MOST_NODES} in all")]
    Gigantic {
        /// Nodes along x.
        columns: usize,
        /// Nodes along y.
        rows: usize,
    },
    /// No node has data.
    #[error("none of the {nodes} nodes has a height: all are marked as no data")]
    AllMissing {
        /// How many there are.
        nodes: usize,
    },
    /// Nodes without data, which the user refuses.
    #[error(
        "{count} of {nodes} nodes have no data, the first at column {column}, row {row} from the north; allowed: none, because fill is error"
    )]
    Missing {
        /// How many.
        count: usize,
        /// Of how many.
        nodes: usize,
        /// The first of them, from 0 in the west of what is read.
        column: usize,
        /// Its row, from 0 in the north of what is read.
        row: usize,
    },
    /// An impossible height.
    #[error(
        "the height at column {column}, row {row} from the north is {found}, allowed: between -1e6 and 1e6 m, or marked as no data"
    )]
    Height {
        /// From 0 in the west of what is read.
        column: usize,
        /// From 0 in the north of what is read.
        row: usize,
        /// As stored, times scale.
        found: f64,
    },
    /// The crop and the map do not fit.
    #[error("the crop {found} does not fit the map, allowed: {allowed}")]
    Crop {
        /// As given.
        found: String,
        /// What the map covers.
        allowed: String,
    },
    /// A setting that is not needed, or is missing.
    #[error("{key} {why}")]
    Setting {
        /// The setting.
        key: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A line without a point.
    #[error("line {line}: found {found}, allowed: {allowed}")]
    Point {
        /// From 1.
        line: usize,
        /// The value found there.
        found: String,
        /// What may.
        allowed: &'static str,
    },
    /// Points that do not lie on a regular grid.
    #[error("the points lie on no regular grid: {why}")]
    Irregular {
        /// The reason.
        why: String,
    },
    /// An ASCII grid that breaks its format.
    #[error(transparent)]
    AsciiGrid(#[from] AsciiGridError),
    /// The numbers make no map.
    #[error(transparent)]
    Relief(#[from] ReliefError),
}

impl MapError {
    /// A hint for correcting it, if known.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            MapError::Unsupported { hint, .. } => Some(hint),
            MapError::Damaged { .. } => {
                Some("fetch the file again, or see whether gdalinfo -checksum reads it")
            }
            MapError::NotGeoreferenced { .. } => Some(
                "give the spacing of the nodes (map_spacing, --spacing), or write the place into the file: gdal_edit.py -a_ullr",
            ),
            MapError::Rotated { .. } => Some("gdalwarp IN.tif OUT.tif turns it upright"),
            MapError::NotSquare { .. } => Some(
                "resample it: gdalwarp -tr SPACING SPACING IN.tif OUT.tif; from degrees with -t_srs and a projection in metres around the site",
            ),
            MapError::Gigantic { .. } => {
                Some("crop it (crop, --crop), or thin it out: gdal_translate -tr SPACING SPACING")
            }
            MapError::AllMissing { .. } => {
                Some("crop another part, or see which value the file marks as no data")
            }
            MapError::Missing { .. } => {
                Some("crop them away, leave them as holes (fill = \"hole\"), or give a height (fill_m)")
            }
            MapError::Height { .. } => Some("if it stands for no data, say so: no_data"),
            MapError::Irregular { .. } => {
                Some("grid the points first: gdal_grid, or give their distance (map_spacing, --spacing)")
            }
            _ => None,
        }
    }
}
