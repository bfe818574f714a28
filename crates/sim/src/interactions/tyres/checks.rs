//! Tyres: extremes of the run, and whether they stayed in the range of their model.

use super::TyreOnLink;
use super::lift_off::LiftOffs;
use crate::books::validity::{at_least, at_most, degrees};
use crate::description::{Integrator, StepControl};
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::tyre::WheelMotion;

/// Deformation of a brush tyre over its radius: the model's own range.
const DEFORMATION: f64 = 0.5;
/// Camber of a brush tyre, degrees: the model's own range.
const CAMBER: f64 = 45.0;
/// Curvature of a hollow times the radius of the wheel in it: beyond 1 the wheel cannot reach the bottom, and
/// touches at two places.
const HOLLOW: f64 = 1.0;
/// Deformation of a tyre at a second place, where the model has no force, over the radius: 1 % is a twentieth
/// of the deformation under a rover's load, and of the force.
const SECOND_PLACE: f64 = 0.01;
/// Fixed steps within the shorter time constant of a wheel on its tyre; with two, a linearly implicit step is
/// 10 % off after a jump of load.
const STEPS_IN_TIME_CONSTANT: f64 = 2.0;

/// Extremes of one tyre.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct TyreBook {
    /// Largest deformation, m.
    deformation: f64,
    /// Largest |sin| of the camber while it touched.
    camber: f64,
    /// Narrowest hollow that it touched: its curvature times the radius.
    hollow: f64,
    /// Largest deformation at a second place, m.
    second: f64,
    /// First time at which it left its range of validity, s.
    out_of_range: Option<f64>,
    /// Its lift-offs.
    pub air: LiftOffs,
}

impl TyreBook {
    /// At the start.
    pub fn new(on: &TyreOnLink) -> TyreBook {
        TyreBook { air: LiftOffs::new(on.force.deformation > 0.0), ..TyreBook::default() }
    }

    /// Books an accepted step.
    pub fn book(&mut self, on: &TyreOnLink, motion: &WheelMotion, (before, t): (f64, f64)) {
        let touching = on.force.deformation > 0.0;
        if touching {
            self.deformation = self.deformation.max(on.force.deformation);
            let footing = &on.standing.footing;
            self.camber = self.camber.max(motion.axis_W.dot(&footing.plane.normal).abs());
            self.hollow = self.hollow.max(-footing.curvature(motion) * on.tyre.params().radius);
            self.second = self.second.max(footing.second);
        }
        self.air.book(before, t, touching);
        if !on.force.in_range {
            self.out_of_range = self.out_of_range.or(Some(t));
        }
    }

    /// Warning for a tyre that left its range.
    pub fn range_warning(&self, name: &str) -> Option<String> {
        let since = self.out_of_range?;
        Some(format!(
            "tyre \"{name}\" left its range of validity (deformation below R/2, camber below 45 deg) at t = {since:.4} s"
        ))
    }
}

/// The checks of all tyres.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let touched = || on.system.acts.tyres.iter().zip(&on.books.tyres).filter(|(_, e)| e.deformation > 0.0);
    let about = "largest deformation of a brush tyre over its radius: the range of the model";
    let deformation = at_most("tyre_deformation_over_radius", DEFORMATION, "1", about);
    let camber =
        at_most("tyre_camber_deg", CAMBER, "deg", "largest camber of a brush tyre: the range of the model");
    let mut all = Vec::new();
    all.extend(
        deformation.worst(touched().map(|(t, e)| (t.name.as_str(), e.deformation / t.tyre.params().radius))),
    );
    all.extend(camber.worst(touched().map(|(t, e)| (t.name.as_str(), degrees(e.camber)))));
    if on.system.ground.as_ref().is_some_and(|ground| !ground.is_plane()) {
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
    if !on.at_rest {
        all.extend(steps(on));
    }
    all
}

/// Fixed steps within the shorter time constant of a wheel's share of the mass on its tyre; adaptive steps
/// need no check.
fn steps(on: &Checked) -> Option<Check> {
    let h = match on.description.integrator {
        Integrator::Realtime { step: h }
        | Integrator::Implicit { step: StepControl::Fixed(h), .. }
        | Integrator::Explicit { step: StepControl::Fixed(h) } => h,
        _ => return None,
    };
    let tyres = &on.system.acts.tyres;
    let share = on.system.total_mass() / tyres.len().max(1) as f64;
    let about = "fixed steps within the shortest time constant of a wheel's share of the mass on its tyre: with fewer a blow is not resolved";
    at_least("tyre_steps_in_time_constant", STEPS_IN_TIME_CONSTANT, "1", about).worst(tyres.iter().map(|t| {
        let params = t.tyre.params();
        (t.name.as_str(), 1.0 / (h * fastest_rate(share, params.radial_damping, params.radial_stiffness)))
    }))
}

/// Fastest rate of a mass on a spring and damper, 1/s: the larger root if overdamped, else the undamped circular frequency.
fn fastest_rate(mass: f64, damping: f64, stiffness: f64) -> f64 {
    let (half, omega2) = (0.5 * damping / mass, stiffness / mass);
    let inside = half * half - omega2;
    if inside > 0.0 { half + inside.sqrt() } else { omega2.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::fastest_rate;

    #[test]
    fn a_wheel_on_its_tyre_is_as_fast_as_its_fastest_mode() {
        // Undamped: sqrt(k/m). Overdamped: the sum of both rates is c/m, their product k/m.
        assert!((fastest_rate(4.0, 0.0, 100.0) - 5.0).abs() < 1e-12);
        let fast = fastest_rate(2.0, 40.0, 100.0);
        assert!((fast * (20.0 - fast) - 50.0).abs() < 1e-9 && fast > 10.0);
    }
}
