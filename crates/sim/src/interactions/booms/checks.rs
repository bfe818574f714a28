//! Booms: extremes of the run, and whether they stayed in the range of their model.

use super::BoomOnLinks;
use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_spacecraft::boom::SLOPE_LIMIT;

/// Extremes of one boom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BoomBook {
    /// Largest compression over the load that buckles a boom with a free end.
    buckling: f64,
    /// Largest slope or deflection per length.
    slope: f64,
    /// Farthest beyond its shortest or longest length, m.
    beyond: f64,
}

impl BoomBook {
    /// At the start.
    pub fn new(boom: &BoomOnLinks) -> BoomBook {
        let mut book = BoomBook::default();
        book.book(boom);
        book
    }

    /// Books an accepted state.
    pub fn book(&mut self, boom: &BoomOnLinks) {
        self.buckling = self.buckling.max(boom.force.buckling_share);
        self.slope = self.slope.max(boom.force.slope);
        let [short, long] = boom.law.limits;
        self.beyond = self.beyond.max(short - boom.driven.0).max(boom.driven.0 - long);
    }
}

/// The checks of all booms.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let all = || on.system.acts.booms.iter().zip(&on.books.booms);
    let buckling = at_most(
        "boom_buckling_share",
        1.0,
        "1",
        "largest compression over the load that buckles a boom with a free end: beyond it the boom buckles sideways",
    )
    .worst(all().map(|(b, e)| (b.name.as_str(), e.buckling)));
    let slope = at_most(
        "boom_slope",
        SLOPE_LIMIT,
        "1",
        "largest slope of the tip or deflection per length: the law is that of small slopes, and is wrong by a third of their square",
    )
    .worst(all().map(|(b, e)| (b.name.as_str(), e.slope)));
    let length = at_most("boom_beyond_length_m", 0.0, "m", "farthest beyond the shortest or longest length")
        .worst(all().map(|(b, e)| (b.name.as_str(), e.beyond)));
    [buckling, slope, length].into_iter().flatten().collect()
}
