//! Bodies in soil: extremes of the run, and whether they moved slowly enough for their law.

use crate::books::validity::at_most;
use crate::interactions::Checked;
use crate::sink::Check;
use serde::{Deserialize, Serialize};
use touchdown_contact::intrusion::{IntrusionForce, SPEED_MAX};
use touchdown_math::{SurfaceMotion, Vec3};

/// Extremes of one body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct IntruderBook {
    /// Time so far, that below ground faster than the law allows, and below ground, s.
    last: f64,
    fast: f64,
    below: f64,
    /// Velocity and turning rate of the body, energy in the anchors and power turned into heat at the last accepted state.
    motion: [[f64; 3]; 2],
    stored: f64,
    heat: f64,
}

impl IntruderBook {
    /// Books an accepted state.
    pub fn book(&mut self, force: &IntrusionForce, motion: &SurfaceMotion, t: f64) {
        self.motion = [motion.v_WS.into(), motion.w_WS.into()];
        (self.stored, self.heat) = (force.elastic_energy, force.dissipated_power);
        let dt = t - self.last;
        self.last = t;
        if force.depth > 0.0 {
            self.below += dt;
            if force.speed > SPEED_MAX {
                self.fast += dt;
            }
        }
    }
}

impl IntruderBook {
    /// Heat of a step of backward Euler of length h to an accepted state, beyond what the trapezoidal rule books of the powers at its ends. Such a step has the force of its end throughout; what that takes from the
    /// kinetic energy is its impulse times the mean of the velocities, and what the anchors did not take up of it is heat.
    pub fn heat_of_step(&self, force: &IntrusionForce, motion: &SurfaceMotion, h: f64) -> f64 {
        let [v, w] = self.motion.map(Vec3::from);
        let work =
            0.5 * h * (force.wrench_S.f.dot(&(v + motion.v_WS)) + force.wrench_S.t.dot(&(w + motion.w_WS)));
        let heat = self.stored - force.elastic_energy - work;
        heat - 0.5 * h * (self.heat + force.dissipated_power)
    }

    /// Energy that went with anchors that were let go, J.
    pub fn let_go(&mut self, energy: f64) {
        self.stored -= energy;
    }
}

/// The checks of all bodies.
pub(super) fn checks(on: &Checked) -> Vec<Check> {
    let about = "share of its time below ground in which a part of a body moved through soil faster than 0.5 m/s, where the inertia of grains, which the law leaves out, begins to count";
    let all = on.system.acts.intruders.list.iter().zip(&on.books.intruders);
    let share = |book: &IntruderBook| if book.below > 0.0 { book.fast / book.below } else { 0.0 };
    at_most("intrusion_faster_than_law", FAST, "1", about)
        .worst(all.map(|(body, book)| (body.name.as_str(), share(book))))
        .into_iter()
        .collect()
}

/// A twentieth of the time, because footfalls are short.
const FAST: f64 = 0.05;
