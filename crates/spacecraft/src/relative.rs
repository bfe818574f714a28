//! Relative navigation: place, velocity and axis of the client from the camera's poses, which are infrequent,
//! delayed and noisy.
//!
//! A Kalman filter of five values (three of the rim's centre, two of its axis, in the chaser's axes) and their rates under white acceleration
//! (continuous Wiener process; Bar-Shalom, Li & Kirubarajan, *Estimation with Applications to Tracking and
//! Navigation*, 6.2). It uses the full covariance of a pose: if only a part of the rim is in the picture,
//! errors of position and tilt of the circle are correlated. Poses are filtered at the time of their pictures
//! and the output is extrapolated, which compensates their delay.
//!
//! Consistency (ibid., 5.4): the normalised innovation squared, [`RelativeState::innovation`], is χ² of five degrees of freedom, and the normalised error squared of the
//! state, [`RelativeState::normalised_error`], χ² of ten. A pose whose innovation exceeds the value that one
//! in a million poses reaches is rejected. If this continues, the prediction is wrong, and the filter
//! restarts with unknown rates.

use crate::camera::CameraFix;
use nalgebra::{SMatrix, SVector};
use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Vec3};

type Five = SVector<f64, 5>;
type FiveByFive = SMatrix<f64, 5, 5>;

/// Process noise between pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeFilter {
    /// Spectral density of the centre's acceleration across the docking axis, as its root, m/s²/√Hz.
    pub acceleration: f64,
    /// The same along the docking axis.
    pub acceleration_along: f64,
    /// Spectral density of the axis' angular acceleration, as its root, rad/s²/√Hz.
    pub angular_acceleration: f64,
    /// Initial standard deviation of the velocity, m/s.
    pub velocity: f64,
    /// Initial standard deviation of the angular rate, rad/s.
    pub angular_rate: f64,
}

/// Values and rates with their covariance, in blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Belief {
    value: [f64; 5],
    rate: [f64; 5],
    /// Covariance of the values, of values with rates (row: value), of the rates.
    values: [[f64; 5]; 5],
    mixed: [[f64; 5]; 5],
    rates: [[f64; 5]; 5],
}

fn rows(m: &FiveByFive) -> [[f64; 5]; 5] {
    std::array::from_fn(|i| std::array::from_fn(|j| m[(i, j)]))
}

fn matrix(rows: &[[f64; 5]; 5]) -> FiveByFive {
    FiveByFive::from_fn(|i, j| rows[i][j])
}

/// Rounding must not make a covariance asymmetric.
fn symmetric(m: FiveByFive) -> FiveByFive {
    (m + m.transpose()) * 0.5
}

impl Belief {
    fn start(measured: &Five, R: &FiveByFive, filter: &RelativeFilter) -> Belief {
        let mut rates = [[0.0; 5]; 5];
        for i in 0..5 {
            let sigma = if i < 3 { filter.velocity } else { filter.angular_rate };
            rates[i][i] = sigma * sigma;
        }
        Belief { value: (*measured).into(), rate: [0.0; 5], values: rows(R), mixed: [[0.0; 5]; 5], rates }
    }

    fn after(&self, dt: f64, filter: &RelativeFilter) -> Belief {
        let (A, B, C) = (matrix(&self.values), matrix(&self.mixed), matrix(&self.rates));
        let mut Q = FiveByFive::zeros();
        for i in 0..5 {
            Q[(i, i)] = filter.density(i).whole_power(2);
        }
        let values = A + (B + B.transpose()) * dt + C * (dt * dt) + Q * (dt * dt * dt / 3.0);
        Belief {
            value: std::array::from_fn(|i| self.value[i] + dt * self.rate[i]),
            rate: self.rate,
            values: rows(&symmetric(values)),
            mixed: rows(&(B + C * dt + Q * (0.5 * dt * dt))),
            rates: rows(&(C + Q * dt)),
        }
    }

    /// The estimate after a pose, and the normalised innovation squared.
    fn with(&self, measured: &Five, R: &FiveByFive) -> Option<(Belief, f64)> {
        let (A, B, C) = (matrix(&self.values), matrix(&self.mixed), matrix(&self.rates));
        let S = (A + R).cholesky()?;
        let off = measured - Five::from(self.value);
        let weighted = S.solve(&off);
        let (SA, SB) = (S.solve(&A), S.solve(&B));
        let after = Belief {
            value: (Five::from(self.value) + A * weighted).into(),
            rate: (Five::from(self.rate) + B.transpose() * weighted).into(),
            values: rows(&symmetric(A - A * SA)),
            mixed: rows(&(B - A * SB)),
            rates: rows(&symmetric(C - B.transpose() * SB)),
        };
        Some((after, off.dot(&weighted)))
    }
}

/// Estimate at the time of the latest picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RelativeState {
    /// Time of the latest picture used, s; `None` before the first.
    time: Option<f64>,
    belief: Belief,
    /// Poses rejected since then.
    refused: u32,
    /// Normalised innovation squared of the latest pose, used or not; `None` without a prediction.
    pub innovation: Option<f64>,
}

/// Normalised innovation squared beyond which a pose is rejected: a millionth of χ² with five degrees of
/// freedom lies beyond.
const GATE: f64 = 35.9;
/// Densities for each newton that lasts for √0.5 s²: 1/1400 kg + 1/1700 kg along the axis; turning of the chaser by a force 2.25 m before its centre on 1000 kg m², and of the
/// client 1 m on 3500 kg m²; across, that of the rim, 1.96 m before the chaser's centre, with them.
const ALONG: f64 = 9.2e-4;
const TURNING: f64 = 1.8e-3;
const ACROSS: f64 = ALONG + 1.96 * TURNING;
/// The largest force that lasts while nothing else holds the client, N: that of the boom's drive.
const LARGEST: f64 = 20.0;
/// Consecutive rejected poses after which the filter restarts.
const MOST_REFUSED: u32 = 5;

/// Position and motion of the rim, in the chaser's axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeEstimate {
    /// Centre of the rim, m.
    pub centre: Vec3,
    /// Its velocity relative to the chaser, m/s.
    pub velocity: Vec3,
    /// Unit axis.
    pub axis: Vec3,
    /// Angular rate of the axis against the chaser, rad/s; rotation about itself is not observable.
    pub axis_rate: f64,
    /// Its largest standard deviation over all directions, rad/s.
    pub axis_rate_sigma: f64,
    /// Standard deviations along the docking axis: of the place, m, and of the velocity, m/s.
    pub along_sigma: [f64; 2],
    /// Age of the latest picture, s.
    pub age: f64,
}

impl RelativeState {
    /// Normalised error squared of values and rates at the time of the latest picture against the truth: χ² of ten degrees of freedom where the covariance is
    /// right. `None` before the first.
    pub fn normalised_error(&self, values: &[f64; 5], rates: &[f64; 5]) -> Option<f64> {
        self.time?;
        let b = &self.belief;
        let P = SMatrix::<f64, 10, 10>::from_fn(|i, j| match (i < 5, j < 5) {
            (true, true) => b.values[i][j],
            (true, false) => b.mixed[i][j - 5],
            (false, true) => b.mixed[j][i - 5],
            (false, false) => b.rates[i - 5][j - 5],
        });
        let e = SVector::<f64, 10>::from_fn(|i, _| {
            if i < 5 { values[i] - b.value[i] } else { rates[i - 5] - b.rate[i - 5] }
        });
        P.cholesky().map(|factors| e.dot(&factors.solve(&e)))
    }
}

impl RelativeFilter {
    /// While nothing touches. Thrusters fire 2 N for at most a tenth of each control period: velocity steps of 0.1 mm/s, ten in a second, move 1400 kg; wheels turn
    /// the chaser by 0.2 mrad/s². Before the first pose, a client may turn by a degree a second.
    pub const FREE: RelativeFilter = RelativeFilter {
        acceleration: 3e-4,
        acceleration_along: 3e-4,
        angular_acceleration: 1e-4,
        velocity: 1e-2,
        angular_rate: 2e-2,
    };
    /// While tool and nozzle, or ring and brackets, push each other: 12 N on 1400 kg and 4 N m on 1200 kg m² for the half second between pictures.
    pub const HELD: RelativeFilter = RelativeFilter {
        acceleration: 6e-3,
        acceleration_along: 6e-3,
        angular_acceleration: 2.5e-3,
        ..RelativeFilter::FREE
    };

    /// Under forces that the boom feels at its tip, N, as their means since the latest picture: along the docking axis and across it. A force that lasts for the half second
    /// between pictures changes the velocity by as much as a white acceleration of √0.5 s times its own.
    pub fn under(along: f64, across: f64) -> RelativeFilter {
        let (free, held) = (RelativeFilter::FREE, RelativeFilter::HELD);
        RelativeFilter {
            acceleration: free.acceleration.hypotenuse(ACROSS * across).min(held.acceleration),
            acceleration_along: free.acceleration_along.hypotenuse(ALONG * along.min(LARGEST)),
            angular_acceleration: free
                .angular_acceleration
                .hypotenuse(TURNING * across)
                .min(held.angular_acceleration),
            ..free
        }
    }

    /// Processes a pose; one that is not newer than the last, or far from the prediction, is rejected. `true`
    /// if it was used.
    pub fn update(&self, state: &mut RelativeState, fix: &CameraFix) -> bool {
        if state.time.is_some_and(|last| fix.time <= last) {
            return false;
        }
        let (measured, R) = fix.observation();
        let expected = state.time.map(|last| state.belief.after(fix.time - last, self));
        let updated = expected.and_then(|expected| expected.with(&measured, &R));
        state.innovation = updated.map(|(_, innovation)| innovation);
        state.belief = match updated {
            Some((belief, innovation)) if innovation <= GATE => belief,
            Some(_) if state.refused < MOST_REFUSED => {
                state.refused += 1;
                return false;
            }
            _ => Belief::start(&measured, &R, self),
        };
        (state.time, state.refused) = (Some(fix.time), 0);
        true
    }

    fn density(&self, channel: usize) -> f64 {
        match channel {
            0 | 1 => self.acceleration,
            2 => self.acceleration_along,
            _ => self.angular_acceleration,
        }
    }

    /// The estimate at `t`; `None` before the first pose.
    pub fn at(&self, state: &RelativeState, t: f64) -> Option<RelativeEstimate> {
        let age = t - state.time?;
        let b = state.belief.after(age, self);
        // The rim faces the cameras.
        let (ax, ay) = (b.value[3], b.value[4]);
        let axis = Vec3::new(ax, ay, -(1.0 - ax * ax - ay * ay).max(0.0).sqrt()).normalize();
        // The larger principal variance of the two rates.
        let (xx, yy, xy) = (b.rates[3][3], b.rates[4][4], b.rates[3][4]);
        let largest = 0.5 * (xx + yy) + (0.5 * (xx - yy)).hypotenuse(xy);
        Some(RelativeEstimate {
            centre: Vec3::new(b.value[0], b.value[1], b.value[2]),
            velocity: Vec3::new(b.rate[0], b.rate[1], b.rate[2]),
            axis,
            axis_rate: b.rate[3].hypotenuse(b.rate[4]),
            axis_rate_sigma: largest.max(0.0).sqrt(),
            along_sigma: [b.values[2][2], b.rates[2][2]].map(|variance| variance.max(0.0).sqrt()),
            age,
        })
    }
}

#[cfg(test)]
#[path = "relative_tests.rs"]
mod tests;
