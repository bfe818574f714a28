//! What a run in time answers with: quantities, books, validity and warnings, from the state it ended in.

use crate::description::{Ground, Study};
use crate::devices::Fleet;
use crate::method::StepFailure;
use crate::quantities;
use crate::sink::{NamedValue, Outcome};
use crate::validity;
use crate::world::World;

impl World {
    /// How a run in time ended.
    pub(crate) fn outcome_of(&self, failure: Option<StepFailure>) -> Outcome {
        let study = match (&self.description.study, &self.state.course) {
            (Some(Study::Gradability(study)), Some(course)) => Some((study, course)),
            _ => None,
        };
        let mut quantities = study.map_or_else(Vec::new, |(study, course)| course.quantities(study));
        quantities.extend(quantities::results(&self.quantities, &self.state.accumulators));
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
        if let Some(soil) = self.soil() {
            let about = "soil lost or gained by the books over the soil moved so far";
            put("soil_volume_error_relative", soil.volume_error_relative(), "1", about);
            put("soil_volume_moved_m3", soil.volume_moved(), "m3", "soil displaced, carried and slid");
            if self.has_heaps() {
                let heap = soil.heap();
                put(
                    "heap_radius_m",
                    heap.radius,
                    "m",
                    "radius of a circle as large as the ground under the heap",
                );
                put("heap_height_m", heap.height, "m", "greatest height above the undisturbed ground");
                let about = "steepest step between neighbours over what the angle of friction allows";
                put("heap_steepness_relative", heap.steepness, "1", about);
                put(
                    "heap_cone_radius_m",
                    heap.cone_radius,
                    "m",
                    "radius of the ideal cone of the same volume",
                );
            }
        }
        let range = self.system.tyres.iter().zip(&self.state.out_of_range);
        let mut warnings: Vec<String> = range
            .filter_map(|(tyre, since)| {
                let since = (*since)?;
                Some(format!(
                    "tyre \"{}\" left its range of validity (deformation below R/2, camber below 45 deg) at t = {since:.4} s",
                    tyre.name
                ))
            })
            .collect();
        let feet = self.system.feet.iter().zip(&self.state.feet_out_of_range);
        warnings.extend(feet.filter_map(|(on, since)| {
            let since = (*since)?;
            let name = &on.name;
            Some(format!(
                "foot \"{name}\" left its range of validity (round feet not deeper than their radius, tilt below 30 deg) at t = {since:.4} s"
            ))
        }));
        let wheels = self.system.tyres.iter().zip(&self.state.lift_offs);
        warnings.extend(wheels.filter_map(|(tyre, l)| l.warning(&tyre.name, self.state.t)));
        let devices = Fleet::new(&self.system.devices, &self.state.held.devices);
        warnings.extend(devices.warnings());
        warnings.extend(quantities::warnings(&self.quantities, &self.state.accumulators));
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
            quantities,
            tables: devices.tables(self.state.t),
            ledger: self.ledger_entries(),
            validity,
            warnings,
        }
    }

    fn has_heaps(&self) -> bool {
        matches!(&self.description.ground, Some(Ground::Soil(ground)) if !ground.heaps.is_empty())
    }

    /// The books, and the work behind them.
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
        if let Some(steps) = self.equilibrium_steps {
            put(
                "equilibrium_newton_steps",
                steps as f64,
                "Newton steps to the static equilibrium at the start",
            );
        }
        entries
    }
}
