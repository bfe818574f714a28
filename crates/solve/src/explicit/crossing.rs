//! The first crossing of event functions in the dense output of a trial: called by `events` for its first estimate.
//! Costs no trial, only values of the interpolant and of the event functions on it.
//! Root finding by the Illinois variant of false position, safeguarded by bisection.

use super::events::{MOST_ROUNDS, Watch, location_tolerance};
use super::trial::Trial;
use super::{ExplicitError, Ode};

/// Distance over which the slope of an event function is taken, as a part of the step.
const SLOPE_BASE: f64 = 1e-4;

/// A crossing in the dense output.
pub(super) struct Estimate {
    pub(super) index: usize,
    /// Time after the beginning, s, at which the sign has changed.
    pub(super) s: f64,
    /// Absolute slope of the event function there, 1/s.
    pub(super) slope: f64,
}

impl Watch {
    /// The first crossing in the dense output of a trial at whose end something has crossed.
    pub(super) fn estimate<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &mut Trial,
    ) -> Result<Estimate, ExplicitError<O::Error>> {
        trial.prepare_dense(ode)?;
        let mut found = Estimate { index: 0, s: trial.h(), slope: 0.0 };
        self.probe.copy_from_slice(&self.end);
        for i in 0..self.end.len() {
            // Functions that have not crossed at the earliest crossing so far cross later.
            if self.has_crossed(i, found.s, self.probe[i]) {
                found = Estimate { index: i, s: self.root(ode, trial, i, found.s)?, slope: 0.0 };
            }
        }
        let i = found.index;
        let base = (SLOPE_BASE * trial.h()).min(found.s);
        let value = self.probe[i];
        self.probe_at(ode, trial, found.s - base)?;
        found.slope = (value - self.probe[i]).abs() / base;
        Ok(found)
    }

    /// Narrows the crossing of function `i` before `upper` in the dense output; returns the far end of the
    /// bracket and writes the values there to `probe`.
    fn root<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &Trial,
        i: usize,
        upper: f64,
    ) -> Result<f64, ExplicitError<O::Error>> {
        let close = 0.25 * location_tolerance(trial.t_new);
        let (mut a, mut f_a) = (self.from[i].max(0.0), self.reference[i]);
        let (mut b, mut f_b) = (upper, self.probe[i]);
        let mut last_side = 0;
        for round in 0..MOST_ROUNDS {
            let width = b - a;
            if width <= close {
                break;
            }
            // Every third point halves the bracket, so that it always shrinks.
            let part = if round % 3 == 2 { 0.5 } else { f_a / (f_a - f_b) };
            let x = (a + part * width).max(a + 0.5 * close).min(b - 0.5 * close);
            self.probe_at(ode, trial, x)?;
            let side = if self.has_crossed(i, x, self.probe[i]) { 1 } else { -1 };
            if side == 1 {
                (b, f_b) = (x, self.probe[i]);
                f_a *= if last_side == side { 0.5 } else { 1.0 };
            } else {
                (a, f_a) = (x, self.probe[i]);
                f_b *= if last_side == side { 0.5 } else { 1.0 };
            }
            last_side = side;
        }
        self.probe_at(ode, trial, b)?;
        Ok(b)
    }

    /// Evaluates the functions on the dense output, `s` seconds after the beginning.
    pub(super) fn probe_at<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &Trial,
        s: f64,
    ) -> Result<(), ExplicitError<O::Error>> {
        trial.dense_value(s, &mut self.y_probe);
        ode.events(trial.t_old + s, &self.y_probe, &mut self.probe).map_err(ExplicitError::Rhs)
    }
}
