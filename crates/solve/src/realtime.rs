//! `realtime`: fixed steps, linearly implicit in stiffness and damping, one factorisation a step, no allocation; one more, three at
//! most, where a law with a kink (a drive at its limit, a stop) is on another branch at the end of the step than at its start, and one for
//! each stop that is met only then.
//!
//! With the predicted position q* = q ⊕ h·v the step solves, once,
//! `[M + h·D + h²·K  −Gᵀ; G 0]·[Δv; h·λ] = [−h·r(q*, v, 0); −C(q*)/h]`, then `q⁺ = q ⊕ h·(v + Δv)`: first order, and damped
//! where the forces are stiff. One more use of the same factors brings q⁺ back to the constraints, another
//! v⁺. Finally the system restores its invariants.

use crate::linear::Coupled;
use crate::mechanical::{Linearised, Mechanical, NewtonWeights, Point};

/// Working memory of the method; nothing in it survives a step.
#[derive(Clone, Debug)]
pub struct Realtime {
    saddle: Coupled,
    q_star: Vec<f64>,
    dq: Vec<f64>,
    dv: Vec<f64>,
    lambda: Vec<f64>,
    r: Vec<f64>,
    C: Vec<f64>,
    zero_a: Vec<f64>,
    zero_lambda: Vec<f64>,
    z: Vec<f64>,
    v_new: Vec<f64>,
}

/// Times that a step is made again on other branches of laws with kinks; after that stops that are met hold, and nothing else changes. A single drive needs two at most (limit ⇒ line ⇒ other limit).
const REVISIONS: usize = 3;

/// Reasons for a failed step.
#[derive(Debug, PartialEq)]
pub enum StepError<E> {
    /// The system could not be evaluated.
    System(E),
    /// The Newton matrix has no pivot in this column.
    Singular(usize),
    /// Newton's method did not converge with the smallest step allowed.
    NoConvergence {
        /// Last residual, relative to the tolerance.
        residual: f64,
    },
}

impl Realtime {
    /// Memory for a system.
    pub fn new(system: &impl Mechanical) -> Self {
        let s = system.sizes();
        Realtime {
            saddle: Coupled::new(s.nv, s.nc, system.elimination_tree(), system.blocks()),
            q_star: vec![0.0; s.nq],
            dq: vec![0.0; s.nv],
            dv: vec![0.0; s.nv],
            lambda: vec![0.0; s.nc],
            r: vec![0.0; s.nv],
            C: vec![0.0; s.nc],
            zero_a: vec![0.0; s.nv],
            zero_lambda: vec![0.0; s.nc],
            z: vec![0.0; s.nz],
            v_new: vec![0.0; s.nv],
        }
    }

    /// One step of length h from (t, q, v, z), in place. Returns the multipliers.
    pub fn step<S: Mechanical>(
        &mut self,
        system: &mut S,
        (t, h): (f64, f64),
        q: &mut [f64],
        v: &mut [f64],
        z: &mut [f64],
    ) -> Result<&[f64], StepError<S::Error>> {
        let sizes = system.sizes();
        system.remember_invariants(q, v);
        self.predict(system, h, q, v);
        system.hold_stops(&self.q_star, v);
        for round in 0.. {
            if round > 0 {
                self.predict(system, h, q, v);
            }
            self.solve_linear(system, (t, h), v, z)?;
            if round == 0 {
                system.choose_branches(t + h, &self.q_star, v);
            }
            system.add_step(q, &self.dq, &mut self.q_star);
            let last = round >= REVISIONS;
            let other = !last && system.revise_branches(t + h, &self.q_star, &self.v_new);
            // A stop that was met within the step must hold: passed freely it would gain the energy of its spring.
            if !(system.revise_stops(&self.q_star, &self.v_new, last) || other) {
                break;
            }
        }
        system.book_stops((q, v), (&self.q_star, &self.v_new), h, false);
        system.release_branches();
        v.copy_from_slice(&self.v_new);
        q.copy_from_slice(&self.q_star);
        if sizes.nc > 0 {
            self.project(system, (t + h, h), q, v);
        }
        system.restore_invariants(h, q, v);
        let at = Point { t: t + h, q, v, a: &self.zero_a, lambda: &self.lambda, z_base: z, h_z: h };
        system.contact_states(&at, &mut self.z).map_err(StepError::System)?;
        z.copy_from_slice(&self.z);
        Ok(&self.lambda)
    }

    /// The linear system of a step from the predicted position: new rates, and the step `dq` that they make.
    fn solve_linear<S: Mechanical>(
        &mut self,
        system: &mut S,
        (t, h): (f64, f64),
        v: &[f64],
        z: &[f64],
    ) -> Result<(), StepError<S::Error>> {
        let weights = NewtonWeights { a: 1.0, v: h, q: h * h };
        let at = Point {
            t: t + h,
            q: &self.q_star,
            v,
            a: &self.zero_a,
            lambda: &self.zero_lambda,
            z_base: z,
            h_z: h,
        };
        let out = Linearised { r: &mut self.r, C: &mut self.C, matrix: self.saddle.matrix_mut() };
        system.linearised(&at, weights, out).map_err(StepError::System)?;
        self.saddle.factor().map_err(StepError::Singular)?;
        for (d, r) in self.dv.iter_mut().zip(&self.r) {
            *d = -h * r;
        }
        for (l, c) in self.lambda.iter_mut().zip(&self.C) {
            *l = -c / h;
        }
        self.saddle.solve(&mut self.dv, &mut self.lambda);
        self.lambda.iter_mut().for_each(|l| *l /= h);
        for k in 0..v.len() {
            self.v_new[k] = v[k] + self.dv[k];
            self.dq[k] = h * self.v_new[k];
        }
        Ok(())
    }

    fn predict<S: Mechanical>(&mut self, system: &S, h: f64, q: &[f64], v: &[f64]) {
        for (d, v) in self.dq.iter_mut().zip(v) {
            *d = h * v;
        }
        system.add_step(q, &self.dq, &mut self.q_star);
    }

    /// Back to the constraints in position and rate, with the factors of this step.
    fn project<S: Mechanical>(&mut self, system: &mut S, (t, h): (f64, f64), q: &mut [f64], v: &mut [f64]) {
        /// Each correction with the old factors gains one order of the step.
        const CORRECTIONS: usize = 2;
        for _ in 0..CORRECTIONS {
            system.constraint_residual(t, q, &mut self.C);
            if self.is_closed() {
                break;
            }
            self.correct();
            system.add_step(q, &self.dv, &mut self.q_star);
            q.copy_from_slice(&self.q_star);
        }
        for _ in 0..CORRECTIONS {
            system.constraint_rates(t, q, v, &mut self.C);
            if self.is_closed() {
                break;
            }
            self.correct();
            v.iter_mut().zip(&self.dv).for_each(|(v, d)| *v += d);
            // A change of the rates is an impulse, and part of the constraint forces of this step.
            self.lambda.iter_mut().zip(&self.C).for_each(|(l, impulse)| *l += impulse / h);
        }
    }

    /// Whether `C` is round-off of coordinates of the order of one: nothing is left to correct.
    fn is_closed(&self) -> bool {
        self.C.iter().all(|c| c.abs() <= 4.0 * f64::EPSILON)
    }

    /// The smallest change `dv` (in the metric of the step's matrix) with `G·dv = −C`; its multipliers replace `C`.
    fn correct(&mut self) {
        self.dv.fill(0.0);
        self.C.iter_mut().for_each(|c| *c = -*c);
        self.saddle.solve(&mut self.dv, &mut self.C);
    }
}
