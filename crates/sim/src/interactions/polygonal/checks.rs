//! Polygonal contacts: extremes of the run, and whether they stayed in the range of their model.

use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::polygonal::PolygonalForce;

/// Deepest penetration over the limit of linear layers.
const COMPRESSION: f64 = 1.0;

/// Extremes of one polygonal contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PolygonalBook {
    /// Number of touches.
    pub touches: u64,
    /// Whether it touched at the last accepted step.
    pub touching: bool,
    /// Deepest penetration, m.
    pub penetration: f64,
    /// Approach in one step over the contact's threshold.
    pub travel: f64,
    /// Dissipated energy, J, and power at the last accepted step, W.
    pub dissipated: f64,
    pub power: f64,
}

impl PolygonalBook {
    /// Touches so far, including one that begins with a state between two accepted steps.
    pub fn touches_with(&self, touching: bool) -> u64 {
        self.touches + u64::from(touching && !self.touching)
    }

    /// Books an accepted state a step of `h` later, and the heat released, J.
    pub fn book(&mut self, force: &PolygonalForce, h: f64, heat: f64) {
        let touching = force.polygons > 0;
        self.touches = self.touches_with(touching);
        self.touching = touching;
        self.penetration = self.penetration.max(force.penetration_max);
        self.dissipated += 0.5 * h * (self.power + force.dissipated_power) + heat;
        self.power = force.dissipated_power;
    }
}

/// Approach in one step over the contact's threshold: beyond it, thin parts may be passed between two steps.
const TRAVEL: f64 = 1.0;

/// The checks of all polygonal contacts.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let contacts = || on.system.acts.polygonal.list.iter().zip(&on.books.polygonal);
    let all = contacts().filter(|(p, e)| e.touches > 0 && p.limit.is_finite());
    let check = at_most(
        "polygonal_penetration_over_limit",
        COMPRESSION,
        "1",
        "deepest penetration over that which compresses a layer by a quarter of its depth: beyond it an elastic layer is no longer linear",
    )
    .worst(all.map(|(p, e)| (p.name.as_str(), e.penetration / p.limit)));
    let travel = at_most(
        "polygonal_travel_per_step_over_threshold",
        TRAVEL,
        "1",
        "longest travel of approach in one step over the contact's threshold: beyond it, a step can jump over parts as thin as the threshold; take a smaller step",
    )
    .worst(contacts().map(|(p, e)| (p.name.as_str(), e.travel)));
    check.into_iter().chain(travel).collect()
}
