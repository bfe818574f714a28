//! Reference solutions that the engine is tested against: closed forms and minimal-coordinate models in plain `f64`.
//!
//! ```
//! use touchdown_oracle::pendulum;
//!
//! // Half a period after its start at rest the pendulum stands on the other side.
//! let half = pendulum::at(0.5 * pendulum::period());
//! assert!((half.angle_rad + pendulum::START_ANGLE).abs() < 1e-9);
//! ```
//!
//! One file per problem. Each header states the problem (geometry, masses, start, units), derives the model and names
//! its source; the functions return a `Sample` at a time or at a list of times. This crate imports nothing of the
//! workspace and no other crate: it owns its integrators (`numerics`), so that an error of the engine cannot hide in
//! both sides of a comparison. Everything is SI; angles are radians, positive about the stated axis.
//!
//! | problem | module | method |
//! |---|---|---|
//! | simple pendulum, physical pendulum period | [`pendulum`] | Jacobi elliptic functions, arithmetic–geometric mean |
//! | double pendulum | [`double_pendulum`] | extrapolation, two coordinates |
//! | slider-crank, prescribed crank | [`slider_crank`] | closed form with exact derivatives |
//! | N = 2 four-bar | [`four_bar`] | Jacobi elliptic functions |
//! | Andrews' squeezer | [`andrews_squeezer`] | extrapolation, one coordinate |
//! | Bricard's mechanism | [`bricard`] | extrapolation, one coordinate on a closed-form loop |
//! | stiff flyball governor | [`flyball_governor`] | Radau collocation of order 9, spin eliminated |
//! | torque-free body | [`spinning_top`] | extrapolation, rates by Jacobi elliptic functions |
//! | pendulum chain | [`pendulum_chain`] | extrapolation, absolute angles |
//! | six-wheel statics | [`rover_statics`] | linear balance, Newton with tyre springs |
//! | oscillators, drop on a spring–damper | [`oscillator`] | closed form |
//! | free flight, sliding block | [`ballistics`] | closed form |
//! | ball on a smooth surface, bouncing | [`ball`] | extrapolation between located events, own closest point |
//! | elastic layers, stick and slip | [`elastic_layer`] | closed form, quadrature |
//! | beam under axial force | [`beam_column`] | power series of its two clamped solutions |
//! | central gravity | [`kepler`] | Kepler's equation |
//! | motion near a circular orbit | [`clohessy_wiltshire`] | closed form |
//! | plate, foot, rigid wheel, driven wheel and heap of soil | [`soil`] | closed form, Gauss–Legendre quadrature to rounding |

pub mod andrews_squeezer;
pub mod ball;
pub mod ballistics;
pub mod beam_column;
pub mod bricard;
pub mod clohessy_wiltshire;
pub mod double_pendulum;
pub mod elastic_layer;
pub mod flyball_governor;
pub mod four_bar;
pub mod kepler;
mod numerics;
pub mod oscillator;
pub mod pendulum;
pub mod pendulum_chain;
pub mod rover_statics;
pub mod slider_crank;
pub mod soil;
pub mod spinning_top;

/// Standard value of gravity in the benchmark problems, m/s² (IFToMM library of computational benchmark problems).
pub const GRAVITY: f64 = 9.81;
