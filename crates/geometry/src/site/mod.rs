//! A planetary site from a seed: rough plain, craters, dunes, rocks, and a class of soil for every place.
//!
//! | part | law | source |
//! |---|---|---|
//! | relief | seeded noise, octave by octave, heights ∝ wavelength^H with H = 0.76 | Hurst exponent of the lunar maria: Rosenburg et al., *J. Geophys. Res.* 116 (2011), E02001, doi 10.1029/2010JE003716 |
//! | craters | N(≥ D) = 10^4.9 D⁻² a km² (D in m) in equilibrium; half of it here | Trask, *Ranger VIII and IX Part II*, JPL TR 32-800 (1966), 252 |
//! | their form | depth 0.2 D and rim 0.036 D when fresh; ejecta thin out as r⁻³ | Pike, *Impact and Explosion Cratering* (1977), 489; McGetchin et al., *Earth Planet. Sci. Lett.* 20 (1973), 226 |
//! | rocks | share of the ground under rocks ≥ D: k exp(−(1.79 + 0.152/k) D), k = 0.1; half as high as wide | Golombek & Rapp, *J. Geophys. Res.* 102 (1997), 4117, doi 10.1029/96JE03319 |
//! | dunes | transverse ridges, 40 m from crest to crest, 1.6 m high, lee sides three times as steep as windward ones | assumed, of the size of transverse aeolian ridges: Zimbelman, *Geomorphology* 121 (2010), 22 |
//!
//! The degradation of craters (height relative to a fresh one, 0.1 to 0.8), the height of the relief (1 m for
//! wavelengths of 512 m), the share of equilibrium and the places of dunes and rocks are assumed. Craters
//! smaller than four cells and rocks smaller than one and a half are left out: roughness below the cell is
//! not in a map.
//!
//! Every draw is a hash of seed, kind and number, and elementary functions are those of `touchdown-math`: the same seed gives the same bits on
//! every machine.
//!
//! ```
//! use touchdown_geometry::site::CraterField;
//! let site = CraterField::new(1, 200.0, 2.0)?.make();
//! assert_eq!((site.nodes, site.heights.len()), (100, 10_000));
//! # Ok::<(), touchdown_geometry::ReliefError>(())
//! ```

mod craters;
mod rocks;
#[cfg(test)]
mod tests;

use crate::procedural::mix;
use crate::{Procedural, ReliefError};
use touchdown_math::Elementary;

/// Hurst exponent of the relief.
const HURST: f64 = 0.76;
/// Longest wavelength of the relief, m, and the root mean square of its height, m.
const LONGEST_WAVE: f64 = 512.0;
const HEIGHT_OF_LONGEST: f64 = 1.0;
/// Dunes: crest to crest, height, and the part of a wavelength that rises, m.
const DUNE_LENGTH: f64 = 40.0;
const DUNE_HEIGHT: f64 = 1.6;
const DUNE_RISE: f64 = 0.75;
/// Crests waver by this, m, over this distance, m.
const WAVER: f64 = 15.0;
const WAVER_LENGTH: f64 = 160.0;
/// Regions of dunes and of rocks have about this size, m.
const REGION: f64 = 700.0;
/// Largest number of nodes of a site: the limit of a map that is read whole.
const MOST_NODES: f64 = crate::map::MOST_NODES as f64;

/// Class of the soil at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum SoilClass {
    /// Firm plain.
    Plain = 1,
    /// Loose sand of dunes.
    Dunes = 2,
    /// Rocky ground: fields of rocks, and the rims of young craters.
    Rocks = 3,
}

/// Parameters of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CraterField {
    seed: u64,
    size: f64,
    spacing: f64,
}

/// Heights and classes, rows from the north.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Nodes along a side.
    pub nodes: usize,
    /// Heights, m.
    pub heights: Vec<f64>,
    /// Classes of the soil.
    pub classes: Vec<SoilClass>,
    /// Number of craters.
    pub craters: usize,
    /// Number of rocks.
    pub rocks: usize,
}

impl CraterField {
    /// A square site of this many metres, nodes every `spacing` metres.
    pub fn new(seed: u64, size: f64, spacing: f64) -> Result<CraterField, ReliefError> {
        let refuse = |what, found, allowed| Err(ReliefError::Range { what, found, allowed });
        if !(spacing.is_finite() && (0.1..=100.0).contains(&spacing)) {
            return refuse("spacing", spacing, "0.1 to 100 m");
        }
        let nodes = size / spacing;
        if !(nodes >= 16.0 && nodes * nodes <= MOST_NODES) {
            return refuse("size", size, "16 to 10,000 times the spacing");
        }
        Ok(CraterField { seed, size, spacing })
    }

    /// Nodes along a side.
    pub fn nodes(&self) -> usize {
        (self.size / self.spacing).floor() as usize
    }

    /// Makes the site.
    pub fn make(&self) -> Site {
        let nodes = self.nodes();
        let ground = Ground::new(self);
        let mut heights = Vec::with_capacity(nodes * nodes);
        let mut classes = Vec::with_capacity(nodes * nodes);
        for row in 0..nodes {
            for column in 0..nodes {
                let (height, class) = ground.at(self.place(column), self.place(row));
                heights.push(height);
                classes.push(class);
            }
        }
        let mut site = Site { nodes, heights, classes, craters: 0, rocks: 0 };
        craters::make(self, &mut site);
        rocks::make(self, &mut site);
        site
    }

    /// Distance of the middle of a cell from the western or northern edge, m.
    fn place(&self, index: usize) -> f64 {
        (index as f64 + 0.5) * self.spacing
    }

    /// Columns or rows whose middles lie within a distance of a place, m.
    fn within(&self, middle: f64, reach: f64) -> std::ops::Range<usize> {
        let cell = |x: f64| (x / self.spacing - 0.5).clamp(0.0, self.nodes() as f64);
        cell(middle - reach).ceil() as usize..(cell(middle + reach).floor() as usize + 1).min(self.nodes())
    }

    /// A number in [0, 1) for the draw of a kind of thing.
    fn draw(&self, kind: u64, number: u64, draw: u64) -> f64 {
        const WHOLE: f64 = 9_007_199_254_740_992.0;
        (mix(mix(mix(self.seed ^ mix(kind)) ^ number) ^ mix(draw)) >> 11) as f64 / WHOLE
    }
}

/// The ground below craters and rocks.
struct Ground {
    relief: Vec<Procedural>,
    dunes: Procedural,
    rocks: Procedural,
    waver: Procedural,
}

impl Ground {
    fn new(field: &CraterField) -> Ground {
        let noise = |kind, wave, height| noise(field.seed, kind, wave, height);
        Ground {
            relief: relief(field.seed, LONGEST_WAVE, 4.0 * field.spacing),
            dunes: noise(0x200, 2.0 * REGION, 1.0),
            rocks: noise(0x201, 2.0 * REGION, 1.0),
            waver: noise(0x202, WAVER_LENGTH, WAVER),
        }
    }

    fn at(&self, x: f64, y: f64) -> (f64, SoilClass) {
        let relief: f64 = self.relief.iter().map(|octave| octave.sample(x, y).0).sum();
        let [sand, rock] = [&self.dunes, &self.rocks].map(|mask| mask.sample(x, y).0);
        let cover = step((sand - 0.2) / 0.4);
        let phase = (x + self.waver.sample(x, y).0) / DUNE_LENGTH;
        let height = relief + cover * DUNE_HEIGHT * dune(phase - phase.floor());
        let class = match () {
            () if cover > 0.5 => SoilClass::Dunes,
            () if rock > 0.6 => SoilClass::Rocks,
            () => SoilClass::Plain,
        };
        (height, class)
    }
}

/// Octaves of the relief between two wavelengths, m: heights ∝ wavelength^H.
fn relief(seed: u64, longest: f64, shortest: f64) -> Vec<Procedural> {
    let waves = std::iter::successors(Some(longest), |wave| Some(0.5 * wave));
    let waves = waves.take_while(|wave| *wave >= shortest).enumerate();
    waves
        .map(|(k, wave)| {
            let height = HEIGHT_OF_LONGEST * (wave / LONGEST_WAVE).power(HURST);
            noise(seed, 0x100 + k as u64, wave, height)
        })
        .collect()
}

/// One octave; lengths and heights of a site are in range for any seed.
fn noise(seed: u64, kind: u64, wave: f64, height: f64) -> Procedural {
    Procedural::new(mix(seed ^ kind), 0.0, wave, height, 1).expect("a wave of the site")
}

/// Height of a ridge over one wavelength, 0 to 1: it rises slowly and falls fast, without a kink.
fn dune(phase: f64) -> f64 {
    if phase < DUNE_RISE { step(phase / DUNE_RISE) } else { step((1.0 - phase) / (1.0 - DUNE_RISE)) }
}

/// From 0 to 1 without a kink.
fn step(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
