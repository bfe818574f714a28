//! What the camera's poses say over time: where the nozzle goes and how fast it turns.

use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;
use touchdown_spacecraft::camera::{CameraFix, Rim, RimSeen};
use touchdown_spacecraft::relative::{RelativeEstimate, RelativeFilter, RelativeState};

/// Pictures older than this say nothing, s.
const STALE: f64 = 3.0;
/// Standard deviations by which a rate is sure.
const SURE: f64 = 3.0;

/// What is believed about the nozzle, chaser's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sight {
    filter: RelativeState,
    /// Distance along z that is held, m: that of the first pose.
    pub distance: Option<f64>,
    /// When chaser and client last touched, s.
    touched: Option<f64>,
    /// When the latest picture was taken that showed the rim and was believed, s.
    picture: Option<f64>,
}

impl Sight {
    /// Chaser and client touch at `t`.
    pub fn feel(&mut self, t: f64) {
        self.touched = Some(t);
    }

    /// What may have happened since the latest picture.
    fn model(&self) -> &'static RelativeFilter {
        if self.touched.is_some() && self.touched >= self.picture {
            &RelativeFilter::HELD
        } else {
            &RelativeFilter::FREE
        }
    }

    /// Takes in a pose; returns its normalised innovation squared, where there was something to compare it with.
    pub fn see(&mut self, fix: &CameraFix) -> Option<f64> {
        if self.model().update(&mut self.filter, fix) {
            self.picture = Some(fix.time);
        }
        self.distance = self.distance.or(Some(fix.centre[2]));
        self.filter.innovation
    }

    /// Where it is and how it moves, extrapolated from the last picture; nothing if that is old.
    pub fn now(&self, t: f64) -> Option<RelativeEstimate> {
        self.model().at(&self.filter, t).filter(|estimate| estimate.age < STALE)
    }

    /// The rim by all pictures so far, where it is at `t`, with the time of the latest picture; nothing if that is old.
    pub fn rim(&self, t: f64) -> Option<RimSeen> {
        let estimate = self.now(t)?;
        Some(RimSeen { time: self.picture?, rim: Rim { centre: estimate.centre, axis: estimate.axis } })
    }

    /// Rate at which the nozzle's axis turns against the chaser at least, rad/s: what is seen less its uncertainty; zero while nothing is seen.
    pub fn rate(&self, t: f64) -> f64 {
        self.now(t).map_or(0.0, |seen| (seen.axis_rate - SURE * seen.axis_rate_sigma).max(0.0))
    }

    /// Velocity of the nozzle against the chaser, m/s; nothing while nothing is seen.
    pub fn velocity(&self, t: f64) -> Option<Vec3> {
        self.now(t).map(|estimate| estimate.velocity)
    }
}
