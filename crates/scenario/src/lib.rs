//! touchdown-scenario
