//! Abort criteria of the sequence.

use super::{DockingPhase, Readings, SequenceState};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Limits; exceeding any of them leads to a retreat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbortCriteria {
    /// Longest time from the start until the tool is in, s.
    pub insertion_timeout: f64,
    /// Push on the tool during insertion, N, that lasts for [`AbortCriteria::insertion_force_for`]. It counts from 95 % on: the drive itself stops at its limit.
    pub insertion_force: f64,
    /// Its longest duration, s.
    pub insertion_force_for: f64,
    /// Farthest that the nozzle may be off the docking axis before the tool enters it, m.
    pub lateral_error: f64,
    /// Longest time for locking, s.
    pub locking_timeout: f64,
    /// Largest force across the boom, N.
    pub boom_lateral_force: f64,
    /// Largest angular rate of the client, rad/s; it counts once it has been confident for
    /// [`AbortCriteria::client_rate_for`].
    pub client_rate: f64,
    /// Its longest duration, s: longer than the time in which the next picture confirms a picture.
    pub client_rate_for: f64,
    /// Longest time from locking until a bracket is touched, s.
    pub retraction_timeout: f64,
    /// Longest time from the first bracket to all of them, s.
    pub seating_timeout: f64,
    /// Longest time for tensioning the spring, s.
    pub tension_timeout: f64,
    /// Longest time for stowing the crown in an abort, s; then the retreat continues.
    pub stowing_timeout: f64,
}

/// Reasons for aborting a docking; the numbers are the values found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Error)]
pub enum AbortReason {
    /// s.
    #[error("tool not inserted within {0:.0} s")]
    InsertionTimeout(f64),
    /// N.
    #[error("tool pushed with {0:.1} N during insertion")]
    InsertionForce(f64),
    /// m.
    #[error("nozzle {:.1} mm off the docking axis", 1e3 * .0)]
    LateralError(f64),
    /// s.
    #[error("crown not locked within {0:.0} s")]
    LockingTimeout(f64),
    /// N.
    #[error("force of {0:.1} N across the boom")]
    BoomLateralForce(f64),
    /// rad/s.
    #[error("client turns with {:.2} deg/s", .0.to_degrees())]
    ClientRate(f64),
    /// s.
    #[error("no bracket reached within {0:.0} s")]
    RetractionTimeout(f64),
    /// s.
    #[error("ring not seated on all brackets within {0:.0} s")]
    SeatingTimeout(f64),
    /// s.
    #[error("safety spring not at its stop within {0:.0} s")]
    TensionTimeout(f64),
}

impl AbortReason {
    /// All names, in the order of their codes, which begin with 1.
    pub const NAMES: [&'static str; 9] = [
        "insertion-timeout",
        "insertion-force",
        "lateral-error",
        "locking-timeout",
        "boom-lateral-force",
        "client-rate",
        "retraction-timeout",
        "seating-timeout",
        "tension-timeout",
    ];

    /// A number for columns; 0 stands for no abort.
    pub fn code(&self) -> u32 {
        match self {
            AbortReason::InsertionTimeout(_) => 1,
            AbortReason::InsertionForce(_) => 2,
            AbortReason::LateralError(_) => 3,
            AbortReason::LockingTimeout(_) => 4,
            AbortReason::BoomLateralForce(_) => 5,
            AbortReason::ClientRate(_) => 6,
            AbortReason::RetractionTimeout(_) => 7,
            AbortReason::SeatingTimeout(_) => 8,
            AbortReason::TensionTimeout(_) => 9,
        }
    }

    /// A short name for tables.
    pub fn name(&self) -> &'static str {
        AbortReason::NAMES[self.code() as usize - 1]
    }
}

impl AbortCriteria {
    /// Violated criterion at `t`, if any. Two conditions must persist: a push on the tool, and a client that
    /// turns too fast; their durations are given.
    pub(super) fn check(
        &self,
        state: &SequenceState,
        t: f64,
        readings: &Readings,
        [pushed_for, turned_for]: [Option<f64>; 2],
    ) -> Option<AbortReason> {
        use DockingPhase::{Centre, Docked, Extend, Insert, Lock, Retract, Seat, Tension};
        let phase = state.phase;
        if matches!(phase, Docked | DockingPhase::Abort | DockingPhase::Retreat | DockingPhase::Retreated) {
            return None;
        }
        if turned_for.is_some_and(|time| time >= self.client_rate_for) {
            return Some(AbortReason::ClientRate(readings.client_rate));
        }
        if readings.boom_lateral_force > self.boom_lateral_force {
            return Some(AbortReason::BoomLateralForce(readings.boom_lateral_force));
        }
        let off = state.lateral_error.filter(|e| *e > self.lateral_error);
        if let (Centre | Extend, Some(off)) = (phase, off) {
            return Some(AbortReason::LateralError(off));
        }
        if matches!(phase, Extend | Insert) && pushed_for.is_some_and(|time| time > self.insertion_force_for)
        {
            return Some(AbortReason::InsertionForce(-readings.boom_force));
        }
        let late = |limit: f64, since: f64| (t - since > limit).then_some(limit);
        match phase {
            Centre | Extend | Insert => late(self.insertion_timeout, 0.0).map(AbortReason::InsertionTimeout),
            Lock => late(self.locking_timeout, state.entered).map(AbortReason::LockingTimeout),
            Retract => late(self.retraction_timeout, state.entered).map(AbortReason::RetractionTimeout),
            Seat => late(self.seating_timeout, state.entered).map(AbortReason::SeatingTimeout),
            Tension => late(self.tension_timeout, state.entered).map(AbortReason::TensionTimeout),
            _ => None,
        }
    }

    /// Whether a boom force (N, tension positive) counts as a push on the tool that should end the insertion.
    pub(super) fn is_push(&self, boom_force: f64) -> bool {
        -boom_force >= 0.95 * self.insertion_force
    }
}
