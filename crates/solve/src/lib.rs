//! Time integrators and linear solves; no physics.

pub mod explicit;
