//! Validity: whether a run stayed where its models and its method can be trusted. Extremes are booked at every accepted step; at the
//! end each is held against a limit that has a reason and a source (`docs/theory/validity.md`).

mod boom;
mod extremes;
mod flexible;
mod pairs;
mod polygonal;
#[cfg(test)]
mod tests;

use crate::description::{Integrator, StepControl};
use crate::sink::Check;
use crate::system::System;
use crate::world::World;
pub(crate) use boom::BoomExtremes;
pub(crate) use extremes::{Extremes, PairExtremes};
pub(crate) use flexible::{FlexExtremes, energy_of_rows, modes_checks};
pub(crate) use polygonal::PolygonalExtremes;
use touchdown_contact::soil::Soil;

/// Energy that does not add up, over what was exchanged: `explicit` integrates its books with its own error control and stays below
/// 1e-9; more means an event was missed or a law is inconsistent.
const ENERGY_EXPLICIT: f64 = 1e-6;
/// The same for `implicit`, of second order: one per cent, as much as its answers may then be off.
const ENERGY_IMPLICIT: f64 = 0.01;
/// The same for `realtime`, of first order.
const ENERGY_REALTIME: f64 = 0.05;
/// Constraints hold by projection to round-off; a micrometre or microradian is below any size that matters.
const CONSTRAINT: f64 = 1e-6;
/// Soil is counted in whole numbers: exact but for the division.
const SOIL_VOLUME: f64 = 1e-12;
/// Cells along a wheel's radius: with ten, forces are within 3 % of the integral over the arc.
const CELLS_PER_RADIUS: f64 = 10.0;
/// Cells across a wheel, so that rut and humps have a form.
const CELLS_ACROSS: f64 = 5.0;
/// Cells within the height of a grouser: its faces stand between columns of cells, so that bars of few cells push with a force that
/// depends on the grid. Between two and four cells the pull of a wheel still moves by 6 % of its load.
const CELLS_PER_GROUSER: f64 = 8.0;
/// Nodes under the largest load: five by five.
const CONTACT_CELLS: f64 = 25.0;
/// Sinkage over the radius with bars: deeper, the widest place of a wheel is below ground, and soil has one height per place.
const SINKAGE: f64 = 1.0;
/// Cells travelled between two moves of the soil: the coarsest that was measured, 1.2 % off in sinkage.
const CELLS_BETWEEN_MOVES: f64 = 0.2;
/// Camber of a wheel in soil, degrees: its flat sides do not push, at 6 degrees 12 % of the force are missing.
const SOIL_CAMBER: f64 = 6.0;
/// Stagnation pressure over the largest pressure: soil has no inertia in the model.
const SOIL_INERTIA: f64 = 0.1;
/// Density of loose dry soil for that comparison, kg/m³ (Wong: dry sand 1500 to 1700; lunar regolith likewise).
const SOIL_DENSITY: f64 = 1600.0;
/// Deformation of a brush tyre over its radius: the model's own range.
const TYRE_DEFORMATION: f64 = 0.5;
/// Camber of a brush tyre, degrees: the model's own range.
const TYRE_CAMBER: f64 = 45.0;
/// Curvature of a hollow times the radius of the wheel in it: beyond 1 the wheel cannot reach the bottom, and stands on two places.
const HOLLOW: f64 = 1.0;
/// Deformation of a tyre at a second place, which the model does not carry, over the radius: 1 % is a twentieth of the deformation under
/// a rover's load, and of the force.
const SECOND_PLACE: f64 = 0.01;
/// Fixed steps within the shorter time constant of a wheel on its tyre; with two, a linearly implicit step is 10 % off in a jump of load.
const STEPS_IN_TIME_CONSTANT: f64 = 2.0;

/// A check before its worst value is known.
struct Rule {
    name: &'static str,
    limit: f64,
    at_most: bool,
    unit: &'static str,
    about: &'static str,
}

impl Rule {
    fn check(&self, value: f64) -> Check {
        Check {
            name: self.name.into(),
            value,
            limit: self.limit,
            at_most: self.at_most,
            unit: self.unit.into(),
            about: self.about.into(),
        }
    }

    /// The worst of several named values; nothing where there is none. A value that is not a number is the worst.
    fn worst<'a>(&self, values: impl Iterator<Item = (&'a str, f64)>) -> Option<Check> {
        let (mut worst, mut count): (Option<(&str, f64)>, usize) = (None, 0);
        for (name, value) in values {
            let beats =
                worst.is_none_or(|(_, w)| value.is_nan() || if self.at_most { value > w } else { value < w });
            if beats {
                worst = Some((name, value));
            }
            count += 1;
        }
        let (name, value) = worst?;
        let mut check = self.check(value);
        if count > 1 {
            check.about += &format!("; worst: {name}");
        }
        Some(check)
    }
}

const fn at_most(name: &'static str, limit: f64, unit: &'static str, about: &'static str) -> Rule {
    Rule { name, limit, at_most: true, unit, about }
}

const fn at_least(name: &'static str, limit: f64, unit: &'static str, about: &'static str) -> Rule {
    Rule { name, limit, at_most: false, unit, about }
}

/// All checks of a run in time.
pub(crate) fn checks(world: &World) -> Vec<Check> {
    let mut out = books(world);
    out.extend(world.soil().map(soil_volume));
    out.extend(soil_checks(&world.system, &world.state.extremes));
    out.extend(tyre_checks(&world.system, &world.state.extremes));
    out.extend(tyre_steps(world));
    out.extend(pairs::checks(world));
    out.extend(polygonal::checks(&world.system, &world.state.extremes.polygonal));
    out.extend(boom::checks(&world.system, &world.state.extremes.booms));
    out.extend(flexible::checks(&world.system, &world.state.extremes.flexible));
    out
}

/// Checks of statics: only what does not need time. `extremes` hold the states that were looked at.
pub(crate) fn static_checks(world: &World, extremes: &Extremes) -> Vec<Check> {
    let system = &world.system;
    let mut out: Vec<Check> = world.soil().into_iter().map(soil_volume).collect();
    out.extend(soil_checks(system, extremes).into_iter().filter(|c| !c.name.contains("moves")));
    out.extend(tyre_checks(system, extremes));
    out.extend(polygonal::checks(system, &extremes.polygonal));
    out.extend(boom::checks(system, &extremes.booms));
    out
}

/// Checks that are told with the time at which a tyre left its range, or looked up in the report only.
const TOLD_WITH_TIME: [&str; 3] =
    ["tyre_deformation_over_radius", "tyre_camber_deg", "tyre_steps_in_time_constant"];

/// A line for each check that does not hold. Tyres that left their range are told with the time at which they did.
pub(crate) fn warnings(checks: &[Check]) -> impl Iterator<Item = String> + '_ {
    let broken = checks.iter().filter(|c| !c.holds() && !TOLD_WITH_TIME.contains(&c.name.as_str()));
    broken.map(|c| {
        let (side, unit) =
            (if c.at_most { "above" } else { "below" }, if c.unit == "1" { "" } else { &c.unit });
        let text =
            format!("validity: {} = {:.4} {unit} is {side} its limit {} {unit}", c.name, c.value, c.limit);
        format!("{}: {}", text.replace("  ", " ").trim_end(), c.about)
    })
}

fn books(world: &World) -> Vec<Check> {
    let ledger = &world.state.ledger;
    let (limit, about) = match world.description.integrator {
        Integrator::Explicit { .. } => (
            ENERGY_EXPLICIT,
            "energy that does not add up over energy exchanged; explicit books it with its own error control",
        ),
        Integrator::Implicit { .. } => (
            ENERGY_IMPLICIT,
            "energy that does not add up over energy exchanged; implicit is of second order",
        ),
        Integrator::Realtime { .. } => {
            (ENERGY_REALTIME, "energy that does not add up over energy exchanged; realtime is of first order")
        }
    };
    let mut out =
        vec![at_most("energy_residual_relative", limit, "1", about).check(ledger.energy_residual_relative())];
    if world.system.model.nc > 0 {
        let about = "largest residual of a constraint: they hold by projection";
        out.push(
            at_most("constraint_residual_max", CONSTRAINT, "m, rad", about)
                .check(ledger.constraint_residual_max()),
        );
    }
    out
}

/// Whether soil was lost or made.
pub(crate) fn soil_volume(soil: &Soil) -> Check {
    let about = "soil lost or gained over the soil moved: it is counted in whole numbers";
    at_most("soil_volume_error_relative", SOIL_VOLUME, "1", about).check(soil.volume_error_relative())
}

fn soil_checks(system: &System, extremes: &Extremes) -> Vec<Check> {
    let Some(parts) = &system.soil else { return Vec::new() };
    let (spacing, move_every) = (parts.fresh.spacing(), f64::from(parts.fresh.options().move_every));
    // Bodies that never touched have no range to leave.
    let touched = || system.soil_bodies.iter().zip(&extremes.soil).filter(|(_, e)| e.nodes > 0);
    let wheels = || touched().filter(|(on, _)| on.is_wheel());
    let all = [
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
            "cells_per_grouser",
            CELLS_PER_GROUSER,
            "1",
            "height of a grouser over the spacing: bars of fewer cells push with a force that depends on the grid",
        )
        .worst(
            wheels()
                .filter(|(on, _)| on.tip_radius > on.radius)
                .map(|(on, _)| (on.name.as_str(), (on.tip_radius - on.radius) / spacing)),
        ),
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
        .worst(touched().map(|(on, e)| (on.name.as_str(), e.way * move_every / spacing))),
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
    all.into_iter().flatten().collect()
}

fn tyre_checks(system: &System, extremes: &Extremes) -> Vec<Check> {
    let touched = || system.tyres.iter().zip(&extremes.tyres).filter(|(_, e)| e.deformation > 0.0);
    let all = [
        at_most(
            "tyre_deformation_over_radius",
            TYRE_DEFORMATION,
            "1",
            "largest deformation of a brush tyre over its radius: the range of the model",
        )
        .worst(touched().map(|(t, e)| (t.name.as_str(), e.deformation / t.tyre.params().radius))),
        at_most(
            "tyre_camber_deg",
            TYRE_CAMBER,
            "deg",
            "largest camber of a brush tyre: the range of the model",
        )
        .worst(touched().map(|(t, e)| (t.name.as_str(), degrees(e.camber)))),
    ];
    let mut all: Vec<Check> = all.into_iter().flatten().collect();
    if system.ground.as_ref().is_some_and(|ground| !ground.is_plane()) {
        let hollow = at_most(
            "ground_hollow_times_radius",
            HOLLOW,
            "1",
            "largest curvature of a hollow under a brush tyre times its radius: from 1 on the wheel stands on two places, and one carries it in the model",
        );
        let second = at_most(
            "tyre_second_place_over_radius",
            SECOND_PLACE,
            "1",
            "largest deformation of a brush tyre at a second place, which the model does not carry, over its radius",
        );
        all.extend(hollow.worst(touched().map(|(t, e)| (t.name.as_str(), e.hollow))));
        all.extend(
            second.worst(touched().map(|(t, e)| (t.name.as_str(), e.second / t.tyre.params().radius))),
        );
    }
    all
}

/// Fixed steps within the shorter time constant of a wheel's share of the mass on its tyre; adaptive steps look after themselves.
fn tyre_steps(world: &World) -> Option<Check> {
    let h = match world.description.integrator {
        Integrator::Realtime { step: h }
        | Integrator::Implicit { step: StepControl::Fixed(h), .. }
        | Integrator::Explicit { step: StepControl::Fixed(h) } => h,
        _ => return None,
    };
    let share = world.total_mass() / world.system.tyres.len().max(1) as f64;
    let about = "fixed steps within the shortest time constant of a wheel's share of the mass on its tyre: with fewer a blow is not resolved";
    at_least("tyre_steps_in_time_constant", STEPS_IN_TIME_CONSTANT, "1", about).worst(
        world.system.tyres.iter().map(|t| {
            let params = t.tyre.params();
            (t.name.as_str(), 1.0 / (h * fastest_rate(share, params.radial_damping, params.radial_stiffness)))
        }),
    )
}

/// Fastest rate of a mass on a spring and damper, 1/s: the larger root if overdamped, else the undamped circular frequency.
fn fastest_rate(mass: f64, damping: f64, stiffness: f64) -> f64 {
    let (half, omega2) = (0.5 * damping / mass, stiffness / mass);
    let inside = half * half - omega2;
    if inside > 0.0 { half + inside.sqrt() } else { omega2.sqrt() }
}

fn degrees(sine: f64) -> f64 {
    sine.min(1.0).asin().to_degrees()
}
