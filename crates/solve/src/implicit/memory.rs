//! Memory of the implicit method between steps, and its coefficients.

use crate::mechanical::NewtonWeights;
use serde::{Deserialize, Serialize};

/// Relative difference of lengths that rounding of the time explains.
const SAME_LENGTH: f64 = 1e-6;
/// A difference of accelerations that carries the tolerance of Newton's method, 1e-12 of the rates, over a step's length adds its square times that to the rates: 1e-8.
const MOST_STRETCH: f64 = 100.0;

/// All data that a restart needs in addition to t, q, v, z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// Rates as the method carries them: on the constraints to second order. Projecting them at every step
    /// would feed its small corrections back and reduce the order; the state gets the projected ones.
    pub(super) v: Vec<f64>,
    /// True accelerations at the last accepted point.
    pub a: Vec<f64>,
    /// Their change over the last step and its length: the initial value of the next.
    pub(super) a_change: Vec<f64>,
    pub(super) h_last: f64,
    /// Auxiliary accelerations.
    pub alpha: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Rates of the contact states.
    pub z_rate: Vec<f64>,
    /// Next step, s.
    pub h: f64,
    /// Whether a force jumped within the last step: the next one still is one of backward Euler.
    pub(super) settles: bool,
    /// Where the Newton matrix in use was taken; `None` before the first.
    pub(super) linearised: Option<LinearisedAt>,
}

/// Point of a Newton matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LinearisedAt {
    pub t: f64,
    pub h: f64,
    pub settling: bool,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub lambda: Vec<f64>,
    pub z_base: Vec<f64>,
}

impl Memory {
    /// Memory at the start: consistent rates, accelerations, multipliers and contact rates. The auxiliary acceleration is the true one
    /// at (a_m − a_f)·h from now; without its derivative `jerk` the multipliers would begin with an error of first order.
    pub fn new(start: Start, h: f64, spectral_radius: f64) -> Self {
        let Start { v, a, jerk, lambda, z_rate } = start;
        let c = Coefficients::new(spectral_radius);
        let alpha = a.iter().zip(&jerk).map(|(a, j)| a + (c.alpha_m - c.alpha_f) * h * j).collect();
        let a_change = jerk.iter().map(|j| j * h).collect();
        Memory { v, alpha, a_change, h_last: h, a, lambda, z_rate, h, settles: false, linearised: None }
    }

    /// The auxiliary acceleration for a step of length h. It is the true one at (a_m − a_f)·h from now: one
    /// from a step of another length would reduce the order of the method (Brüls & Arnold 2008, section 4).
    /// Lengths that differ by rounding count as the same.
    pub(super) fn alpha_for(&self, h: f64, out: &mut [f64]) {
        out.copy_from_slice(&self.alpha);
        let ratio = h / self.h_last;
        if (ratio - 1.0).abs() > SAME_LENGTH {
            // After a very short step the difference is the residual of Newton's method divided by its
            // length.
            let ratio = if ratio > MOST_STRETCH { 0.0 } else { ratio };
            out.iter_mut().zip(&self.a).for_each(|(alpha, a)| *alpha = a + ratio * (*alpha - a));
        }
    }

    /// The next step is half as long.
    pub fn halve_step(&mut self) {
        self.h *= 0.5;
        self.linearised = None;
    }

    /// Forces have a kink or a jump here: the next step starts from the true acceleration, and the predicted
    /// change is discarded.
    pub fn forget_trend(&mut self) {
        self.alpha.copy_from_slice(&self.a);
        self.a_change.fill(0.0);
    }

    /// The next step evaluates a new Newton matrix: for systems that changed in more than q, v and z, so that
    /// the old one could not be rebuilt after a restart.
    pub fn forget_matrix(&mut self) {
        self.linearised = None;
    }
}

/// A consistent start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Rates.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Their rate; an estimate of first order is sufficient.
    pub jerk: Vec<f64>,
    /// Multipliers.
    pub lambda: Vec<f64>,
    /// Rates of the contact states.
    pub z_rate: Vec<f64>,
}

/// Coefficients of the method for a spectral radius.
pub(super) struct Coefficients {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub gamma: f64,
    pub beta: f64,
    /// Share of the rates at the end in the step of the contact states: the trapezoidal rule, or backward Euler.
    pub contact: f64,
}

impl Coefficients {
    /// Those of a step: of the method, or of backward Euler where a force jumps.
    pub fn of(rho: f64, settling: bool) -> Self {
        if settling { Coefficients::backward_euler() } else { Coefficients::new(rho) }
    }

    /// Backward Euler, v⁺ = v + h v̇⁺ and q⁺ = q ⊕ h v⁺, with zero for the auxiliary acceleration at the begin.
    fn backward_euler() -> Self {
        Coefficients { alpha_m: 0.0, alpha_f: 0.0, gamma: 1.0, beta: 1.0, contact: 1.0 }
    }

    pub fn new(rho: f64) -> Self {
        let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
        let alpha_f = rho / (rho + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Coefficients { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), contact: 0.5 }
    }

    /// Weights of the Newton matrix for the true acceleration as unknown.
    pub fn weights(&self, h: f64) -> NewtonWeights {
        let share = (1.0 - self.alpha_f) / (1.0 - self.alpha_m);
        NewtonWeights { a: 1.0, v: h * self.gamma * share, q: h * h * self.beta * share }
    }
}
