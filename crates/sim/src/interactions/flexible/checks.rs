//! Flexible bodies: extremes of the run, and whether they stayed in the range of their material and contact.

use super::FlexPart;
use crate::books::validity::{self, Rule, at_least, at_most};
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_multibody::flex::plate::Strained;

/// Size of the strain. Material laws that agree for small strain e differ by about e: a fifth is the accuracy
/// of the modulus of a rubber.
const STRAIN: Rule = at_most(
    "flexible_strain_max",
    0.2,
    "1",
    "largest size of the strain at corners and middles of elements: the St. Venant-Kirchhoff law is one of many that agree for small strain, and differ by about its size",
);
/// Smallest volume ratio: a bar compressed to 1/sqrt(3) of its length carries its largest load.
const VOLUME: Rule = at_least(
    "flexible_volume_ratio_min",
    0.58,
    "1",
    "smallest volume over the stress-free one: the St. Venant-Kirchhoff law softens under compression to 0.58, and at zero an element turns inside out",
);
/// Penetration over the thickness: beyond a fifth the deflection of the ground is a large part of that of a
/// wall.
const PENETRATION: Rule = at_most(
    "flexible_penetration_over_thickness",
    0.2,
    "1",
    "deepest contact point below the ground over the thickness of the thinnest plate: beyond, the springs of the points are a good part of the body's own",
);

/// Energy of a series of equilibria against the work of its loads by the trapezoidal rule, which is of second order in the rows: as for `implicit`.
const ENERGY: Rule = at_most(
    "energy_residual_relative",
    validity::ENERGY_IMPLICIT,
    "1",
    "energy stored less the work of the load (trapezoidal rule over the rows), over the larger of the two",
);

/// Whether the energy of a series of equilibria is the work of its loads, both in J.
pub fn energy_of_rows(stored: f64, work: f64) -> Check {
    let larger = stored.abs().max(work.abs());
    ENERGY.check(if larger > 0.0 { (stored - work).abs() / larger } else { 0.0 })
}

/// Extremes of one flexible body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlexBook {
    /// Largest strain.
    pub strain: f64,
    /// Smallest volume over the stress-free one.
    pub volume: f64,
    /// Deepest contact point, m.
    pub penetration: f64,
}

impl Default for FlexBook {
    fn default() -> Self {
        FlexBook { strain: 0.0, volume: 1.0, penetration: 0.0 }
    }
}

impl FlexBook {
    /// Books an accepted state.
    pub(crate) fn book(&mut self, part: &FlexPart) {
        self.look(&part.strained, part.ground_force().penetration);
    }

    /// Books a form and a penetration.
    pub fn look(&mut self, strained: &Strained, penetration: f64) {
        self.strain = self.strain.max(strained.strain);
        self.volume = self.volume.min(strained.volume);
        self.penetration = self.penetration.max(penetration);
    }

    /// The checks of one body without a system; `thickness`, m, if it touches rigid ground.
    pub fn checks(&self, name: &str, thickness: Option<f64>) -> Vec<Check> {
        let one = |rule: &Rule, value: f64| rule.worst(std::iter::once((name, value)));
        let touched = thickness.and_then(|t| one(&PENETRATION, self.penetration / t));
        [one(&STRAIN, self.strain), one(&VOLUME, self.volume), touched].into_iter().flatten().collect()
    }
}

/// The checks of all flexible bodies.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let all = || on.system.acts.flexible.iter().zip(&on.books.flexible);
    let plates = || all().filter(|(part, _)| part.mesh.thinnest().is_finite());
    let touching = plates().filter(|(part, _)| part.contact.is_some());
    let all = [
        STRAIN.worst(plates().map(|(part, e)| (part.name.as_str(), e.strain))),
        VOLUME.worst(plates().map(|(part, e)| (part.name.as_str(), e.volume))),
        PENETRATION
            .worst(touching.map(|(part, e)| (part.name.as_str(), e.penetration / part.mesh.thinnest()))),
    ];
    all.into_iter().flatten().collect()
}

/// Checks of natural modes: expected rigid motions (`None` if something is held), and the largest |K·φ −
/// ω²·M·φ| over |K·φ|.
pub fn modes_checks((found, expected): (usize, Option<usize>), residual: f64) -> Vec<Check> {
    let about = "rigid motions of a free body missing or counted as deformations: it has six";
    let missing = at_most("rigid_motions_missing", 0.0, "1", about);
    let about = "largest |K x - w^2 M x| of a mode over |K x|: what the search left";
    let mut out: Vec<Check> = expected.map(|n| missing.check(n.abs_diff(found) as f64)).into_iter().collect();
    out.push(at_most("mode_residual_relative", MODE_RESIDUAL, "1", about).check(residual));
    out
}

/// Allowed residual of a search for modes: the error in frequency is of second order in it.
const MODE_RESIDUAL: f64 = 1e-3;
