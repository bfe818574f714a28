//! The length of a step: initial value, growth after success, shrinking after a rejection or a failure,
//! landing on the limit. Called by `step`; it uses times and errors, not the state.
//! Hairer, Nørsett, Wanner I, section II.4; Hairer, Wanner II, section IV.2.

use super::events::EventMemory;
use super::trial::{evaluate, tolerance};
use super::{Control, Explicit, ExplicitError, Memory, Ode};
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;

/// Order of the method, which is also the power of h in the joined error.
const ORDER: f64 = 8.0;
/// Safety factor on the predicted step; HNW I, Eq. (II.4.13).
const SAFETY: f64 = 0.9;
/// Weight of the previous error in the proportional-integral rule; HNW II, section IV.2 and the program
/// `dop853`.
const BETA: f64 = 0.04;
/// Power of the present error, lowered by a part of BETA so that both together act about as 1/ORDER.
const ALPHA: f64 = 1.0 / ORDER - 0.2 * BETA;
/// Largest ratio by which a step may shrink or grow at once; the program `dop853`.
const MOST_SHRINK: f64 = 3.0;
const MOST_GROWTH: f64 = 6.0;
/// Lower bound of errors in the memory: smaller ones come from a step that was short for another reason.
const LEAST_ERROR: f64 = 1e-4;
/// A step that ends this close to the limit, as a share of its length, ends on it.
const LANDING: f64 = 1e-9;
/// A trial that could not be evaluated is repeated with this share of its length, at most this many times:
/// down to 6e-8 of it.
const FAILURE_SHRINK: f64 = 0.25;
const MOST_FAILURES: u32 = 12;
/// Least step: ten units in the last place of the time (the program `dop853`), and near t = 0 a time in s below any physics.
const LEAST_STEP_ULPS: f64 = 10.0;
const LEAST_STEP_S: f64 = 1e-30;
/// First step: the part of the tolerance-weighted size that an Euler step may move; HNW I, section II.4.
const FIRST_MOVE: f64 = 0.01;
/// First step if sizes or slopes give no estimate, s; HNW I, section II.4.
const FIRST_BLIND_S: f64 = 1e-6;
/// Weighted sizes below `NO_SIZE`, and weighted slopes below `NO_SLOPE`, count as zero; HNW I, section II.4.
const NO_SIZE: f64 = 1e-5;
const NO_SLOPE: f64 = 1e-15;

/// Memory of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Growth {
    /// Length to try next, s.
    pub(super) h: f64,
    /// Error of the last step that was not cut.
    error_old: f64,
}

/// Lengths within one step.
pub(super) struct Pace {
    control: Control,
    t: f64,
    t_limit: f64,
    /// Length to try next, s.
    h: f64,
    /// Whether the limit made the present trial shorter than `h`.
    cut: bool,
    before: Growth,
    /// Memory if the present trial is accepted.
    after: Growth,
    rejected: u32,
    failures: u32,
}

impl Pace {
    pub(super) fn new(control: Control, before: Growth, t: f64, t_limit: f64) -> Self {
        let h = match control {
            Control::Fixed(h) => h,
            Control::Adaptive { longest, .. } => before.h.min(longest),
        };
        Self { control, t, t_limit, h, cut: false, before, after: before, rejected: 0, failures: 0 }
    }

    /// End of the next trial: the limit itself if the step would come close to it or pass it.
    pub(super) fn target<E>(&mut self) -> Result<f64, ExplicitError<E>> {
        let remaining = self.t_limit - self.t;
        self.cut = remaining < self.h * (1.0 - LANDING);
        if remaining <= self.h * (1.0 + LANDING) {
            return Ok(self.t_limit);
        }
        if self.too_small(self.h) {
            return Err(ExplicitError::StepTooSmall { t: self.t, h: self.h });
        }
        Ok(self.t + self.h)
    }

    /// A trial of length `h` passed: determines the length of the next step. A step shortened by the limit
    /// gives little information about the longest possible one, so it can only lengthen it.
    pub(super) fn pass(&mut self, h: f64, error: f64) {
        let Control::Adaptive { longest, .. } = self.control else { return };
        let shrink = error.power(ALPHA) / self.before.error_old.power(BETA) / SAFETY;
        let mut grown = h / shrink.clamp(1.0 / MOST_GROWTH, MOST_SHRINK);
        if self.rejected > 0 {
            // Growing right after a rejection would be rejected again.
            grown = grown.min(h);
        }
        let grown = Growth { h: grown.min(longest), error_old: error.max(LEAST_ERROR) };
        self.after = if self.cut && grown.h <= self.before.h { self.before } else { grown };
    }

    /// A trial of length `h` had an error above 1.
    pub(super) fn reject(&mut self, h: f64, error: f64) {
        self.rejected += 1;
        self.h = h / (error.power(ALPHA) / SAFETY).min(MOST_SHRINK);
    }

    /// A trial had an error above 1, and `h` is known to be a better length.
    pub(super) fn reject_towards(&mut self, h: f64) {
        self.rejected += 1;
        self.h = h;
    }

    /// A trial of length `h` could not be evaluated: shortens it, or returns the failure.
    pub(super) fn fail<E>(&mut self, h: f64, failure: ExplicitError<E>) -> Result<(), ExplicitError<E>> {
        self.failures += 1;
        self.rejected += 1;
        self.h = FAILURE_SHRINK * h;
        let fixed = matches!(self.control, Control::Fixed(_));
        if fixed || self.failures > MOST_FAILURES || self.too_small(self.h) { Err(failure) } else { Ok(()) }
    }

    /// The memory, and the number of rejected trials.
    pub(super) fn finish(self) -> (Growth, u32) {
        (self.after, self.rejected)
    }

    fn too_small(&self, h: f64) -> bool {
        let least = (LEAST_STEP_ULPS * f64::EPSILON * self.t.abs()).max(LEAST_STEP_S);
        h.is_nan() || h <= least
    }
}

impl Explicit {
    /// Chooses the first step (Hairer, Nørsett, Wanner I, section II.4) and clears earlier events. A positive
    /// `duration` (s) bounds it.
    ///
    /// # Panics
    /// If the length of `y` is not the dimension.
    pub fn start<O: Ode>(
        &mut self,
        ode: &mut O,
        t: f64,
        y: &[f64],
        duration: f64,
    ) -> Result<Memory, ExplicitError<O::Error>> {
        let h = match self.control {
            Control::Fixed(h) => h,
            Control::Adaptive { longest, .. } => {
                let most = if duration > 0.0 { longest.min(duration) } else { longest };
                self.first_step(ode, t, y, most)?
            }
        };
        let events = vec![EventMemory::default(); self.watch.crossed().len()];
        Ok(Memory { growth: Growth { h, error_old: LEAST_ERROR }, events })
    }

    /// Compares an Euler step with the curvature that it meets.
    fn first_step<O: Ode>(
        &mut self,
        ode: &mut O,
        t: f64,
        y: &[f64],
        most: f64,
    ) -> Result<f64, ExplicitError<O::Error>> {
        let n = y.len();
        self.trial.begin(ode, t, y)?;
        let size = self.rms(ode.scales(), y);
        let slope = self.rms(ode.scales(), &self.trial.k[..n]);
        // An infinite slope is that of a component at zero under a purely relative tolerance.
        let blind = size < NO_SIZE || slope < NO_SIZE || !(size / slope).is_normal();
        let mut euler = if blind { FIRST_BLIND_S } else { FIRST_MOVE * size / slope }.min(most);
        let mut failures = 0;
        while let Err(failure) = self.euler_slope(ode, euler) {
            failures += 1;
            if failures > MOST_FAILURES {
                return Err(failure);
            }
            euler *= FAILURE_SHRINK;
        }
        let curvature = self.rms(ode.scales(), &self.trial.scratch) / euler;
        let steepest = slope.max(curvature);
        let by_order = if steepest <= NO_SLOPE || !steepest.is_finite() {
            FIRST_BLIND_S.max(1e-3 * euler)
        } else {
            (FIRST_MOVE / steepest).power(1.0 / ORDER)
        };
        Ok((100.0 * euler).min(by_order).min(most))
    }

    /// Writes to `scratch` the change of the slope over an Euler step.
    fn euler_slope<O: Ode>(&mut self, ode: &mut O, h: f64) -> Result<(), ExplicitError<O::Error>> {
        let trial = &mut self.trial;
        let n = trial.y_old.len();
        for i in 0..n {
            trial.y_new[i] = trial.y_old[i] + h * trial.k[i];
        }
        evaluate(ode, trial.t_old + h, &trial.y_new, &mut trial.scratch)?;
        for i in 0..n {
            trial.scratch[i] -= trial.k[i];
        }
        Ok(())
    }

    /// Root mean square of `v` over the tolerances at the beginning.
    fn rms(&self, scales: &[f64], v: &[f64]) -> f64 {
        let Control::Adaptive { relative, absolute, .. } = self.control else { return 0.0 };
        let (mut sum, mut counted) = (0.0, 0.0_f64);
        for (i, v) in v.iter().enumerate().filter(|(i, _)| scales[*i] != f64::INFINITY) {
            let q = v / tolerance(absolute * scales[i], relative * self.trial.y_old[i].abs());
            sum += q * q;
            counted += 1.0;
        }
        (sum / counted.max(1.0)).sqrt()
    }
}
