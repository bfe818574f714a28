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
//! factors for the state that others see. The Newton matrix is kept while it serves: the point it was taken at is part of the memory, so that a restart rebuilds
//! the same bits.

use crate::linear::Saddle;
use crate::mechanical::{Mechanical, NewtonWeights, Point};
use crate::realtime::StepError;
use serde::{Deserialize, Serialize};

/// Step control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Every step has this length, s.
    Fixed(f64),
    /// The local error is held to `relative·|x| + absolute`.
    Adaptive {
        /// Relative tolerance.
        relative: f64,
        /// Absolute tolerance.
        absolute: f64,
        /// Longest step, s.
        longest: f64,
    },
}

/// Everything that must survive a restart, beside t, q, v, z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Rates as the method carries them: on the constraints to second order. Projecting them at every step would feed its small
    /// corrections back and cost an order; the state gets the projected ones.
    v: Vec<f64>,
    /// True accelerations at the last accepted point.
    pub a: Vec<f64>,
    /// Their change over the last step and its length: the first guess of the next.
    a_change: Vec<f64>,
    h_last: f64,
    /// Auxiliary accelerations.
    pub alpha: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Rates of the contact states.
    pub z_rate: Vec<f64>,
    /// Next step, s.
    pub h: f64,
    /// Where the Newton matrix in use was taken; `None` before the first.
    linearised: Option<LinearisedAt>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LinearisedAt {
    t: f64,
    h: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    lambda: Vec<f64>,
    z_base: Vec<f64>,
}

impl Memory {
    /// Memory at the start: consistent rates, accelerations, multipliers and contact rates. The auxiliary acceleration is the true one
    /// at (a_m − a_f)·h from now; without its derivative `jerk` the multipliers would begin with an error of first order.
    pub fn new(start: Start, h: f64, spectral_radius: f64) -> Self {
        let Start { v, a, jerk, lambda, z_rate } = start;
        let c = Coefficients::new(spectral_radius);
        let alpha = a.iter().zip(&jerk).map(|(a, j)| a + (c.alpha_m - c.alpha_f) * h * j).collect();
        let a_change = jerk.iter().map(|j| j * h).collect();
        Memory { v, alpha, a_change, h_last: h, a, lambda, z_rate, h, linearised: None }
    }
}

/// A consistent start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Rates.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Their rate; an estimate of first order will do.
    pub jerk: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Rates of the contact states.
    pub z_rate: Vec<f64>,
}

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

/// Newton iterations before an attempt is given up.
const MAX_ITERATIONS: u32 = 20;
/// Contraction of a fresh matrix above which small corrections count as round-off.
const SLOW: f64 = 0.3;
/// Contraction of a fresh matrix above which an attempt is given up.
const DIVERGES: f64 = 2.0;
/// Iterations to the end beyond which the matrix is renewed: a new one costs about as much as this many.
const PATIENCE: f64 = 4.0;
/// Attempts (each half as long) before a step fails.
const MAX_REJECTIONS: u32 = 30;
/// Accuracy of the Newton solve: largest correction of positions and of rates, relative to 1 + the largest of them. What is left
/// adds up over the steps, and must stay below the method's own error.
const POSITION_TOLERANCE: f64 = 1e-13;
const RATE_TOLERANCE: f64 = 1e-12;
/// Constraint residual that a converged step may have (m, rad).
const CLOSED: f64 = 1e-11;
/// Corrections that stay below this multiple of the tolerance but no longer shrink are round-off.
const ROUND_OFF: f64 = 1e3;

/// Working memory of the method.
#[derive(Clone, Debug)]
pub struct Implicit {
    control: Control,
    rho: f64,
    saddle: Saddle,
    /// Whether `saddle` holds the factors that `Memory::linearised` describes.
    factored: bool,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    alpha: Vec<f64>,
    lambda: Vec<f64>,
    dq: Vec<f64>,
    r: Vec<f64>,
    C: Vec<f64>,
    dx: Vec<f64>,
    dlambda: Vec<f64>,
    z_base: Vec<f64>,
    z: Vec<f64>,
}

struct Coefficients {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
}

impl Coefficients {
    fn new(rho: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Coefficients { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5) }
    }

    /// Weights of the Newton matrix for the true acceleration as unknown.
    fn weights(&self, h: f64) -> NewtonWeights {
        let share = (1.0 - self.alpha_f) / (1.0 - self.alpha_m);
        NewtonWeights { a: 1.0, v: h * self.gamma * share, q: h * h * self.beta * share }
    }
}

enum Attempt {
    Converged,
    Failed { residual: f64 },
}

impl Implicit {
    /// Memory for a system; `spectral_radius` in 0 … 1.
    pub fn new(system: &impl Mechanical, control: Control, spectral_radius: f64) -> Self {
        let s = system.sizes();
        Implicit {
            control,
            rho: spectral_radius,
            saddle: Saddle::new(s.nv, s.nc, system.elimination_tree()),
            factored: false,
            q: vec![0.0; s.nq],
            v: vec![0.0; s.nv],
            a: vec![0.0; s.nv],
            alpha: vec![0.0; s.nv],
            lambda: vec![0.0; s.nc],
            dq: vec![0.0; s.nv],
            r: vec![0.0; s.nv],
            C: vec![0.0; s.nc],
            dx: vec![0.0; s.nv],
            dlambda: vec![0.0; s.nc],
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
            let outcome = self.attempt(system, memory, (*t, t_new), (q, z), &mut work)?;
            let error = match outcome {
                Attempt::Converged => self.error(memory, h, q),
                Attempt::Failed { residual } if work.rejected >= MAX_REJECTIONS => {
                    return Err(StepError::NoConvergence { residual });
                }
                Attempt::Failed { .. } => f64::INFINITY,
            };
            if error <= 1.0 {
                if let Control::Adaptive { .. } = self.control {
                    let grown = h * (0.9 * error.max(1e-4).powf(-1.0 / 3.0)).clamp(0.2, 2.0);
                    // A step cut by the limit says nothing against the longer one, and small changes are not worth new factors.
                    let proposal = if cut && full { memory.h.max(grown) } else { grown };
                    memory.h =
                        if proposal > memory.h && proposal < 1.2 * memory.h { memory.h } else { proposal };
                }
                self.accept(system, memory, t_new, (q, v, z))?;
                *t = t_new;
                return Ok(work);
            }
            work.rejected += 1;
            if work.rejected > MAX_REJECTIONS {
                return Err(StepError::NoConvergence { residual: error });
            }
            let shrink = if error.is_finite() { (0.9 * error.powf(-1.0 / 3.0)).clamp(0.1, 0.9) } else { 0.5 };
            h *= shrink;
            memory.h = h;
            if error.is_infinite() {
                // The guess led astray: begin afresh from the true acceleration.
                memory.alpha.copy_from_slice(&memory.a);
                memory.a_change.fill(0.0);
            }
        }
    }

    /// Newton's method for one step; leaves the end point in `self`.
    fn attempt<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        (t, t_new): (f64, f64),
        (q, z): (&[f64], &[f64]),
        work: &mut Work,
    ) -> Result<Attempt, StepError<S::Error>> {
        let h = t_new - t;
        let coefficients = Coefficients::new(self.rho);
        let weights = coefficients.weights(h);
        for (k, a) in self.a.iter_mut().enumerate() {
            *a = memory.a[k] + memory.a_change[k] * (h / memory.h_last);
        }
        self.lambda.copy_from_slice(&memory.lambda);
        for (base, (z, rate)) in self.z_base.iter_mut().zip(z.iter().zip(&memory.z_rate)) {
            *base = z + 0.5 * h * rate;
        }
        self.restore_factors(system, memory, work)?;
        let mut fresh = false;
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            self.place(system, memory, &coefficients, h, q);
            let usable =
                self.factored && memory.linearised.as_ref().is_some_and(|l| (l.h - h).abs() <= 1e-9 * h);
            if !usable {
                self.linearise(system, memory, t_new, h, weights)?;
                work.factorisations += 1;
                fresh = true;
            }
            let at = Point {
                t: t_new,
                q: &self.q,
                v: &self.v,
                a: &self.a,
                lambda: &self.lambda,
                z_base: &self.z_base,
                h_z: 0.5 * h,
            };
            system.residual(&at, &mut self.r, &mut self.C).map_err(StepError::System)?;
            work.iterations += 1;
            self.dx.iter_mut().zip(&self.r).for_each(|(d, r)| *d = -r);
            self.dlambda.iter_mut().zip(&self.C).for_each(|(d, c)| *d = -c / weights.q);
            self.saddle.solve_gently(&mut self.dx, &mut self.dlambda);
            let size = self.correction_size(&weights, q, &memory.v);
            if !size.is_finite() {
                return Ok(Attempt::Failed { residual: size });
            }
            self.a.iter_mut().zip(&self.dx).for_each(|(a, d)| *a += d);
            self.lambda.iter_mut().zip(&self.dlambda).for_each(|(l, d)| *l += d);
            // The first correction says nothing about the rate of convergence.
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
                let needed = if contraction < 1.0 { size.ln() / -contraction.ln() } else { f64::INFINITY };
                if needed > PATIENCE {
                    self.factored = false;
                }
            }
            last = size;
        }
        self.factored = false;
        Ok(Attempt::Failed { residual: last })
    }

    /// End-of-step q, v, α for the present accelerations.
    fn place<S: Mechanical>(&mut self, system: &S, memory: &Memory, c: &Coefficients, h: f64, q: &[f64]) {
        let v = &memory.v;
        for k in 0..self.a.len() {
            let alpha = ((1.0 - c.alpha_f) * self.a[k] + c.alpha_f * memory.a[k]
                - c.alpha_m * memory.alpha[k])
                / (1.0 - c.alpha_m);
            self.alpha[k] = alpha;
            self.v[k] = v[k] + h * ((1.0 - c.gamma) * memory.alpha[k] + c.gamma * alpha);
            self.dq[k] = h * v[k] + h * h * ((0.5 - c.beta) * memory.alpha[k] + c.beta * alpha);
        }
        system.add_step(q, &self.dq, &mut self.q);
    }

    /// Takes the Newton matrix at the present trial point.
    fn linearise<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &mut Memory,
        t: f64,
        h: f64,
        weights: NewtonWeights,
    ) -> Result<(), StepError<S::Error>> {
        match &mut memory.linearised {
            Some(l) => {
                (l.t, l.h) = (t, h);
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

    /// After a restart the factors are gone but the point they came from is known.
    fn restore_factors<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &Memory,
        work: &mut Work,
    ) -> Result<(), StepError<S::Error>> {
        match &memory.linearised {
            Some(l) if !self.factored => {
                let weights = Coefficients::new(self.rho).weights(l.h);
                work.factorisations += 1;
                self.factor_at(system, memory, weights)
            }
            _ => Ok(()),
        }
    }

    fn factor_at<S: Mechanical>(
        &mut self,
        system: &mut S,
        memory: &Memory,
        weights: NewtonWeights,
    ) -> Result<(), StepError<S::Error>> {
        let Some(l) = &memory.linearised else { return Ok(()) };
        let at =
            Point { t: l.t, q: &l.q, v: &l.v, a: &l.a, lambda: &l.lambda, z_base: &l.z_base, h_z: 0.5 * l.h };
        let (T, G) = self.saddle.blocks_mut();
        system.tangent(&at, weights, T, G).map_err(StepError::System)?;
        self.saddle.factor().map_err(StepError::Singular)?;
        self.factored = true;
        Ok(())
    }

    /// Whether the trial point lies on the constraints: close to a singular position small corrections do not say so.
    fn is_closed<S: Mechanical>(&mut self, system: &mut S, t: f64) -> bool {
        if self.C.is_empty() {
            return true;
        }
        system.constraint_residual(t, &self.q, &mut self.C);
        self.C.iter().all(|c| c.abs() <= CLOSED)
    }

    /// Largest change of positions and rates by the last correction, relative to the tolerance. Not a number if one is not.
    fn correction_size(&self, weights: &NewtonWeights, q: &[f64], v: &[f64]) -> f64 {
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| if x.abs() <= m { m } else { x.abs() });
        let step = largest(&self.dx);
        let position = weights.q * step / (POSITION_TOLERANCE * (1.0 + largest(q)));
        let rate = weights.v * step / (RATE_TOLERANCE * (1.0 + largest(v)));
        if position > rate { position } else { rate }
    }

    /// Local error relative to the tolerance; zero with fixed steps.
    fn error(&self, memory: &Memory, h: f64, q: &[f64]) -> f64 {
        let v = &memory.v;
        let Control::Adaptive { relative, absolute, .. } = self.control else { return 0.0 };
        // The first dropped term of the position is h³/6·(jerk), of the rate h³/12·(snap), seen through the change of α.
        let scale_q = q.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let mut worst: f64 = 0.0;
        for k in 0..self.alpha.len() {
            let jump = (self.alpha[k] - memory.alpha[k]).abs();
            let position = h * h * jump / 12.0 / (absolute + relative * scale_q);
            let rate = h * jump / 12.0 / (absolute + relative * v[k].abs().max(scale_q)) * h;
            worst = worst.max(position).max(rate);
        }
        worst
    }

    /// Takes the trial point over, projects the rates, advances the contact states.
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
            h_z: 0.5 * h,
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

    /// Takes out of `self.v` what violates the constraints. The factors are those of the step, so each round gains a power of h.
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
