//! Rotations: the exponential map on quaternions and rotations about an axis.

use crate::{Elementary, Mat3, Quat, Vec3};
use nalgebra::Quaternion;

/// Rotation by the vector `theta` (radians, axis times angle), exact and smooth through zero.
pub fn exp(theta: &Vec3) -> Quat {
    let half = 0.5 * theta;
    let angle = half.norm();
    // sin(x)/x by series where the quotient would lose digits: the first dropped term is below 1e-18.
    let sinc = if angle < 1e-3 {
        1.0 - angle * angle / 6.0 * (1.0 - angle * angle / 20.0)
    } else {
        angle.sine() / angle
    };
    let v = half * sinc;
    Quat::new_unchecked(Quaternion::new(angle.cosine(), v.x, v.y, v.z))
}

/// Rotation matrix about the unit axis `a` by the angle `q` (Rodrigues).
#[inline]
pub fn about_axis(a: &Vec3, q: f64) -> Mat3 {
    let (s, c) = q.sine_cosine();
    let k = 1.0 - c;
    Mat3::new(
        c + k * a.x * a.x,
        k * a.x * a.y - s * a.z,
        k * a.x * a.z + s * a.y,
        k * a.y * a.x + s * a.z,
        c + k * a.y * a.y,
        k * a.y * a.z - s * a.x,
        k * a.z * a.x - s * a.y,
        k * a.z * a.y + s * a.x,
        c + k * a.z * a.z,
    )
}

/// `R·about_axis(a, q)`. An axis along a coordinate axis, the common case, turns two columns only.
#[inline]
pub fn turned(R: &Mat3, a: &Vec3, q: f64) -> Mat3 {
    let along = if a.x.abs() == 1.0 {
        (1, 2, a.x)
    } else if a.y.abs() == 1.0 {
        (2, 0, a.y)
    } else if a.z.abs() == 1.0 {
        (0, 1, a.z)
    } else {
        return R * about_axis(a, q);
    };
    let (i, j, sign) = along;
    let (s, c) = (sign * q).sine_cosine();
    let (u, v): (Vec3, Vec3) = (R.column(i).into(), R.column(j).into());
    let mut out = *R;
    out.set_column(i, &(u * c + v * s));
    out.set_column(j, &(v * c - u * s));
    out
}

/// Rotation matrix of the quaternion `[w, x, y, z]`, which need not be exactly normalised: the result is that of its direction.
#[inline]
pub fn from_quaternion(q: &[f64]) -> Mat3 {
    let (w, x, y, z) = (q[0], q[1], q[2], q[3]);
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    Mat3::new(
        1.0 - s * (y * y + z * z),
        s * (x * y - w * z),
        s * (x * z + w * y),
        s * (x * y + w * z),
        1.0 - s * (x * x + z * z),
        s * (y * z - w * x),
        s * (x * z - w * y),
        s * (y * z + w * x),
        1.0 - s * (x * x + y * y),
    )
}

/// Time derivative of the quaternion `q = [w, x, y, z]` of a body turning at `w_B` (rad/s, in body axes).
#[inline]
pub fn quaternion_rate(q: &[f64], w_B: &[f64], out: &mut [f64]) {
    out[0] = 0.5 * (-q[1] * w_B[0] - q[2] * w_B[1] - q[3] * w_B[2]);
    out[1] = 0.5 * (q[0] * w_B[0] + q[2] * w_B[2] - q[3] * w_B[1]);
    out[2] = 0.5 * (q[0] * w_B[1] + q[3] * w_B[0] - q[1] * w_B[2]);
    out[3] = 0.5 * (q[0] * w_B[2] + q[1] * w_B[1] - q[2] * w_B[0]);
}

/// `q ⊗ exp(theta_B)`: the quaternion turned by a rotation vector in body axes, normalised.
pub fn quaternion_plus(q: &[f64], theta_B: &[f64], out: &mut [f64]) {
    let base = Quaternion::new(q[0], q[1], q[2], q[3]);
    let turned = base * exp(&Vec3::new(theta_B[0], theta_B[1], theta_B[2])).into_inner();
    let unit = turned / turned.norm();
    out.copy_from_slice(&[unit.w, unit.i, unit.j, unit.k]);
}

/// The shortest rotation that turns one unit vector onto another; about x where they are opposite.
pub fn onto(from: &Vec3, to: &Vec3) -> Mat3 {
    let across = from.cross(to);
    let turn = if across.norm() > 0.0 { across.normalize() } else { Vec3::x() };
    about_axis(&turn, across.norm().arctangent2(from.dot(to)))
}

/// A unit vector perpendicular to the unit vector `a`, chosen without jumps for small changes of `a` away from the axes.
pub fn perpendicular(a: &Vec3) -> Vec3 {
    let helper = if a.x.abs() <= a.y.abs() && a.x.abs() <= a.z.abs() {
        Vec3::x()
    } else if a.y.abs() <= a.z.abs() {
        Vec3::y()
    } else {
        Vec3::z()
    };
    a.cross(&helper).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turning about a coordinate axis by the short way is the general rotation.
    #[test]
    fn short_way_is_the_general_rotation() {
        let R = exp(&Vec3::new(0.3, -1.1, 0.7)).to_rotation_matrix().into_inner();
        for a in
            [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z(), Vec3::new(0.6, 0.0, 0.8)]
        {
            for q in [0.0, 0.4, -2.2, 7.0] {
                assert!((turned(&R, &a, q) - R * about_axis(&a, q)).norm() < 1e-15);
            }
        }
    }

    /// The exponential map, the rotation about an axis and the quaternion's own matrix agree, near zero too.
    #[test]
    fn exponential_agrees_with_rodrigues() {
        for v in [Vec3::new(1e-9, 0.0, 2e-9), Vec3::new(4e-4, -3e-4, 0.0), Vec3::new(1.0, 2.0, -0.5)] {
            let q = exp(&v);
            let by_axis = about_axis(&v.normalize(), v.norm());
            assert!((from_quaternion(&[q.w, q.i, q.j, q.k]) - by_axis).norm() < 1e-15);
        }
    }

    /// The rate of a quaternion is the derivative of stepping it by its body rates (central differences, error h²).
    #[test]
    fn quaternion_rate_is_the_derivative_of_the_step() {
        let q = exp(&Vec3::new(0.2, -0.4, 0.9));
        let (q, w) = ([q.w, q.i, q.j, q.k], [0.3, -1.2, 0.8]);
        let (mut plus, mut minus, mut rate) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        let h = 1e-5;
        quaternion_plus(&q, &w.map(|x| x * h), &mut plus);
        quaternion_plus(&q, &w.map(|x| -x * h), &mut minus);
        quaternion_rate(&q, &w, &mut rate);
        for k in 0..4 {
            assert!((rate[k] - (plus[k] - minus[k]) / (2.0 * h)).abs() < 1e-10);
        }
    }
}
