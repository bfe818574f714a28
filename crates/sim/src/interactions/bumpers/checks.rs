//! Bumpers: extremes of the run, and whether they stayed in the range of their model.

use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::bumper::BumperForce;

/// Overlap over the smaller radius: as for smooth contacts, beyond half of it rigid forms no longer determine
/// the place of contact.
const OVERLAP: f64 = 0.5;

/// Extremes of one bumper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BumperBook {
    /// Largest overlap, m.
    overlap: f64,
}

impl BumperBook {
    /// Books an accepted state.
    pub fn book(&mut self, force: &BumperForce) {
        self.overlap = self.overlap.max(-force.gap);
    }
}

/// The checks of all bumpers.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let about = "largest overlap of a bumper's balls over the smaller radius: beyond half of it they no longer say where bodies touch";
    let all = on.system.acts.bumpers.iter().zip(&on.books.bumpers);
    let overlap = at_most("bumper_overlap_over_radius", OVERLAP, "1", about);
    overlap
        .worst(all.map(|(b, book)| (b.name.as_str(), book.overlap / b.smaller_radius())))
        .into_iter()
        .collect()
}
