//! The table, shared part: the keys of a map file, for every section whose ground may be one.

use super::typed::{choice, list, number, numbers, one_of, text};
use super::{ANY, KeyKind, POSITIVE, Range, Words, section, words};
use crate::read::{Found, KeyValue, Text};
use crate::unit::{LENGTH, NUMBER};

/// Factors of heights: any but absurd ones; zero would flatten the map and is refused where it is read.
const SCALE: Range = Range { min: -1e6, max: 1e6, open: false };
/// Counts of nodes.
const NODES: Range = Range { min: 0.0, max: 1e9, open: false };
/// Values that mark missing data.
const STORED: Range = Range { min: -1e39, max: 1e39, open: false };

words! {
    pub(crate) enum FirstRowWord { North = "north", South = "south" }
}

words! {
    pub(crate) enum FillWord { Hole = "hole", Error = "error" }
}

/// How nodes without data are treated.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FillKey {
    Word(FillWord),
    /// A height, m.
    Height(f64),
}

impl KeyValue for FillKey {
    fn of(found: Found) -> Option<Self> {
        FillWord::of(found).map(FillKey::Word).or_else(|| f64::of(found).map(FillKey::Height))
    }
}

section! {
    /// Keys that apply only to map files.
    pub(crate) struct MapKeys "map": "a map file";
    optional file: Text = text(),
        "map: GeoTIFF, ESRI ASCII grid (.asc), XYZ or CSV points, grey PNG, or NPY";
    derived("map: as the file says; 0, 0 for maps in degrees or without place") origin: [f64; 2] =
        numbers(&[&LENGTH], ANY),
        "map: x and y of its south-western node, after cropping";
    optional zero: Vec<f64> = list(&[&NUMBER], ANY, &[2, 3]),
        "map: place in the file's coordinates that is x = y = 0, and its height in m that is z = 0; instead of origin";
    derived("map: the whole file") crop: [f64; 4] = numbers(&[&NUMBER], ANY),
        "map: west, east, south and north of the part that is read, in the file's coordinates";
    optional crop_nodes: [f64; 4] = numbers(&[&NUMBER], NODES),
        "map: first and last column, first and last row from the north, from 0; instead of crop";
    derived("map: as the file says") no_data: f64 = number(&[&NUMBER], STORED),
        "map: further stored value that means no data";
    derived("map: hole") fill: FillKey =
        one_of(&[KeyKind::Choice(FillWord::WORDS), KeyKind::Number(&[&LENGTH], ANY)]),
        "map: nodes without data stay holes, are an error, or get a height (fill_m)";
    derived("map: as the file says") map_spacing: f64 = number(&[&LENGTH], POSITIVE),
        "map: distance of its nodes, for files that do not say it (PNG, NPY, TIFF without place)";
    derived("map: 1; required for PNG") map_scale: f64 = number(&[&NUMBER], SCALE),
        "map: heights are multiplied by it; for PNG the metres of one count";
    derived("map: 0 m") map_offset: f64 = number(&[&LENGTH], ANY),
        "map: added to the heights after map_scale";
    derived("map: north") first_row: FirstRowWord = choice(), "map: side of the first row, for PNG and NPY";
}

impl MapKeys {
    /// Required keys of a map, and whether each is given.
    pub fn needed(&self) -> Vec<(&'static str, bool)> {
        vec![(MapKeys::file.name(), self.here.has(MapKeys::file))]
    }
}
