//! Contact models. A model sees the motion of two sides and nothing else: no joints, no solvers.
//!
//! `law` holds the scalar laws that models share; each model is one folder of the same shape (theory page, parameters,
//! detection, force, state, tests).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bumper;
pub mod flexible;
pub mod foot;
pub mod law;
mod parameter;
pub mod polygonal;
pub mod soil;
pub mod surface;
pub mod tyre;

pub use parameter::{Interval, ParameterError};
