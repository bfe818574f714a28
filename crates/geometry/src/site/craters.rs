//! Craters: number, size, degradation and form.

use super::{CraterField, Site, SoilClass};
use touchdown_math::Elementary;

const KIND: u64 = 1;
/// Craters per km² with diameters of a metre and more, in equilibrium (Trask 1966): 10^4.9.
const EQUILIBRIUM: f64 = 79_432.823_472_428_15;
/// Share of it that is present.
const SHARE: f64 = 0.5;
/// The smallest crater in cells, and the largest in sizes of the site.
const SMALLEST: f64 = 4.0;
const LARGEST: f64 = 1.0 / 6.0;
/// Depth from rim to floor and height of the rim of a fresh crater, in diameters (Pike 1977, for simple craters).
const DEPTH: f64 = 0.2;
const RIM: f64 = 0.036;
/// Height against that of a fresh crater: from, to.
const WORN: [f64; 2] = [0.1, 0.8];
/// Where ejecta end, in radii.
const REACH: f64 = 3.0;
/// Craters from this diameter (m) and freshness have rocky rims, out to this many radii.
const ROCKY: (f64, f64, f64) = (20.0, 0.55, 1.6);

pub(super) fn make(field: &CraterField, site: &mut Site) {
    let [smallest, largest] = [SMALLEST * field.spacing, LARGEST * field.size];
    if smallest >= largest {
        return;
    }
    let ratio = (smallest / largest).whole_power(2);
    let square_km = (field.size / 1000.0).whole_power(2);
    let count = (SHARE * EQUILIBRIUM / smallest.whole_power(2) * (1.0 - ratio) * square_km).round() as u64;
    for number in 0..count {
        let draw = |k| field.draw(KIND, number, k);
        // N(≥ D) ∝ D⁻², between the smallest and the largest.
        let diameter = smallest / (1.0 - draw(0) * (1.0 - ratio)).sqrt();
        let worn = WORN[0] + (WORN[1] - WORN[0]) * draw(3);
        stamp(field, site, [draw(1), draw(2)].map(|share| share * field.size), diameter, worn);
    }
    site.craters = count as usize;
}

fn stamp(field: &CraterField, site: &mut Site, [x, y]: [f64; 2], diameter: f64, worn: f64) {
    let radius = 0.5 * diameter;
    let is_rocky = diameter >= ROCKY.0 && worn >= ROCKY.1;
    for row in field.within(y, REACH * radius) {
        for column in field.within(x, REACH * radius) {
            let away = (field.place(column) - x).hypotenuse(field.place(row) - y) / radius;
            let node = row * site.nodes + column;
            site.heights[node] += worn * diameter * form(away);
            if is_rocky && (0.7..ROCKY.2).contains(&away) && site.classes[node] == SoilClass::Plain {
                site.classes[node] = SoilClass::Rocks;
            }
        }
    }
}

/// Height of a fresh crater over the ground before it, in diameters, at a distance in radii: a paraboloid within the rim, ejecta beyond.
pub(super) fn form(away: f64) -> f64 {
    if away <= 1.0 {
        return RIM - DEPTH * (1.0 - away * away);
    }
    if away >= REACH {
        return 0.0;
    }
    // r⁻³, less its value at the end.
    let end = REACH.whole_power(-3);
    RIM * (away.whole_power(-3) - end) / (1.0 - end)
}
