//! Parameters from measurements: least squares with intervals, correlations and a plain statement where the data do not say.
//!
//! ```
//! use touchdown_identify::{FitOptions, Parameter, Problem, Series, fit};
//!
//! // A line through three points: slope 2, offset 1.
//! let x = [0.0, 1.0, 2.0];
//! let model = |p: &[f64]| Some(vec![x.iter().map(|x| p[0] * x + p[1]).collect()]);
//! let problem = Problem {
//!     parameters: vec![Parameter::new("slope", 1.0, -10.0, 10.0), Parameter::new("offset", 0.0, -10.0, 10.0)],
//!     series: vec![Series::new("y", vec![1.0, 3.0, 5.0])],
//!     model: &model,
//! };
//! let found = fit(&problem, &FitOptions::default())?.values();
//! assert!((found[0] - 2.0).abs() < 1e-6 && (found[1] - 1.0).abs() < 1e-6);
//! # Ok::<(), touchdown_identify::FitError>(())
//! ```
//!
//! | module | does |
//! |---|---|
//! | [`table`] | columns with units; every mistake of a data set with its row |
//! | [`problem`] | what is free, what was measured, what the model says |
//! | [`mod@fit`] | Levenberg–Marquardt from one or many starts |
//! | [`report`] | intervals, correlations, what is not identifiable |
//! | [`lack`] | whether the model describes the data |
//! | [`mod@hold_out`] | error on rows that the fit did not see |
//! | [`models`] | pressing, dropping and dragging a foot (Ding et al., section 4.2) |
//!
//! Pure: no file is opened here. A model is any function from parameters to predictions, so that a simulation serves as well as a formula.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod fit;
pub mod hold_out;
pub mod lack;
pub mod models;
pub mod problem;
pub mod report;
pub mod table;

pub use fit::{Fit, FitError, FitOptions, Loss, fit};
pub use hold_out::{HoldOut, hold_out};
pub use lack::{Lack, LackTest};
pub use problem::{Parameter, Problem, ProblemError, Series};
pub use report::{Estimate, Verdict};
pub use table::{Column, Measure, Table, TableError};
