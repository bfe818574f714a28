//! Processor time by phase: each phase of an evaluation is repeated alone at the present state, for `touchdown bench`.

use crate::engine::simulation::Simulation;
use crate::engine::system::{ContactStates, Instant};
use touchdown_multibody::rigid::inverse;
use touchdown_multibody::rigid::tangent::{self, Weights};
use touchdown_solve::linear::Saddle;

/// A phase of a step and its cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseTime {
    /// Its name.
    pub name: &'static str,
    /// Time of one call, in the clock's unit.
    pub time: f64,
}

impl Simulation {
    /// Times each phase of a linearly implicit step of length h over `repeats` calls. `clock` gives the time; the state does not change.
    pub fn time_phases(&mut self, h: f64, repeats: u32, clock: &dyn Fn() -> f64) -> Vec<PhaseTime> {
        let (q, v, z) = (self.state.q.clone(), self.state.v.clone(), self.state.z.clone());
        let held = self.state.held.clone();
        let nv = self.system.model.nv;
        let zero = vec![0.0; nv];
        let (mut r, mut x) = (vec![0.0; nv], vec![0.0; nv]);
        let weights = Weights { a: 1.0, v: h, q: h * h };
        let instant = Instant {
            t: self.state.t,
            q: &q,
            v: &v,
            z: ContactStates::Implicit { base: &z, h },
            held: &held,
        };
        let mut saddle = Saddle::new(nv, 0, self.system.model.elimination_tree());
        let mut phases = Vec::new();
        let mut time = |name: &'static str, world: &mut Simulation, work: &mut dyn FnMut(&mut Simulation)| {
            let start = clock();
            (0..repeats).for_each(|_| work(world));
            phases.push(PhaseTime { name, time: (clock() - start) / f64::from(repeats) });
        };
        time("kinematics", self, &mut |w| w.system.update_kinematics(&q, &v));
        time("contacts and elements", self, &mut |w| {
            w.system.update_forces(&instant, None);
        });
        time("contacts and elements with tangents", self, &mut |w| {
            w.system.update_forces(&instant, Some(weights));
        });
        time("inverse dynamics", self, &mut |w| {
            inverse::calc(&w.system.model, &zero, &mut w.system.cache, &mut r)
        });
        time("Newton matrix", self, &mut |w| {
            let (T, _) = saddle.blocks_mut();
            tangent::calc_linearly_implicit(&w.system.model, 1.0, &mut w.system.cache, T);
        });
        time("factors and solution", self, &mut |_| {
            // A matrix used in a step can be factored; if not, the time of the attempt is still reported.
            if saddle.factor().is_ok() {
                saddle.solve_gently(&mut x, &mut []);
            }
        });
        let mut ledger = self.state.ledger.clone();
        let flows = self.state.flows.clone();
        let works = (self.state.works, &flows);
        time("ledger", self, &mut |w| ledger.book(&mut w.system, (w.state.t, &q, &v), 0.0, works, &mut []));
        phases
    }
}
