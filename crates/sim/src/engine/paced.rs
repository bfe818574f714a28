//! Stepping from outside, with a caller that may interrupt and receives results during the advance; states as
//! bytes.

use crate::engine::recording::Recorder;
use crate::engine::run::unrecorded;
use crate::engine::simulation::Simulation;
use crate::engine::state::{self, CheckpointError, Recording, State};
use crate::engine::step::Halt;
use crate::engine::stepping::AdvanceError;
use crate::sink::{Sink, SinkError};

/// Reasons that end a recorded advance early; the simulation stays usable.
#[derive(Debug, thiserror::Error)]
pub enum PacedError {
    /// Time did not advance.
    #[error("{0}")]
    Advance(#[from] AdvanceError),
    /// The sink refused the results.
    #[error("{0}")]
    Sink(#[from] SinkError),
}

impl Simulation {
    /// As [`Simulation::advance_to`], with the same bits; calls `go_on` after every accepted step and stops
    /// if it returns false. With a sink, rows and frames are sent as they are produced. Returns whether `t`
    /// was reached.
    pub fn advance_while(
        &mut self,
        t: f64,
        sink: Option<&mut dyn Sink>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, PacedError> {
        let (now, end, slack) = (self.state.t, self.description.duration, self.exchange_slack());
        if !(t >= now - slack && t <= end + slack) {
            return Err(AdvanceError::Time { found: t, now, end }.into());
        }
        let recording = std::mem::take(&mut self.recording);
        let mut recorder = sink.map(|sink| Recorder { recording: recording.clone(), sink });
        let made = self.steps_while(t.min(end), slack, recorder.as_mut(), go_on);
        self.recording = recorder.map_or(recording, |recorder| recorder.recording);
        made
    }

    fn steps_while(
        &mut self,
        t: f64,
        slack: f64,
        mut recorder: Option<&mut Recorder>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, PacedError> {
        while self.state.t < t - slack {
            if self.is_over() {
                return Err(AdvanceError::Over { time: self.state.t }.into());
            }
            let begun = self.begin(recorder.as_deref_mut());
            let made = begun.and_then(|()| self.make_step(t, recorder.as_deref_mut()));
            made.map_err(|halt| match halt {
                Halt::Sink(error) => PacedError::Sink(error),
                halt => AdvanceError::Step { time: self.state.t, failure: unrecorded(halt) }.into(),
            })?;
            if !go_on() {
                return Ok(self.state.t >= t - slack);
            }
        }
        Ok(true)
    }
}

impl State {
    /// As bytes that [`State::from_bytes`] of the same program reads again, to the last bit.
    pub fn to_bytes(&self) -> Vec<u8> {
        state::to_bytes(self, &Recording::default())
    }

    /// From its bytes; [`Simulation::restore`] checks whether it fits a simulation.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, CheckpointError> {
        state::from_bytes(bytes).map(|(state, _, _)| state)
    }
}
