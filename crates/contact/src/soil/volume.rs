//! The account of the soil's volume, in whole units of height times one cell.

use super::state::Soil;
use super::tile::UNIT;
use serde::{Deserialize, Serialize};

/// Volume not contained in the heights, in units of height times one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Accounts {
    /// Put on the ground at the start.
    pub added: i128,
    /// Absorbed by the ground, which becomes denser: the soil's share of the sinkage volume, and everything
    /// if deposition is off.
    pub compacted: i128,
    /// Lifted by bodies and not yet deposited.
    pub carried: i128,
    /// Total volume moved: displaced, carried away, eroded.
    pub handled: i128,
    /// Displaced by sinkage, bulldozing and shear (Eqs. 6–8).
    pub parts: [i128; 3],
    /// Displaced in all.
    pub displaced: i128,
}

impl Accounts {
    /// Books displaced units and their parts.
    pub fn book(&mut self, units: i64, parts: [i64; 3]) {
        self.displaced += i128::from(units);
        self.handled += i128::from(units);
        for (sum, part) in self.parts.iter_mut().zip(parts) {
            *sum += i128::from(part);
        }
    }
}

impl Soil {
    /// The imbalance: all heights, less the added volume, plus the compacted and the carried volume; in
    /// units.
    fn imbalance(&self) -> i128 {
        let heights: i128 =
            self.tiles.iter().flat_map(|t| t.nodes().moved.iter()).map(|m| i128::from(*m)).sum();
        heights - self.accounts.added + self.accounts.compacted + self.accounts.carried
    }

    fn volume(&self, units: i128) -> f64 {
        units as f64 * UNIT * self.ground.spacing * self.ground.spacing
    }

    /// Error of the account over the volume moved so far; zero if nothing moved.
    pub fn volume_error_relative(&self) -> f64 {
        let handled = self.accounts.handled;
        if handled == 0 { 0.0 } else { self.imbalance() as f64 / handled as f64 }
    }

    /// Soil moved so far, m³: displaced, carried away and slid down.
    pub fn volume_moved(&self) -> f64 {
        self.volume(self.accounts.handled)
    }

    /// Soil absorbed by compaction, m³ at its initial density.
    pub fn volume_compacted(&self) -> f64 {
        self.volume(self.accounts.compacted)
    }

    /// Soil displaced by bodies so far, m³, and its parts by sinkage, bulldozing and shear (Eqs. 6–8).
    pub fn volume_displaced(&self) -> (f64, [f64; 3]) {
        (self.volume(self.accounts.displaced), self.accounts.parts.map(|p| self.volume(p)))
    }

    /// Whether the three parts of the displaced volume sum to it to the last bit.
    pub fn parts_are_whole(&self) -> bool {
        self.accounts.parts.iter().sum::<i128>() == self.accounts.displaced
    }
}
