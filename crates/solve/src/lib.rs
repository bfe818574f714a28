//! Time integrators and linear solves; no physics. A system implements a trait, and the integrators call it.
//!
//! ```
//! use std::convert::Infallible;
//! use touchdown_solve::Control;
//! use touchdown_solve::explicit::{Explicit, ExplicitError, Ode};
//!
//! /// dy/dt = -y
//! struct Decay;
//!
//! impl Ode for Decay {
//!     type Error = Infallible;
//!     fn dim(&self) -> usize {
//!         1
//!     }
//!     fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
//!         dy[0] = -y[0];
//!         Ok(())
//!     }
//!     fn project(&mut self, _t: f64, _y: &mut [f64]) -> Result<(), Infallible> {
//!         Ok(())
//!     }
//!     fn scales(&self) -> &[f64] {
//!         &[1.0]
//!     }
//! }
//!
//! let control = Control::Adaptive { relative: 1e-10, absolute: 1e-12, longest: f64::INFINITY };
//! let mut method = Explicit::new(1, 0, control);
//! let (mut t, mut y) = (0.0, [1.0]);
//! let mut memory = method.start(&mut Decay, t, &y, 1.0)?;
//! while t < 1.0 {
//!     method.step(&mut Decay, &mut memory, &mut t, &mut y, 1.0)?;
//! }
//! assert!((y[0] - (-1.0f64).exp()).abs() < 1e-9);
//! # Ok::<(), ExplicitError<Infallible>>(())
//! ```
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
