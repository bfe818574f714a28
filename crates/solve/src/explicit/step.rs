//! One accepted step, top to bottom: first stage ⇒ trials until one passes ⇒ cut at an event ⇒ commit.
//! Called by the step loop of the simulation; all lengths come from `control`, all numbers from `trial`.
//! Nothing of the caller's changes before the commit.

use super::control::Pace;
use super::events::Located;
use super::{Explicit, ExplicitError, Memory, Ode, Report};

/// After a rejected trial that crossed an event, aiming at the event pays only if that is clearly shorter.
const WORTH_AIMING: f64 = 0.9;

/// Result of a trial that could be evaluated.
enum Verdict {
    Accepted { event: Option<usize> },
    Rejected { error: f64 },
}

impl Explicit {
    /// One accepted step from (t, y), not beyond `t_limit`: a step that would pass it, or end within 1e-9 of
    /// its own length before it, ends on it bit for bit. `t`, `y` and `memory` change only on success.
    ///
    /// # Panics
    /// If the length of `y` is not the dimension, or `memory` is of another problem.
    pub fn step<O: Ode>(
        &mut self,
        ode: &mut O,
        memory: &mut Memory,
        t: &mut f64,
        y: &mut [f64],
        t_limit: f64,
    ) -> Result<Report, ExplicitError<O::Error>> {
        if t_limit.is_nan() || *t >= t_limit {
            return Err(ExplicitError::LimitNotAhead { t: *t, t_limit });
        }
        let outcome = self.advance(ode, memory, *t, y, t_limit);
        if outcome.is_err() {
            // The trial is not an accepted step: dense output must refuse it.
            self.trial.t_new = f64::NAN;
        }
        let report = outcome?;
        *t = report.t_new;
        y.copy_from_slice(&self.trial.y_new);
        Ok(report)
    }

    fn advance<O: Ode>(
        &mut self,
        ode: &mut O,
        memory: &mut Memory,
        t: f64,
        y: &[f64],
        t_limit: f64,
    ) -> Result<Report, ExplicitError<O::Error>> {
        self.trial.begin(ode, t, y)?;
        self.watch.begin(ode, &self.trial, &memory.events)?;
        let mut pace = Pace::new(self.control, memory.growth, t, t_limit);
        let mut aimed = false;
        let event = loop {
            let t_new = pace.target()?;
            match self.attempt(ode, t_new, &mut pace) {
                Ok(Verdict::Accepted { event }) => break event,
                Ok(Verdict::Rejected { error }) => {
                    let h = self.trial.h();
                    match self.aim(ode, &mut aimed) {
                        Some(shorter) => pace.reject_towards(shorter),
                        None => pace.reject(h, error),
                    }
                }
                Err(failure) => pace.fail(self.trial.h(), failure)?,
            }
        };
        let (growth, rejected) = pace.finish();
        memory.growth = growth;
        self.watch.commit(&mut memory.events, self.trial.t_new, growth.h);
        let evaluations = self.trial.evaluations;
        Ok(Report { t_old: t, t_new: self.trial.t_new, rejected, evaluations, event })
    }

    /// One trial up to `t_new`, cut at the first event if it passes.
    fn attempt<O: Ode>(
        &mut self,
        ode: &mut O,
        t_new: f64,
        pace: &mut Pace,
    ) -> Result<Verdict, ExplicitError<O::Error>> {
        let error = self.trial.attempt(ode, t_new)?;
        if error > 1.0 {
            return Ok(Verdict::Rejected { error });
        }
        // The next step's length follows from the full trial: the place of an event is unrelated to it.
        pace.pass(self.trial.h(), error);
        Ok(match self.watch.locate(ode, &mut self.trial)? {
            Located::Nothing => Verdict::Accepted { event: None },
            Located::At(index) => Verdict::Accepted { event: Some(index) },
            Located::Rejected(error) => Verdict::Rejected { error },
        })
    }

    /// A rejected trial that crossed an event was probably rejected because of the kink there: the next one, once a step,
    /// aims at the event instead of approaching it in small steps.
    fn aim<O: Ode>(&mut self, ode: &mut O, aimed: &mut bool) -> Option<f64> {
        if std::mem::replace(aimed, true) {
            return None;
        }
        let h = self.trial.h();
        // A failed evaluation here only means that there is no better length.
        self.watch.estimate_crossing(ode, &mut self.trial).ok().flatten().filter(|s| *s < WORTH_AIMING * h)
    }
}
