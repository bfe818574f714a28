//! What the camera's poses say over time: where the nozzle goes and how fast it turns.

use serde::{Deserialize, Serialize};
use touchdown_spacecraft::camera::CameraFix;
use touchdown_spacecraft::relative::{RelativeEstimate, RelativeFilter, RelativeState};

/// Pictures older than this say nothing, s.
const STALE: f64 = 3.0;
/// What may happen between pictures: thrusters move a tonne by 1 mm/s², a boom turns a client by 0.1 mrad/s². Before the first, a client may turn by a degree a second.
const FILTER: RelativeFilter =
    RelativeFilter { acceleration: 1e-3, angular_acceleration: 1e-4, velocity: 1e-2, angular_rate: 2e-2 };
/// Standard deviations by which a rate is sure.
const SURE: f64 = 3.0;

/// What is believed about the nozzle, chaser's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sight {
    filter: RelativeState,
    /// Distance along z that is held, m: that of the first pose.
    pub distance: Option<f64>,
}

impl Sight {
    /// Takes in a pose.
    pub fn see(&mut self, fix: &CameraFix) {
        FILTER.update(&mut self.filter, fix);
        self.distance = self.distance.or(Some(fix.centre[2]));
    }

    /// Where it is and how it moves, extrapolated from the last picture; nothing if that is old.
    pub fn now(&self, t: f64) -> Option<RelativeEstimate> {
        FILTER.at(&self.filter, t).filter(|estimate| estimate.age < STALE)
    }

    /// Rate at which the nozzle's axis turns against the chaser at least, rad/s: what is seen less its uncertainty; zero while nothing is seen.
    pub fn rate(&self, t: f64) -> f64 {
        self.now(t).map_or(0.0, |seen| (seen.axis_rate - SURE * seen.axis_rate_sigma).max(0.0))
    }

    /// Speed at which the nozzle goes away along the docking axis, m/s; zero while nothing is seen.
    pub fn separation(&self, t: f64) -> f64 {
        self.now(t).map_or(0.0, |estimate| estimate.velocity.z)
    }
}
