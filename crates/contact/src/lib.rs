//! Contact models. The only input of a model is the motion of two sides: no joints, no solvers.
//!
//! ```
//! use touchdown_contact::bumper::BumperLaw;
//! use touchdown_math::Vec3;
//!
//! let law = BumperLaw { radii: [0.1, 0.1], stiffness: 2000.0, damping: 0.0 };
//! // The balls overlap by 10 mm.
//! let touch = law.evaluate(&Vec3::new(0.19, 0.0, 0.0), &Vec3::zeros());
//! assert!((touch.push - 20.0).abs() < 1e-9 && (touch.stored - 0.1).abs() < 1e-9);
//! ```
//!
//! `law` holds the scalar laws that models share; each model is one folder of the same shape (theory page, parameters,
//! detection, force, state, tests).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bumper;
pub mod flexible;
pub mod foot;
pub mod intrusion;
pub mod law;
mod parameter;
pub mod polygonal;
pub mod soil;
pub mod surface;
pub mod tyre;

pub use parameter::{Interval, ParameterError};
