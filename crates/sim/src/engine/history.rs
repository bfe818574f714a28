//! Memory of accepted steps: every evaluation reads it, only an accepted step changes it.
//!
//! Together with coordinates, rates and the method's memory this is the [`State`](crate::State): a plain
//! value that can be cloned, compared, saved and restored.

use crate::engine::gravity::Turn;
use crate::engine::inputs::Commanded;
use crate::interactions::Memories;
use serde::{Deserialize, Serialize};

/// The memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// Of interactions: contacts, booms, devices.
    pub acts: Memories,
    /// Gravity that turns in time; `None` where it is constant.
    pub turn: Option<Turn>,
    /// Active commands, one for each commanded input.
    pub inputs: Vec<Option<Commanded>>,
    /// Those already in effect; one that differs takes effect, and is booked, with the next step.
    pub followed: Vec<Option<Commanded>>,
    /// Seed of the devices' noise; `None`: each its own, as described.
    pub seed: Option<u64>,
}
