//! Rocks resolved by a map, in fields of rocks and on the rims of young craters.

use super::{CraterField, Site, SoilClass};
use touchdown_math::Elementary;

const KIND: u64 = 2;
/// Share of the ground that rocks of every size cover (Golombek & Rapp 1997).
const COVER: f64 = 0.1;
/// 1.79 + 0.152/k, 1/m.
const DECAY: f64 = 1.79 + 0.152 / COVER;
/// The smallest rock in cells, and the largest, m.
const SMALLEST: f64 = 1.5;
const LARGEST: f64 = 6.0;

pub(super) fn make(field: &CraterField, site: &mut Site) {
    let smallest = SMALLEST * field.spacing;
    if smallest >= LARGEST {
        return;
    }
    // The number for rocks everywhere; those outside of fields are left out.
    let count = (a_square_metre(smallest) * field.size * field.size).round() as u64;
    for number in 0..count {
        let [x, y] = [0, 1].map(|k| field.draw(KIND, number, k) * field.size);
        let [column, row] = [x, y].map(|at| ((at / field.spacing) as usize).min(site.nodes - 1));
        if site.classes[row * site.nodes + column] == SoilClass::Rocks {
            stamp(field, site, [x, y], diameter(field, number, smallest));
            site.rocks += 1;
        }
    }
}

/// Rocks a m² from a diameter on: ∫ k q e^(−qD) / (π D²/4) dD, by Simpson's rule.
pub(super) fn a_square_metre(smallest: f64) -> f64 {
    const PIECES: usize = 200;
    let density = |d: f64| COVER * DECAY * (-DECAY * d).exponential() / (std::f64::consts::FRAC_PI_4 * d * d);
    let step = (LARGEST - smallest) / (2 * PIECES) as f64;
    let at = |k: usize| density(smallest + k as f64 * step);
    let sum: f64 = (0..PIECES).map(|k| at(2 * k) + 4.0 * at(2 * k + 1) + at(2 * k + 2)).sum();
    sum * step / 3.0
}

/// A diameter from the density e^(−qD)/D²: exponential draws, kept with the probability (smallest/D)².
fn diameter(field: &CraterField, number: u64, smallest: f64) -> f64 {
    for draw in 0..64 {
        let [u, v] = [2, 3].map(|k| field.draw(KIND, number, k + 2 * draw));
        let d = smallest - (1.0 - u).natural_log() / DECAY;
        if d <= LARGEST && v < (smallest / d).whole_power(2) {
            return d;
        }
    }
    smallest
}

/// Half an ellipsoid, half as high as wide.
fn stamp(field: &CraterField, site: &mut Site, [x, y]: [f64; 2], diameter: f64) {
    let radius = 0.5 * diameter;
    for row in field.within(y, radius) {
        for column in field.within(x, radius) {
            let away = (field.place(column) - x).hypotenuse(field.place(row) - y) / radius;
            site.heights[row * site.nodes + column] += radius * (1.0 - away * away).max(0.0).sqrt();
        }
    }
}
