//! `explicit`: the accurate integrator for problems that are not stiff; called by the step loop, calls back an [`Ode`].
//! Flow of one step: `step` drives, `control` proposes its length, `trial` computes it and its error,
//! `events` shortens it (`crossing` finds the place), `dense` interpolates inside it, `tableau` holds the
//! numbers.
//!
//! # Method
//! The Runge–Kutta method of Dormand and Prince of order 8 in the form DOP853 of Hairer, Nørsett and Wanner (*Solving
//! Ordinary Differential Equations I*, 2nd ed., sections II.4–II.6): twelve stages,
//!
//! ```text
//! k_s = f(t + c_s h, y + h Σ_j a_sj k_j),     y_new = y + h Σ_s b_s k_s.
//! ```
//!
//! **Error.** Two embedded estimates e5 and e3, of orders 5 and 3, are weighted by `absolute·scale_i +
//! relative·max(|y_i|, |y_new,i|)` and joined as `err = h ‖e5‖² / sqrt(n (‖e5‖² + 0.01 ‖e3‖²))` (section II.10),
//! which behaves as h⁸; a step passes when `err ≤ 1`. Components with infinite scale are left out, and n
//! counts the others.
//!
//! **Step size.** The proportional-integral rule `h_new = h · 0.9 · err^(−α) · err_old^β`, with β = 0.04 and α = 1/8
//! − 0.2 β, kept between h/3 and 6 h (section IV.2 of the second volume explains why it is smoother than the plain
//! rule). A trial in which the right-hand side fails, or yields a number that is not finite, is repeated with a
//! quarter of the length, a bounded number of times.
//!
//! **Projection.** The end point of a step that passed goes through [`Ode::project`]; what is accepted is the
//! projected one. Its distance is of the size of the local error, so the order is kept (Hairer, Lubich, Wanner,
//! *Geometric Numerical Integration*, section IV.4).
//!
//! **Dense output.** Four more evaluations give a polynomial of degree 7 (section II.6). It joins the accepted,
//! projected ends with the slopes there, so it is continuously differentiable from step to step. It is not projected
//! in between.
//!
//! **Events.** See `events`: a step in which an event function changes its sign is repeated so that it ends just past
//! the crossing. A function that changes twice within one step, and so has its old sign at the end, is not
//! detected. Inside a step the right-hand side is evaluated on both sides of the crossing. Where it has only
//! a kink this costs nothing once the step ends there; where it jumps (dry friction, a switch), the problem
//! should hold its branch fixed during a step, and choose it again from the signs at the beginning of each
//! step (not toggle it at reports: a function thrown back through zero right after its event is not reported
//! again).
//!
//! # Restart
//! A step depends on `t`, `y`, [`Memory`] and the problem, and on nothing else: no slope is carried over, because the
//! problem's own history may advance between two steps.
//!
//! # Valid when
//! The problem is smooth between events and not stiff: at stability-limited step sizes (|λ| h ≈ 6) the method stays
//! stable by rejecting, but the work grows with |λ|. Time runs forwards.

mod control;
mod crossing;
mod dense;
mod events;
mod step;
mod tableau;
#[cfg(test)]
mod tests;
mod trial;

pub use crate::control::Control;
use control::Growth;
use events::{EventMemory, Watch};
use serde::{Deserialize, Serialize};
use trial::Trial;

/// A system of ordinary differential equations, with a manifold for projection and event functions.
pub trait Ode {
    /// Error of an evaluation.
    type Error;

    /// Number of components of `y`.
    fn dim(&self) -> usize;

    /// Writes dy/dt; pure in (t, y) during a step.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Self::Error>;

    /// Called on the end point of each step that passed the error test, before it is accepted: brings y back onto its
    /// manifold (unit quaternions, constraints). A step cut at an event calls it more than once.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), Self::Error>;

    /// Multiplier of the absolute tolerance for each component; length `dim()`. `f64::INFINITY` takes a component out of the
    /// error test.
    fn scales(&self) -> &[f64];

    /// Number of event functions.
    fn event_count(&self) -> usize {
        0
    }

    /// Values whose sign changes are located: the step ends there, so that no step crosses a kink. They
    /// should be continuous, and not clamped at zero.
    #[expect(unused_variables, reason = "the default watches nothing")]
    fn events(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// All data that a restart needs for identical later results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    growth: Growth,
    events: Vec<EventMemory>,
}

impl Memory {
    /// Length that the next step will try, s.
    pub fn next_step(&self) -> f64 {
        self.growth.h
    }
}

/// Result of an accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Time at which the step began, s.
    pub t_old: f64,
    /// Time at which it ended, s.
    pub t_new: f64,
    /// Trials rejected because of their error or a failed evaluation.
    pub rejected: u32,
    /// Evaluations of the right-hand side, all trials and the location of events included.
    pub evaluations: u32,
    /// The event at which the step ended: the end point lies just past its crossing. See
    /// [`Explicit::crossed`] for others that crossed at the same moment.
    pub event: Option<usize>,
}

/// Reasons for a failed step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExplicitError<E> {
    /// The problem reported an error, and (adaptive) shorter steps did not avoid it.
    #[error("{0}")]
    Rhs(E),
    /// The error test requires a step that no longer changes the time.
    #[error(
        "step of {h:e} s at t = {t} s is too small: the motion is too stiff or singular for the tolerance"
    )]
    StepTooSmall {
        /// Time at which the step began, s.
        t: f64,
        /// Length that was asked for, s.
        h: f64,
    },
    /// A slope or a state is infinite or not a number, and (adaptive) shorter steps did not avoid it.
    #[error("component {index} is not finite at t = {t} s")]
    NotFinite {
        /// Time of the evaluation, s.
        t: f64,
        /// Component of the state.
        index: usize,
    },
    /// The end of the step is not after its beginning.
    #[error("cannot step from t = {t} s to t = {t_limit} s: time runs forwards")]
    LimitNotAhead {
        /// Time at which the step would begin, s.
        t: f64,
        /// Time not to be passed, s.
        t_limit: f64,
    },
    /// Dense output was asked for outside the last accepted step.
    #[error("t = {t} s is outside the last step, [{t_old}, {t_new}] s")]
    OutsideStep {
        /// Time asked for, s.
        t: f64,
        /// Beginning of the last step, s; not a number if there is none.
        t_old: f64,
        /// End of the last step, s; not a number if there is none.
        t_new: f64,
    },
}

/// The integrator: work arrays, and the last accepted step for its dense output. It may be dropped between
/// steps.
pub struct Explicit {
    control: Control,
    trial: Trial,
    watch: Watch,
}

impl Explicit {
    /// Work arrays for `dim` components and `event_count` event functions; later calls allocate nothing.
    pub fn new(dim: usize, event_count: usize, control: Control) -> Self {
        Self { control, trial: Trial::new(dim, control), watch: Watch::new(dim, event_count) }
    }

    /// Which event functions crossed at the end of the last step: all false unless it reported an event.
    pub fn crossed(&self) -> &[bool] {
        self.watch.crossed()
    }
}
