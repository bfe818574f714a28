//! The oracle's own numerics: integrators, quadrature, small dense algebra, elliptic functions, derivatives along a path.
//! Used by the problem files beside it and by nothing else; deliberately independent of the engine's solvers.

pub(crate) mod collocation;
pub(crate) mod elliptic;
pub(crate) mod extrapolation;
pub(crate) mod jet;
pub(crate) mod linear;
pub(crate) mod quadrature;
