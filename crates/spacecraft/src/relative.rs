//! Relative navigation: place, velocity and axis of the client from the camera's poses, which come seldom, late and noisy.
//!
//! Five channels (three of the rim's centre, two of its axis, in the chaser's axes), each with a Kalman filter of value and rate under white acceleration
//! (continuous Wiener process; Bar-Shalom, Li & Kirubarajan, *Estimation with Applications to Tracking and Navigation*, 6.2). Poses are filtered at the time of their pictures and
//! read out by extrapolation, which makes up for their delay. A pose that lies beyond five standard deviations of what is expected is passed over: where the rim leaves the
//! picture, the search for a pose now and then ends somewhere else. If that goes on, it is the expectation that is wrong, and the filter begins anew.

use crate::camera::CameraFix;
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// How much may happen between pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeFilter {
    /// Spectral density of the centre's acceleration, as its root, m/s²/√Hz.
    pub acceleration: f64,
    /// Spectral density of the axis' angular acceleration, as its root, rad/s²/√Hz.
    pub angular_acceleration: f64,
    /// Standard deviation of the velocity before anything is known, m/s.
    pub velocity: f64,
    /// Standard deviation of the angular rate before anything is known, rad/s.
    pub angular_rate: f64,
}

/// One channel: value, rate, and their covariance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Channel {
    value: f64,
    rate: f64,
    /// Variance of the value, covariance, variance of the rate.
    p: [f64; 3],
}

impl Channel {
    fn start(value: f64, variance: f64, rate: f64) -> Channel {
        Channel { value, rate: 0.0, p: [variance, 0.0, rate * rate] }
    }

    fn after(&self, dt: f64, density: f64) -> Channel {
        let [a, b, c] = self.p;
        let q = density * density;
        Channel {
            value: self.value + dt * self.rate,
            rate: self.rate,
            p: [
                a + dt * (2.0 * b + dt * c) + q * dt * dt * dt / 3.0,
                b + dt * c + q * dt * dt / 2.0,
                c + q * dt,
            ],
        }
    }

    /// Whether a measurement lies far from what is expected.
    fn is_far(&self, measured: f64, variance: f64) -> bool {
        (measured - self.value).whole_power(2) > GATE * GATE * (self.p[0] + variance)
    }

    fn update(&mut self, measured: f64, variance: f64) {
        let [a, b, c] = self.p;
        let s = a + variance;
        if s <= 0.0 {
            return;
        }
        let (gain, rate_gain) = (a / s, b / s);
        let off = measured - self.value;
        self.value += gain * off;
        self.rate += rate_gain * off;
        self.p = [variance * gain, variance * rate_gain, c - rate_gain * b];
    }
}

/// What is believed, at the time of the latest picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RelativeState {
    /// Time of the latest picture used, s; `None` before the first.
    time: Option<f64>,
    channels: [Channel; 5],
    /// Poses passed over since then.
    refused: u32,
}

/// Standard deviations from what is expected, beyond which a pose is passed over.
const GATE: f64 = 5.0;
/// Poses passed over one after the other before the filter begins anew.
const MOST_REFUSED: u32 = 5;

/// Where the rim is and how it moves, in the chaser's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeEstimate {
    /// Centre of the rim, m.
    pub centre: Vec3,
    /// Its velocity, m/s, as the chaser sees it.
    pub velocity: Vec3,
    /// Unit axis.
    pub axis: Vec3,
    /// Angular rate of the axis against the chaser, rad/s; turning about itself is not seen.
    pub axis_rate: f64,
    /// Its standard deviation, rad/s.
    pub axis_rate_sigma: f64,
    /// Age of the latest picture, s.
    pub age: f64,
}

impl RelativeFilter {
    /// Takes in a pose; one that is not newer than the last, or far from what is expected, is passed over. `true` if it was used.
    pub fn update(&self, state: &mut RelativeState, fix: &CameraFix) -> bool {
        let measured = [fix.centre[0], fix.centre[1], fix.centre[2], fix.axis[0], fix.axis[1]];
        let variance: [f64; 5] = std::array::from_fn(|i| fix.covariance[i][i]);
        if state.time.is_some_and(|last| fix.time <= last) {
            return false;
        }
        let expected = state.time.filter(|_| state.refused < MOST_REFUSED).map(|last| {
            let dt = fix.time - last;
            std::array::from_fn(|i| state.channels[i].after(dt, self.density(i)))
        });
        state.channels = match expected {
            Some(mut channels) => {
                if (0..5).any(|i| channels[i].is_far(measured[i], variance[i])) {
                    state.refused += 1;
                    return false;
                }
                (0..5).for_each(|i| channels[i].update(measured[i], variance[i]));
                channels
            }
            None => std::array::from_fn(|i| {
                let rate = if i < 3 { self.velocity } else { self.angular_rate };
                Channel::start(measured[i], variance[i], rate)
            }),
        };
        (state.time, state.refused) = (Some(fix.time), 0);
        true
    }

    fn density(&self, channel: usize) -> f64 {
        if channel < 3 { self.acceleration } else { self.angular_acceleration }
    }

    /// The estimate at `t`; `None` before the first pose.
    pub fn at(&self, state: &RelativeState, t: f64) -> Option<RelativeEstimate> {
        let age = t - state.time?;
        let c: [Channel; 5] = std::array::from_fn(|i| state.channels[i].after(age, self.density(i)));
        // The rim faces the cameras.
        let (ax, ay) = (c[3].value, c[4].value);
        let axis = Vec3::new(ax, ay, -(1.0 - ax * ax - ay * ay).max(0.0).sqrt()).normalize();
        Some(RelativeEstimate {
            centre: Vec3::new(c[0].value, c[1].value, c[2].value),
            velocity: Vec3::new(c[0].rate, c[1].rate, c[2].rate),
            axis,
            axis_rate: c[3].rate.hypotenuse(c[4].rate),
            axis_rate_sigma: c[3].p[2].max(c[4].p[2]).sqrt(),
            age,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Noise;

    const FILTER: RelativeFilter =
        RelativeFilter { acceleration: 1e-5, angular_acceleration: 1e-5, velocity: 0.02, angular_rate: 0.02 };
    const SIGMA: [f64; 5] = [5e-5, 7e-5, 3e-4, 2e-3, 2e-3];

    fn fix(time: f64, truth: &[f64; 5], noise: &[f64; 5]) -> CameraFix {
        let x: [f64; 5] = std::array::from_fn(|i| truth[i] + SIGMA[i] * noise[i]);
        let mut covariance = [[0.0; 5]; 5];
        for i in 0..5 {
            covariance[i][i] = SIGMA[i] * SIGMA[i];
        }
        let axis = [x[3], x[4], -(1.0 - x[3] * x[3] - x[4] * x[4]).sqrt()];
        CameraFix { time, centre: [x[0], x[1], x[2]], axis, covariance, points: 80, residual_px: 0.3 }
    }

    /// A client that drifts under the stated accelerations: the normalised error squared of value and rate over 500 seeds has the mean 2 in every channel, within
    /// four of its standard deviations √(4/500).
    #[test]
    fn errors_match_their_covariance() {
        let runs = 500;
        let mut mean = [0.0; 5];
        for seed in 0..runs {
            let (pixels, drift) = (Noise::new(seed, 0), Noise::new(seed, 1));
            let start: [f64; 5] = drift.normals(0, 100);
            let mut x = [0.01, 0.005, 1.96, 0.02, -0.01];
            let mut v: [f64; 5] = std::array::from_fn(|i| 0.02 * start[i]);
            v[3..].iter_mut().for_each(|r| *r *= 0.1);
            let mut state = RelativeState::default();
            let filter = RelativeFilter { angular_rate: 0.002, ..FILTER };
            let dt = 0.5f64;
            for k in 0..40u64 {
                filter.update(&mut state, &fix(dt * k as f64, &x, &pixels.normals(k, 0)));
                if k == 39 {
                    break;
                }
                // Two numbers with the covariance of an integrated white acceleration.
                let [a, b]: [[f64; 5]; 2] = [drift.normals(k + 1, 0), drift.normals(k + 1, 5)];
                for i in 0..5 {
                    let q = filter.density(i) * dt.sqrt();
                    x[i] += dt * v[i] + q * dt * (0.5 * a[i] + b[i] / 12f64.sqrt());
                    v[i] += q * a[i];
                }
            }
            for i in 0..5 {
                let c = state.channels[i];
                let (e, r) = (x[i] - c.value, v[i] - c.rate);
                let determinant = c.p[0] * c.p[2] - c.p[1] * c.p[1];
                mean[i] +=
                    (c.p[2] * e * e - 2.0 * c.p[1] * e * r + c.p[0] * r * r) / determinant / runs as f64;
            }
        }
        for (i, mean) in mean.iter().enumerate() {
            assert!((mean - 2.0).abs() < 4.0 * (4.0 / runs as f64).sqrt(), "channel {i}: {mean}");
        }
    }

    /// Delay is made up for: a steady drift is read out where the client is now, not where it was.
    #[test]
    fn delay_is_made_up_for() {
        let mut state = RelativeState::default();
        assert!(FILTER.at(&state, 1.0).is_none());
        let place = |t: f64| [0.001 * t, 0.0, 1.96 - 0.002 * t, 1e-4 * t, 0.0];
        for k in 0..60 {
            let t = 0.5 * k as f64;
            assert!(FILTER.update(&mut state, &fix(t, &place(t), &[0.0; 5])));
            assert!(!FILTER.update(&mut state, &fix(t, &place(t), &[0.0; 5])), "the same picture twice");
        }
        let now = FILTER.at(&state, 29.7).unwrap();
        let truth = place(29.7);
        assert!((now.centre - Vec3::new(truth[0], truth[1], truth[2])).norm() < 1e-6, "{now:?}");
        assert!((now.velocity - Vec3::new(0.001, 0.0, -0.002)).norm() < 1e-6);
        assert!((now.axis_rate - 1e-4).abs() < 1e-5 && (now.age - 0.2).abs() < 1e-12);
    }

    /// A pose from nowhere changes nothing; a client that really is elsewhere is found again.
    #[test]
    fn a_pose_far_off_is_passed_over() {
        let mut state = RelativeState::default();
        let (here, there) = ([0.0, 0.0, 1.96, 0.0, 0.0], [0.0, 0.0, 1.96, 0.1, 0.0]);
        (0..20).for_each(|k| _ = FILTER.update(&mut state, &fix(0.5 * k as f64, &here, &[0.0; 5])));
        assert!(!FILTER.update(&mut state, &fix(10.0, &there, &[0.0; 5])));
        assert!(FILTER.update(&mut state, &fix(10.5, &here, &[0.0; 5])));
        let now = FILTER.at(&state, 10.5).unwrap();
        assert!(now.axis_rate < 1e-12 && now.axis_rate_sigma < 2e-3, "{now:?}");
        let used: Vec<bool> = (0..8)
            .map(|k| FILTER.update(&mut state, &fix(11.0 + 0.5 * k as f64, &there, &[0.0; 5])))
            .collect();
        assert_eq!(used, [false, false, false, false, false, true, true, true]);
        assert!((FILTER.at(&state, 14.5).unwrap().axis.x - 0.1).abs() < 1e-3);
    }
}
