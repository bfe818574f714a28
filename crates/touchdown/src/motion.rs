//! Motions as other simulators pass them: plain rows of numbers.

use touchdown_math::{Pose, Quat, SurfaceMotion, Vec3};

/// How far a quaternion may be from length 1: those in single precision are within 1e-6.
const UNIT: f64 = 1e-5;

/// Why numbers are no motion.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the quaternion (w x y z) of a pose must have length 1, found {length}")]
pub struct NoMotion {
    /// Length that was found.
    pub length: f64,
}

/// A motion from seven numbers (place x y z, then quaternion w x y z) and six (angular velocity, then velocity of the origin), world axes.
pub fn motion_from(pose: &[f64; 7], velocity: &[f64; 6]) -> Result<SurfaceMotion, NoMotion> {
    let [x, y, z, qw, qx, qy, qz] = *pose;
    let [wx, wy, wz, vx, vy, vz] = *velocity;
    let turn = nalgebra::Quaternion::new(qw, qx, qy, qz);
    let length = turn.norm();
    // Not a number is not within.
    let is_unit = (length - 1.0).abs() <= UNIT;
    if !is_unit {
        return Err(NoMotion { length });
    }
    let X_WS = Pose::new(&Quat::from_quaternion(turn), Vec3::new(x, y, z));
    Ok(SurfaceMotion { X_WS, v_WS: Vec3::new(vx, vy, vz), w_WS: Vec3::new(wx, wy, wz) })
}
