//! Parts of satellites and of docking: relative orbit, wings, wheels, thrusters, sensors, attitude control, boom, capture tool, sequence.
//!
//! ```
//! use touchdown_math::Vec3;
//! use touchdown_spacecraft::orbit::{EARTH_MU, Orbit, RelativeGravity};
//!
//! // A body 100 m above a geostationary reference orbit is pulled away from it by 2·n²·100 m.
//! let n = 7.292e-5;
//! let orbit = Orbit::around(EARTH_MU, n, RelativeGravity::ClohessyWiltshire);
//! let pull = orbit.acceleration(&Vec3::new(100.0, 0.0, 0.0), 0.0);
//! assert!((pull.x / (200.0 * n * n) - 1.0).abs() < 1e-12);
//! ```
//!
//! Everything here is an independent law or device: numbers in, numbers out, with its own small state if it
//! has one. There is no mechanism and no step loop; `sim` attaches the parts to bodies and calls them, laws
//! at every evaluation, devices at their ticks.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod allocation;
pub mod attitude;
pub mod boom;
pub mod camera;
pub mod capture;
pub mod clock;
pub mod control;
pub mod latch;
pub mod magnet;
pub mod nozzle;
pub mod orbit;
pub mod random;
pub mod range;
pub mod ratchet;
pub mod relative;
pub mod sequence;
pub mod switch;
pub mod thruster;
pub mod wheel;
pub mod wing;
