//! Newton's method for one step of the implicit integrator: trial point ⇒ residual ⇒ correction, with a
//! matrix that is reused while the iteration converges.

use super::Implicit;
use super::memory::{Coefficients, LinearisedAt, Memory};
use crate::implicit::Work;
use crate::linear::dot;
use crate::mechanical::{Mechanical, NewtonWeights, Point};
use crate::realtime::StepError;
use touchdown_math::Elementary;

/// Newton iterations before an attempt fails.
const MAX_ITERATIONS: u32 = 20;
/// Share of the last correction in the next, above which it is not divided out.
const WILD: f64 = 0.5;
/// Contraction of a fresh matrix above which small corrections count as round-off.
const SLOW: f64 = 0.3;
/// Contraction of a fresh matrix above which an attempt fails.
const DIVERGES: f64 = 2.0;
/// Iterations to the end beyond which the matrix is renewed: a new one costs about as much as this many.
const PATIENCE: f64 = 9.0;
/// Accuracy of the Newton solve: largest correction of positions and of rates, relative to 1 + the largest of
/// them. The residual adds up over the steps, and must stay below the method's own error.
const POSITION_TOLERANCE: f64 = 1e-13;
const RATE_TOLERANCE: f64 = 1e-12;
/// The same for the constraint forces, relative to the largest: where constraints leave no motion free, only
/// they still change.
const FORCE_TOLERANCE: f64 = 1e-10;
/// Round-off of a constraint residual (m, rad), a few units in the last place of lengths and angles near one.
const CONSTRAINT_NOISE: f64 = 2e-15;
/// Constraint residual that a converged step may have (m, rad).
const CLOSED: f64 = 1e-11;
/// Corrections that stay below this multiple of the tolerance but no longer shrink are round-off.
const ROUND_OFF: f64 = 1e3;

/// Result of an attempt at a step.
pub(super) enum Attempt {
    Converged,
    Failed {
        residual: f64,
    },
    /// The Newton matrix of a trial point has no pivot in this column. A shorter step brings the point nearer to the accepted one and the mass matrix forward.
    Singular {
        column: usize,
    },
}

/// Whether a Newton matrix was factored: an outer error is the system's, an inner one the column without pivot.
type Factored<E> = Result<Result<(), usize>, StepError<E>>;

impl Implicit {
    /// Newton's method for one step; writes the end point to `self`.
    pub(super) fn attempt<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        (t, t_new): (f64, f64),
        (q, z): (&[f64], &[f64]),
        work: &mut Work,
    ) -> Result<Attempt, StepError<S::Error>> {
        let h = t_new - t;
        let coefficients = Coefficients::of(self.rho, self.settling);
        let weights = coefficients.weights(h);
        for (k, a) in self.a.iter_mut().enumerate() {
            *a = memory.a[k] + memory.a_change[k] * (h / memory.h_last);
        }
        if self.settling {
            self.alpha_old.fill(0.0);
        } else {
            memory.alpha_for(h, &mut self.alpha_old);
        }
        self.lambda.copy_from_slice(&memory.lambda);
        for (base, (z, rate)) in self.z_base.iter_mut().zip(z.iter().zip(&memory.z_rate)) {
            *base = z + (1.0 - coefficients.contact) * h * rate;
        }
        if let Err(column) = self.restore_factors(system, memory, work)? {
            return Ok(Attempt::Singular { column });
        }
        let mut fresh = false;
        self.remembered = 0;
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            self.place(system, memory, &coefficients, h, q);
            let serves = |l: &LinearisedAt| l.settling == self.settling && (l.h - h).abs() <= 1e-9 * h;
            let usable = self.factored && memory.linearised.as_ref().is_some_and(serves);
            if !usable {
                work.factorisations += 1;
                if let Err(column) = self.linearise(system, memory, t_new, h, weights)? {
                    return Ok(Attempt::Singular { column });
                }
                fresh = true;
                self.remembered = 0;
            }
            let at = Point {
                t: t_new,
                q: &self.q,
                v: &self.v,
                a: &self.a,
                lambda: &self.lambda,
                z_base: &self.z_base,
                h_z: coefficients.contact * h,
            };
            system.residual(&at, &mut self.r, &mut self.C).map_err(StepError::System)?;
            work.iterations += 1;
            self.dx.iter_mut().zip(&self.r).for_each(|(d, r)| *d = -r);
            self.dlambda.iter_mut().zip(&self.C).for_each(|(d, c)| *d = -c / weights.q);
            self.saddle.solve_gently(&mut self.dx, &mut self.dlambda);
            self.improve_correction();
            let size = self.correction_size(&weights, q, &memory.v);
            if !size.is_finite() {
                return Ok(Attempt::Failed { residual: size });
            }
            self.a.iter_mut().zip(&self.dx).for_each(|(a, d)| *a += d);
            self.lambda.iter_mut().zip(&self.dlambda).for_each(|(l, d)| *l += d);
            // The first correction gives no information about the rate of convergence.
            let contraction = if iteration == 0 { 1.0 } else { size / last };
            // What remains after this correction is about size·contraction/(1 − contraction).
            let remains =
                if contraction < 1.0 { size * contraction / (1.0 - contraction) } else { f64::INFINITY };
            let stagnates = iteration > 0 && fresh && contraction > SLOW && size < ROUND_OFF;
            if size <= 1.0 || remains <= 1.0 || stagnates {
                self.place(system, memory, &coefficients, h, q);
                if self.is_closed(system, t_new) {
                    return Ok(Attempt::Converged);
                }
            }
            if iteration > 0 {
                if fresh && contraction > DIVERGES && iteration > 2 {
                    break;
                }
                // Renew the matrix where the old one would need more than a few iterations to the end.
                let needed = if contraction < 1.0 {
                    size.natural_log() / -contraction.natural_log()
                } else {
                    f64::INFINITY
                };
                if needed > PATIENCE {
                    self.factored = false;
                }
            }
            last = size;
        }
        self.factored = false;
        Ok(Attempt::Failed { residual: last })
    }

    /// A step of backward Euler with one correction from unchanged rates, after an attempt that found no end: where a law jumps with the direction of motion there may be none, and a body at yield comes to rest between
    /// both sides of the jump. Linearly implicit, as `realtime` is, which takes energy all the same.
    pub(super) fn step_linearly<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        (t, t_new): (f64, f64),
        q: &[f64],
        work: &mut Work,
    ) -> Result<Attempt, StepError<S::Error>> {
        let h = t_new - t;
        let coefficients = Coefficients::of(self.rho, self.settling);
        let weights = coefficients.weights(h);
        self.a.fill(0.0);
        self.lambda.fill(0.0);
        self.place(system, memory, &coefficients, h, q);
        work.factorisations += 1;
        if let Err(column) = self.linearise(system, memory, t_new, h, weights)? {
            return Ok(Attempt::Singular { column });
        }
        let at = Point {
            t: t_new,
            q: &self.q,
            v: &self.v,
            a: &self.a,
            lambda: &self.lambda,
            z_base: &self.z_base,
            h_z: coefficients.contact * h,
        };
        system.residual(&at, &mut self.r, &mut self.C).map_err(StepError::System)?;
        work.iterations += 1;
        self.dx.iter_mut().zip(&self.r).for_each(|(d, r)| *d = -r);
        self.dlambda.iter_mut().zip(&self.C).for_each(|(d, c)| *d = -c / weights.q);
        self.saddle.solve_gently(&mut self.dx, &mut self.dlambda);
        self.a.copy_from_slice(&self.dx);
        self.lambda.copy_from_slice(&self.dlambda);
        self.place(system, memory, &coefficients, h, q);
        let ends = self.a.iter().all(|a| a.is_finite()) && self.is_closed(system, t_new);
        Ok(if ends { Attempt::Converged } else { Attempt::Failed { residual: f64::INFINITY } })
    }

    /// Improves a correction of a kept matrix by what the corrections before have shown of the true one (Broyden's method; Kelley 2003, algorithm brsol: the
    /// steps taken are all that needs to be remembered), and remembers it.
    fn improve_correction(&mut self) {
        let n = self.dx.len();
        if self.secants.is_empty() {
            return;
        }
        let (known, rest) = self.secants.split_at_mut(self.remembered * n);
        for (k, step) in known.chunks_exact(n).enumerate() {
            let share = dot(step, &self.dx) / dot(step, step).max(f64::MIN_POSITIVE);
            match known[k * n..].get(n..2 * n) {
                Some(next) => self.dx.iter_mut().zip(next).for_each(|(d, s)| *d += share * s),
                // A share near one means that the reused matrix is useless: no improvement is better than a
                // large wrong one.
                None if share < WILD => self.dx.iter_mut().for_each(|d| *d /= 1.0 - share),
                None => {}
            }
        }
        if let Some(free) = rest.get_mut(..n) {
            free.copy_from_slice(&self.dx);
            self.remembered += 1;
        } else {
            // Full: start again with the unmodified matrix.
            self.remembered = 0;
        }
    }

    /// End-of-step q, v, α for the present accelerations.
    fn place<S: Mechanical>(&mut self, system: &S, memory: &Memory, c: &Coefficients, h: f64, q: &[f64]) {
        let v = &memory.v;
        for k in 0..self.a.len() {
            let alpha = ((1.0 - c.alpha_f) * self.a[k] + c.alpha_f * memory.a[k]
                - c.alpha_m * self.alpha_old[k])
                / (1.0 - c.alpha_m);
            self.alpha[k] = alpha;
            self.v[k] = v[k] + h * ((1.0 - c.gamma) * self.alpha_old[k] + c.gamma * alpha);
            self.dq[k] = h * v[k] + h * h * ((0.5 - c.beta) * self.alpha_old[k] + c.beta * alpha);
        }
        system.add_step(q, &self.dq, &mut self.q);
    }

    /// Evaluates the Newton matrix at the present trial point; an inner error names a column without pivot.
    fn linearise<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        t: f64,
        h: f64,
        weights: NewtonWeights,
    ) -> Factored<S::Error> {
        match &mut memory.linearised {
            Some(l) => {
                (l.t, l.h, l.settling) = (t, h, self.settling);
                l.q.copy_from_slice(&self.q);
                l.v.copy_from_slice(&self.v);
                l.a.copy_from_slice(&self.a);
                l.lambda.copy_from_slice(&self.lambda);
                l.z_base.copy_from_slice(&self.z_base);
            }
            none => {
                *none = Some(LinearisedAt {
                    t,
                    h,
                    settling: self.settling,
                    q: self.q.clone(),
                    v: self.v.clone(),
                    a: self.a.clone(),
                    lambda: self.lambda.clone(),
                    z_base: self.z_base.clone(),
                });
            }
        }
        self.factor_at(system, memory, weights)
    }

    /// After a restart the factors are missing but their point is known.
    fn restore_factors<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        work: &mut Work,
    ) -> Factored<S::Error> {
        match &memory.linearised {
            Some(l) if !self.factored => {
                let weights = Coefficients::of(self.rho, l.settling).weights(l.h);
                work.factorisations += 1;
                self.factor_at(system, memory, weights)
            }
            _ => Ok(Ok(())),
        }
    }

    /// Factors the matrix at the stored point; a point without factors is dropped.
    fn factor_at<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        weights: NewtonWeights,
    ) -> Factored<S::Error> {
        let Some(l) = &memory.linearised else { return Ok(Ok(())) };
        let h_z = Coefficients::of(self.rho, l.settling).contact * l.h;
        let at = Point { t: l.t, q: &l.q, v: &l.v, a: &l.a, lambda: &l.lambda, z_base: &l.z_base, h_z };
        system.tangent(&at, weights, self.saddle.matrix_mut()).map_err(StepError::System)?;
        let factors = self.saddle.factor();
        self.factored = factors.is_ok();
        if !self.factored {
            memory.forget_matrix();
        }
        Ok(factors)
    }

    /// Whether the trial point lies on the constraints: close to a singular position small corrections do not
    /// imply it.
    fn is_closed<S: Mechanical>(&mut self, system: &mut S, t: f64) -> bool {
        if self.C.is_empty() {
            return true;
        }
        system.constraint_residual(t, &self.q, &mut self.C);
        self.C.iter().all(|c| c.abs() <= CLOSED)
    }

    /// Largest change of positions and rates by the last correction, relative to the tolerance. Not a number if one is not.
    fn correction_size(&mut self, weights: &NewtonWeights, q: &[f64], v: &[f64]) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() });
        let step = largest(&self.dx);
        let position = weights.q * step / (POSITION_TOLERANCE * (1.0 + largest(q)));
        let rate = weights.v * step / (RATE_TOLERANCE * (1.0 + largest(v)));
        let motion = (if position > rate { position } else { rate }) / self.slack;
        if self.dlambda.is_empty() {
            return motion;
        }
        let (change, total) =
            (self.saddle.largest_push(&self.dlambda), self.saddle.largest_push(&self.lambda));
        // Round-off of the constraints, divided by the step's weight, is noise in the forces.
        let tolerance = FORCE_TOLERANCE.max(CONSTRAINT_NOISE / weights.q);
        let force = change / (self.slack * tolerance * (change + total)).max(f64::MIN_POSITIVE);
        if motion > force { motion } else { force }
    }
}
