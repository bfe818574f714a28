//! The system as the integrators see it: an ordinary differential equation for `explicit`, a constrained mechanical system for
//! `implicit` and `realtime`.

use crate::system::{ContactStates, Contacts, Instant, System, WORKS};
use touchdown_multibody::description::{Acts, ElementKind};
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_multibody::rigid::tangent::{self, Weights};
use touchdown_multibody::rigid::{constraint, inverse, kinematics};
use touchdown_solve::explicit::Ode;
use touchdown_solve::linear::{BlockShape, NewtonMatrix};
use touchdown_solve::{Linearised, Mechanical, NewtonWeights, Point, Sizes};

/// Corrections of a step that improve the next ones.
const SECANTS: usize = 6;

/// y = [q, v, z, dissipated, work of drives, work of loads]. The right-hand side is taken at y projected onto the constraints, so that
/// every stage is consistent; on the constraints this is the same vector field.
impl Ode for System {
    type Error = DynamicsError;

    fn dim(&self) -> usize {
        self.nq() + self.nv() + self.nz() + WORKS
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv, nz) = (self.nq(), self.nv(), self.nz());
        let (mut q, mut v) = (std::mem::take(&mut self.q_stage), std::mem::take(&mut self.v_stage));
        q.copy_from_slice(&y[..nq]);
        v.copy_from_slice(&y[nq..nq + nv]);
        let result = self.stage(t, &mut q, &mut v, &y[nq + nv..nq + nv + nz], &mut dy[nq + nv + nz..]);
        if result.is_ok() {
            self.model.position_rates(&q, &v, &mut dy[..nq]);
            dy[self.model.nq..nq].copy_from_slice(&v[self.model.nv..]);
            dy[nq..nq + nv].copy_from_slice(&self.a);
            dy[nq + nv..nq + nv + nz].copy_from_slice(&self.z_rate);
        }
        (self.q_stage, self.v_stage) = (q, v);
        result
    }

    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.nq(), self.model.nv);
        let (q, rest) = y.split_at_mut(nq);
        self.model.normalise(q);
        if self.model.is_constrained() {
            let q = &mut q[..self.model.nq];
            self.constrained.project_positions(&self.model, t, q, &mut self.cache)?;
            self.constrained.factor(&self.model, &mut self.cache)?;
            self.constrained.project_velocities(&self.model, t, &mut rest[..nv]);
        }
        Ok(())
    }

    fn scales(&self) -> &[f64] {
        &self.scales
    }

    fn event_count(&self) -> usize {
        let kinks = self.model.elements.iter().map(|e| kinks(&e.kind)).sum::<usize>();
        kinks
            + self.feet.len()
            + self.pair_event_count()
            + if self.ground.is_some() { self.tyres.len() } else { 0 }
    }

    fn events(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.nq(), self.nv());
        let (q, v) = (&y[..nq], &y[nq..nq + nv]);
        self.update_kinematics(q, v);
        let mut at = self.pair_event_count();
        self.pair_events(t, &y[nq + nv..nq + nv + self.nz()], &mut out[..at]);
        for i in 0..self.tyres.len() {
            if self.update_standing(i) {
                out[at] = self.wheel_gap(i);
                at += 1;
            }
        }
        for i in 0..self.feet.len() {
            out[at] = self.foot_gap(i, &y[nq + nv..]);
            at += 1;
        }
        for (i, element) in self.model.elements.iter().enumerate() {
            match &element.kind {
                ElementKind::JointLimit { axis, lower, upper, .. } => {
                    let slot = &self.model.joints[axis.joint];
                    let x = if slot.locked { slot.position[axis.axis] } else { q[slot.q + axis.axis] };
                    (out[at], out[at + 1]) = (x - lower, upper - x);
                    at += 2;
                }
                ElementKind::Spring { rest_length, acts: Acts::PullsOnly | Acts::PushesOnly, .. } => {
                    let line = touchdown_multibody::rigid::elements::line_force(
                        &self.model,
                        &self.cache,
                        &self.at(t, q, v),
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

/// Number of kinks of an element's law that the explicit integrator should step onto.
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
    /// The tree whose sparsity the Newton matrix keeps. Contacts and booms that tie two branches together break it: their blocks across the tree would be lost, and with
    /// them the balance of momentum in a linearised step. In larger systems they are left out: Newton's method then takes some more iterations, and `realtime` treats the
    /// other body as if it rested during a step.
    pub(crate) fn newton_tree(&self) -> Option<&[usize]> {
        let one_branch = |bodies: [Option<usize>; 2]| self.model.on_one_branch(bodies[0], bodies[1]);
        let contacts = (0..self.polygonal.len()).all(|i| one_branch(self.polygonal_bodies(i)));
        let smooth = self.pairs.iter().all(|pair| one_branch(pair.bodies()));
        let booms = self.booms.iter().all(|boom| one_branch(boom.bodies()));
        let keeps = contacts && smooth && booms;
        if keeps || self.model.nv > DENSE_UP_TO { self.model.elimination_tree() } else { None }
    }

    /// One evaluation for `rhs`: projects, then forces and accelerations; `powers` gets the rates of the quadrature states.
    fn stage(
        &mut self,
        t: f64,
        q: &mut [f64],
        v: &mut [f64],
        z: &[f64],
        powers: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let (nq, nv) = (self.model.nq, self.model.nv);
        if self.model.is_constrained() {
            self.constrained.project_positions(&self.model, t, &mut q[..nq], &mut self.cache)?;
            self.constrained.factor(&self.model, &mut self.cache)?;
            self.constrained.project_velocities(&self.model, t, &mut v[..nv]);
        } else {
            kinematics::update_positions(&self.model, &q[..nq], &mut self.cache);
        }
        kinematics::update_velocities(&self.model, &v[..nv], &mut self.cache);
        let p = self.update_forces(&Instant { t, q, v, z: ContactStates::Given(z) }, None);
        self.update_accelerations(t, v)?;
        powers[0] = p.dissipated;
        powers[1] = p.drives + constraint::prescribed_power(&self.model, &self.lambda, t);
        powers[2] = p.loads;
        Ok(())
    }

    fn instant<'a>(at: &Point<'a>) -> Instant<'a> {
        Instant { t: at.t, q: at.q, v: at.v, z: ContactStates::Implicit { base: at.z_base, h: at.h_z } }
    }

    /// `r = M·a + bias − forces − Gᵀ·λ` from the forces in the cache, multipliers booked as wrenches.
    fn residual_from_cache(&mut self, a: &[f64], r: &mut [f64]) {
        let nv = self.model.nv;
        inverse::calc(&self.model, &a[..nv], &mut self.cache, &mut r[..nv]);
        r.iter_mut().zip(&self.cache.tau).for_each(|(r, tau)| *r -= tau);
        self.flexible_residual(a, r);
    }
}

impl Mechanical for System {
    type Error = DynamicsError;

    fn sizes(&self) -> Sizes {
        Sizes { nq: self.nq(), nv: self.nv(), nc: self.model.nc, nz: self.nz() }
    }

    fn elimination_tree(&self) -> Option<&[usize]> {
        self.newton_tree()
    }

    fn blocks(&self) -> Vec<BlockShape> {
        self.flexible_blocks()
    }

    /// Elements dominate the cost of a correction; what is left of one still is far below the error of a step.
    fn newton_slack(&self) -> f64 {
        if self.flexible.is_empty() { 1.0 } else { 10.0 }
    }

    /// Corrections of large systems are dear, and products of vectors cheap.
    fn secants(&self) -> usize {
        if self.flexible.is_empty() { 0 } else { SECANTS }
    }

    fn add_step(&self, q: &[f64], dq: &[f64], out: &mut [f64]) {
        self.model.add_step(q, dq, out);
        let (nq, nv) = (self.model.nq, self.model.nv);
        for (out, (q, dq)) in out[nq..].iter_mut().zip(q[nq..].iter().zip(&dq[nv..])) {
            *out = q + dq;
        }
    }

    fn residual(&mut self, at: &Point, r: &mut [f64], C: &mut [f64]) -> Result<(), DynamicsError> {
        self.update_kinematics(at.q, at.v);
        self.update_forces(&Self::instant(at), None);
        if self.model.is_constrained() {
            constraint::add_forces(&self.model, at.lambda, 0.0, &mut self.cache);
            self.cache.gather_wrenches(&self.model);
            constraint::calc_residual(&self.model, &self.cache, &at.q[..self.model.nq], at.t, C);
        }
        self.residual_from_cache(at.a, r);
        Ok(())
    }

    fn tangent(
        &mut self,
        at: &Point,
        weights: NewtonWeights,
        out: NewtonMatrix,
    ) -> Result<(), DynamicsError> {
        let w = Weights { a: weights.a, v: weights.v, q: weights.q };
        self.update_kinematics(at.q, at.v);
        self.update_forces(&Self::instant(at), Some(w));
        if self.model.is_constrained() {
            constraint::add_forces(&self.model, at.lambda, w.q, &mut self.cache);
            self.cache.gather_wrenches(&self.model);
            constraint::calc_jacobian(&self.model, &self.cache, out.G);
        }
        tangent::calc(&self.model, &at.a[..self.model.nv], w, &mut self.cache, out.T);
        self.fill_blocks(w, out.blocks);
        Ok(())
    }

    fn linearised(
        &mut self,
        at: &Point,
        weights: NewtonWeights,
        out: Linearised,
    ) -> Result<(), DynamicsError> {
        let w = Weights { a: weights.a, v: weights.v, q: weights.q };
        self.update_kinematics(at.q, at.v);
        self.update_forces(&Self::instant(at), Some(w));
        self.linearised = true;
        self.remember_outside();
        if self.model.is_constrained() {
            constraint::calc_residual(&self.model, &self.cache, &at.q[..self.model.nq], at.t, out.C);
            constraint::calc_jacobian(&self.model, &self.cache, out.matrix.G);
        }
        self.residual_from_cache(at.a, out.r);
        tangent::calc_linearly_implicit(&self.model, w.a, &mut self.cache, out.matrix.T);
        self.fill_blocks(w, out.matrix.blocks);
        Ok(())
    }

    fn remember_invariants(&mut self, q: &[f64], v: &[f64]) {
        self.remember_momentum(q, v);
    }

    fn restore_invariants(&mut self, h: f64, q: &[f64], v: &mut [f64]) {
        self.restore_momentum(h, q, v);
    }

    fn constraint_rates(&mut self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        self.update_kinematics(q, v);
        constraint::calc_rates(&self.model, &self.cache, t, &v[..self.model.nv], out);
    }

    fn constraint_residual(&mut self, t: f64, q: &[f64], out: &mut [f64]) {
        let q = &q[..self.model.nq];
        kinematics::update_positions(&self.model, q, &mut self.cache);
        constraint::calc_residual(&self.model, &self.cache, q, t, out);
    }

    fn contact_states(&mut self, at: &Point, z: &mut [f64]) -> Result<(), DynamicsError> {
        self.update_kinematics(at.q, at.v);
        let soil = if self.linearised { Contacts::Followed } else { Contacts::Evaluated(None) };
        self.accepted_powers = self.update_forces_with(&Self::instant(at), None, soil);
        self.linearised = false;
        self.accepted_powers.drives += constraint::prescribed_power(&self.model, at.lambda, at.t);
        z.copy_from_slice(&self.z_used);
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
        if self.tyres.is_empty() && self.pairs.is_empty() {
            // Points of flexible bodies: the rates that `contact_states` found at the same place solve the same equations.
            out.copy_from_slice(&self.z_rate);
        } else if !z.is_empty() {
            self.update_kinematics(q, v);
            self.update_forces(&Instant { t, q, v, z: ContactStates::Given(z) }, None);
            out.copy_from_slice(&self.z_rate);
        }
        Ok(())
    }
}
