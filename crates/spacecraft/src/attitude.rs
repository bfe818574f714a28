//! Attitude determination: a rate-integrating gyro, a star tracker, and the filter that combines them.
//!
//! The gyro gives the mean rate since its last sample with white noise (angle random walk) and a bias that may wander; the star tracker the attitude with
//! noise about each axis. The filter is multiplicative (Lefferts, Markley & Shuster, *Kalman filtering for spacecraft attitude estimation*, 1982): it carries a quaternion, the
//! bias, and the covariance of the small rotation and of the bias error, both in body axes: q_true = q̂ ⊗ exp(δθ), b_true = b̂ + δb.

use crate::clock::Clock;
use crate::random::Noise;
use nalgebra::{SMatrix, SVector};
use serde::{Deserialize, Serialize};
use touchdown_math::{Elementary, Mat3, Quat, Vec3, rotation};

/// A 6 × 6 covariance: rotation (rad), bias (rad/s).
pub type Covariance = SMatrix<f64, 6, 6>;

/// A rate-integrating gyro with three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gyro {
    /// Samples per second.
    pub rate_hz: f64,
    /// Angle random walk, rad/√s.
    pub angle_walk: f64,
    /// Standard deviation of the bias of each axis at the start, rad/s; drawn from the seed.
    pub bias: f64,
    /// Walk of the bias, rad/s/√s; 0: constant.
    pub bias_walk: f64,
}

/// A star tracker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StarTracker {
    /// Samples per second.
    pub rate_hz: f64,
    /// Noise about the body's axes, rad.
    pub noise: [f64; 3],
}

/// Estimate of attitude and rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttitudeEstimate {
    /// Quaternion {w, x, y, z} of the body in the world.
    pub q_WB: [f64; 4],
    /// Angular velocity in body axes, rad/s: the mean over the gyro's last interval.
    pub rate_B: [f64; 3],
    /// Bias of the gyro, rad/s.
    pub bias_B: [f64; 3],
    /// Covariance of rotation and bias, row by row.
    pub covariance: [[f64; 6]; 6],
}

impl AttitudeEstimate {
    /// The attitude as a rotation.
    pub fn attitude(&self) -> Quat {
        quaternion(&self.q_WB)
    }

    fn covariance(&self) -> Covariance {
        Covariance::from_fn(|i, j| self.covariance[i][j])
    }

    fn set(&mut self, q: &Quat, P: &Covariance) {
        self.q_WB = [q.w, q.i, q.j, q.k];
        // Rounding would slowly make it asymmetric.
        self.covariance = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (P[(i, j)] + P[(j, i)])));
    }

    /// Follows a measured mean rate for `dt`.
    fn propagate(&mut self, measured: &Vec3, dt: f64, gyro: &Gyro) {
        let rate = measured - Vec3::from(self.bias_B);
        let turn = rotation::exp(&(rate * dt));
        let mut F = Covariance::identity();
        F.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn.to_rotation_matrix().matrix().transpose());
        F.fixed_view_mut::<3, 3>(0, 3).copy_from(&(Mat3::identity() * -dt));
        let mut P = F * self.covariance() * F.transpose();
        let (white, walk) = (gyro.angle_walk * gyro.angle_walk, gyro.bias_walk * gyro.bias_walk);
        for i in 0..3 {
            P[(i, i)] += white * dt + walk * dt * dt * dt / 3.0;
            P[(i, i + 3)] -= walk * dt * dt / 2.0;
            P[(i + 3, i)] -= walk * dt * dt / 2.0;
            P[(i + 3, i + 3)] += walk * dt;
        }
        self.rate_B = rate.into();
        self.set(&(self.attitude() * turn), &P);
    }

    /// Processes a measured attitude with noise about each axis.
    fn update(&mut self, measured: &Quat, noise: &[f64; 3]) {
        let P = self.covariance();
        let innovation = rotation_vector(&(self.attitude().inverse() * measured));
        let R = Mat3::from_diagonal(&Vec3::from(noise.map(|s| s * s)));
        let S = P.fixed_view::<3, 3>(0, 0) + R;
        let Some(S_inverse) = S.try_inverse() else { return };
        let K = P.fixed_view::<6, 3>(0, 0) * S_inverse;
        let correction: SVector<f64, 6> = K * innovation;
        // Joseph's form: stays positive for any rounding of K.
        let mut left = Covariance::identity();
        let mut block = left.fixed_view_mut::<6, 3>(0, 0);
        block -= K;
        let P = left * P * left.transpose() + K * R * K.transpose();
        let turn = rotation::exp(&correction.fixed_rows::<3>(0).into_owned());
        self.set(&(self.attitude() * turn), &P);
        for i in 0..3 {
            self.bias_B[i] += correction[3 + i];
        }
    }

    /// Normalised error squared against the truth: χ² of six degrees of freedom if the covariance is right.
    pub fn normalised_error(&self, q_WB: &Quat, bias_B: &Vec3) -> Option<f64> {
        let turn = rotation_vector(&(self.attitude().inverse() * q_WB));
        let bias = bias_B - Vec3::from(self.bias_B);
        let e = SVector::<f64, 6>::new(turn.x, turn.y, turn.z, bias.x, bias.y, bias.z);
        self.covariance().cholesky().map(|c| e.dot(&c.solve(&e)))
    }
}

/// The rotation of a quaternion {w, x, y, z}, normalised.
pub fn quaternion(q: &[f64; 4]) -> Quat {
    Quat::new_normalize(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
}

/// Rotation vector of at most π.
pub fn rotation_vector(q: &Quat) -> Vec3 {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let v = Vec3::new(q.i, q.j, q.k) * sign;
    let (s, c) = (v.norm(), q.w.abs());
    // atan2(s, c)/s, by series where the quotient would lose digits.
    let half_over_sine = if s < 1e-4 { 1.0 + s * s / 6.0 } else { s.arctangent2(c) / s };
    v * (2.0 * half_over_sine)
}

/// The sensors and the filter of one satellite.
#[derive(Clone, Debug, PartialEq)]
pub struct AttitudeSensors {
    /// Gyro.
    pub gyro: Gyro,
    /// Star tracker.
    pub tracker: StarTracker,
    /// Noise of the gyro; index: sample, components 0–2 white, 3–5 walk, and of index 0 the bias at the start.
    pub gyro_noise: Noise,
    /// Noise of the star tracker.
    pub tracker_noise: Noise,
}

/// Memory of the sensors and the filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttitudeState {
    gyro_clock: Clock,
    tracker_clock: Clock,
    /// Time of the gyro's last sample, s, and the attitude it integrates from.
    last: (f64, [f64; 4]),
    /// True bias, rad/s.
    pub bias_B: [f64; 3],
    /// The estimate.
    pub estimate: AttitudeEstimate,
}

impl AttitudeState {
    /// Time of the next sample, s.
    pub fn next_time(&self) -> f64 {
        self.gyro_clock.next_time()
    }
}

impl AttitudeSensors {
    /// The state at t = 0: the first reading of the star tracker is the estimate; of the bias only its
    /// standard deviation is known.
    pub fn start(&self, q_WB: &Quat) -> AttitudeState {
        let measured = self.read_stars(0, q_WB);
        let mut covariance = [[0.0; 6]; 6];
        for i in 0..3 {
            covariance[i][i] = self.tracker.noise[i] * self.tracker.noise[i];
            covariance[3 + i][3 + i] = self.gyro.bias * self.gyro.bias;
        }
        let estimate = AttitudeEstimate {
            q_WB: [measured.w, measured.i, measured.j, measured.k],
            rate_B: [0.0; 3],
            bias_B: [0.0; 3],
            covariance,
        };
        AttitudeState {
            gyro_clock: Clock { rate: self.gyro.rate_hz, next: 1 },
            tracker_clock: Clock { rate: self.tracker.rate_hz, next: 1 },
            last: (0.0, [q_WB.w, q_WB.i, q_WB.j, q_WB.k]),
            bias_B: self.gyro_noise.normals::<3>(0, 0).map(|x| x * self.gyro.bias),
            estimate,
        }
    }

    /// Takes the readings due at `t` with the satellite at `q_WB`, and filters them; `false` if nothing was
    /// due. To be called at the gyro's rate; the star tracker is read with the first gyro sample at or after
    /// its own time.
    pub fn tick(&self, state: &mut AttitudeState, t: f64, q_WB: &Quat) -> bool {
        let Some(index) = state.gyro_clock.due(t) else { return false };
        let dt = t - state.last.0;
        if dt <= 0.0 {
            return false;
        }
        let turn = rotation_vector(&(quaternion(&state.last.1).inverse() * q_WB));
        let white: [f64; 3] = self.gyro_noise.normals(index, 0);
        let scatter = Vec3::from(white) * (self.gyro.angle_walk / dt.sqrt());
        let measured = turn / dt + Vec3::from(state.bias_B) + scatter;
        if self.gyro.bias_walk > 0.0 {
            let walk: [f64; 3] = self.gyro_noise.normals(index, 3);
            for i in 0..3 {
                state.bias_B[i] += self.gyro.bias_walk * dt.sqrt() * walk[i];
            }
        }
        state.last = (t, [q_WB.w, q_WB.i, q_WB.j, q_WB.k]);
        state.estimate.propagate(&measured, dt, &self.gyro);
        if let Some(index) = state.tracker_clock.due(t) {
            state.estimate.update(&self.read_stars(index, q_WB), &self.tracker.noise);
        }
        true
    }

    fn read_stars(&self, index: u64, q_WB: &Quat) -> Quat {
        let noise: [f64; 3] = self.tracker_noise.normals(index, 0);
        let turn = Vec3::from(std::array::from_fn::<f64, 3, _>(|i| noise[i] * self.tracker.noise[i]));
        q_WB * rotation::exp(&turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sensors(seed: u64, bias_walk: f64) -> AttitudeSensors {
        AttitudeSensors {
            gyro: Gyro { rate_hz: 50.0, angle_walk: 3e-6, bias: 5e-6, bias_walk },
            tracker: StarTracker { rate_hz: 4.0, noise: [5e-5, 5e-5, 2e-4] },
            gyro_noise: Noise::new(seed, 1),
            tracker_noise: Noise::new(seed, 2),
        }
    }

    /// A satellite that tumbles slowly about all axes, watched for `end` seconds.
    fn watch(sensors: &AttitudeSensors, end: f64) -> (AttitudeState, Quat) {
        let mut q = rotation::exp(&Vec3::new(0.3, -0.2, 1.0));
        let mut state = sensors.start(&q);
        let h = 0.02;
        for k in 0..(end / h) as usize {
            let t = (k as f64 + 0.5) * h;
            let w = Vec3::new(0.01 * (0.3 * t).sin(), 0.004, -0.006 * (0.2 * t).cos());
            q *= rotation::exp(&(w * h));
            assert!(sensors.tick(&mut state, (k + 1) as f64 * h, &q));
        }
        (state, q)
    }

    /// The filter's errors agree with its covariance: the normalised error squared over 300 seeds has the
    /// mean 6 within three of its standard deviations √(12/300), with a constant bias and with one that
    /// wanders.
    #[test]
    fn errors_match_their_covariance() {
        for walk in [0.0, 3e-7] {
            let runs = 300;
            let mean: f64 = (0..runs)
                .map(|seed| {
                    let (state, q) = watch(&sensors(seed, walk), 40.0);
                    state.estimate.normalised_error(&q, &Vec3::from(state.bias_B)).unwrap()
                })
                .sum::<f64>()
                / runs as f64;
            let bound = 3.0 * (12.0 / runs as f64).sqrt();
            assert!((mean - 6.0).abs() < bound, "bias walk {walk}: {mean}");
        }
    }

    /// Within five minutes the bias is known far better than at the start: the angle random walk leaves σ/√t, and the error stays within four of the filter's σ.
    #[test]
    fn bias_is_found() {
        let (state, _) = watch(&sensors(5, 0.0), 300.0);
        let limit = 3e-6 / 300f64.sqrt();
        for i in 0..3 {
            let sigma = state.estimate.covariance[3 + i][3 + i].sqrt();
            assert!(sigma > limit && sigma < 4.0 * limit, "{sigma}");
            assert!((state.estimate.bias_B[i] - state.bias_B[i]).abs() < 4.0 * sigma);
        }
    }

    /// Without noise and bias the gyro alone carries the attitude exactly, whatever the motion between its samples.
    #[test]
    fn perfect_gyro_is_exact() {
        let mut perfect = sensors(1, 0.0);
        perfect.gyro = Gyro { angle_walk: 0.0, bias: 0.0, ..perfect.gyro };
        perfect.tracker.noise = [1e-12; 3];
        let (state, q) = watch(&perfect, 20.0);
        assert!(rotation_vector(&(state.estimate.attitude().inverse() * q)).norm() < 1e-11);
    }

    /// Rotation vectors come back, near zero, near half a turn and from either sign of the quaternion.
    #[test]
    fn rotation_vector_inverts_the_exponential() {
        for v in [Vec3::new(1e-7, 2e-8, 0.0), Vec3::new(0.3, -0.9, 0.4), Vec3::new(3.0, 0.5, -0.2)] {
            let q = rotation::exp(&v);
            let minus = Quat::new_unchecked(-q.into_inner());
            assert!((rotation_vector(&q) - v).norm() < 1e-14 * (1.0 + 10.0 * v.norm()));
            assert!((rotation_vector(&minus) - v).norm() < 1e-14 * (1.0 + 10.0 * v.norm()));
        }
    }
}
