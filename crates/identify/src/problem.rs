//! What is to be found: free parameters, measured series, and a model that predicts them.

use thiserror::Error;

/// A free parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name.
    pub name: String,
    /// Where the search starts.
    pub start: f64,
    /// Lower bound; may be −∞.
    pub min: f64,
    /// Upper bound; may be +∞.
    pub max: f64,
}

impl Parameter {
    /// A parameter between bounds.
    pub fn new(name: &str, start: f64, min: f64, max: f64) -> Parameter {
        Parameter { name: name.to_owned(), start, min, max }
    }
}

/// A measured series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name.
    pub name: String,
    /// Values.
    pub values: Vec<f64>,
    /// Standard deviation of its noise, if it is known; otherwise it is measured by the residuals.
    pub sigma: Option<f64>,
}

impl Series {
    /// A series whose noise is not known.
    pub fn new(name: &str, values: Vec<f64>) -> Series {
        Series { name: name.to_owned(), values, sigma: None }
    }

    /// Largest magnitude; one for a series of zeros.
    pub fn scale(&self) -> f64 {
        let most = self.values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        if most > 0.0 { most } else { 1.0 }
    }
}

/// What a model says: one series for each measured one, of the same length; nothing where it cannot be evaluated.
pub type Prediction = Option<Vec<Vec<f64>>>;

/// Parameters, measurements, model.
pub struct Problem<'a> {
    /// What is free.
    pub parameters: Vec<Parameter>,
    /// What was measured.
    pub series: Vec<Series>,
    /// What the parameters predict.
    pub model: &'a (dyn Fn(&[f64]) -> Prediction + 'a),
}

/// Why a problem makes no sense.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProblemError {
    /// Nothing is free.
    #[error("no parameter is free")]
    NothingFree,
    /// Bounds in the wrong order, or the start outside them, or not numbers.
    #[error("parameter {name}: start {start} does not lie strictly between {min} and {max}")]
    Bounds {
        /// Its name.
        name: String,
        /// Its start.
        start: f64,
        /// Its lower bound.
        min: f64,
        /// Its upper bound.
        max: f64,
    },
    /// Too few measurements.
    #[error("{rows} measured values for {free} free parameters: at least {} are needed", free + 1)]
    TooFew {
        /// Values.
        rows: usize,
        /// Free parameters.
        free: usize,
    },
    /// A measured value is not a number.
    #[error("series {series}: value {index} is not a finite number")]
    NotFinite {
        /// Its series.
        series: String,
        /// Which value, from one.
        index: usize,
    },
    /// The model fails at the start.
    #[error("the model cannot be evaluated at the start values")]
    NoStart,
    /// The model answers with another number of series or values.
    #[error("the model predicts {found} values where {expected} were measured")]
    Shape {
        /// Predicted.
        found: usize,
        /// Measured.
        expected: usize,
    },
}

impl Problem<'_> {
    /// Checks everything that can be checked before a fit.
    pub fn check(&self) -> Result<(), ProblemError> {
        if self.parameters.is_empty() {
            return Err(ProblemError::NothingFree);
        }
        for p in &self.parameters {
            if !(p.start.is_finite() && p.min < p.start && p.start < p.max) {
                let (name, start, min, max) = (p.name.clone(), p.start, p.min, p.max);
                return Err(ProblemError::Bounds { name, start, min, max });
            }
        }
        for s in &self.series {
            if let Some(k) = s.values.iter().position(|v| !v.is_finite()) {
                return Err(ProblemError::NotFinite { series: s.name.clone(), index: k + 1 });
            }
        }
        let rows = self.count();
        if rows <= self.parameters.len() {
            return Err(ProblemError::TooFew { rows, free: self.parameters.len() });
        }
        let start: Vec<f64> = self.parameters.iter().map(|p| p.start).collect();
        let Some(prediction) = (self.model)(&start) else { return Err(ProblemError::NoStart) };
        let found: usize = prediction.iter().map(Vec::len).sum();
        let same = prediction.len() == self.series.len()
            && prediction.iter().zip(&self.series).all(|(p, s)| p.len() == s.values.len());
        if same { Ok(()) } else { Err(ProblemError::Shape { found, expected: rows }) }
    }

    /// Measured values in all.
    pub fn count(&self) -> usize {
        self.series.iter().map(|s| s.values.len()).sum()
    }

    /// Prediction minus measurement over the standard deviations, series after series.
    pub(crate) fn residuals(&self, x: &[f64], sigma: &[f64]) -> Option<Vec<f64>> {
        let prediction = (self.model)(x)?;
        let mut out = Vec::with_capacity(self.count());
        for ((p, s), sigma) in prediction.iter().zip(&self.series).zip(sigma) {
            out.extend(p.iter().zip(&s.values).map(|(p, m)| (p - m) / sigma));
        }
        out.iter().all(|r| r.is_finite()).then_some(out)
    }
}
