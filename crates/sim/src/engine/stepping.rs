//! Stepping from outside: command ⇒ step or advance ⇒ observe ⇒ save, restore, fork.
//!
//! With fixed steps, any split of an advance at multiples of the step gives the same bits as one call.
//! Adaptive steps always end on multiples of `exchange_every`, and splits there give the same bits; any other
//! time shortens the step, and later results are those of the shorter steps.

use crate::engine::method::StepFailure;
use crate::engine::run::unrecorded;
use crate::engine::simulation::Simulation;
use crate::engine::state::State;
use crate::sink::{Column, Outcome, find_column};

/// Reasons that time did not advance; the simulation stays usable.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AdvanceError {
    /// The end was reached before.
    #[error(
        "the simulation has reached its end at t = {time} s; reset it, restore a state, or give it a longer duration"
    )]
    Over {
        /// When, s.
        time: f64,
    },
    /// The time is before the present one, after the end, or not a number.
    #[error(
        "cannot advance to t = {found} s: it must lie between the present {now} s and the end at {end} s"
    )]
    Time {
        /// What was asked for, s.
        found: f64,
        /// The present time, s.
        now: f64,
        /// The end, s.
        end: f64,
    },
    /// The numbers failed.
    #[error("t = {time} s: {failure}")]
    Step {
        /// When, s.
        time: f64,
        /// Why.
        failure: StepFailure,
    },
}

/// Reasons that columns could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObserveError {
    /// No such column.
    #[error("no column is called \"{name}\"{}", nearest.as_ref().map_or_else(String::new, |n| format!("; the nearest is \"{n}\"")))]
    Unknown {
        /// What was asked for.
        name: String,
        /// A column whose name is like it.
        nearest: Option<String>,
    },
    /// The state could not be evaluated.
    #[error("{0}")]
    Step(#[from] StepFailure),
}

impl Simulation {
    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.state.t
    }

    /// One accepted step, without recording.
    pub fn step(&mut self) -> Result<(), AdvanceError> {
        self.step_towards(self.description.duration)
    }

    /// Steps until `t`, s, and not beyond.
    pub fn advance_to(&mut self, t: f64) -> Result<(), AdvanceError> {
        let (now, end, slack) = (self.state.t, self.description.duration, self.exchange_slack());
        if !(t >= now - slack && t <= end + slack) {
            return Err(AdvanceError::Time { found: t, now, end });
        }
        let t = t.min(end);
        while self.state.t < t - slack {
            self.step_towards(t)?;
        }
        Ok(())
    }

    fn step_towards(&mut self, t: f64) -> Result<(), AdvanceError> {
        if self.is_over() {
            return Err(AdvanceError::Over { time: self.state.t });
        }
        let made = self.begin(None).and_then(|()| self.make_step(t, None));
        made.map_err(|halt| AdvanceError::Step { time: self.state.t, failure: unrecorded(halt) })
    }

    /// Index of a column.
    pub fn column(&self, name: &str) -> Result<usize, ObserveError> {
        let columns = self.columns();
        find_column(columns, name).ok_or_else(|| ObserveError::Unknown {
            name: name.into(),
            nearest: nearest_column(columns, name),
        })
    }

    /// The value of one column, by its name. The lookup costs more than reading: keep the index of columns
    /// that are read often.
    pub fn observe_one(&mut self, name: &str) -> Result<f64, ObserveError> {
        let mut out = [f64::NAN];
        self.observe(&[self.column(name)?], &mut out)?;
        Ok(out[0])
    }

    /// Values of columns at the present state, in the order of `columns`: the values at the beginning of the
    /// next step. Changes nothing.
    pub fn observe(&mut self, columns: &[usize], out: &mut [f64]) -> Result<(), ObserveError> {
        let unknown = |k: usize| ObserveError::Unknown { name: format!("number {k}"), nearest: None };
        if let Some(k) = columns.iter().find(|k| **k >= self.channels.source_count()) {
            return Err(unknown(*k));
        }
        let mut observer = self.take_observer();
        let read = self.observe_with(&mut observer, columns, out);
        self.observer = Some(observer);
        read
    }

    fn observe_with(
        &mut self,
        o: &mut crate::engine::look::Observer,
        columns: &[usize],
        out: &mut [f64],
    ) -> Result<(), ObserveError> {
        let s = &self.state;
        o.take_state(s);
        o.system.take_inputs(&self.description, (&s.held.inputs, s.held.seed));
        let by_parts = o.evaluate_parts(s, columns, &self.channels);
        let elastic = if by_parts { f64::NAN } else { o.evaluate(s.t, s, true)? };
        o.measure(s.t, s, &self.channels);
        o.read(s.t, elastic, (s, &self.description), &mut self.channels, Some(columns));
        out.iter_mut().zip(columns).for_each(|(out, k)| *out = o.row[*k]);
        Ok(())
    }

    /// The present state: a plain value for [`Simulation::restore`], in this simulation or in another one of
    /// the same model.
    pub fn save(&self) -> State {
        self.state.clone()
    }

    /// The outcome so far: quantities, ledger, checks of validity.
    pub fn outcome(&self) -> Outcome {
        self.outcome_of(None)
    }

    /// Tolerance within which two times are equal: splits of an advance there change no bit.
    pub(crate) fn exchange_slack(&self) -> f64 {
        use crate::description::{Integrator, StepControl};
        match self.description.integrator {
            Integrator::Realtime { step: h } | Integrator::Implicit { step: StepControl::Fixed(h), .. } => {
                1e-6 * h
            }
            Integrator::Implicit { .. } | Integrator::Explicit { .. } => {
                self.description.exchange_every.map_or(0.0, |every| 1e-9 * every)
            }
        }
    }
}

/// The column with the longest common prefix.
pub(crate) fn nearest_column(columns: &[Column], name: &str) -> Option<String> {
    let alike = |c: &&Column| (common_start(&c.name, name), std::cmp::Reverse(c.name.len()));
    let nearest = columns.iter().max_by_key(alike).filter(|c| common_start(&c.name, name) > 0);
    nearest.map(|c| c.name.clone())
}

fn common_start(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}
