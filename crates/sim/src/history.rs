//! What contacts and devices remember of accepted steps: every evaluation reads it, only an accepted step changes it.
//!
//! Together with coordinates, rates and the method's memory this is the [`State`](crate::State): a plain value that can be cloned, compared, saved and put back.

use crate::devices::DevicesState;
use crate::feet::FeetHistory;
use crate::gravity::Turn;
use crate::inputs::Commanded;
use crate::pairs::PairsHistory;
use crate::polygonal::PolygonalHistory;
use crate::soil::SoilHistory;
use serde::{Deserialize, Serialize};

/// What contacts and devices remember.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    /// The soil, and what its bodies keep of it.
    pub soil: Option<SoilHistory>,
    /// Candidates of smooth contacts.
    pub pairs: PairsHistory,
    /// Anchors of polygonal contacts.
    pub polygonal: PolygonalHistory,
    /// Footprints.
    pub feet: FeetHistory,
    /// Gravity that turns in time; `None` where it is constant.
    pub turn: Option<Turn>,
    /// What devices remember, and the signals on their bus.
    pub devices: DevicesState,
    /// Commands in force, one for each input that was commanded.
    pub inputs: Vec<Option<Commanded>>,
}
