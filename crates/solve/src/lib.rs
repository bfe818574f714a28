//! touchdown-solve
