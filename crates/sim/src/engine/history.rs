//! Memory of accepted steps: every evaluation reads it, only an accepted step changes it.
//!
//! Together with coordinates, rates and the method's memory this is the [`State`](crate::State): a plain value that can be cloned, compared, saved and put back.

use crate::engine::gravity::Turn;
use crate::engine::inputs::Commanded;
use crate::interactions::Memories;
use serde::{Deserialize, Serialize};

/// What is remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// By what acts: contacts, booms, devices.
    pub acts: Memories,
    /// Gravity that turns in time; `None` where it is constant.
    pub turn: Option<Turn>,
    /// Commands in force, one for each input that was commanded.
    pub inputs: Vec<Option<Commanded>>,
    /// Those that steps follow already; one that differs takes effect, and is booked, with the next step.
    pub followed: Vec<Option<Commanded>>,
    /// Seed of the devices' noise; `None`: each its own, as described.
    pub seed: Option<u64>,
}
