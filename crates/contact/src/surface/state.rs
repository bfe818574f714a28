//! What outlives an evaluation: the candidates of the last accepted step. The deflections of stick–slip friction are contact states and travel
//! with the integrator.

use super::MOST;
use serde::{Deserialize, Serialize};

/// Two points that face each other at the last accepted step, each in the frame of its side. Plain data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Which corner of a mesh; zero for other forms.
    pub feature: u32,
    /// Places on side 1 and side 2, m.
    pub places: [[f64; 3]; 2],
    /// Their rates by the port-based equations, m/s.
    pub rates: [[f64; 3]; 2],
    /// Distance, m; negative when touching.
    pub gap: f64,
}

/// The candidates of a pair, each in a slot that it keeps as long as it lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairState {
    /// The slots.
    pub slots: [Option<Candidate>; MOST],
    /// Candidates that lost relative convexity or were not found again from their last place, so far.
    pub lost: u64,
    /// Touching places that found no free slot, so far.
    pub crowded: u64,
}
