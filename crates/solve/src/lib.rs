//! Time integrators and linear solves; no physics.
