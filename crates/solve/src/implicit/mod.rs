//! `implicit`: generalised-α on the constrained system, with Newton's method and analytic tangents, fixed or adaptive steps.
//!
//! Equations of motion hold at the end of the step; an auxiliary acceleration α carries the numerical damping (Arnold & Brüls
//! 2007, on the Lie group of the coordinates as Brüls, Cardona & Arnold 2012):
//!
//! ```text
//! (1 − a_m) α⁺ + a_m α = (1 − a_f) v̇⁺ + a_f v̇
//! v⁺ = v + h (1 − γ) α + h γ α⁺,   q⁺ = q ⊕ (h v + h² (½ − β) α + h² β α⁺)
//! ```
//!
//! with a_m = (2ρ − 1)/(ρ + 1), a_f = ρ/(ρ + 1), γ = ½ + a_f − a_m, β = (γ + ½)²/4: second order in q, v and λ, spectral radius ρ
//! at infinite frequency. Constraints hold at position level in the Newton solve; the rates are projected afterwards with the same
//! factors for the state that others see. The Newton matrix is kept while it serves: the point it was taken at is part of the
//! memory, so that a restart rebuilds the same bits.
//!
//! Where a force jumps within a step (a stop of a joint is met or left, soil yields) the step and the next one are steps of backward Euler (after
//! Rannacher 1984, who begins the trapezoidal rule so).

mod memory;
mod newton;
#[cfg(test)]
mod tests;

use crate::control::Control;
use crate::linear::Coupled;
use crate::mechanical::{Mechanical, Point};
use crate::realtime::StepError;
use memory::Coefficients;
pub use memory::{Memory, Start};
use newton::Attempt;
use touchdown_math::Elementary;

/// Counts of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Newton iterations, all attempts.
    pub iterations: u32,
    /// Factorisations.
    pub factorisations: u32,
    /// Rejected attempts.
    pub rejected: u32,
}

/// Times that a step is made again on other branches before stops are only put on.
const REVISIONS: u32 = 6;
/// What of the forces jumped within a step.
#[derive(Clone, Copy, Debug, Default)]
struct Jumps {
    branch_left: bool,
    yields: bool,
}

/// Attempts (each half as long) before a step fails.
const MAX_REJECTIONS: u32 = 30;

/// Working memory of the method.
#[derive(Clone, Debug)]
pub struct Implicit {
    control: Control,
    rho: f64,
    /// Multiplier of the tolerances of Newton's method.
    slack: f64,
    saddle: Coupled,
    /// Whether the present step is one of backward Euler.
    settling: bool,
    /// Whether `saddle` holds the factors that `Memory::linearised` describes.
    factored: bool,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    alpha: Vec<f64>,
    /// The auxiliary acceleration at the begin, for a step of the present length.
    alpha_old: Vec<f64>,
    lambda: Vec<f64>,
    dq: Vec<f64>,
    r: Vec<f64>,
    C: Vec<f64>,
    dx: Vec<f64>,
    dlambda: Vec<f64>,
    /// Corrections of this step that improve the next ones, one after the other, and how many there are.
    secants: Vec<f64>,
    remembered: usize,
    z_base: Vec<f64>,
    z: Vec<f64>,
}

impl Implicit {
    /// Memory for a system; `spectral_radius` in 0 … 1.
    pub fn new(system: &impl Mechanical, control: Control, spectral_radius: f64) -> Self {
        let s = system.sizes();
        Implicit {
            control,
            rho: spectral_radius,
            slack: system.newton_slack(),
            saddle: Coupled::new(s.nv, s.nc, system.elimination_tree(), system.blocks()),
            settling: false,
            factored: false,
            q: vec![0.0; s.nq],
            v: vec![0.0; s.nv],
            a: vec![0.0; s.nv],
            alpha: vec![0.0; s.nv],
            alpha_old: vec![0.0; s.nv],
            lambda: vec![0.0; s.nc],
            dq: vec![0.0; s.nv],
            r: vec![0.0; s.nv],
            C: vec![0.0; s.nc],
            dx: vec![0.0; s.nv],
            dlambda: vec![0.0; s.nc],
            // Constraint forces have other units than accelerations, so that an inner product with them is
            // not defined.
            secants: vec![0.0; if s.nc == 0 { s.nv * system.secants() } else { 0 }],
            remembered: 0,
            z_base: vec![0.0; s.nz],
            z: vec![0.0; s.nz],
        }
    }

    /// One accepted step from (t, q, v, z), in place, not beyond `t_limit`; t moves to its end exactly.
    pub fn step<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        t: &mut f64,
        t_limit: f64,
        (q, v, z): (&mut [f64], &mut [f64], &mut [f64]),
    ) -> Result<Work, StepError<S::Error>> {
        let mut work = Work::default();
        let wanted = match self.control {
            Control::Fixed(h) => h,
            Control::Adaptive { longest, .. } => memory.h.min(longest),
        };
        // A step that would end within a billionth of the limit ends on it.
        let cut = *t + wanted * (1.0 + 1e-9) >= t_limit;
        let mut h = if cut { t_limit - *t } else { wanted };
        loop {
            let full = h == t_limit - *t;
            let t_new = if full { t_limit } else { *t + h };
            let (outcome, jumps) =
                self.attempt_on_branches(system, memory, (*t, t_new), (q, v, z), &mut work)?;
            let error = match outcome {
                Attempt::Converged => self.error(memory, h, q),
                Attempt::Failed { residual } if work.rejected >= MAX_REJECTIONS => {
                    return Err(StepError::NoConvergence { residual });
                }
                Attempt::Singular { column } if work.rejected >= MAX_REJECTIONS => {
                    return Err(StepError::Singular(column));
                }
                Attempt::Failed { .. } | Attempt::Singular { .. } => f64::INFINITY,
            };
            if error <= 1.0 {
                if let Control::Adaptive { .. } = self.control {
                    let grown = h * (0.9 * error.max(1e-4).power(-1.0 / 3.0)).clamp(0.2, 2.0);
                    // A step shortened by the limit does not rule out the longer one, and small changes do
                    // not justify new factors.
                    let proposal = if cut && full { memory.h.max(grown) } else { grown };
                    memory.h =
                        if proposal > memory.h && proposal < 1.2 * memory.h { memory.h } else { proposal };
                }
                system.book_stops((q, v), (&self.q, &self.v), h, !self.settling);
                self.accept(system, memory, t_new, (q, v, z))?;
                memory.settles = jumps.branch_left || jumps.yields;
                if memory.settles {
                    memory.forget_trend();
                }
                // The matrix must be that of the branches that the next step begins on.
                if system.revise_stops(q, v, false) || jumps.branch_left {
                    memory.forget_matrix();
                }
                system.release_branches();
                *t = t_new;
                return Ok(work);
            }
            work.rejected += 1;
            if work.rejected > MAX_REJECTIONS {
                return Err(StepError::NoConvergence { residual: error });
            }
            let shrink =
                if error.is_finite() { (0.9 * error.power(-1.0 / 3.0)).clamp(0.1, 0.9) } else { 0.5 };
            h *= shrink;
            memory.h = h;
            if error.is_infinite() {
                // The prediction failed: restart from the true acceleration.
                memory.forget_trend();
            }
        }
    }

    /// An attempt on the branches of laws whose force jumps. Where one is left, or a contact yields, the step is one of backward Euler: generalised-α would carry the acceleration of a blow on into steps in which
    /// nothing pushes any more, and give back more than the blow took.
    fn attempt_on_branches<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        times: (f64, f64),
        (q, v, z): (&[f64], &[f64], &[f64]),
        work: &mut Work,
    ) -> Result<(Attempt, Jumps), StepError<S::Error>> {
        system.hold_stops(q, v);
        self.settling = memory.settles;
        let mut jumps = Jumps::default();
        let mut round = 0;
        loop {
            let mut outcome = self.attempt(system, memory, times, (q, z), work)?;
            jumps.yields |= system.yields();
            if matches!(outcome, Attempt::Failed { .. }) && system.may_yield() {
                jumps.yields = true;
                if !self.settling {
                    self.settling = true;
                    continue;
                }
                outcome = self.step_linearly(system, memory, times, q, work)?;
            }
            if !matches!(outcome, Attempt::Converged) {
                return Ok((outcome, jumps));
            }
            let branch_left = system.revise_stops(&self.q, &self.v, round >= REVISIONS);
            if !branch_left && (self.settling || !jumps.yields) {
                return Ok((outcome, jumps));
            }
            self.settling = true;
            if branch_left {
                jumps.branch_left = true;
                self.factored = false;
                memory.forget_matrix();
            }
            round += 1;
        }
    }

    /// Local error relative to the tolerance; zero with fixed steps.
    fn error(&self, memory: &Memory, h: f64, q: &[f64]) -> f64 {
        let v = &memory.v;
        let Control::Adaptive { relative, absolute, .. } = self.control else { return 0.0 };
        // The first dropped term of the position is h³/6·(jerk), of the rate h³/12·(snap), seen through the change of α.
        let scale_q = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let mut worst: f64 = 0.0;
        // Backward Euler drops the term of the change itself: h²/2 of it.
        let (old, share) = if self.settling { (&memory.a, 0.5) } else { (&self.alpha_old, 1.0 / 12.0) };
        for (k, old) in old.iter().enumerate() {
            let jump = (self.alpha[k] - old).abs();
            let position = h * h * jump * share / (absolute + relative * scale_q);
            let rate = h * jump * share / (absolute + relative * v[k].abs().max(scale_q)) * h;
            worst = worst.max(position).max(rate);
        }
        worst
    }

    /// Accepts the trial point, projects the rates, advances the contact states.
    fn accept<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        t: f64,
        (q, v, z): (&mut [f64], &mut [f64], &mut [f64]),
    ) -> Result<(), StepError<S::Error>> {
        let h = memory.linearised.as_ref().map_or(0.0, |l| l.h);
        memory.v.copy_from_slice(&self.v);
        if !self.C.is_empty() {
            self.project_rates(system, t);
        }
        let at = Point {
            t,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            lambda: &self.lambda,
            z_base: &self.z_base,
            h_z: Coefficients::of(self.rho, self.settling).contact * h,
        };
        system.contact_states(&at, &mut self.z).map_err(StepError::System)?;
        system.contact_rates(t, &self.q, &self.v, &self.z, &mut memory.z_rate).map_err(StepError::System)?;
        q.copy_from_slice(&self.q);
        v.copy_from_slice(&self.v);
        z.copy_from_slice(&self.z);
        for (k, a) in self.a.iter().enumerate() {
            memory.a_change[k] = a - memory.a[k];
            memory.a[k] = *a;
        }
        memory.h_last = h;
        memory.alpha.copy_from_slice(&self.alpha);
        self.saddle.filter(&mut self.lambda);
        memory.lambda.copy_from_slice(&self.lambda);
        Ok(())
    }

    /// Removes the part of `self.v` that violates the constraints. The factors are those of the step, so each
    /// round gains a power of h.
    fn project_rates<S: Mechanical>(&mut self, system: &mut S, t: f64) {
        const ROUNDS: usize = 8;
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            system.constraint_rates(t, &self.q, &self.v, &mut self.C);
            let size = self.C.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
            if size < 1e-14 || size > 0.5 * last {
                return;
            }
            last = size;
            self.dx.fill(0.0);
            self.C.iter_mut().for_each(|c| *c = -*c);
            self.saddle.solve(&mut self.dx, &mut self.C);
            self.v.iter_mut().zip(&self.dx).for_each(|(v, d)| *v += d);
        }
    }
}
