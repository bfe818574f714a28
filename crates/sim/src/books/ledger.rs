//! The ledger: energy, momentum and constraint residuals, booked at every accepted step.
//!
//! Balance: E = kinetic + potential + elastic; E − E₀ = work of drives + work of loads − dissipated. The
//! residual is the error of the integrator (or of a law), and is reported as such.

use crate::engine::state::{Flows, LastPowers};
use crate::engine::system::System;
use crate::sink::NamedValue;
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;
use touchdown_multibody::rigid::constraint;
use touchdown_multibody::rigid::elements::Powers;

/// Energies at one instant, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Energies {
    /// Kinetic.
    pub kinetic: f64,
    /// Potential, of gravity.
    pub potential: f64,
    /// Stored in springs and tyres.
    pub elastic: f64,
}

impl Energies {
    /// Sum.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }

    /// Sum of the absolute changes of each.
    fn change_from(&self, start: &Energies) -> f64 {
        (self.kinetic - start.kinetic).abs()
            + (self.potential - start.potential).abs()
            + (self.elastic - start.elastic).abs()
    }
}

/// Integrated powers, J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Works {
    /// Dissipated in dampers, friction and contacts.
    pub dissipated: f64,
    /// Supplied by drives, actuators and prescribed motions.
    pub drives: f64,
    /// Supplied by given loads.
    pub loads: f64,
}

impl Works {
    /// From the quadrature states of the explicit integrator.
    pub(crate) fn from_slice(w: &[f64]) -> Self {
        Works { dissipated: w[0], drives: w[1], loads: w[2] }
    }

    /// As the quadrature states of the explicit integrator.
    pub(crate) fn to_array(self) -> [f64; 3] {
        [self.dissipated, self.drives, self.loads]
    }

    /// Trapezoidal rule over one step of a second- or first-order method.
    pub(crate) fn add(&mut self, before: &LastPowers, after: &Powers, h: f64) {
        self.dissipated += 0.5 * h * (before.dissipated + after.dissipated);
        self.drives += 0.5 * h * (before.drives + after.drives);
        self.loads += 0.5 * h * (before.loads + after.loads);
    }
}

/// Share of the kinetic energy that scales the residual where nothing is exchanged.
const IDLE_SHARE: f64 = 0.01;

/// Height by which an independent part may be lifted before it counts as moved, m: a rock that settles by
/// less exchanges almost nothing, and its residual has no meaning.
const REST: f64 = 1e-3;

/// Share of the energy exchanged by the whole that may be rounding in a part: that of a million steps.
const ROUNDING: f64 = 1e-9;

/// Energy balance of the whole system, or of an independent part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Balance {
    start: Energies,
    now: Energies,
    works: Works,
    kinetic_max: f64,
    /// Largest change of the kinetic energy since the start, J.
    kinetic_changed_max: f64,
    /// Largest |work of drives| + |work of loads| + dissipated at an accepted step, J.
    exchanged_max: f64,
    /// Largest sum of the changes of kinetic, potential and elastic energy since the start, J.
    changed_max: f64,
    residual_max: f64,
    /// Least scale of the residual, J.
    least: f64,
}

impl Balance {
    fn open(start: Energies) -> Balance {
        Balance { start, now: start, kinetic_max: start.kinetic, ..Balance::default() }
    }

    fn book(&mut self, now: Energies, works: Works) {
        self.now = now;
        self.works = works;
        self.kinetic_max = self.kinetic_max.max(now.kinetic);
        self.kinetic_changed_max = self.kinetic_changed_max.max((now.kinetic - self.start.kinetic).abs());
        let exchanged = works.drives.abs() + works.loads.abs() + works.dissipated;
        self.exchanged_max = self.exchanged_max.max(exchanged);
        self.changed_max = self.changed_max.max(now.change_from(&self.start));
        self.residual_max = self.residual_max.max(self.residual(&now, &works).abs());
    }

    /// E − E₀ − W + D for the given energies and works, J.
    fn residual(&self, now: &Energies, works: &Works) -> f64 {
        now.total() - self.start.total() - works.drives - works.loads + works.dissipated
    }

    /// Energy exchanged over the largest change of the kinetic energy; zero if that is rounding.
    fn turnovers(&self) -> f64 {
        let moved = self.kinetic_changed_max;
        if moved > ROUNDING * self.kinetic_max { self.exchanged_max / moved } else { 0.0 }
    }

    /// Largest |E − E₀ − W + D| over the energy that changed hands: the larger of the energy exchanged (|work of drives| + |work of
    /// loads| + dissipated) and of the changes of kinetic, potential and elastic energy. Constant kinetic
    /// energy, as that of a momentum wheel, does not hide a residual: only a hundredth of it counts, so that
    /// a free body has a scale. Zero if nothing happened.
    fn residual_relative(&self) -> f64 {
        self.relative_to(self.scale())
    }

    fn scale(&self) -> f64 {
        self.exchanged_max.max(self.changed_max).max(IDLE_SHARE * self.kinetic_max).max(self.least)
    }

    fn relative_to(&self, scale: f64) -> f64 {
        if scale > 0.0 { self.residual_max / scale } else { 0.0 }
    }
}

/// Memory of the ledger; part of the state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    whole: Balance,
    /// Independent parts, each with its own balance: the energy exchanged by one does not hide a residual of
    /// another. None if the system is one part.
    parts: Vec<Balance>,
    momentum_start: [f64; 3],
    angular_start: [f64; 3],
    momentum: [f64; 3],
    angular: [f64; 3],
    momentum_change_max: f64,
    angular_change_max: f64,
    constraint_max: f64,
    constraint_rate_max: f64,
}

/// Energies at the state in the cache; `elastic` comes from the same evaluation's powers.
pub(crate) fn energies(system: &mut System, elastic: f64) -> Energies {
    let (kinetic, _, _) = system.energy_and_momentum();
    Energies { kinetic, potential: system.gravity_energy(), elastic }
}

/// Energies of independent parts at the last accepted evaluation. Needs momenta.
fn add_up(system: &System, parts: &mut [Balance]) {
    if parts.is_empty() {
        return;
    }
    for (part, powers) in parts.iter_mut().zip(&system.accepted_parts) {
        part.now = Energies { elastic: powers.elastic, ..Energies::default() };
    }
    system.energies_by_part(&mut |part, own| {
        if let Some(part) = parts.get_mut(part) {
            part.now.kinetic += own.kinetic;
            part.now.potential += own.potential;
        }
    });
}

impl Ledger {
    /// Opens the ledger at the state in the cache.
    pub(crate) fn open(system: &mut System, elastic: f64) -> Ledger {
        let (_, p, l) = system.energy_and_momentum();
        let start = energies(system, elastic);
        let mut parts = vec![Balance::default(); system.accepted_parts.len()];
        add_up(system, &mut parts);
        for part in &mut parts {
            // The scale of a part at rest on springs is their energy.
            *part = Balance { least: IDLE_SHARE * part.now.elastic.abs(), ..Balance::open(part.now) };
        }
        system.weights_by_part(&mut |part, weight| {
            if let Some(part) = parts.get_mut(part) {
                part.least += weight * REST;
            }
        });
        Ledger {
            whole: Balance::open(start),
            parts,
            momentum_start: p.into(),
            angular_start: l.into(),
            momentum: p.into(),
            angular: l.into(),
            ..Default::default()
        }
    }

    /// Books an accepted state, which must be in the cache, with the works of the whole and of its
    /// independent parts. `scratch` has space for the constraint rows.
    pub(crate) fn book(
        &mut self,
        system: &mut System,
        at: (f64, &[f64], &[f64]),
        elastic: f64,
        (works, flows): (Works, &Flows),
        scratch: &mut [f64],
    ) {
        let (kinetic, p, l) = system.energy_and_momentum();
        let potential = system.gravity_energy();
        self.whole.book(Energies { kinetic, potential, elastic }, works);
        add_up(system, &mut self.parts);
        for (part, flow) in self.parts.iter_mut().zip(&flows.0) {
            part.book(part.now, flow.works);
        }
        self.momentum = p.into();
        self.angular = l.into();
        self.momentum_change_max = self.momentum_change_max.max((p - Vec3::from(self.momentum_start)).norm());
        self.angular_change_max = self.angular_change_max.max((l - Vec3::from(self.angular_start)).norm());
        if !scratch.is_empty() {
            let (t, q, v) = at;
            let (q, v) = (&q[..system.model.nq], &v[..system.model.nv]);
            constraint::calc_residual(&system.model, &system.cache, q, t, scratch);
            self.constraint_max = scratch.iter().fold(self.constraint_max, |m, c| m.max(c.abs()));
            constraint::calc_rates(&system.model, &system.cache, t, v, scratch);
            self.constraint_rate_max = scratch.iter().fold(self.constraint_rate_max, |m, c| m.max(c.abs()));
        }
    }

    /// An impulse or a command changed energies of independent parts at once: the change is work of its load.
    /// The evaluated state must be in the cache.
    pub(crate) fn absorb_jump(&mut self, system: &mut System, flows: &mut Flows) {
        if self.parts.is_empty() {
            return;
        }
        // Momenta of coordinates beside the links.
        system.energy_and_momentum();
        let missing = |part: &Balance| part.residual(&part.now, &part.works);
        for (part, flow) in self.parts.iter_mut().zip(&mut flows.0) {
            // The residual does not change.
            let residual = missing(part);
            (part.works, flow.works.loads) = (flow.works, flow.works.loads - residual);
        }
        add_up(system, &mut self.parts);
        for (part, flow) in self.parts.iter_mut().zip(&mut flows.0) {
            flow.works.loads += missing(part);
            part.works = flow.works;
        }
    }

    /// E − E₀ − W + D for the given energies and works, J.
    pub(crate) fn residual(&self, now: &Energies, works: &Works) -> f64 {
        self.whole.residual(now, works)
    }

    /// Largest |E − E₀ − W + D| over the largest kinetic energy; zero where nothing moved.
    pub fn energy_drift_relative(&self) -> f64 {
        if self.whole.kinetic_max > 0.0 { self.whole.residual_max / self.whole.kinetic_max } else { 0.0 }
    }

    /// Largest |E − E₀ − W + D| over the energy that changed hands, of the whole system or of the independent part where this is worst.
    pub fn energy_residual_relative(&self) -> f64 {
        let of_part = self.worst_part().map(|k| self.relative_of(k));
        of_part.unwrap_or_else(|| self.whole.residual_relative())
    }

    /// The relative residual of a part; nearly zero for a part at rest among others, whose energies are
    /// rounding.
    fn relative_of(&self, part: usize) -> f64 {
        let part = &self.parts[part];
        part.relative_to(part.scale().max(ROUNDING * self.whole.scale()))
    }

    /// The independent part with the largest residual, if it is larger than that of the whole.
    pub(crate) fn worst_part(&self) -> Option<usize> {
        let (mut worst, mut found) = (self.whole.residual_relative(), None);
        for k in 0..self.parts.len() {
            let relative = self.relative_of(k);
            if relative > worst {
                (worst, found) = (relative, Some(k));
            }
        }
        found
    }

    /// The larger of the largest kinetic energy and the largest energy exchanged, J.
    pub(crate) fn exchanged(&self) -> f64 {
        self.whole.kinetic_max.max(self.whole.exchanged_max)
    }

    /// How often the energy in motion was exchanged: |work of drives| + |work of loads| + dissipated over the
    /// largest change of the kinetic energy. Constant energy, as in a momentum wheel, is not exchanged, and
    /// does not influence whether other bodies keep their rates.
    pub(crate) fn turnovers(&self) -> f64 {
        self.whole.turnovers()
    }

    /// Largest constraint residual at an accepted step, m or rad.
    pub fn constraint_residual_max(&self) -> f64 {
        self.constraint_max
    }

    /// All entries, for the summary.
    pub(crate) fn entries(&self) -> Vec<NamedValue> {
        let mut out = Vec::new();
        let mut put = |name: &str, value: f64, unit: &str, about: &str| {
            out.push(NamedValue { name: name.into(), value, unit: unit.into(), about: about.into() });
        };
        put("kinetic_start_j", self.whole.start.kinetic, "J", "kinetic energy at the start");
        put("kinetic_end_j", self.whole.now.kinetic, "J", "kinetic energy at the end");
        put("kinetic_max_j", self.whole.kinetic_max, "J", "largest kinetic energy");
        put(
            "potential_change_j",
            self.whole.now.potential - self.whole.start.potential,
            "J",
            "change of the potential energy of gravity",
        );
        put(
            "elastic_change_j",
            self.whole.now.elastic - self.whole.start.elastic,
            "J",
            "change of the energy in springs and tyres",
        );
        put(
            "drive_work_j",
            self.whole.works.drives,
            "J",
            "fed in by drives, actuators and prescribed motions",
        );
        put("load_work_j", self.whole.works.loads, "J", "fed in by given loads");
        put("dissipated_j", self.whole.works.dissipated, "J", "lost in dampers, friction and contacts");
        put(
            "energy_residual_max_j",
            self.whole.residual_max,
            "J",
            "largest |E - E0 - W + D| at an accepted step",
        );
        put(
            "energy_drift_relative",
            self.energy_drift_relative(),
            "1",
            "the same over the largest kinetic energy",
        );
        put(
            "energy_residual_relative",
            self.energy_residual_relative(),
            "1",
            "the same over the larger of the energy exchanged and the energies' changes, of the worst independent part",
        );
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            put(&format!("momentum_{axis}_end_n_s"), self.momentum[k], "N s", "linear momentum at the end");
        }
        for (k, axis) in ["x", "y", "z"].iter().enumerate() {
            put(
                &format!("angular_momentum_{axis}_end_n_m_s"),
                self.angular[k],
                "N m s",
                "angular momentum about the origin at the end",
            );
        }
        put(
            "momentum_change_max_n_s",
            self.momentum_change_max,
            "N s",
            "largest change of linear momentum since the start",
        );
        put(
            "angular_momentum_change_max_n_m_s",
            self.angular_change_max,
            "N m s",
            "largest change of angular momentum",
        );
        put(
            "constraint_residual_max",
            self.constraint_max,
            "m, rad",
            "largest constraint residual at an accepted step",
        );
        put("constraint_rate_residual_max", self.constraint_rate_max, "m/s, rad/s", "the same for its rate");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_machines_are_judged_by_what_they_exchange() {
        // 1 mJ missing of 2 + 3 + 5 J exchanged is 1e-4, though the kinetic energy is 1 mJ; of 100 J kinetic energy it is 1e-5.
        let slow =
            Balance { kinetic_max: 1e-3, exchanged_max: 10.0, residual_max: 1e-3, ..Default::default() };
        let of = |whole: Balance| Ledger { whole, ..Default::default() };
        assert_eq!((of(slow).energy_residual_relative(), of(slow).energy_drift_relative()), (1e-4, 1.0));
        let fast = Balance { kinetic_max: 100.0, ..slow };
        // Kinetic energy that changes is exchanged; a wheel that only spins on is not, beyond a hundredth of it.
        assert_eq!(fast.residual_relative(), 1e-4);
        let braked = Balance { changed_max: 100.0, ..fast };
        assert_eq!(braked.residual_relative(), 1e-5);
        let wheel =
            Balance { kinetic_max: 12_500.0, exchanged_max: 5.0, residual_max: 350.0, ..Default::default() };
        assert_eq!(wheel.residual_relative(), 2.8);
        // Nor does it keep the rates of a wing beside it, which gains and loses 2 J five times; alone it keeps its own.
        let wing = Balance { kinetic_changed_max: 2.0, exchanged_max: 10.0, ..wheel };
        let alone = Balance { kinetic_changed_max: 1e-9, exchanged_max: 0.0, ..wheel };
        assert_eq!((wing.turnovers(), alone.turnovers()), (5.0, 0.0));
        assert_eq!(Ledger::default().energy_residual_relative(), 0.0);
        // 1 mJ is nothing of 1 MJ that another part exchanges, and a tenth of the 10 mJ of its own.
        let (large, small) = (
            Balance { exchanged_max: 1e6, residual_max: 1e-3, ..Default::default() },
            Balance { exchanged_max: 1e-2, residual_max: 1e-3, ..Default::default() },
        );
        let ledger = Ledger { whole: large, parts: vec![large, small], ..Default::default() };
        assert_eq!((ledger.energy_residual_relative(), ledger.worst_part()), (0.1, Some(1)));
    }
}
