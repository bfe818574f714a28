//! Tracking of the camera's poses over time: position, velocity and rate of the nozzle.

use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;
use touchdown_spacecraft::camera::{CameraFix, Rim, RimSeen};
use touchdown_spacecraft::relative::{RelativeEstimate, RelativeFilter, RelativeState};

/// Age beyond which pictures are not used, s.
const STALE: f64 = 3.0;
/// Number of standard deviations of a confident rate.
const SURE: f64 = 3.0;

/// Forces between two pictures: sums of their sizes over ticks, N.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Felt {
    along: f64,
    across: f64,
    ticks: u32,
    held: bool,
}

/// Estimate of the nozzle, chaser's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sight {
    filter: RelativeState,
    /// Held distance along z, m: that of the first pose.
    pub distance: Option<f64>,
    /// What was felt between the two latest pictures that were believed, and since.
    felt: [Felt; 2],
    /// When the latest picture was taken that showed the rim and was believed, s.
    picture: Option<f64>,
}

impl Sight {
    /// Forces at the tip of the boom, N, along and across the docking axis; whether chaser and client hold each other elsewhere too.
    pub fn feel(&mut self, along: f64, across: f64, held: bool) {
        let [_, now] = &mut self.felt;
        now.along += along.abs();
        now.across += across.abs();
        now.ticks += 1;
        now.held |= held;
    }

    /// What may have happened since the latest picture. Pictures come late: what was felt before counts too.
    fn model(&self) -> RelativeFilter {
        if self.felt.iter().any(|felt| felt.held) {
            return RelativeFilter::HELD;
        }
        let largest = |force: fn(&Felt) -> f64| {
            self.felt.iter().map(|felt| force(felt) / f64::from(felt.ticks.max(1))).fold(0.0, f64::max)
        };
        RelativeFilter::under(largest(|felt| felt.along), largest(|felt| felt.across))
    }

    /// Processes a pose; returns its normalised innovation squared, if there was a prediction.
    pub fn see(&mut self, fix: &CameraFix) -> Option<f64> {
        if self.model().update(&mut self.filter, fix) {
            self.picture = Some(fix.time);
            self.felt = [self.felt[1], Felt::default()];
        }
        self.distance = self.distance.or(Some(fix.centre[2]));
        self.filter.innovation
    }

    /// Its position and velocity, extrapolated from the last picture; `None` if that is old.
    pub fn now(&self, t: f64) -> Option<RelativeEstimate> {
        self.model().at(&self.filter, t).filter(|estimate| estimate.age < STALE)
    }

    /// The rim at `t` from all pictures so far, with the time of the latest picture; `None` if that is old.
    pub fn rim(&self, t: f64) -> Option<RimSeen> {
        let estimate = self.now(t)?;
        Some(RimSeen { time: self.picture?, rim: Rim { centre: estimate.centre, axis: estimate.axis } })
    }

    /// Lower bound of the rate of the nozzle's axis against the chaser, rad/s: the estimate less its
    /// uncertainty; zero without an estimate.
    pub fn rate(&self, t: f64) -> f64 {
        self.now(t).map_or(0.0, |seen| (seen.axis_rate - SURE * seen.axis_rate_sigma).max(0.0))
    }

    /// Velocity of the nozzle against the chaser, m/s; `None` without an estimate.
    pub fn velocity(&self, t: f64) -> Option<Vec3> {
        self.now(t).map(|estimate| estimate.velocity)
    }
}
