//! Axes of a foot on a slope, and how a tangential force is shared between them (Ding et al., Eqs. 2–4).

use touchdown_math::{Elementary, Mat3, Vec3};

/// Axes of a foot on ground with the normal (A, B, C), C > 0, heading `yaw` in plan (rad, |yaw| < π/2): columns are forward, left and normal in world axes
/// (Eq. 3). Orthonormal with determinant one.
pub fn slope_axes(normal: &Vec3, yaw: f64) -> Mat3 {
    let (a, b, c) = (normal.x, normal.y, normal.z);
    let t = yaw.tangent();
    let x1 = (c * c * (1.0 + t * t) + (a + b * t).whole_power(2)).sqrt();
    let x3 = normal.norm();
    let x2 = x3 * (a * a + c * c + 2.0 * a * b * t + (b * b + c * c) * t * t).sqrt();
    Mat3::new(
        c / x1,
        (-a * b - (b * b + c * c) * t) / x2,
        a / x3,
        c * t / x1,
        (c * c + a * a + a * b * t) / x2,
        b / x3,
        (-a - b * t) / x1,
        (a * c * t - b * c) / x2,
        c / x3,
    )
}

/// Force in world axes (Eq. 2) of the normal force and of a tangential force that makes the angle `beta` with the foot's direction (Eq. 4).
pub fn force_in_world(axes: &Mat3, normal: f64, tangential: f64, beta: f64) -> Vec3 {
    axes * Vec3::new(tangential * beta.cosine(), tangential * beta.sine(), normal)
}
