//! The table, shared part: the keys of a map file, for every section whose ground may be one.

use super::{ANY, Field, Kind, Need, POSITIVE, Range, field, number};
use crate::unit::{Dim, LENGTH, NUMBER};

// Constants may point at these, but not hold them.
static LENGTHS: [&Dim; 1] = [&LENGTH];
static NUMBERS: [&Dim; 1] = [&NUMBER];
static FILLS: [Kind; 2] = [Kind::Choice(&["hole", "error"]), Kind::Number(&LENGTHS, ANY)];

/// Factors of heights: any but absurd ones; zero would flatten the map and is refused where it is read.
const SCALE: Range = Range { min: -1e6, max: 1e6, open: false };
/// Counts of nodes.
const NODES: Range = Range { min: 0.0, max: 1e9, open: false };

/// The keys below, which mean something only beside a map file. A section that reads maps lists the fields, and `build::map` reads them.
pub(crate) const MAP_KEYS: [&str; 11] = [
    "file",
    "origin",
    "zero",
    "crop",
    "crop_nodes",
    "no_data",
    "fill",
    "map_spacing",
    "map_scale",
    "map_offset",
    "first_row",
];

pub(super) const FILE: Field = field(
    "file",
    Kind::Text,
    Need::Optional,
    "map: GeoTIFF, ESRI ASCII grid (.asc), XYZ or CSV points, grey PNG, or NPY",
);
pub(super) const ORIGIN: Field = field(
    "origin",
    Kind::Numbers { dims: &LENGTHS, range: ANY, lengths: &[2] },
    Need::Derived("map: as the file says; 0, 0 for maps in degrees or without place"),
    "map: x and y of its south-western node, after cropping",
);
pub(super) const ZERO: Field = field(
    "zero",
    Kind::Numbers { dims: &NUMBERS, range: ANY, lengths: &[2, 3] },
    Need::Optional,
    "map: place in the file's coordinates that is x = y = 0, and its height in m that is z = 0; instead of origin",
);
pub(super) const CROP: Field = field(
    "crop",
    Kind::Numbers { dims: &NUMBERS, range: ANY, lengths: &[4] },
    Need::Derived("map: the whole file"),
    "map: west, east, south and north of the part that is read, in the file's coordinates",
);
pub(super) const CROP_NODES: Field = field(
    "crop_nodes",
    Kind::Numbers { dims: &NUMBERS, range: NODES, lengths: &[4] },
    Need::Optional,
    "map: first and last column, first and last row from the north, from 0; instead of crop",
);
pub(super) const NO_DATA: Field = field(
    "no_data",
    number(&NUMBERS, Range { min: -1e39, max: 1e39, open: false }),
    Need::Derived("map: as the file says"),
    "map: value, as stored, that stands for no data beside the file's own",
);
pub(super) const FILL: Field = field(
    "fill",
    Kind::OneOf(&FILLS),
    Need::Derived("map: hole"),
    "map: nodes without data stay holes, are an error, or get a height (fill_m)",
);
pub(super) const MAP_SPACING: Field = field(
    "map_spacing",
    number(&LENGTHS, POSITIVE),
    Need::Derived("map: as the file says"),
    "map: distance of its nodes, for files that do not say it (PNG, NPY, TIFF without place)",
);
pub(super) const MAP_SCALE: Field = field(
    "map_scale",
    number(&NUMBERS, SCALE),
    Need::Derived("map: 1; PNG must be told"),
    "map: heights are multiplied by it; for PNG the metres of one count",
);
pub(super) const MAP_OFFSET: Field = field(
    "map_offset",
    number(&LENGTHS, ANY),
    Need::Derived("map: 0 m"),
    "map: added to the heights after map_scale",
);
pub(super) const FIRST_ROW: Field = field(
    "first_row",
    Kind::Choice(&["north", "south"]),
    Need::Derived("map: north"),
    "map: side of the first row, for PNG and NPY",
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The list names every field of a map, once.
    #[test]
    fn the_list_is_complete() {
        let fields = [
            FILE,
            ORIGIN,
            ZERO,
            CROP,
            CROP_NODES,
            NO_DATA,
            FILL,
            MAP_SPACING,
            MAP_SCALE,
            MAP_OFFSET,
            FIRST_ROW,
        ];
        assert_eq!(fields.map(|f| f.key), MAP_KEYS);
    }
}
