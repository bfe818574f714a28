//! Outcome of a run in time: quantities, energy ledger, validity and warnings, from its final state.

use crate::books::quantities;
use crate::books::validity;
use crate::books::vehicle_answers;
use crate::description::Study;
use crate::engine::method::StepFailure;
use crate::engine::simulation::{Settling, Simulation};
use crate::sink::{NamedValue, Outcome};

impl Simulation {
    /// Adds a row of a study to the requested quantities.
    pub fn add_row(&mut self, row: &[f64]) {
        quantities::add_row(&self.quantities, &mut self.state.accumulators, row);
    }

    /// The requested quantities, from the rows so far.
    pub fn row_quantities(&self) -> Vec<NamedValue> {
        quantities::results(&self.quantities, &self.state.accumulators)
    }

    /// How a run in time ended.
    pub(crate) fn outcome_of(&self, failure: Option<StepFailure>) -> Outcome {
        let study = match (&self.description.study, &self.state.course) {
            (Some(Study::Gradability(study)), Some(course)) => Some((study, course)),
            _ => None,
        };
        let mut quantities = study.map_or_else(Vec::new, |(study, course)| course.quantities(study));
        quantities.extend(quantities::results(&self.quantities, &self.state.accumulators));
        let reduced = (&self.quantities[..], &self.state.accumulators[..]);
        let distances: Vec<f64> =
            self.state.odometers.iter().map(|odometer| odometer.driven.distance).collect();
        let energies =
            vehicle_answers::energies(&self.description.vehicles, reduced, &distances, self.state.t);
        let own =
            |value: &NamedValue| quantities.iter().any(|quantity: &NamedValue| quantity.name == value.name);
        let energies: Vec<NamedValue> = energies.into_iter().filter(|value| !own(value)).collect();
        quantities.extend(energies);
        let mut put = |name: &str, value: f64, unit: &str, about: &str| {
            quantities.push(NamedValue { name: name.into(), value, unit: unit.into(), about: about.into() });
        };
        let ledger = &self.state.ledger;
        put("total_mass_kg", self.total_mass(), "kg", "sum of all bodies");
        put(
            "energy_drift_relative",
            ledger.energy_drift_relative(),
            "1",
            "largest |E - E0 - W + D| over the largest kinetic energy",
        );
        put(
            "energy_residual_relative",
            ledger.energy_residual_relative(),
            "1",
            "largest |E - E0 - W + D| over the larger of kinetic energy and energy exchanged",
        );
        put(
            "constraint_residual_max",
            ledger.constraint_residual_max(),
            "m, rad",
            "largest constraint residual at an accepted step",
        );
        self.state.quantities(&self.description, &mut quantities);
        let mut warnings = self.state.warnings(&self.system);
        warnings.extend(quantities::warnings(&self.quantities, &self.state.accumulators));
        warnings.extend(self.settling.warning());
        warnings.extend(study.and_then(|(study, course)| course.warning(study)));
        let validity = validity::checks(self);
        warnings.extend(validity::warnings(&validity));
        Outcome {
            finished: failure.is_none(),
            stopped_because: failure
                .map(|f| format!("t = {:.6} s, step {}: {f}", self.state.t, self.state.steps)),
            sim_time: self.state.t,
            steps: self.state.steps,
            state_blake3: None,
            answer: None,
            quantities,
            words: Vec::new(),
            tables: self.state.tables(&self.system),
            ledger: self.ledger_entries(),
            validity,
            warnings,
        }
    }

    /// The energy ledger, and counters of numerical work.
    fn ledger_entries(&self) -> Vec<NamedValue> {
        let mut entries = self.state.ledger.entries();
        let mut put = |name: &str, value: f64, about: &str| {
            entries.push(NamedValue { name: name.into(), value, unit: "1".into(), about: about.into() });
        };
        put(
            "evaluations",
            self.state.evaluations as f64,
            "evaluations of the forces (explicit) or Newton iterations (implicit)",
        );
        put("rejected_steps", self.state.rejected as f64, "attempts that were repeated with a shorter step");
        if let Settling::Found { steps } = self.settling {
            put(
                "equilibrium_newton_steps",
                steps as f64,
                "Newton steps to the static equilibrium at the start",
            );
        }
        entries
    }
}
