//! Time integrators and linear solves; no physics. A system shows itself through a trait, and the integrators drive it.
//!
//! | module | what | drives |
//! |---|---|---|
//! | `explicit` | Runge–Kutta 8(5,3), adaptive or fixed, dense output, events | [`explicit::Ode`] |
//! | `implicit` | generalised-α with constraints, Newton, adaptive or fixed | [`Mechanical`] |
//! | `realtime` | linearly implicit, one factorisation a step | [`Mechanical`] |
//! | `linear` | LU and Cholesky in place, saddle-point systems with redundant rows | – |

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod control;
pub mod explicit;
pub mod implicit;
pub mod linear;
mod mechanical;
pub mod realtime;

pub use control::Control;
pub use mechanical::{Linearised, Mechanical, NewtonWeights, Point, Sizes};
