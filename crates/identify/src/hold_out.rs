//! How well a model predicts what it was not fitted to.

use crate::fit::{FitError, FitOptions, fit};
use crate::problem::{Problem, Series};

/// Error on rows left out.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldOut {
    /// Rows left out of each series.
    pub rows: usize,
    /// Root of the mean square error of each series over its largest magnitude.
    pub rms: Vec<f64>,
    /// Largest error of each series over its largest magnitude.
    pub largest: Vec<f64>,
}

/// Fits to all rows but every `every`-th, and compares with those.
pub fn hold_out(problem: &Problem, options: &FitOptions, every: usize) -> Result<HoldOut, FitError> {
    let every = every.max(2);
    let left_out = |i: usize| i % every == every - 1;
    let kept = |values: &[f64]| -> Vec<f64> {
        values.iter().enumerate().filter(|(i, _)| !left_out(*i)).map(|(_, v)| *v).collect()
    };
    let model = |x: &[f64]| Some((problem.model)(x)?.iter().map(|v| kept(v)).collect());
    let series = problem.series.iter().map(|s| Series { values: kept(&s.values), ..s.clone() }).collect();
    let part = Problem { parameters: problem.parameters.clone(), series, model: &model };
    let found = fit(&part, &FitOptions { profile: false, ..*options })?;
    let prediction = (problem.model)(&found.values()).ok_or(FitError::NoMinimum)?;
    let (mut rms, mut largest, mut rows) = (Vec::new(), Vec::new(), 0);
    for (p, s) in prediction.iter().zip(&problem.series) {
        let errors: Vec<f64> = p
            .iter()
            .zip(&s.values)
            .enumerate()
            .filter(|(i, _)| left_out(*i))
            .map(|(_, (p, m))| p - m)
            .collect();
        rows = errors.len();
        rms.push((errors.iter().map(|e| e * e).sum::<f64>() / rows.max(1) as f64).sqrt() / s.scale());
        largest.push(errors.iter().fold(0.0f64, |a, e| a.max(e.abs())) / s.scale());
    }
    Ok(HoldOut { rows, rms, largest })
}
