//! Map files: the keys of a table ([`MAP_KEYS`](crate::table)) ⇒ a [`Raster`], with an account of what was done to make it.

use super::Builder;
use crate::files::LARGEST_MAP;
use crate::read::{Record, Value};
use crate::scenario::MapFile;
use touchdown_geometry::Raster;
use touchdown_geometry::map::{self, Anchor, Crop, Fill, MapOptions};

impl Builder<'_> {
    /// The map that a table names with `file`, lifted by its `height` if it has that key; nothing after a mistake.
    pub fn map(&mut self, table: &Record) -> Option<Raster> {
        let (file, loc) = (table.text("file")?, table.loc_of("file"));
        let options = self.map_options(table)?;
        let (what, hint) = match self.library.open_up_to(loc.source, file, LARGEST_MAP) {
            Err(error) => (error.message, None),
            Ok((bytes, _)) => match map::read(&bytes, file, &options) {
                Ok(read) => {
                    self.library.maps.push(MapFile { file: file.into(), audit: read.audit });
                    return Some(read.raster);
                }
                Err(error) => (error.to_string(), error.hint().map(str::to_string)),
            },
        };
        let issue = self
            .issues
            .at(loc, table.path_of("file"), format!("cannot be read: {what}"))
            .found(format!("\"{file}\""));
        if let Some(hint) = hint {
            issue.hint(hint);
        }
        None
    }

    fn map_options(&mut self, table: &Record) -> Option<MapOptions> {
        for (one, other) in [("origin", "zero"), ("crop", "crop_nodes")] {
            if table.has(one) && table.has(other) {
                let path = table.path_of(other);
                self.issues
                    .at(table.loc_of(other), path, format!("says the same as {one}"))
                    .hint("keep one of them");
                return None;
            }
        }
        let zero = numbers(table, "zero");
        Some(MapOptions {
            crop: self.crop(table)?,
            anchor: match (&numbers(table, "origin")[..], &zero[..]) {
                ([x, y], _) => Anchor::SouthWest([*x, *y]),
                (_, [x, y, ..]) => Anchor::Zero([*x, *y]),
                _ => Anchor::AsFile,
            },
            zero_height: zero.get(2).unwrap_or(&0.0) - table.number("height").unwrap_or(0.0),
            spacing: table.number("map_spacing"),
            scale: table.number("map_scale"),
            offset: table.number("map_offset"),
            no_data: table.number("no_data"),
            fill: match table.value("fill") {
                Some(Value::Number(height, _)) => Fill::Height(*height),
                Some(Value::Text(word)) if word == "error" => Fill::Error,
                _ => Fill::Hole,
            },
            south_first: table.text("first_row") == Some("south"),
        })
    }

    /// The crop; `None` after a mistake.
    fn crop(&mut self, table: &Record) -> Option<Option<Crop>> {
        let nodes = numbers(table, "crop_nodes");
        if let Some(found) = nodes.iter().find(|n| n.fract() != 0.0) {
            let path = table.path_of("crop_nodes");
            self.issues.at(table.loc_of("crop_nodes"), path, "must be whole numbers").found(found);
            return None;
        }
        Some(match (&numbers(table, "crop")[..], &nodes[..]) {
            ([west, east, south, north], _) => {
                Some(Crop::Coordinates { x: [*west, *east], y: [*south, *north] })
            }
            (_, [west, east, north, south]) => Some(Crop::Nodes {
                columns: [*west as usize, *east as usize],
                rows: [*north as usize, *south as usize],
            }),
            _ => None,
        })
    }
}

/// The numbers of a list; none if it is not there.
fn numbers(table: &Record, key: &str) -> Vec<f64> {
    table.numbers(key).unwrap_or_default().iter().map(|number| number.0).collect()
}
