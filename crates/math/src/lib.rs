//! Frames, rotations, spatial vectors and signals: the ground floor, which knows no physics but rigid motion.
//!
//! ```
//! #![allow(non_snake_case)]
//! use touchdown_math::{Pose, Signal, Vec3};
//!
//! let X_WB = Pose::translation(Vec3::x());
//! let p_W = X_WB.point(&Vec3::z());
//! assert_eq!(X_WB.inverse().point(&p_W), Vec3::z());
//! assert_eq!(Signal::Line { start: 1.0, rate: 2.0 }.value(3.0), 7.0);
//! ```
//!
//! Names follow the monogram notation of `NOTATION.md`: `X_WB` is the pose of frame B in W, `p_WA` a point, `R_WB` a
//! rotation, `w_WB` an angular velocity.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod elementary;
mod pose;
pub mod rotation;
mod signal;
mod spatial;
mod surface_motion;

pub use elementary::Elementary;
pub use pose::Pose;
pub use signal::{Signal, SignalError};
pub use spatial::{Inertia, Motion, Wrench, cross_matrix};
pub use surface_motion::SurfaceMotion;

/// A vector of three numbers.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3 × 3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// A 6 × 6 matrix; rows and columns 0–2 are angular, 3–5 linear.
pub type Mat6 = nalgebra::Matrix6<f64>;
/// A unit quaternion {w, x, y, z}.
pub type Quat = nalgebra::UnitQuaternion<f64>;
