//! The initial ground: relief, soils and options. It never changes, so that all copies of a soil share it.

use super::params::{SoilOptions, SoilParameters};
use super::tile::{AREA, Bed, indices};
use touchdown_geometry::Relief;

/// A rectangle of another soil, by the soil's index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Smallest x and y, m.
    pub from: [f64; 2],
    /// Largest x and y, m.
    pub to: [f64; 2],
    /// Index of its soil.
    pub soil: usize,
}

/// The constant data of a soil.
#[derive(Debug, PartialEq)]
pub(super) struct Ground {
    pub relief: Relief,
    /// Distance of the nodes, m.
    pub spacing: f64,
    pub soils: Vec<SoilParameters>,
    pub regions: Vec<Region>,
    pub options: SoilOptions,
    /// Largest step between neighbours at rest (Eq. 11), m, of each soil.
    pub limits: Vec<f64>,
}

impl Ground {
    /// Index of the soil at a place.
    pub fn soil_at(&self, x: f64, y: f64) -> u8 {
        let inside = |r: &&Region| r.from[0] <= x && x <= r.to[0] && r.from[1] <= y && y <= r.to[1];
        let soil = self.regions.iter().rev().find(inside).map_or(0, |r| r.soil);
        u8::try_from(soil).ok().filter(|s| usize::from(*s) < self.soils.len()).unwrap_or(0)
    }

    /// Place of a node, m.
    #[inline]
    pub fn place(&self, key: (i32, i32), node: usize) -> (f64, f64) {
        let (i, j) = indices(key, node);
        (i as f64 * self.spacing, j as f64 * self.spacing)
    }

    /// The bed of a tile.
    pub fn bed(&self, key: (i32, i32)) -> Bed {
        let mut bed = Bed { base: [f64::NAN; AREA], soil: [0; AREA] };
        for node in 0..AREA {
            let (x, y) = self.place(key, node);
            bed.base[node] = self.relief.height(x, y).unwrap_or(f64::NAN);
            bed.soil[node] = self.soil_at(x, y);
        }
        bed
    }
}
