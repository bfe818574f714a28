//! Saving and restoring: checkpoints, states, forks.

use crate::engine::method::StepFailure;
use crate::engine::simulation::Simulation;
use crate::engine::state::{self, CheckpointError, Recording, State};
use std::sync::Arc;

impl Simulation {
    /// The present state and the recording so far, as bytes for a checkpoint.
    pub fn checkpoint(&self) -> Vec<u8> {
        state::to_bytes(&self.state, &self.recording)
    }

    /// Returns to a checkpoint of the same scenario.
    pub fn resume(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        let (state, recording, drawn) = state::from_bytes(bytes)?;
        self.restore(state)?;
        if !self.state.held.acts.restore_drawn(&drawn) {
            return Err(CheckpointError::Damaged);
        }
        self.recording = recording;
        Ok(())
    }

    /// Replaces the present state by another one of the same model. A state that does not fit is refused, and
    /// nothing changes.
    pub fn restore(&mut self, mut state: State) -> Result<(), CheckpointError> {
        self.state.check_fit(&state)?;
        state.held.acts.settle(&self.system)?;
        let before = std::mem::replace(&mut self.state, state);
        // The method's data belong to the previous state.
        self.method = None;
        if self.stand_at_state().is_err() {
            self.state = before;
            // This state was evaluated before.
            let _ = self.stand_at_state();
            return Err(CheckpointError::Damaged);
        }
        Ok(())
    }

    /// Evaluates the system at the present state, with the commands already in effect.
    pub(crate) fn stand_at_state(&mut self) -> Result<(), StepFailure> {
        let s = &self.state;
        self.system.take_inputs(&self.description, (&s.held.followed, s.held.seed));
        self.system.evaluate(s.t, &s.q, &s.v, &s.z, &s.held)?;
        Ok(())
    }

    /// Returns to the initial state. With a seed, noise and bias of all sensors follow from it and from the
    /// name of each device: the same seed gives the same bits, another seed another run of the same world.
    /// With `None` they are as described. The world itself (ground, rocks, misaligned thrusters) does not
    /// change.
    pub fn reset(&mut self, seed: impl Into<Option<u64>>) {
        self.state = (*self.start).clone();
        self.state.held.seed = seed.into();
        self.recording = Recording::default();
        self.method = None;
        let held = &self.state.held;
        self.system.take_inputs(&self.description, (&held.followed, held.seed));
    }

    /// A second, independent simulation that continues from the present state. Shared data (maps, meshes,
    /// untouched ground) are not copied.
    pub fn fork(&self) -> Simulation {
        Simulation {
            system: self.system.clone(),
            channels: self.channels.clone(),
            quantities: Arc::clone(&self.quantities),
            sampled: self.sampled.clone(),
            description: Arc::clone(&self.description),
            corners: Arc::clone(&self.corners),
            drawings: Arc::clone(&self.drawings),
            impulses: Arc::clone(&self.impulses),
            state: self.state.clone(),
            start: Arc::clone(&self.start),
            recording: Recording::default(),
            method: None,
            observer: None,
            twin: None,
            constraint: self.constraint.clone(),
            samples: Vec::new(),
            commands: Vec::new(),
            settling: self.settling.clone(),
        }
    }
}
