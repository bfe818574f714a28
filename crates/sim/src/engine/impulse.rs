//! Impulses in the loop: steps end on their times, and the rates jump between two steps.
//!
//! Order at such a time: step ⇒ rows (before the jump) ⇒ soil ⇒ jump ⇒ checkpoint. A checkpoint therefore
//! contains a jump completely or not at all.

use crate::description::WorldDescription;
use crate::engine::method::StepFailure;
use crate::engine::simulation::Simulation;
use crate::engine::state::MethodMemory;
use touchdown_math::Vec3;
use touchdown_multibody::rigid::{impulse, kinematics};

/// An impulse of the description.
#[derive(Clone, Debug)]
pub(crate) struct ImpulseOnLink {
    body: usize,
    p_BP: Vec3,
    time: f64,
    impulse: Vec3,
}

impl ImpulseOnLink {
    /// All of a description in the order of their times; those of the same time in the order of the
    /// description.
    pub fn all(description: &WorldDescription) -> Vec<ImpulseOnLink> {
        let on_link = |d: &crate::description::Impulse| ImpulseOnLink {
            body: d.body,
            p_BP: d.p_BP,
            time: d.time,
            impulse: d.impulse,
        };
        let mut list: Vec<_> = description.impulses.iter().map(on_link).collect();
        list.sort_by(|a, b| a.time.total_cmp(&b.time));
        list
    }
}

impl Simulation {
    /// The time of the next impulse, which no step must pass; infinite if there is none.
    pub(crate) fn next_impulse(&self) -> f64 {
        self.impulses.get(self.state.impulses as usize).map_or(f64::INFINITY, |i| i.time)
    }

    /// Applies the impulses that are due. Their work is exactly the change of kinetic energy.
    pub(crate) fn apply_impulses(&mut self) -> Result<(), StepFailure> {
        if self.next_impulse() > self.state.t {
            return Ok(());
        }
        let (system, s) = (&mut self.system, &mut self.state);
        let nv = system.model.nv;
        system.update_kinematics(&s.q, &s.v);
        // Flexible bodies are not coupled to joints by mass: their rates do not change.
        let (before, _, _) = kinematics::energy_and_momentum(&system.cache);
        while let Some(next) = self.impulses.get(s.impulses as usize).filter(|i| i.time <= s.t) {
            let p_W = kinematics::body_pose(&system.model, &system.cache, next.body).point(&next.p_BP);
            let parts = (&mut system.cache, &mut system.constrained);
            impulse::add_jump(&system.model, parts, s.t, (next.body, p_W), next.impulse, &mut s.v[..nv])?;
            s.impulses += 1;
        }
        let powers = system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        let (after, _, _) = kinematics::energy_and_momentum(&system.cache);
        s.works.loads += after - before;
        s.last_powers = powers.into();
        s.flows.begin_with(&system.accepted_parts);
        s.ledger.absorb_jump(system, &mut s.flows);
        let works = (s.works, &s.flows);
        s.ledger.book(system, (s.t, &s.q, &s.v), powers.elastic, works, &mut self.constraint);
        if let MethodMemory::Implicit(_) = s.method {
            // Rates and accelerations that it remembers are those before.
            self.restart_method()?;
        }
        Ok(())
    }

    /// Applies instantaneous events; after any, the next step begins with the present forces.
    pub(crate) fn let_happen(&mut self) -> Result<(), StepFailure> {
        if !self.state.let_happen(&mut self.system)? {
            return Ok(());
        }
        let (system, s) = (&mut self.system, &mut self.state);
        let powers = system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        s.last_powers = powers.into();
        s.flows.begin_with(&system.accepted_parts);
        let works = (s.works, &s.flows);
        s.ledger.book(system, (s.t, &s.q, &s.v), powers.elastic, works, &mut self.constraint);
        if !matches!(s.method, MethodMemory::Realtime) {
            // Rates and accelerations that it remembers are those before.
            self.restart_method()?;
        }
        Ok(())
    }
}
