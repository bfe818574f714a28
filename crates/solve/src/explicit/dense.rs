//! Dense output: the polynomial of degree 7 inside the last step; used by the recorder and by `events`.
//! Its four evaluations are made on first use, once a step.
//! Hairer, Nørsett, Wanner I, section II.6.

use super::tableau::{D, END, STAGES_DENSE};
use super::trial::{Trial, combine};
use super::{Explicit, ExplicitError, Ode};

/// Terms of the interpolant in addition to `y_old`.
pub(super) const TERMS: usize = 7;
/// Terms that follow from values and slopes at both ends; the rest come from the stages.
const HERMITE_TERMS: usize = 3;

impl Explicit {
    /// Dense output inside the last accepted step [t_old, t_new]; at t_new it returns the projected end point exactly, at
    /// t_old the beginning. The first call after a step makes four evaluations, so changes of the right-hand
    /// side (a contact's history) must wait until the step's outputs are taken.
    ///
    /// # Panics
    /// If the length of `out` is not the dimension.
    pub fn interpolate<O: Ode>(
        &mut self,
        ode: &mut O,
        t: f64,
        out: &mut [f64],
    ) -> Result<(), ExplicitError<O::Error>> {
        let (t_old, t_new) = (self.trial.t_old, self.trial.t_new);
        // Also refuses if there was no step: its times are not numbers.
        if !(t_old..=t_new).contains(&t) {
            return Err(ExplicitError::OutsideStep { t, t_old, t_new });
        }
        if t == t_new {
            out.copy_from_slice(&self.trial.y_new);
        } else if t == t_old {
            out.copy_from_slice(&self.trial.y_old);
        } else {
            self.trial.prepare_dense(ode)?;
            self.trial.dense_value(t - t_old, out);
        }
        Ok(())
    }
}

impl Trial {
    /// Computes the interpolant of the present trial, unless it exists already.
    pub(super) fn prepare_dense<O: Ode>(&mut self, ode: &mut O) -> Result<(), ExplicitError<O::Error>> {
        if self.terms_ready {
            return Ok(());
        }
        self.end_slope(ode)?;
        for s in END + 1..STAGES_DENSE {
            self.stage(ode, s)?;
        }
        let (n, h) = (self.y_old.len(), self.h());
        for i in 0..n {
            let rise = self.y_new[i] - self.y_old[i];
            let (first, last) = (h * self.k[i], h * self.k[END * n + i]);
            self.terms[i] = rise;
            self.terms[n + i] = first - rise;
            self.terms[2 * n + i] = 2.0 * rise - (first + last);
        }
        for (row, term) in D.iter().zip(self.terms[HERMITE_TERMS * n..].chunks_exact_mut(n.max(1))) {
            combine(row, &self.k, term);
            term.iter_mut().for_each(|v| *v *= h);
        }
        self.terms_ready = true;
        Ok(())
    }

    /// Value of the prepared interpolant `s` seconds after the beginning; exact at both ends.
    pub(super) fn dense_value(&self, s: f64, out: &mut [f64]) {
        let (n, h) = (self.y_old.len(), self.h());
        if s >= h {
            out.copy_from_slice(&self.y_new);
            return;
        }
        let (x, r) = (s / h, 1.0 - s / h);
        let f = &self.terms;
        for (i, o) in out.iter_mut().enumerate() {
            let upper = f[3 * n + i] + x * (f[4 * n + i] + r * (f[5 * n + i] + x * f[6 * n + i]));
            *o = self.y_old[i] + x * (f[i] + r * (f[n + i] + x * (f[2 * n + i] + r * upper)));
        }
    }
}
