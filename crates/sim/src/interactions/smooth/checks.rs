//! Smooth contacts: extremes of the run, and whether they stayed in the range of their model.

use super::pair::PairOnLinks;
use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::surface::NormalLaw;

/// Penetration over the smallest radius of a smooth body: beyond half of it the overlap of rigid forms no
/// longer determines the place of contact; as for tyres.
const SURFACE_PENETRATION: f64 = 0.5;
/// The same with Hertz's law, whose theory is local up to a tenth (Johnson, Contact Mechanics, 4.1).
const HERTZ_PENETRATION: f64 = 0.1;
/// Approach in one step over the distance at which candidates are tracked.
const SURFACE_APPROACH: f64 = 1.0;

/// Energy jumps over the energy exchanged: the allowed error of the results.
const SURFACE_JUMPS: f64 = 0.01;

/// Extremes of one smooth contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairBook {
    /// Number of touches.
    pub touches: u64,
    /// Whether it touched at the last accepted step.
    pub touching: bool,
    /// Smallest gap at the last accepted step, m, and its rate, m/s.
    pub gap: f64,
    pub gap_rate: f64,
    /// Deepest penetration, m.
    pub penetration: f64,
    /// Largest approach in one step, m.
    pub travel: f64,
    /// Energy stored after the last commit, J.
    pub energy: f64,
    /// Sum of the absolute energy jumps where candidates were lost and found while touching, J.
    pub jumps: f64,
    /// Largest depth of the core of one side in the other, m.
    pub passed: f64,
}

impl PairBook {
    /// Touches so far, including one that begins with a state between two accepted steps.
    pub fn touches_with(&self, touching: bool) -> u64 {
        self.touches + u64::from(touching && !self.touching)
    }

    /// Books an accepted state a step of `h` later.
    pub fn book(&mut self, p: &PairOnLinks, h: f64) {
        let touching = p.touching() > 0;
        self.touches = self.touches_with(touching);
        let (gap, rate) = p.nearest().map_or((f64::INFINITY, 0.0), |c| (c.gap, c.gap_rate));
        let depth =
            if self.touching && touching { deepest((self.gap, self.gap_rate), (gap, rate), h) } else { -gap };
        self.penetration = self.penetration.max(depth);
        if rate < 0.0 {
            self.travel = self.travel.max(-rate * h);
        }
        (self.touching, self.gap, self.gap_rate) = (touching, gap, rate);
        self.energy = p.force.elastic_energy;
    }

    /// Books the depth of the core of one side in the other after an accepted step, m.
    pub fn book_passed(&mut self, depth: f64) {
        self.passed = self.passed.max(depth);
    }

    /// Energy of touching candidates that were lost in this step, J; it is not returned by a force.
    pub fn book_lost(&mut self, p: &PairOnLinks) -> f64 {
        let lost = if p.force.out_of_range > 0 { self.energy - p.force.elastic_energy } else { 0.0 };
        self.jump(lost, p)
    }

    /// Energy of the candidates dropped by a commit, less that of those it found, J.
    pub fn book_found(&mut self, p: &PairOnLinks) -> f64 {
        self.jump(self.energy - p.force.elastic_energy, p)
    }

    fn jump(&mut self, gone: f64, p: &PairOnLinks) -> f64 {
        self.jumps += gone.abs();
        self.energy = p.force.elastic_energy;
        gone
    }
}

/// Deepest penetration between two states, from the cubic with their gaps and rates.
fn deepest((g0, v0): (f64, f64), (g1, v1): (f64, f64), h: f64) -> f64 {
    let ends = (-g0).max(-g1);
    if !(v0 < 0.0 && v1 > 0.0) || h <= 0.0 {
        return ends;
    }
    // g(s) = g0 + a s + b s² + c s³ on [0, 1]; its least where a + 2 b s + 3 c s² = 0 with rising slope.
    let (a, rise) = (v0 * h, g1 - g0);
    let (b, c) = (3.0 * rise - (2.0 * v0 + v1) * h, (v0 + v1) * h - 2.0 * rise);
    let root = (b * b - 3.0 * a * c).max(0.0).sqrt();
    let s = (-a / (b + root)).clamp(0.0, 1.0);
    ends.max(-(g0 + s * (a + s * (b + s * c))))
}

/// The checks of all smooth contacts.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let (pairs, exchanged) = (&on.system.acts.smooth, on.exchanged);
    let all = || pairs.iter().zip(&on.books.smooth);
    let crowded = pairs.iter().zip(&on.held.acts.smooth.held);
    let touched = || all().filter(|(_, e)| e.touches > 0);
    let checks = [
        at_most(
            "surface_penetration_over_radius",
            SURFACE_PENETRATION,
            "1",
            "deepest penetration over the smallest radius of the body: forms are rigid, and beyond half their overlap no longer says where they touch",
        )
        .worst(touched().map(|(p, e)| (p.name.as_str(), e.penetration.max(0.0) / p.radius))),
        at_most(
            "hertz_penetration_over_radius",
            HERTZ_PENETRATION,
            "1",
            "the same with Hertz's law: its theory is local, and good up to a tenth",
        )
        .worst(
            touched()
                .filter(|(p, _)| matches!(p.law, NormalLaw::Hertz { .. }))
                .map(|(p, e)| (p.name.as_str(), e.penetration.max(0.0) / p.radius)),
        ),
        at_most(
            "surface_approach_over_threshold",
            SURFACE_APPROACH,
            "1",
            "longest approach in a step over the distance at which candidates are followed: beyond it a touch can begin unseen",
        )
        .worst(all().map(|(p, e)| (p.name.as_str(), e.travel / p.threshold))),
        at_most(
            "surface_jumps_relative",
            SURFACE_JUMPS,
            "1",
            "energy gained and lost where touching candidates lost relative convexity and were searched again, over the energy exchanged; counted as lost",
        )
        .worst(all().map(|(p, e)| (p.name.as_str(), if e.jumps > 0.0 { e.jumps / exchanged } else { 0.0 }))),
        at_most(
            "surface_passed_through",
            0.0,
            "m",
            "deepest that the middle of one side lay in the other: they passed through each other, and forces of this contact mean nothing; look at form, threshold and step",
        )
        .worst(all().map(|(p, e)| (p.name.as_str(), e.passed))),
        at_most(
            "surface_candidates_crowded",
            0.0,
            "1",
            "touching places that found no free slot and gave no force; raise most",
        )
        .worst(crowded.map(|(p, held)| (p.name.as_str(), held.crowded as f64))),
    ];
    checks.into_iter().flatten().collect()
}
