//! The pose of one frame in another.

use crate::{Mat3, Quat, Vec3};

/// Pose `X_AB` of frame B in frame A: a rotation `R_AB` and the position `p_AB` of B's origin, in A.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Rotation matrix: its columns are the axes of B in A.
    pub R: Mat3,
    /// Position of B's origin in A, m.
    pub p: Vec3,
}

impl Pose {
    /// The pose of a frame in itself.
    pub fn identity() -> Self {
        Pose { R: Mat3::identity(), p: Vec3::zeros() }
    }

    /// A pose without rotation.
    pub fn translation(p: Vec3) -> Self {
        Pose { R: Mat3::identity(), p }
    }

    /// A pose from a unit quaternion and a position.
    pub fn new(rotation: &Quat, p: Vec3) -> Self {
        Pose { R: rotation.to_rotation_matrix().into_inner(), p }
    }

    /// `X_AB * X_BC = X_AC`.
    #[inline]
    pub fn compose(&self, X_BC: &Pose) -> Pose {
        Pose { R: self.R * X_BC.R, p: self.p + self.R * X_BC.p }
    }

    /// `X_BA` from `X_AB`.
    #[inline]
    pub fn inverse(&self) -> Pose {
        let R = self.R.transpose();
        Pose { R, p: -(R * self.p) }
    }

    /// The point `p_BQ` expressed from A: `p_AQ`.
    #[inline]
    pub fn point(&self, p_BQ: &Vec3) -> Vec3 {
        self.p + self.R * p_BQ
    }

    /// The rotation as a unit quaternion.
    pub fn quaternion(&self) -> Quat {
        Quat::from_rotation_matrix(&nalgebra::Rotation3::from_matrix_unchecked(self.R))
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}
