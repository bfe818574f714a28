//! The soil contact model, and soil for other simulators: a [`Ground`] that bodies touch, without a mechanism or a step loop of ours.
//!
//! The other simulator moves the bodies. It hands each one's pose and velocity to [`Ground::evaluate`], applies the wrench that it gets, and says with
//! [`Ground::advance`] that a step was accepted:
//!
//! ```
//! use touchdown::math::{Pose, Vec3};
//! use touchdown::soil::{Ground, SoilShape, SoilSurface, SurfaceMotion};
//!
//! let mut ground = Ground::level("lunar-nominal", 0.01)?;
//! let shape = SoilShape::Wheel { radius: 0.15, width: 0.1, grousers: None };
//! let wheel = ground.add("wheel", SoilSurface { shape, carried_layer: 0.0, bedded: false })?;
//! let (h, mut z, mut fall) = (1e-3, 0.16, 0.0);
//! for _ in 0..200 {
//!     let mut motion = SurfaceMotion::at_rest(Pose::translation(Vec3::new(0.0, 0.0, z)));
//!     motion.v_WS.z = fall;
//!     let (force, slopes) = ground.evaluate_with_slopes(wheel, &motion)?;
//!     ground.advance(h)?;
//!     // The simulator's own step, here a mass of 20 kg on the Moon: linearly implicit, because soil is stiff.
//!     let (K, D) = (slopes.K[(5, 5)], slopes.D[(5, 5)]);
//!     fall += h * (force.wrench_C.f.z + h * K * fall - 20.0 * 1.62) / (20.0 - h * D - h * h * K);
//!     z += h * fall;
//! }
//! assert!(ground.height(0.0, 0.0).is_some_and(|rut| rut < -1e-3));
//! # Ok::<(), touchdown::Error>(())
//! ```

mod error;
mod ground;
mod state;

pub use error::GroundError;
pub use ground::{Ground, SoilSlopes};
pub use state::GroundState;
pub use touchdown_contact::soil::*;
