//! State: all that a restart needs, whatever influences later bits included.

use crate::gradability::Course;
use crate::ledger::{Ledger, Works};
use crate::lift_off::LiftOffs;
use crate::pairs::SavedPairs;
use crate::quantities::Accumulator;
use crate::satellites::{AvionicsState, DockingState};
use crate::soil::SavedSoil;
use crate::validity::Extremes;
use crate::vehicle::Odometer;
use serde::{Deserialize, Serialize};
use touchdown_solve::{explicit, implicit};

/// Memory of the integration method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum MethodMemory {
    Explicit(explicit::Memory),
    Implicit(Box<implicit::Memory>),
    Realtime,
}

/// Powers at the last accepted step, W: what the trapezoidal rule needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastPowers {
    pub dissipated: f64,
    pub drives: f64,
    pub loads: f64,
}

/// Everything a restart needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Simulated time, s.
    pub t: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Evaluations of the forces, or Newton iterations.
    pub evaluations: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Rates.
    pub v: Vec<f64>,
    /// Contact states.
    pub z: Vec<f64>,
    /// Integrated powers.
    pub works: Works,
    /// The books.
    pub ledger: Ledger,
    pub(crate) last_powers: LastPowers,
    pub(crate) method: MethodMemory,
    /// Rows and frames handed to the sink so far.
    pub(crate) rows: u64,
    pub(crate) frames: u64,
    /// For each body whose path is recorded: length so far and speed at the last row.
    pub(crate) paths: Vec<(f64, f64)>,
    /// What each vehicle has driven.
    pub(crate) odometers: Vec<Odometer>,
    /// How far a gradability study is.
    pub(crate) course: Option<Course>,
    pub(crate) last_row_time: f64,
    pub(crate) accumulators: Vec<Accumulator>,
    /// The soil; filled in a checkpoint only.
    pub(crate) soil: Option<SavedSoil>,
    /// Candidates of smooth contacts; filled in a checkpoint only.
    pub(crate) pairs: SavedPairs,
    /// Anchors of polygonal contacts; filled in a checkpoint only.
    pub(crate) polygonal: Vec<touchdown_contact::polygonal::PairState>,
    /// Footprints; filled in a checkpoint only.
    pub(crate) feet: crate::feet::SavedFeet,
    /// What the devices of a satellite remember; filled in a checkpoint only.
    pub(crate) avionics: Option<AvionicsState>,
    /// What a docking remembers; filled in a checkpoint only.
    pub(crate) docking: Option<DockingState>,
    /// First time at which each tyre left its range of validity.
    pub(crate) out_of_range: Vec<Option<f64>>,
    /// First time at which each foot left its range of validity.
    pub(crate) feet_out_of_range: Vec<Option<f64>>,
    /// What the wheels on rigid ground did in the air.
    pub(crate) lift_offs: Vec<LiftOffs>,
    /// Extremes of the contacts, for the checks of validity.
    pub(crate) extremes: Extremes,
    /// Impulses that have acted.
    pub(crate) impulses: u64,
}

/// Format of the checkpoint payload; a change of `State` changes it.
const CHECKPOINT_VERSION: u32 = 9;

impl State {
    /// As bytes for a checkpoint.
    pub fn to_bytes(&self) -> Vec<u8> {
        match postcard::to_stdvec(&(CHECKPOINT_VERSION, self)) {
            Ok(bytes) => bytes,
            Err(_) => unreachable!("a state is plain data, and memory is its only limit"),
        }
    }

    /// From the bytes of a checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<State, CheckpointError> {
        let (version, _) = postcard::take_from_bytes::<u32>(bytes).map_err(|_| CheckpointError::Damaged)?;
        if version != CHECKPOINT_VERSION {
            return Err(CheckpointError::Version { found: version, expected: CHECKPOINT_VERSION });
        }
        let (_, state): (u32, State) = postcard::from_bytes(bytes).map_err(|_| CheckpointError::Damaged)?;
        Ok(state)
    }
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or cut off.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// Written by another version.
    #[error(
        "the checkpoint has format {found}, this program reads format {expected}; run the scenario again"
    )]
    Version {
        /// Its format.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// Written by another integrator.
    #[error("the checkpoint was written by another integrator than the scenario asks for")]
    OtherIntegrator,
    /// It does not fit the scenario.
    #[error("the checkpoint belongs to another model: it has {found} {what}, the scenario {expected}")]
    OtherModel {
        /// Of what.
        what: &'static str,
        /// In the checkpoint.
        found: usize,
        /// In the scenario.
        expected: usize,
    },
}
