//! A run from the present state: steps, checkpoints, progress, until the end or the first failure.

use crate::description::{SharedProcedure, Study};
use crate::engine::course::Course;
use crate::engine::method::StepFailure;
use crate::engine::recording::Recorder;
use crate::engine::simulation::Simulation;
use crate::engine::state;
use crate::engine::step::Halt;
use crate::sink::{Outcome, Progress, Sink, SinkError};
use std::time::{Duration, Instant as Clock};

/// Reasons for a missing outcome of a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The results could not be written.
    #[error("{0}")]
    Sink(#[from] SinkError),
    /// The sink asked to stop; a checkpoint of this time was sent.
    #[error("interrupted at t = {time:.6} s")]
    Interrupted {
        /// Simulated time, s.
        time: f64,
    },
}

impl Simulation {
    /// Runs from the present state to the end of the scenario and sends results to the sink. A numerical
    /// failure is an outcome (with its reason); only a failure of the sink is an error.
    pub fn run(&mut self, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let outcome = match self.description.study.clone() {
            Some(Study::Procedure(SharedProcedure(procedure))) => procedure.run(self, sink)?,
            Some(Study::Gradability(_) | Study::Static) | None => self.run_in_time(sink)?,
        };
        self.state.held.acts.hand_over(sink)?;
        Ok(outcome)
    }

    /// A run in time from the present state to its end, independent of the study.
    pub fn run_in_time(&mut self, sink: &mut dyn Sink) -> Result<Outcome, RunError> {
        let duration = self.description.duration;
        let every = Duration::from_secs_f64(self.description.record.checkpoint_every.clamp(0.01, 1e6));
        let mut last_checkpoint = Clock::now();
        let mut recorder = Recorder { recording: std::mem::take(&mut self.recording), sink };
        let mut made = self.begin(Some(&mut recorder));
        while made.is_ok() && !self.is_over() {
            made = self.make_step(duration, Some(&mut recorder));
            let (time, steps) = (self.state.t, self.state.steps);
            recorder.sink.progress(Progress { time, duration, steps });
            // At the end no checkpoint is needed.
            let stop = made.is_ok() && !self.is_over() && recorder.sink.is_stop_requested();
            if stop || made.is_ok() && last_checkpoint.elapsed() >= every {
                let bytes = state::to_bytes(&self.state, &recorder.recording);
                recorder.sink.checkpoint(&bytes, recorder.recording.rows, recorder.recording.frames)?;
                last_checkpoint = Clock::now();
            }
            if stop {
                return Err(RunError::Interrupted { time: self.state.t });
            }
        }
        self.recording = recorder.recording;
        let failure = match made {
            Ok(()) => None,
            Err(Halt::Step(failure)) => Some(failure),
            Err(Halt::Sink(error)) => return Err(error.into()),
        };
        let mut outcome = self.outcome_of(failure);
        outcome.state_blake3 = Some(self.state.blake3());
        Ok(outcome)
    }

    /// Names of the quantities and of the ledger's entries of a run in time; known before the run.
    pub fn answers(&self) -> Vec<String> {
        let Outcome { quantities, ledger, .. } = self.outcome_of(None);
        let added = match &self.description.study {
            Some(Study::Procedure(SharedProcedure(procedure))) => procedure.answers(),
            Some(Study::Gradability(_) | Study::Static) | None => Vec::new(),
        };
        let own = quantities.into_iter().chain(ledger).map(|value| value.name);
        added.into_iter().chain(own).collect()
    }

    /// Accepted steps without recording: `steps` of them, or as many as reach the end of the scenario. Returns how many.
    pub fn advance_steps(&mut self, steps: u64) -> Result<u64, StepFailure> {
        let mut made = 0;
        self.begin(None).map_err(unrecorded)?;
        while made < steps && !self.is_over() {
            self.make_step(self.description.duration, None).map_err(unrecorded)?;
            made += 1;
        }
        Ok(made)
    }

    /// Whether the end of the scenario, or of its study, is reached.
    pub fn is_over(&self) -> bool {
        let no_time = matches!(self.description.study, Some(Study::Static));
        let course = self.state.course.as_ref().is_some_and(Course::is_over);
        no_time || course || self.state.t >= self.description.duration
    }
}

/// The failure of a step without recording.
pub(crate) fn unrecorded(halt: Halt) -> StepFailure {
    match halt {
        Halt::Step(failure) => failure,
        Halt::Sink(error) => StepFailure::NotFinite { what: error.to_string() },
    }
}
