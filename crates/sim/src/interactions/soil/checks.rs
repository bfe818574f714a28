//! Bodies in soil: extremes of the run, whether they stayed in the range of the model, and the balance of the soil's volume.

use super::SoilOnLink;
use crate::books::validity::{at_least, at_most, degrees};
use crate::interactions::Checked;
use crate::sink::{Check, NamedValue};
use serde::{Deserialize, Serialize};
use touchdown_contact::soil::{Soil, SoilForce};
use touchdown_contact::tyre::WheelMotion;

/// Soil is counted in whole numbers: exact except for the division.
const SOIL_VOLUME: f64 = 1e-12;
/// Cells along a wheel's radius: with ten, forces are within 3 % of the integral over the arc.
const CELLS_PER_RADIUS: f64 = 10.0;
/// Cells across a wheel, so that rut and humps are resolved.
const CELLS_ACROSS: f64 = 5.0;
/// Nodes under the largest load: five by five.
const CONTACT_CELLS: f64 = 25.0;
/// Sinkage over the radius with bars: beyond it the widest part of a wheel is below ground, and soil has one
/// height per place.
const SINKAGE: f64 = 1.0;
/// Cells travelled between two moves of the soil: the coarsest that was measured, 1.2 % off in sinkage.
const CELLS_BETWEEN_MOVES: f64 = 0.2;
/// Camber of a wheel in soil, degrees: its flat sides do not push, at 6 degrees 12 % of the force are missing.
const SOIL_CAMBER: f64 = 6.0;
/// Stagnation pressure over the largest pressure: soil has no inertia in the model.
const SOIL_INERTIA: f64 = 0.1;
/// Density of loose dry soil for that comparison, kg/m³ (Wong: dry sand 1500 to 1700; lunar regolith likewise).
const SOIL_DENSITY: f64 = 1600.0;
/// Extremes of one body in soil while it touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoilBook {
    /// Largest vertical force, N.
    load: f64,
    /// Nodes that carried it.
    nodes: u32,
    /// Largest sinkage, m.
    sinkage: f64,
    /// Largest pressure, Pa.
    pressure: f64,
    /// Largest speed of any point of its surface, m/s.
    speed: f64,
    /// Longest horizontal travel of its centre in one step, m.
    travel: f64,
    /// Largest |sin| of a wheel's camber.
    camber: f64,
}

impl SoilBook {
    /// Books a step of `h` at whose end it touched.
    pub fn book(&mut self, on: &SoilOnLink, motion: &WheelMotion, force: &SoilForce, h: f64) {
        if force.wrench_C.f.z > self.load {
            (self.load, self.nodes) = (force.wrench_C.f.z, force.nodes);
        }
        self.sinkage = self.sinkage.max(force.sinkage);
        self.pressure = self.pressure.max(force.pressure_max);
        // A mesh has no radius, and `max` ignores values that are not a number: only its centre counts.
        let rim = motion.w_WB.norm() * on.tip_radius;
        self.speed = self.speed.max(motion.v_WC.norm() + rim.max(0.0));
        self.travel = self.travel.max(h * motion.v_WC.xy().norm());
        if on.is_wheel() {
            self.camber = self.camber.max(motion.axis_W.z.abs());
        }
    }
}

/// Whether soil was lost or created.
pub fn soil_volume(soil: &Soil) -> Check {
    let about = "soil lost or gained over the soil moved: it is counted in whole numbers";
    at_most("soil_volume_error_relative", SOIL_VOLUME, "1", about).check(soil.volume_error_relative())
}

/// The checks of the soil and of all bodies in it.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let system = on.system;
    let (Some(parts), Some(laid)) = (&system.acts.soil.parts, on.held.acts.soil.laid()) else {
        return Vec::new();
    };
    let (spacing, move_every) = (parts.fresh.spacing(), f64::from(parts.fresh.options().move_every));
    // Bodies that never touched are not checked.
    let touched = || system.acts.soil.bodies.iter().zip(&on.books.soil).filter(|(_, e)| e.nodes > 0);
    let wheels = || touched().filter(|(on, _)| on.is_wheel());
    let rules = [
        at_least(
            "cells_per_radius",
            CELLS_PER_RADIUS,
            "1",
            "radius of a wheel over the spacing of the soil's grid: with 10 cells forces are within 3 % of the exact integral",
        )
        .worst(wheels().map(|(on, _)| (on.name.as_str(), on.radius / spacing))),
        at_least(
            "cells_across_wheel",
            CELLS_ACROSS,
            "1",
            "width of a wheel over the spacing: fewer cells give rut and humps no form",
        )
        .worst(wheels().map(|(on, _)| (on.name.as_str(), on.width / spacing))),
        at_least(
            "contact_cells",
            CONTACT_CELLS,
            "1",
            "nodes of the grid that carried the largest load: a contact of a few cells ripples as it moves over the grid",
        )
        .worst(touched().map(|(on, e)| (on.name.as_str(), f64::from(e.nodes)))),
        at_most(
            "sinkage_over_radius",
            SINKAGE,
            "1",
            "largest sinkage over the radius of a wheel: beyond 1 its widest place is below ground, and soil has one height per place",
        )
        .worst(wheels().map(|(on, e)| (on.name.as_str(), e.sinkage / on.tip_radius))),
        at_most(
            "cells_between_moves",
            CELLS_BETWEEN_MOVES,
            "1",
            "cells travelled between two moves of the displaced soil: up to 0.2 the answers are within 1.2 %; lower terrain.move_every",
        )
        .worst(touched().map(|(on, e)| (on.name.as_str(), e.travel * move_every / spacing))),
        at_most(
            "wheel_camber_deg",
            SOIL_CAMBER,
            "deg",
            "largest camber of a wheel in soil: its flat sides do not push; at 6 deg and a quarter of the radius 12 % of the force are missing",
        )
        .worst(wheels().map(|(on, e)| (on.name.as_str(), degrees(e.camber)))),
        at_most(
            "soil_inertia_relative",
            SOIL_INERTIA,
            "1",
            "1600 kg/m3 times the largest speed of the surface squared, over the largest pressure: the soil has no inertia",
        )
        .worst(touched().map(|(on, e)| (on.name.as_str(), SOIL_DENSITY * e.speed * e.speed / e.pressure))),
    ];
    let moves = |check: &Check| check.name.contains("moves");
    let all = rules.into_iter().flatten().filter(|check| !(on.at_rest && moves(check)));
    std::iter::once(soil_volume(&laid.soil)).chain(all).collect()
}

/// Quantities of the soil at the end of a run.
pub(super) fn quantities(soil: &Soil, has_heaps: bool, out: &mut Vec<NamedValue>) {
    let mut put = |name: &str, value: f64, unit: &str, about: &str| {
        out.push(NamedValue { name: name.into(), value, unit: unit.into(), about: about.into() });
    };
    let about = "soil lost or gained numerically over the soil moved so far";
    put("soil_volume_error_relative", soil.volume_error_relative(), "1", about);
    put("soil_volume_moved_m3", soil.volume_moved(), "m3", "soil displaced, carried and slid");
    let about = "soil, at its first density, that the ground has taken in by becoming denser";
    put("soil_volume_compacted_m3", soil.volume_compacted(), "m3", about);
    if !has_heaps {
        return;
    }
    let heap = soil.heap();
    put("heap_radius_m", heap.radius, "m", "radius of a circle as large as the ground under the heap");
    put("heap_height_m", heap.height, "m", "greatest height above the undisturbed ground");
    let about = "steepest step between neighbours over what the angle of friction allows";
    put("heap_steepness_relative", heap.steepness, "1", about);
    put("heap_cone_radius_m", heap.cone_radius, "m", "radius of the ideal cone of the same volume");
}
