//! The search: Levenberg–Marquardt (MINPACK's, by the crate `levenberg-marquardt`) between bounds, from one start or from many.

use crate::lack::Lack;
use crate::problem::{Problem, ProblemError};
use crate::report::{Estimate, conclude};
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};
use thiserror::Error;
use touchdown_math::Elementary;

/// How residuals count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Loss {
    /// By their squares.
    #[default]
    Squares,
    /// Squares up to about `scale` standard deviations, linear beyond: a few wild values do not decide.
    Soft {
        /// In standard deviations.
        scale: f64,
    },
}

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitOptions {
    /// How residuals count.
    pub loss: Loss,
    /// Starts beside the given one, spread over the bounds (all of which must be finite); the best quarter is followed to its minimum.
    pub starts: usize,
    /// Share of probability of the intervals.
    pub confidence: f64,
    /// Whether intervals are those of the likelihood, followed on both sides with ten more fits for each parameter, instead of the linearised ones. Worth it where
    /// the model bends strongly within the interval.
    pub profile: bool,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions { loss: Loss::Squares, starts: 0, confidence: 0.95, profile: false }
    }
}

/// A fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Values with intervals, in the order of the parameters.
    pub estimates: Vec<Estimate>,
    /// Correlations of the estimates.
    pub correlations: Vec<Vec<f64>>,
    /// Standard deviation of the noise of each series, as given or measured.
    pub sigma: Vec<f64>,
    /// Prediction of each series at the estimates.
    pub prediction: Vec<Vec<f64>>,
    /// Values measured less parameters found.
    pub degrees_of_freedom: usize,
    /// Half of the sum of squares over the variances.
    pub cost: f64,
    /// Different minima found from the starts.
    pub minima: usize,
    /// Evaluations of the model.
    pub evaluations: usize,
    /// What speaks against the model: nothing, if its residuals are noise.
    pub lack: Vec<Lack>,
    /// What the user must know, in plain words.
    pub remarks: Vec<String>,
}

impl Fit {
    /// Values alone.
    pub fn values(&self) -> Vec<f64> {
        self.estimates.iter().map(|e| e.value).collect()
    }
}

/// Why there is no fit.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FitError {
    /// The problem makes no sense.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No start led anywhere.
    #[error("no start led to a minimum: the model fails, or the bounds are far from the data")]
    NoMinimum,
}

/// Residuals that stand for a model that failed: large, so that the search turns back.
const FAILED: f64 = 1e6;
/// Sums of squares of two starts closer than this belong to one minimum.
const SAME_MINIMUM: f64 = 1e-6;
/// Rounds in which the noise of several series is measured.
const ROUNDS: usize = 6;
/// Residuals below this share of the largest value are round-off and model error, not noise.
pub(crate) const NO_NOISE: f64 = 1e-13;

/// Finds the parameters.
pub fn fit(problem: &Problem, options: &FitOptions) -> Result<Fit, FitError> {
    problem.check()?;
    let mut sigma: Vec<f64> = problem.series.iter().map(|s| s.sigma.unwrap_or_else(|| s.scale())).collect();
    let given: Vec<f64> = problem.parameters.iter().map(|p| p.start).collect();
    let (mut x, minima, mut evaluations) = from_many(problem, &sigma, options, &given)?;
    // Weights of several series of unknown noise come from their residuals.
    let unknown = problem.series.iter().filter(|s| s.sigma.is_none()).count();
    let rounds = if problem.series.len() > 1 && unknown > 0 { ROUNDS } else { 0 };
    for _ in 0..rounds {
        let measured = measured_sigma(problem, &x, &sigma);
        let change =
            measured.iter().zip(&sigma).map(|(a, b)| (a / b).natural_log().abs()).fold(0.0, f64::max);
        sigma = measured;
        if change < 1e-3 {
            break;
        }
        let (next, more) = descend(problem, &sigma, options.loss, &x).ok_or(FitError::NoMinimum)?;
        (x, evaluations) = (next, evaluations + more);
    }
    let sigma = measured_sigma(problem, &x, &sigma);
    let mut out = conclude(problem, options, &x, &sigma).ok_or(FitError::NoMinimum)?;
    out.minima = minima;
    out.evaluations += evaluations;
    if minima > 1 {
        out.remarks.push(format!("{minima} minima were found; the deepest is reported"));
    }
    Ok(out)
}

/// Standard deviations: given ones as they are, the others from the residuals.
fn measured_sigma(problem: &Problem, x: &[f64], sigma: &[f64]) -> Vec<f64> {
    let Some(prediction) = (problem.model)(x) else { return sigma.to_vec() };
    let rows = problem.count() as f64;
    let share = rows / (rows - problem.parameters.len() as f64);
    let measure = |(k, p): (usize, &Vec<f64>)| {
        let s = &problem.series[k];
        s.sigma.unwrap_or_else(|| {
            let sum: f64 = p.iter().zip(&s.values).map(|(p, m)| (p - m) * (p - m)).sum();
            (share * sum / s.values.len() as f64).sqrt().max(NO_NOISE * s.scale())
        })
    };
    prediction.iter().enumerate().map(measure).collect()
}

/// The deepest minimum, how many there are, and evaluations.
fn from_many(
    problem: &Problem,
    sigma: &[f64],
    options: &FitOptions,
    given: &[f64],
) -> Result<(Vec<f64>, usize, usize), FitError> {
    let cost = |x: &[f64]| {
        problem.residuals(x, sigma).map_or(f64::INFINITY, |r| r.iter().map(|v| v * v).sum::<f64>())
    };
    let spread = if problem.parameters.iter().all(|p| p.min.is_finite() && p.max.is_finite()) {
        options.starts
    } else {
        0
    };
    let mut starts: Vec<(f64, Vec<f64>)> = (1..=spread)
        .map(|i| {
            let place = |(k, p): (usize, &crate::Parameter)| {
                p.min + (p.max - p.min) * halton(i, PRIMES[k % PRIMES.len()])
            };
            let x: Vec<f64> = problem.parameters.iter().enumerate().map(place).collect();
            (cost(&x), x)
        })
        .collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    starts.truncate(spread.div_ceil(4));
    starts.insert(0, (0.0, given.to_vec()));
    let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
    let mut evaluations = spread;
    for (_, start) in &starts {
        if let Some((x, more)) = descend(problem, sigma, options.loss, start) {
            evaluations += more;
            found.push((cost(&x), x));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((least, best)) = found.first().cloned() else { return Err(FitError::NoMinimum) };
    // Ends on a bound or with a much larger sum are places where a start got stuck: they count as minima all the same.
    let floor = SAME_MINIMUM * (least + NO_NOISE);
    let mut minima = 1;
    let mut last = least;
    for (c, _) in &found {
        if *c > last + floor.max(SAME_MINIMUM * last) + 1e-9 {
            minima += 1;
            last = *c;
        }
    }
    Ok((best, minima, evaluations))
}

const PRIMES: [usize; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// The i-th number of Halton's sequence: spread evenly over (0, 1), the same every time.
fn halton(mut i: usize, base: usize) -> f64 {
    let (mut share, mut out) = (1.0, 0.0);
    while i > 0 {
        share /= base as f64;
        out += share * (i % base) as f64;
        i /= base;
    }
    out
}

/// Down to a minimum from a start; with the number of evaluations.
pub(crate) fn descend(
    problem: &Problem,
    sigma: &[f64],
    loss: Loss,
    start: &[f64],
) -> Option<(Vec<f64>, usize)> {
    let search = Search {
        problem,
        sigma,
        loss,
        u: DVector::from_iterator(
            start.len(),
            start.iter().zip(&problem.parameters).map(|(x, p)| Place::of(p).inside(*x)),
        ),
        evaluations: std::cell::Cell::new(0),
    };
    let (search, report) = LevenbergMarquardt::new()
        .with_ftol(1e-15)
        .with_xtol(1e-13)
        .with_gtol(1e-15)
        .with_patience(200)
        .minimize(search);
    let x = search.x(&search.u);
    report.objective_function.is_finite().then_some((x, search.evaluations.get()))
}

/// A parameter between bounds as a number without bounds.
#[derive(Clone, Copy)]
enum Place {
    /// x = centre + half·sin u.
    Between { centre: f64, half: f64 },
    /// x = edge + side·scale·(√(u² + 1) − 1).
    OneSide { edge: f64, side: f64, scale: f64 },
    /// x = scale·u.
    Free { scale: f64 },
}

impl Place {
    fn of(p: &crate::Parameter) -> Place {
        let scale = |edge: f64| (p.start - edge).abs();
        match (p.min.is_finite(), p.max.is_finite()) {
            (true, true) => Place::Between { centre: 0.5 * (p.min + p.max), half: 0.5 * (p.max - p.min) },
            (true, false) => Place::OneSide { edge: p.min, side: 1.0, scale: scale(p.min) },
            (false, true) => Place::OneSide { edge: p.max, side: -1.0, scale: scale(p.max) },
            (false, false) => Place::Free { scale: if p.start == 0.0 { 1.0 } else { p.start.abs() } },
        }
    }

    fn inside(self, x: f64) -> f64 {
        match self {
            Place::Between { centre, half } => ((x - centre) / half).clamp(-0.999_999, 0.999_999).arcsine(),
            Place::OneSide { edge, side, scale } => {
                let y = (x - edge) * side / scale + 1.0;
                (y * y - 1.0).max(1e-6).sqrt()
            }
            Place::Free { scale } => x / scale,
        }
    }

    fn outside(self, u: f64) -> f64 {
        match self {
            Place::Between { centre, half } => centre + half * u.sine(),
            Place::OneSide { edge, side, scale } => edge + side * scale * ((u * u + 1.0).sqrt() - 1.0),
            Place::Free { scale } => scale * u,
        }
    }
}

struct Search<'a, 'b> {
    problem: &'a Problem<'b>,
    sigma: &'a [f64],
    loss: Loss,
    u: DVector<f64>,
    evaluations: std::cell::Cell<usize>,
}

/// Step of differences in the unbounded numbers: central differences lose 1e-10 to curvature and to round-off alike.
const STEP: f64 = 1e-5;

impl Search<'_, '_> {
    fn x(&self, u: &DVector<f64>) -> Vec<f64> {
        u.iter().zip(&self.problem.parameters).map(|(u, p)| Place::of(p).outside(*u)).collect()
    }

    fn at(&self, u: &DVector<f64>) -> DVector<f64> {
        self.evaluations.set(self.evaluations.get() + 1);
        let residuals = self.problem.residuals(&self.x(u), self.sigma);
        let mut r = residuals.unwrap_or_else(|| vec![FAILED; self.problem.count()]);
        if let Loss::Soft { scale } = self.loss {
            for r in &mut r {
                // 2 s²(√(1 + (r/s)²) − 1) as a square.
                let ratio = *r / scale;
                let soft = scale * (2.0 * ratio * ratio / ((1.0 + ratio * ratio).sqrt() + 1.0)).sqrt();
                *r = soft.copysign(*r);
            }
        }
        DVector::from_vec(r)
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Search<'_, '_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, u: &DVector<f64>) {
        self.u = u.clone();
    }

    fn params(&self) -> DVector<f64> {
        self.u.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.at(&self.u))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let columns: Vec<DVector<f64>> = (0..self.u.len())
            .map(|k| {
                let step = STEP * self.u[k].abs().max(1.0);
                let (mut up, mut down) = (self.u.clone(), self.u.clone());
                up[k] += step;
                down[k] -= step;
                (self.at(&up) - self.at(&down)) / (2.0 * step)
            })
            .collect();
        Some(DMatrix::from_columns(&columns))
    }
}
