//! Rotation vectors: how their rates follow from angular velocities, with the derivatives that a Newton matrix needs.

use touchdown_math::{Elementary, Mat3, Pose, Vec3, cross_matrix};

/// The map `θ' = J(θ)·w` for w in the axes in which θ is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateMap {
    theta: Vec3,
    /// J.
    pub J: Mat3,
    /// Coefficient k of θ×θ× in J, and its derivative by |θ|².
    k: [f64; 2],
}

/// k = 1/12 + s/720 + … with s = |θ|²: Bernoulli numbers. Six terms are exact to round-off up to |θ| = 0.3.
const SERIES: [f64; 6] = [
    1.0 / 12.0,
    1.0 / 720.0,
    1.0 / 30_240.0,
    1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    691.0 / 1_307_674_368_000.0,
];

/// The rotation vector of a rotation, |θ| ≤ π.
pub(super) fn rotation_vector(R: &Mat3) -> Vec3 {
    Pose { R: *R, p: Vec3::zeros() }.quaternion().scaled_axis()
}

impl RateMap {
    pub fn new(theta: &Vec3) -> RateMap {
        let s = theta.norm_squared();
        let k = if s < 0.09 {
            let sum = SERIES.iter().rev().fold(0.0, |sum, c| sum * s + c);
            let slope = (1..SERIES.len()).rev().fold(0.0, |sum, n| sum * s + n as f64 * SERIES[n]);
            [sum, slope]
        } else {
            // k = (1 − (a/2) cot(a/2))/s
            let a = s.sqrt();
            let (half_sine, half_cosine) = (0.5 * a).sine_cosine();
            let y = 0.5 * a * half_cosine / half_sine;
            let y_s = (y - 0.25 * s / (half_sine * half_sine)) / (2.0 * s);
            [(1.0 - y) / s, -y_s / s - (1.0 - y) / (s * s)]
        };
        let x = cross_matrix(theta);
        RateMap { theta: *theta, J: Mat3::identity() - x * 0.5 + x * x * k[0], k }
    }

    /// Derivative of `J w` by θ at constant w.
    pub fn by_theta(&self, w: &Vec3) -> Mat3 {
        self.symmetric(w) + cross_matrix(w) * 0.5
    }

    /// Derivative of `Jᵀ m` by θ at constant m.
    pub fn transposed_by_theta(&self, m: &Vec3) -> Mat3 {
        self.symmetric(m) - cross_matrix(m) * 0.5
    }

    /// Derivative of k θ×(θ×a).
    fn symmetric(&self, a: &Vec3) -> Mat3 {
        let theta = &self.theta;
        let [k, k_s] = self.k;
        let twice = theta.cross(&theta.cross(a));
        (Mat3::identity() * theta.dot(a) + theta * a.transpose() - a * theta.transpose() * 2.0) * k
            + twice * theta.transpose() * (2.0 * k_s)
    }
}
