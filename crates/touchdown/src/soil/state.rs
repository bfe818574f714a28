//! A ground's state as a value: save, restore, bytes.

use super::{Ground, GroundError};
use crate::Error;
use serde::{Deserialize, Serialize};
use touchdown_contact::soil::{ContactState, SoilState};

/// Format of the bytes; a change of the state changes it.
const VERSION: u32 = 1;

/// All of a ground that influences later bits. In memory it shares what it can with the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundState {
    /// Which ground and bodies it belongs to.
    model: [u8; 32],
    soil: SoilState,
    contacts: Vec<ContactState>,
    t: f64,
    last_step: f64,
}

impl GroundState {
    /// Time of the ground, s.
    pub fn time(&self) -> f64 {
        self.t
    }

    /// As bytes, for files and other processes.
    pub fn to_bytes(&self) -> Vec<u8> {
        match postcard::to_stdvec(&(VERSION, self)) {
            Ok(bytes) => bytes,
            Err(_) => unreachable!("a state is plain data, and memory is its only limit"),
        }
    }

    /// From these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<GroundState, Error> {
        let (version, _) =
            postcard::take_from_bytes::<u32>(bytes).map_err(|_| GroundError::State("damaged bytes"))?;
        if version != VERSION {
            return Err(GroundError::State("bytes of another version").into());
        }
        let (_, state) = postcard::from_bytes::<(u32, GroundState)>(bytes)
            .map_err(|_| GroundError::State("damaged bytes"))?;
        Ok(state)
    }
}

impl Ground {
    /// The present state. Copies no ground; motions that were evaluated and not accepted are no part of it.
    pub fn save(&self) -> GroundState {
        GroundState {
            model: *self.model(),
            soil: self.soil.save(),
            contacts: self.bodies.iter().map(|body| body.held.clone()).collect(),
            t: self.t,
            last_step: self.last_step,
        }
    }

    /// Goes back to a state of this ground with these bodies. One that does not fit is refused, and nothing changes.
    pub fn restore(&mut self, state: GroundState) -> Result<(), Error> {
        let GroundState { model, soil, contacts, t, last_step } = state;
        if model != *self.model() || contacts.len() != self.bodies.len() {
            return Err(GroundError::State("it belongs to another soil or other bodies").into());
        }
        let mut laid = self.soil.clone();
        if !(laid.restore(soil)
            && contacts.iter().all(|held| held.fits(&laid))
            && t.is_finite()
            && last_step.is_finite())
        {
            return Err(GroundError::State("damaged").into());
        }
        (self.soil, self.t, self.last_step) = (laid, t, last_step);
        for (body, held) in self.bodies.iter_mut().zip(contacts) {
            (body.held, body.is_evaluated) = (held, false);
        }
        Ok(())
    }
}
