//! `plate-sinkage` against Bekker: z = (p/K)^(1/n), loading and unloading.

use super::common::{Checks, run};
use super::{check_volume, reference};
use touchdown_oracle::soil::plate::{width_from_perimeter, width_short_side};

const LOAD: f64 = 100.0;
const SOILS: [&str; 3] = ["dlr-simulant-a", "lunar-nominal", "dry-sand-lll"];
/// Width and length, m.
const PLATES: [(f64, f64); 2] = [(0.1, 0.1), (0.05, 0.2)];

/// The width that a rule gives a plate.
fn width(rule: &str, (w, l): (f64, f64)) -> f64 {
    match rule {
        "perimeter" => width_from_perimeter(w * l, 2.0 * (w + l)),
        _ => width_short_side(w, l),
    }
}

/// Sinkage under the load and without it, by the scenario, over the exact one; `shift` in m.
fn sinkage(soil: &str, rule: &str, (w, l): (f64, f64), shift: f64, checks: &mut Checks) -> f64 {
    let sets = [
        format!("soil={soil}"),
        format!("load_n={LOAD}"),
        format!("width_m={w}"),
        format!("length_m={l}"),
        format!("bekker_width={rule}"),
        format!("bekker_width_m={}", w.min(l)),
        format!("shift_m={shift}"),
    ];
    let run = run("plate-sinkage", &sets.iter().map(String::as_str).collect::<Vec<_>>());
    check_volume(&run, soil, checks);
    let (z, left) = (run.quantity("sinkage_m"), run.quantity("sinkage_unloaded_m"));
    // Relieved, it comes up by p/k_e.
    let rebound = LOAD / (w * l) / reference(soil, w).1;
    checks.below(&format!("{soil}, {rule}, rebound"), ((z - left) / rebound - 1.0).abs(), 1e-6);
    z
}

/// With its edges midway between nodes a plate sinks exactly as Bekker says, for both readings of the width and for a given one. The depth is found
/// by halving to the last bit, so that only the rounding of powers and sums is left: 1e-9 is generous. Rebound is a millimetre's
/// hundredth, found as a difference: 1e-6 of it is 1e-11 m.
#[test]
fn plates_sink_exactly() {
    let mut checks = Checks::default();
    for soil in SOILS {
        for plate in PLATES {
            for rule in ["footprint", "perimeter", "given"] {
                let (oracle, _) = reference(soil, width(rule, plate));
                let exact = (LOAD / (plate.0 * plate.1) / oracle.modulus).powf(1.0 / oracle.exponent);
                let found = sinkage(soil, rule, plate, 0.0, &mut checks);
                let what = format!("{soil}, {} × {} m, {rule}: {:.4} mm", plate.0, plate.1, 1e3 * exact);
                checks.below(&what, (found / exact - 1.0).abs(), 1e-9);
            }
        }
    }
    checks.finish();
}

/// Shifted by any fraction of a cell, a plate sinks alike: cells count with the part of them that it covers, and the outline is that of what is
/// covered. Asked for are 2 %; area and outline are exact up to rounding, so that a millionth is generous.
#[test]
fn shifted_plates_sink_alike() {
    let mut checks = Checks::default();
    for rule in ["footprint", "perimeter", "given"] {
        let exact = sinkage("dlr-simulant-a", rule, PLATES[1], 0.0, &mut checks);
        for shift in [0.0003, 0.001, 0.0025, 0.0044, 0.005, 0.0061, 0.0075, 0.0099] {
            let found = sinkage("dlr-simulant-a", rule, PLATES[1], shift, &mut checks);
            checks.below(&format!("{rule}, shifted by {shift} m"), (found / exact - 1.0).abs(), 1e-6);
        }
    }
    checks.finish();
}
