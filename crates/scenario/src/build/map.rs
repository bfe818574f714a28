//! Map files: the keys of a map ([`MapKeys`]) ⇒ a [`Raster`], with a description of how it was processed.

use super::Builder;
use crate::files::LARGEST_MAP;
use crate::scenario::MapFile;
use crate::table::{FillKey, FillWord, FirstRowWord, MapKeys};
use touchdown_geometry::Raster;
use touchdown_geometry::map::{self, Anchor, Crop, Fill, MapOptions};

impl Builder<'_> {
    /// The map that `file` names, with a height added; `None` after a mistake.
    pub fn map(&mut self, keys: &MapKeys, height: f64) -> Option<Raster> {
        let file = keys.file.as_ref()?;
        let options = self.map_options(keys, height)?;
        let (what, hint) = match self.library.open_up_to(file.loc.source, file, LARGEST_MAP) {
            Err(error) => (error.message, None),
            Ok((bytes, _)) => {
                let key = || format!("map {} {options:?}", blake3::hash(&bytes));
                let mut problem = None;
                let made = self.library.made(key, || match map::read(&bytes, file, &options) {
                    Ok(read) => Some((read.raster, read.audit)),
                    Err(error) => {
                        problem = Some((error.to_string(), error.hint().map(str::to_string)));
                        None
                    }
                });
                if let Some((raster, audit)) = made {
                    self.library.maps.push(MapFile { file: file.to_string(), audit });
                    return Some(raster);
                }
                problem.unwrap_or_default()
            }
        };
        let issue = self
            .issues
            .at(file.loc, &file.path, format!("cannot be read: {what}"))
            .found(format!("\"{file}\""));
        if let Some(hint) = hint {
            issue.hint(hint);
        }
        None
    }

    fn map_options(&mut self, keys: &MapKeys, height: f64) -> Option<MapOptions> {
        let twice = [
            (MapKeys::origin.name(), MapKeys::zero.any(), keys.origin.is_some() && keys.zero.is_some()),
            (
                MapKeys::crop.name(),
                MapKeys::crop_nodes.any(),
                keys.crop.is_some() && keys.crop_nodes.is_some(),
            ),
        ];
        if let Some((one, other, _)) = twice.into_iter().find(|(.., both)| *both) {
            self.issues
                .at(keys.here.loc_of(other), keys.here.path_of(other), format!("says the same as {one}"))
                .hint("keep one of them");
            return None;
        }
        let zero = keys.zero.as_deref().unwrap_or_default();
        Some(MapOptions {
            crop: self.crop(keys)?,
            anchor: match (keys.origin, zero) {
                (Some(corner), _) => Anchor::SouthWest(corner),
                (None, [x, y, ..]) => Anchor::Zero([*x, *y]),
                _ => Anchor::AsFile,
            },
            zero_height: zero.get(2).unwrap_or(&0.0) - height,
            spacing: keys.map_spacing,
            scale: keys.map_scale,
            offset: keys.map_offset,
            no_data: keys.no_data,
            fill: match keys.fill {
                Some(FillKey::Height(height)) => Fill::Height(height),
                Some(FillKey::Word(FillWord::Error)) => Fill::Error,
                Some(FillKey::Word(FillWord::Hole)) | None => Fill::Hole,
            },
            south_first: keys.first_row == Some(FirstRowWord::South),
        })
    }

    /// The crop; `None` after a mistake.
    fn crop(&mut self, keys: &MapKeys) -> Option<Option<Crop>> {
        if let Some(found) = keys.crop_nodes.iter().flatten().find(|n| n.fract() != 0.0) {
            let key = MapKeys::crop_nodes;
            let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
            self.issues.at(loc, path, "must be whole numbers").found(found);
            return None;
        }
        let by_coordinates = keys
            .crop
            .map(|[west, east, south, north]| Crop::Coordinates { x: [west, east], y: [south, north] });
        let by_nodes = keys.crop_nodes.map(|[west, east, north, south]| Crop::Nodes {
            columns: [west as usize, east as usize],
            rows: [north as usize, south as usize],
        });
        Some(by_coordinates.or(by_nodes))
    }
}
