//! The system for the integrators: an ordinary differential equation for `explicit`, a constrained mechanical
//! system for
//! `implicit` and `realtime`.

use crate::engine::history::History;
use crate::engine::system::{ContactStates, Instant, System, WORKS};
use crate::interactions::How;
use crate::interactions::intruders::IntruderOnLink;
use touchdown_multibody::description::{Acts, ElementKind};
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_multibody::rigid::tangent::{self, Weights};
use touchdown_multibody::rigid::{constraint, inverse, kinematics, limited, stops};
use touchdown_solve::explicit::Ode;
use touchdown_solve::linear::{BlockShape, NewtonMatrix};
use touchdown_solve::{Linearised, Mechanical, NewtonWeights, Point, Sizes};

/// Number of corrections of a step that improve the next ones.
const SECANTS: usize = 6;

/// A system with its memory of accepted steps: everything that an integrator evaluates.
pub(crate) struct InLoop<'a> {
    pub system: &'a mut System,
    pub held: &'a History,
}

/// y = [q, v, z, dissipated, work of drives, work of loads, the same three of each independent part where there are several]. The right-hand side is taken at y projected onto the constraints, so that
/// every stage is consistent; on the constraints this is the same vector field.
impl Ode for InLoop<'_> {
    type Error = DynamicsError;

    fn dim(&self) -> usize {
        self.system.dim()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv, nz) = (self.system.nq(), self.system.nv(), self.system.nz());
        let (mut q, mut v) =
            (std::mem::take(&mut self.system.q_stage), std::mem::take(&mut self.system.v_stage));
        q.copy_from_slice(&y[..nq]);
        v.copy_from_slice(&y[nq..nq + nv]);
        let result = self.stage(t, &mut q, &mut v, &y[nq + nv..nq + nv + nz], &mut dy[nq + nv + nz..]);
        if result.is_ok() {
            self.system.model.position_rates(&q, &v, &mut dy[..nq]);
            dy[self.system.model.nq..nq].copy_from_slice(&v[self.system.model.nv..]);
            dy[nq..nq + nv].copy_from_slice(&self.system.a);
            dy[nq + nv..nq + nv + nz].copy_from_slice(&self.system.z_rate);
        }
        (self.system.q_stage, self.system.v_stage) = (q, v);
        result
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.system.nq(), self.system.model.nv);
        let (q, rest) = y.split_at_mut(nq);
        self.system.model.normalise(q);
        if self.system.model.is_constrained() {
            let q = &mut q[..self.system.model.nq];
            self.system.constrained.project_positions(&self.system.model, t, q, &mut self.system.cache)?;
            self.system.constrained.factor(&self.system.model, &mut self.system.cache)?;
            self.system.constrained.project_velocities(&self.system.model, t, &mut rest[..nv]);
        }
        Ok(())
    }

    fn scales(&self) -> &[f64] {
        &self.system.scales
    }

    fn event_count(&self) -> usize {
        self.system.event_count()
    }

    fn events(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.system.nq(), self.system.nv());
        let (q, v) = (&y[..nq], &y[nq..nq + nv]);
        self.system.update_kinematics(q, v);
        let mut at = self.system.interaction_event_count();
        let z = &y[nq + nv..nq + nv + self.system.nz()];
        self.system.interaction_events((t, z), &self.held.acts, &mut out[..at]);
        for (i, element) in self.system.model.elements.iter().enumerate() {
            match &element.kind {
                ElementKind::JointLimit { axis, lower, upper, .. } => {
                    let slot = &self.system.model.joints[axis.joint];
                    let x = if slot.locked { slot.position[axis.axis] } else { q[slot.q + axis.axis] };
                    (out[at], out[at + 1]) = (x - lower, upper - x);
                    at += 2;
                }
                ElementKind::Spring { rest_length, acts: Acts::PullsOnly | Acts::PushesOnly, .. } => {
                    let line = touchdown_multibody::rigid::elements::line_force(
                        &self.system.model,
                        &self.system.cache,
                        &self.system.at(t, q, v),
                        i,
                    );
                    out[at] = line.map_or(1.0, |(_, length)| length - rest_length);
                    at += 1;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Number of kinks of an element's law at which steps of the explicit integrator should end.
fn kinks(kind: &ElementKind) -> usize {
    match kind {
        ElementKind::JointLimit { .. } => 2,
        ElementKind::Spring { acts: Acts::PullsOnly | Acts::PushesOnly, .. } => 1,
        _ => 0,
    }
}

/// Rates up to which a Newton matrix with contacts across the tree is factored densely. With the 87 of a rover among loose rocks a run takes 4 % longer than with blocks left out.
const DENSE_UP_TO: usize = 128;

impl System {
    /// Length of the explicit integrator's vector.
    pub(crate) fn dim(&self) -> usize {
        self.nq() + self.nv() + self.nz() + WORKS * (1 + self.cache.parts.count())
    }

    /// Number of event functions.
    pub(crate) fn event_count(&self) -> usize {
        let kinks = self.model.elements.iter().map(|e| kinks(&e.kind)).sum::<usize>();
        kinks + self.interaction_event_count()
    }

    /// `q ⊕ dq` for all coordinates.
    pub(crate) fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]) {
        self.model.add_step(q, dq, out);
        let (nq, nv) = (self.model.nq, self.model.nv);
        for (out, (q, dq)) in out[nq..].iter_mut().zip(q[nq..].iter().zip(&dq[nv..])) {
            *out = q + dq;
        }
    }

    /// The tree whose sparsity the Newton matrix keeps. Contacts and booms that connect two branches break
    /// it: their blocks across the tree would be lost, and with them the momentum balance in a linearised
    /// step. In larger systems they are left out: Newton's method then needs more iterations, and `realtime`
    /// treats the other body as at rest during a step.
    pub(crate) fn newton_tree(&self) -> Option<&[usize]> {
        let one_branch = |bodies: [Option<usize>; 2]| self.model.on_one_branch(bodies[0], bodies[1]);
        let keeps = self.all_ties(one_branch);
        if keeps || self.model.nv > DENSE_UP_TO { self.model.elimination_tree() } else { None }
    }

    /// `r = M·a + bias − forces − Gᵀ·λ` from the forces in the cache, multipliers booked as wrenches.
    fn residual_from_cache(&mut self, a: &[f64], r: &mut [f64]) {
        let nv = self.model.nv;
        inverse::calc(&self.model, &a[..nv], &mut self.cache, &mut r[..nv]);
        r.iter_mut().zip(&self.cache.tau).for_each(|(r, tau)| *r -= tau);
        self.calc_own_residual(a, r);
    }
}

impl InLoop<'_> {
    /// One evaluation for `rhs`: projects, then forces and accelerations; `powers` gets the rates of the quadrature states.
    fn stage(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        z: &[f64],
        powers: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.system.model.nq, self.system.model.nv);
        if self.system.model.is_constrained() {
            self.system.constrained.project_positions(
                &self.system.model,
                t,
                &mut q[..nq],
                &mut self.system.cache,
            )?;
            self.system.constrained.factor(&self.system.model, &mut self.system.cache)?;
            self.system.constrained.project_velocities(&self.system.model, t, &mut v[..nv]);
        } else {
            kinematics::update_positions(&self.system.model, &q[..nq], &mut self.system.cache);
        }
        kinematics::update_velocities(&self.system.model, &v[..nv], &mut self.system.cache);
        let p = self
            .system
            .update_forces(&Instant { t, q, v, z: ContactStates::Given(z), held: self.held }, None);
        self.system.update_accelerations(t, v)?;
        let prescribed = constraint::book_prescribed_power(
            &self.system.model,
            &mut self.system.cache,
            &self.system.lambda,
            t,
        );
        let parts = self.system.cache.parts.powers();
        for (rates, p) in powers[WORKS..].chunks_exact_mut(WORKS).zip(parts) {
            rates.copy_from_slice(&[p.dissipated, p.drives, p.loads]);
        }
        powers[..WORKS].copy_from_slice(&[p.dissipated, p.drives + prescribed, p.loads]);
        Ok(())
    }
}

fn instant<'a>(at: &Point<'a>, held: &'a History) -> Instant<'a> {
    Instant { t: at.t, q: at.q, v: at.v, z: ContactStates::Implicit { base: at.z_base, h: at.h_z }, held }
}

impl Mechanical for InLoop<'_> {
    type Error = DynamicsError;

    fn sizes(&self) -> Sizes {
        Sizes { nq: self.system.nq(), nv: self.system.nv(), nc: self.system.model.nc, nz: self.system.nz() }
    }

    fn elimination_tree(&self) -> Option<&[usize]> {
        self.system.newton_tree()
    }

    fn blocks(&self) -> Vec<BlockShape> {
        self.system.own_blocks()
    }

    /// Elements dominate the cost of a correction; the remaining residual is still far below the error of a
    /// step.
    fn newton_slack(&self) -> f64 {
        if self.system.own_coordinates() == 0 { 1.0 } else { 10.0 }
    }

    /// Corrections of large systems are costly; products of vectors are not.
    fn secants(&self) -> usize {
        if self.system.own_coordinates() == 0 { 0 } else { SECANTS }
    }

    fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]) {
        self.system.add_step(q, dq, out);
    }

    fn residual(&mut self, at: &Point, r: &mut [f64], C: &mut [f64]) -> Result<(), DynamicsError> {
        self.system.update_kinematics(at.q, at.v);
        self.system.update_forces(&instant(at, self.held), None);
        if self.system.model.is_constrained() {
            constraint::add_forces(&self.system.model, at.lambda, 0.0, &mut self.system.cache);
            self.system.cache.gather_wrenches(&self.system.model);
            constraint::calc_residual(
                &self.system.model,
                &self.system.cache,
                &at.q[..self.system.model.nq],
                at.t,
                C,
            );
        }
        self.system.residual_from_cache(at.a, r);
        Ok(())
    }

    fn tangent(
        &mut self,
        at: &Point,
        weights: NewtonWeights,
        out: NewtonMatrix,
    ) -> Result<(), DynamicsError> {
        let w = Weights { a: weights.a, v: weights.v, q: weights.q };
        self.system.update_kinematics(at.q, at.v);
        self.system.update_forces(&instant(at, self.held), Some(w));
        if self.system.model.is_constrained() {
            constraint::add_forces(&self.system.model, at.lambda, w.q, &mut self.system.cache);
            self.system.cache.gather_wrenches(&self.system.model);
            constraint::calc_jacobian(&self.system.model, &self.system.cache, out.G);
        }
        tangent::calc(&self.system.model, &at.a[..self.system.model.nv], w, &mut self.system.cache, out.T);
        self.system.fill_blocks(w, out.blocks);
        Ok(())
    }

    fn linearised(
        &mut self,
        at: &Point,
        weights: NewtonWeights,
        out: Linearised,
    ) -> Result<(), DynamicsError> {
        let w = Weights { a: weights.a, v: weights.v, q: weights.q };
        self.system.update_kinematics(at.q, at.v);
        self.system.update_forces(&instant(at, self.held), Some(w));
        self.system.linearised = true;
        self.system.remember_outside();
        if self.system.model.is_constrained() {
            constraint::calc_residual(
                &self.system.model,
                &self.system.cache,
                &at.q[..self.system.model.nq],
                at.t,
                out.C,
            );
            constraint::calc_jacobian(&self.system.model, &self.system.cache, out.matrix.G);
        }
        self.system.residual_from_cache(at.a, out.r);
        tangent::calc_linearly_implicit(&self.system.model, w.a, &mut self.system.cache, out.matrix.T);
        self.system.fill_blocks(w, out.matrix.blocks);
        Ok(())
    }

    fn choose_branches(&mut self, t: f64, q: &[f64], v: &[f64]) {
        if limited::are_any(&self.system.model) {
            let (model, at, cache) = self.system.limited_forces(t, q, v);
            limited::choose(model, &at, cache);
        }
    }

    fn revise_branches(&mut self, t: f64, q: &[f64], v: &[f64]) -> bool {
        if !limited::are_any(&self.system.model) {
            return false;
        }
        self.system.update_kinematics(q, v);
        let (model, at, cache) = self.system.limited_forces(t, q, v);
        limited::revise(model, &at, cache)
    }

    fn release_branches(&mut self) {
        limited::release(&mut self.system.cache);
    }

    fn hold_stops(&mut self, q: &[f64], v: &[f64]) {
        if stops::are_any(&self.system.model) {
            let System { model, cache, .. } = &mut *self.system;
            stops::choose(model, (q, v), cache);
        }
    }

    fn revise_stops(&mut self, q: &[f64], v: &[f64], engage: bool) -> bool {
        let System { model, cache, .. } = &mut *self.system;
        stops::revise(model, (q, v), engage, cache)
    }

    fn yields(&self) -> bool {
        self.system.acts.intruders.list.iter().any(|on| on.force.yields)
    }

    fn may_yield(&self) -> bool {
        self.system.acts.intruders.list.iter().any(IntruderOnLink::is_near)
    }

    fn book_stops(&mut self, before: (&[f64], &[f64]), after: (&[f64], &[f64]), h: f64, both: bool) {
        let System { model, cache, stop_heat, euler_step, .. } = &mut *self.system;
        *euler_step = (!both).then_some(h);
        stop_heat.clear();
        stops::heat_of_step(model, (before, after), (h, both), cache, |element, heat| {
            stop_heat.push((cache.parts.of_element(element), heat));
        });
    }

    fn remember_invariants(&mut self, q: &[f64], v: &[f64]) {
        self.system.remember_momentum(q, v);
    }

    fn restore_invariants(&mut self, h: f64, q: &[f64], v: &mut [f64]) {
        self.system.restore_momentum(h, q, v);
    }

    fn constraint_rates(&mut self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.system.update_kinematics(q, v);
        constraint::calc_rates(&self.system.model, &self.system.cache, t, &v[..self.system.model.nv], out);
    }

    fn constraint_residual(&mut self, t: f64, q: &[f64], out: &mut [f64]) {
        let q = &q[..self.system.model.nq];
        kinematics::update_positions(&self.system.model, q, &mut self.system.cache);
        constraint::calc_residual(&self.system.model, &self.system.cache, q, t, out);
    }

    fn contact_states(&mut self, at: &Point, z: &mut [f64]) -> Result<(), DynamicsError> {
        self.system.update_kinematics(at.q, at.v);
        let how = if self.system.linearised { How::Followed } else { How::Evaluated(None) };
        self.system.accepted_powers = self.system.update_forces_with(&instant(at, self.held), how);
        self.system.linearised = false;
        self.system.accepted_powers.drives +=
            constraint::book_prescribed_power(&self.system.model, &mut self.system.cache, at.lambda, at.t);
        self.system.accept_parts();
        z.copy_from_slice(&self.system.z_used);
        Ok(())
    }

    fn contact_rates(
        &mut self,
        t: f64,
        q: &[f64],
        v: &[f64],
        z: &[f64],
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        if !self.system.rates_depend_on_states() {
            // The rates computed by `contact_states` at the same point solve the same equations.
            out.copy_from_slice(&self.system.z_rate);
        } else if !z.is_empty() {
            self.system.update_kinematics(q, v);
            self.system
                .update_forces(&Instant { t, q, v, z: ContactStates::Given(z), held: self.held }, None);
            out.copy_from_slice(&self.system.z_rate);
        }
        Ok(())
    }
}
