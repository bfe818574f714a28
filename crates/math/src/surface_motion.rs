//! How a surface moves: all that a contact law may know of a body.

use crate::{Pose, Vec3};

/// Motion of a body's surface: the frame S in which its form is given, world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceMotion {
    /// Pose of the frame. A wheel turns about its y axis; a foot's z axis points up.
    pub X_WS: Pose,
    /// Velocity of the frame's origin, m/s.
    pub v_WS: Vec3,
    /// Angular velocity, rad/s.
    pub w_WS: Vec3,
}

impl SurfaceMotion {
    /// A surface that stands still.
    pub fn at_rest(X_WS: Pose) -> SurfaceMotion {
        SurfaceMotion { X_WS, v_WS: Vec3::zeros(), w_WS: Vec3::zeros() }
    }
}
