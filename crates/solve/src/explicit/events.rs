//! Event location: finds the event functions that changed sign in a trial and the first crossing, and repeats
//! the trial to end just past it. Called by `step` with a trial that passed its error test; calls `trial`
//! again and `dense`.
//!
//! A first estimate of the crossing comes from the dense output (Illinois rule, safeguarded by bisection). The step
//! is then repeated with that length, and the length corrected by the slope of the event function, until the *end point of
//! the step itself* has the new sign and lies no more than the location tolerance past the crossing.
//!
//! After an event the function is a rounding error past zero, and an impact may return it through zero at
//! once. For a short window after its firing a function is therefore *leaving*: later signs are compared
//! with its sign at the end of the window. A function that keeps firing right after its window
//! (chattering) has the window lengthened each time, up to the length of an ordinary step, so that time
//! always advances. The same window is used for a function that is exactly zero.

use super::crossing::Estimate;
use super::trial::Trial;
use super::{ExplicitError, Ode};
use serde::{Deserialize, Serialize};

/// Location tolerance relative to the time (and absolute, in s, below 1 s).
const TOLERANCE: f64 = 1e-12;
/// Window after an event, in location tolerances: a body that rebounds with 1/50 of its speed has left zero
/// by then.
const WINDOW: f64 = 64.0;
/// Firing again within so many windows is chattering, and lengthens the window by as much.
const CHATTER: f64 = 16.0;
/// Rounds that use the slope; afterwards the bracket is halved: 40 rounds take it from 1 s to 1e-12 s.
const SLOPE_ROUNDS: usize = 8;
pub(super) const MOST_ROUNDS: usize = 80;

/// Memory of an event function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct EventMemory {
    /// Time of its last firing, s.
    last: Option<f64>,
    /// Window after it, s.
    window: f64,
}

/// Result of the search in a trial that passed.
pub(super) enum Located {
    Nothing,
    /// The trial now ends just past the crossing of this event.
    At(usize),
    /// A shortened trial did not pass its error test.
    Rejected(f64),
}

/// Event values of the present step, one for each function.
pub(super) struct Watch {
    /// At the beginning. Written by `begin`.
    first: Vec<f64>,
    /// Reference whose sign later values are compared with, and its time after the beginning, s. Written by `begin`, `refer`.
    pub(super) reference: Vec<f64>,
    pub(super) from: Vec<f64>,
    /// At the end of the present trial. Written by `update_end`.
    pub(super) end: Vec<f64>,
    /// At a point of the dense output, and the state there. Written by `probe_at`.
    pub(super) probe: Vec<f64>,
    pub(super) y_probe: Vec<f64>,
    /// Which crossed by the end of the last accepted step. Written by `begin`, `locate`.
    crossed: Vec<bool>,
}

impl Watch {
    pub(super) fn new(dim: usize, count: usize) -> Self {
        let zeros = || vec![0.0; count];
        Self {
            first: zeros(),
            reference: zeros(),
            from: zeros(),
            end: zeros(),
            probe: zeros(),
            y_probe: vec![0.0; dim],
            crossed: vec![false; count],
        }
    }

    pub(super) fn crossed(&self) -> &[bool] {
        &self.crossed
    }

    /// Evaluates the functions at the beginning of a step.
    pub(super) fn begin<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &Trial,
        memory: &[EventMemory],
    ) -> Result<(), ExplicitError<O::Error>> {
        self.crossed.fill(false);
        if self.first.is_empty() {
            return Ok(());
        }
        let t = trial.t_old;
        ode.events(t, &trial.y_old, &mut self.first).map_err(ExplicitError::Rhs)?;
        self.reference.copy_from_slice(&self.first);
        for (i, m) in memory.iter().enumerate() {
            let leaving = m.last.map_or(0.0, |last| last + m.window - t);
            let at_zero = if self.first[i] == 0.0 { WINDOW * location_tolerance(t) } else { 0.0 };
            self.from[i] = leaving.max(at_zero);
        }
        Ok(())
    }

    /// Cuts the trial just past the first crossing in it, if there is one.
    pub(super) fn locate<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &mut Trial,
    ) -> Result<Located, ExplicitError<O::Error>> {
        if self.first.is_empty() {
            return Ok(Located::Nothing);
        }
        self.update_end(ode, trial)?;
        self.refer(ode, trial)?;
        if !self.update_crossed(trial.h()) {
            return Ok(Located::Nothing);
        }
        let estimate = self.estimate(ode, trial)?;
        self.close_in(ode, trial, estimate)
    }

    /// Time after the beginning, s, of the first crossing in a trial that need not have passed its error test.
    pub(super) fn estimate_crossing<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &mut Trial,
    ) -> Result<Option<f64>, ExplicitError<O::Error>> {
        if self.first.is_empty() {
            return Ok(None);
        }
        self.update_end(ode, trial)?;
        self.refer(ode, trial)?;
        if !self.update_crossed(trial.h()) {
            return Ok(None);
        }
        Ok(Some(self.estimate(ode, trial)?.s))
    }

    /// Repeats the trial with better and better lengths until it ends just past the crossing.
    fn close_in<O: Ode>(
        &mut self,
        ode: &mut O,
        trial: &mut Trial,
        mut aim: Estimate,
    ) -> Result<Located, ExplicitError<O::Error>> {
        let (t, tolerance) = (trial.t_old, location_tolerance(trial.t_new));
        let (mut t_before, mut t_after) = (t, trial.t_new);
        let mut t_try = t + aim.s;
        for round in 0..MOST_ROUNDS {
            let outside = t_try.is_nan() || t_try <= t_before || t_try >= t_after;
            if outside || round >= SLOPE_ROUNDS {
                t_try = 0.5 * (t_before + t_after);
            }
            // Time must advance for any event functions.
            t_try = t_try.max(t + tolerance);
            if t_after - t_before <= tolerance || t_try >= t_after {
                break;
            }
            let error = trial.attempt(ode, t_try)?;
            if error > 1.0 {
                return Ok(Located::Rejected(error));
            }
            self.update_end(ode, trial)?;
            if self.update_crossed(trial.h()) {
                t_after = t_try;
                aim = self.renew(aim);
                let overshoot = self.end[aim.index].abs() / aim.slope;
                if overshoot <= tolerance {
                    return Ok(self.first_crossed());
                }
                t_try = t_try - overshoot + 0.25 * tolerance;
            } else {
                t_before = t_try;
                t_try = t_try + self.end[aim.index].abs() / aim.slope + 0.25 * tolerance;
            }
        }
        if trial.t_new != t_after {
            let error = trial.attempt(ode, t_after)?;
            if error > 1.0 {
                return Ok(Located::Rejected(error));
            }
            self.update_end(ode, trial)?;
        }
        self.update_crossed(trial.h());
        Ok(self.first_crossed())
    }

    /// The report for a trial that ends just past a crossing. Functions that cross together within rounding
    /// are reported by the lowest index.
    fn first_crossed(&self) -> Located {
        self.crossed.iter().position(|c| *c).map_or(Located::Nothing, Located::At)
    }

    /// Records which functions fired and lengthens the window of those that chatter; `ordinary` is the length
    /// of a step.
    pub(super) fn commit(&self, memory: &mut [EventMemory], t: f64, ordinary: f64) {
        let base = WINDOW * location_tolerance(t);
        for (m, _) in memory.iter_mut().zip(&self.crossed).filter(|(_, crossed)| **crossed) {
            let chatters = m.last.is_some_and(|last| t - last <= CHATTER * m.window);
            m.window = if chatters { (CHATTER * m.window).min(ordinary).max(base) } else { base };
            m.last = Some(t);
        }
    }

    /// If another function than the targeted one crossed, it is the earlier one; its slope is not known.
    fn renew(&self, aim: Estimate) -> Estimate {
        if self.crossed[aim.index] {
            return aim;
        }
        let index = self.crossed.iter().position(|c| *c).unwrap_or(aim.index);
        Estimate { index, slope: 0.0, ..aim }
    }

    fn update_end<O: Ode>(&mut self, ode: &mut O, trial: &Trial) -> Result<(), ExplicitError<O::Error>> {
        ode.events(trial.t_new, &trial.y_new, &mut self.end).map_err(ExplicitError::Rhs)
    }

    /// Looks up the references of functions that are leaving zero; the others have theirs from the beginning.
    fn refer<O: Ode>(&mut self, ode: &mut O, trial: &mut Trial) -> Result<(), ExplicitError<O::Error>> {
        for i in 0..self.first.len() {
            let stays_zero = self.first[i] == 0.0 && self.end[i] == 0.0;
            if self.from[i] <= 0.0 || self.from[i] >= trial.h() || stays_zero {
                continue;
            }
            trial.prepare_dense(ode)?;
            self.probe_at(ode, trial, self.from[i])?;
            self.reference[i] = self.probe[i];
        }
        Ok(())
    }

    /// Marks the functions that crossed by the end of a trial of length `h`; whether there is any.
    fn update_crossed(&mut self, h: f64) -> bool {
        for i in 0..self.end.len() {
            self.crossed[i] = self.has_crossed(i, h, self.end[i]);
        }
        self.crossed.contains(&true)
    }

    /// Whether function `i`, with this value `s` seconds after the beginning, has crossed. Reaching zero counts as crossing;
    /// coming from zero does not.
    pub(super) fn has_crossed(&self, i: usize, s: f64, value: f64) -> bool {
        let reference = self.reference[i];
        s > self.from[i] && ((reference > 0.0 && value <= 0.0) || (reference < 0.0 && value >= 0.0))
    }
}

/// How closely crossings are located near the time `t`, s; also the least advance of a step that is cut.
pub(super) fn location_tolerance(t: f64) -> f64 {
    TOLERANCE * t.abs().max(1.0)
}
