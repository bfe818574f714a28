//! Parameters from measurements: least squares with intervals, correlations and a plain word where the data do not say.
//!
//! | module | does |
//! |---|---|
//! | [`table`] | columns with units; every mistake of a data set with its row |
//! | [`problem`] | what is free, what was measured, what the model says |
//! | [`mod@fit`] | Levenberg–Marquardt from one or many starts |
//! | [`report`] | intervals, correlations, what is not identifiable |
//! | [`mod@hold_out`] | error on rows that the fit did not see |
//! | [`models`] | pressing, dropping and dragging a foot (Ding et al., section 4.2) |
//!
//! Pure: no file is opened here. A model is any function from parameters to predictions, so that a simulation serves as well as a formula.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod fit;
pub mod hold_out;
pub mod models;
pub mod problem;
pub mod report;
pub mod table;

pub use fit::{Fit, FitError, FitOptions, Loss, fit};
pub use hold_out::{HoldOut, hold_out};
pub use problem::{Parameter, Problem, ProblemError, Series};
pub use report::{Estimate, Verdict};
pub use table::{Column, Kind, Table, TableError};
