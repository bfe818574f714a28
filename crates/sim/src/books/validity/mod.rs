//! Validity: whether a run stayed within the range of its models and its method. Extremes are booked at every
//! accepted step; at the end each is compared with a limit that has a reason and a source
//! (`docs/theory/validity.md`).

#[cfg(test)]
mod tests;

use crate::description::Integrator;
use crate::engine::simulation::Simulation;
use crate::engine::time_error::TimeError;
use crate::interactions::{Books, Checked, is_said_elsewhere};
use crate::sink::Check;
use touchdown_math::Elementary;

/// Energy residual over the energy exchanged: `explicit` integrates the powers of the ledger with its own
/// error control and stays below 1e-9; a larger value means a missed event or an inconsistent law.
const ENERGY_EXPLICIT: f64 = 1e-6;
/// The same for `implicit`, of second order: one per cent, the accuracy of its results at this limit.
pub(crate) const ENERGY_IMPLICIT: f64 = 0.01;
/// The same for `realtime`, of first order.
const ENERGY_REALTIME: f64 = 0.05;
/// Constraints hold by projection to round-off; a micrometre or microradian is below any relevant size.
const CONSTRAINT: f64 = 1e-6;
/// A check before its worst value is known.
pub(crate) struct Rule {
    name: &'static str,
    limit: f64,
    at_most: bool,
    unit: &'static str,
    about: &'static str,
}

impl Rule {
    pub fn check(&self, value: f64) -> Check {
        Check {
            name: self.name.into(),
            value,
            limit: self.limit,
            at_most: self.at_most,
            unit: self.unit.into(),
            about: self.about.into(),
        }
    }

    /// The worst of several named values; `None` if there are none. A value that is not a number is the
    /// worst.
    pub fn worst<'a>(&self, values: impl Iterator<Item = (&'a str, f64)>) -> Option<Check> {
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

/// A value that must not be larger.
pub(crate) const fn at_most(name: &'static str, limit: f64, unit: &'static str, about: &'static str) -> Rule {
    Rule { name, limit, at_most: true, unit, about }
}

/// A value that must not be smaller.
pub(crate) const fn at_least(
    name: &'static str,
    limit: f64,
    unit: &'static str,
    about: &'static str,
) -> Rule {
    Rule { name, limit, at_most: false, unit, about }
}

/// All checks of a run in time.
pub(crate) fn checks(world: &Simulation) -> Vec<Check> {
    let mut out = books(world);
    out.extend(checked(world, &world.state.books, false).checks());
    out
}

/// Checks of statics: only those that do not need time. `books` hold the examined states.
pub(crate) fn static_checks(world: &Simulation, books: &Books) -> Vec<Check> {
    checked(world, books, true).checks()
}

fn checked<'a>(world: &'a Simulation, books: &'a Books, at_rest: bool) -> Checked<'a> {
    Checked {
        system: &world.system,
        description: &world.description,
        held: &world.state.held,
        books,
        exchanged: world.state.ledger.exchanged(),
        at_rest,
    }
}

/// A line for each check that fails and has no other warning.
pub fn warnings(checks: &[Check]) -> impl Iterator<Item = String> + '_ {
    let broken = checks.iter().filter(|c| !c.holds() && !is_said_elsewhere(&c.name));
    broken.map(|c| {
        let (side, unit) =
            (if c.at_most { "above" } else { "below" }, if c.unit == "1" { "" } else { &c.unit });
        let text =
            format!("validity: {} = {:.4} {unit} is {side} its limit {} {unit}", c.name, c.value, c.limit);
        format!("{}: {}", text.replace("  ", " ").trim_end(), c.about)
    })
}

fn books(world: &Simulation) -> Vec<Check> {
    let ledger = &world.state.ledger;
    let (limit, about) = match world.description.integrator {
        Integrator::Explicit { .. } => (
            ENERGY_EXPLICIT,
            "energy that does not add up over energy exchanged; explicit counts it with its own error control",
        ),
        Integrator::Implicit { .. } => (
            ENERGY_IMPLICIT,
            "energy that does not add up over energy exchanged; implicit is of second order",
        ),
        Integrator::Realtime { .. } => {
            (ENERGY_REALTIME, "energy that does not add up over energy exchanged; realtime is of first order")
        }
    };
    let mut energy =
        at_most("energy_residual_relative", limit, "1", about).check(ledger.energy_residual_relative());
    if let Some(part) = ledger.worst_part() {
        energy.about += &format!("; worst: the part with {}", world.system.name_of_part(part));
    }
    let mut out = vec![energy];
    if world.system.model.nc > 0 {
        let about = "largest residual of a constraint: they hold by projection";
        out.push(
            at_most("constraint_residual_max", CONSTRAINT, "m, rad", about)
                .check(ledger.constraint_residual_max()),
        );
    }
    out.extend(time_step(world));
    out
}

fn time_step(world: &Simulation) -> Option<Check> {
    let (state, system) = (&world.state, &world.system);
    if !TimeError::is_judged(&state.ledger, &world.description) {
        return None;
    }
    let worst = state.time_error.worst(system, &state.ledger, state.t)?;
    // The limit of the energy residual, because errors of a method in energy and in phase are of the same
    // size.
    let limit = match world.description.integrator {
        Integrator::Realtime { .. } => ENERGY_REALTIME,
        Integrator::Explicit { .. } | Integrator::Implicit { .. } => ENERGY_IMPLICIT,
    };
    let mut check = at_most("time_step_error", limit, "1", "").check(worst.share);
    let body = system.model.rate_body(system.model.links[worst.link].v);
    check.about = if !state.time_error.is_known() {
        return Some(Check {
            about: "not looked at yet: the first time is a sixteenth of the duration".into(),
            ..check
        });
    } else if check.holds() {
        "error of the speed by the length of the steps, from steps half as long at a few times".into()
    } else {
        format!("step too long: about {:.0} %", 100.0 * worst.share)
    };
    check.about += &format!("; worst: {body}");
    Some(check)
}

/// An angle from its sine.
pub(crate) fn degrees(sine: f64) -> f64 {
    sine.min(1.0).arcsine().to_degrees()
}
