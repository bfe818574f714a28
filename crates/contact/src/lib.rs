//! Contact models. A model sees the motion of two sides and nothing else: no joints, no solvers.

pub mod tyre;
