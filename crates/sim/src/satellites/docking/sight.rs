//! What the camera's poses tell over time: where the nozzle goes, how fast it turns, and where the chaser should be.

use super::Guidance;
use serde::{Deserialize, Serialize};
use touchdown_math::Vec3;
use touchdown_spacecraft::camera::CameraFix;
use touchdown_spacecraft::sequence::Commands;

/// Share of a new difference in the smoothed rates.
const GAIN: f64 = 0.3;
/// Poses older than this say nothing about rates, s.
const STALE: f64 = 3.0;

/// The latest pose with smoothed rates, chaser's axes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sight {
    /// When it was taken, s, centre of the rim, m, and its axis.
    last: Option<(f64, [f64; 3], [f64; 3])>,
    /// Velocity of the centre, m/s, and rate of the axis, rad/s; smoothed.
    velocity: [f64; 3],
    turning: [f64; 3],
    /// Distance along z that is held, m: that of the first pose.
    distance: f64,
}

impl Sight {
    /// Takes in a new pose.
    pub fn see(&mut self, fix: &CameraFix) {
        match self.last {
            Some((t, centre, axis)) if fix.time > t && fix.time - t < STALE => {
                let h = fix.time - t;
                for k in 0..3 {
                    self.velocity[k] += GAIN * ((fix.centre[k] - centre[k]) / h - self.velocity[k]);
                    self.turning[k] += GAIN * ((fix.axis[k] - axis[k]) / h - self.turning[k]);
                }
            }
            Some((t, ..)) if fix.time <= t => return,
            Some(_) => (self.velocity, self.turning) = ([0.0; 3], [0.0; 3]),
            None => self.distance = fix.centre[2],
        }
        self.last = Some((fix.time, fix.centre, fix.axis));
    }

    fn fresh(&self, t: f64) -> Option<[f64; 3]> {
        self.last.filter(|(taken, ..)| t - taken < STALE).map(|(_, centre, _)| centre)
    }

    /// Rate at which the nozzle's axis turns against the chaser, rad/s; zero while nothing is seen.
    pub fn rate(&self, t: f64) -> f64 {
        self.fresh(t).map_or(0.0, |_| Vec3::from(self.turning).norm())
    }

    /// Velocity of the rim's centre against the chaser, m/s.
    pub fn velocity(&self, t: f64) -> Option<Vec3> {
        self.fresh(t).map(|_| Vec3::from(self.velocity))
    }

    /// Where the chaser is and how it moves against what the sequence wants: the nozzle on the docking axis at the first distance, or going away.
    pub fn guide(&self, commands: &Commands, t: f64) -> Guidance {
        let velocity = self.velocity(t).map(|v| -v);
        let (offset_B, velocity_B) = match commands.retreat_speed {
            // Backwards: the nozzle should move along +z.
            Some(speed) => (None, velocity.map(|v| v + Vec3::z() * speed)),
            None => (self.fresh(t).map(|c| Vec3::z() * self.distance - Vec3::from(c)), velocity),
        };
        Guidance { mode: commands.aocs, offset_B, velocity_B }
    }
}
