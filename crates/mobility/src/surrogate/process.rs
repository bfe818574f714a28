//! A Gaussian process over places: values with noise ⇒ mean and standard deviation anywhere (Rasmussen & Williams 2006, chapters 2 and 5).
//!
//! Signal, lengths and noise have the largest posterior density: marginal likelihood times weak normal densities of their logarithms, which keep a coordinate that
//! does not matter from running away. The noise of a value is σ² + σ_r²·ρ² with the last coordinate ρ, the roughness: what varies with the seed of the ground grows
//! with its roughness.

use super::kernel::{Kernel, Parity};
use super::linear::{Cholesky, dot};
use super::search::{Slope, climb};
use touchdown_math::Elementary;

/// Means of the logarithms of signal, lengths, noise and noise by roughness, and their standard deviations. Values are scaled to a standard deviation of one,
/// places to a range of about one.
const PRIOR: [(f64, f64); 4] = [(0.0, 1.0), (0.0, 1.0), (-3.0, 1.5), (-2.0, 1.5)];
/// Least noise beside the signal, for the factorisation.
const JITTER: f64 = 1e-8;

/// Values at places.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Data {
    pub places: Vec<Vec<f64>>,
    pub values: Vec<f64>,
}

/// Logarithms of what the likelihood chooses.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub signal: f64,
    pub lengths: Vec<f64>,
    pub noise: f64,
    /// Of noise that grows with the coordinate [`Form::rough`].
    pub rough_noise: f64,
}

impl Choice {
    fn start(dimensions: usize) -> Choice {
        Choice { signal: PRIOR[0].0, lengths: vec![PRIOR[1].0; dimensions], noise: -2.0, rough_noise: -2.0 }
    }

    fn to_vec(&self) -> Vec<f64> {
        [self.signal, self.noise, self.rough_noise].into_iter().chain(self.lengths.iter().copied()).collect()
    }

    fn of_slice(x: &[f64]) -> Choice {
        Choice { signal: x[0], noise: x[1], rough_noise: x[2], lengths: x[3..].to_vec() }
    }
}

/// Which coordinate is what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub parity: Parity,
    /// The coordinate with which noise grows.
    pub rough: Option<usize>,
}

/// A fitted process.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Process {
    pub choice: Choice,
    kernel: Kernel,
    form: Form,
    places: Vec<Vec<f64>>,
    factor: Cholesky,
    /// K⁻¹ (y − mean), in scaled values.
    weights: Vec<f64>,
    mean: f64,
    scale: f64,
}

/// What a process says of a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Belief {
    pub mean: f64,
    /// Standard deviation of a new value, noise included.
    pub sd: f64,
    /// Share of the variance of the signal that the data leave: 0 at a value without noise, 1 where they say nothing.
    pub unknown: f64,
}

fn noise_variance(choice: &Choice, form: Form, x: &[f64]) -> f64 {
    let rough = form.rough.map_or(0.0, |k| x[k] * choice.rough_noise.exponential());
    (2.0 * choice.noise).exponential() + rough * rough
}

fn covariance(choice: &Choice, form: Form, places: &[Vec<f64>]) -> (Kernel, Vec<f64>) {
    let kernel = Kernel::new(form.parity, &choice.lengths);
    let (n, signal) = (places.len(), (2.0 * choice.signal).exponential());
    let mut k = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let x = signal * kernel.at(&places[i], &places[j]);
            (k[i * n + j], k[j * n + i]) = (x, x);
        }
        k[i * n + i] += noise_variance(choice, form, &places[i]) + JITTER * signal;
    }
    (kernel, k)
}

impl Process {
    /// Fits a process; `None` without values. `near`: the numbers of a process of nearly the same values, from which the search begins.
    pub fn fit(data: &Data, form: Form, near: Option<&Choice>) -> Option<Process> {
        let (values, mean, scale) = standardised(data, form)?;
        let places = &data.places;
        let from = near.cloned().unwrap_or_else(|| Choice::start(places[0].len()));
        let mut objective = |x: &[f64]| posterior(&Choice::of_slice(x), form, places, &values);
        let best = climb(&from.to_vec(), &mut objective);
        Self::with(&Choice::of_slice(&best), data, form, (mean, scale))
    }

    /// The process of given numbers.
    pub fn with(choice: &Choice, data: &Data, form: Form, (mean, scale): (f64, f64)) -> Option<Process> {
        let (kernel, k) = covariance(choice, form, &data.places);
        let factor = Cholesky::new(k, data.places.len())?;
        let weights = factor.solve(data.values.iter().map(|y| (y - mean) / scale).collect());
        let places = data.places.clone();
        Some(Process { choice: choice.clone(), kernel, form, places, factor, weights, mean, scale })
    }

    /// Its mean at a place, without the work for its uncertainty.
    pub fn mean(&self, x: &[f64]) -> f64 {
        let signal = (2.0 * self.choice.signal).exponential();
        let k: Vec<f64> = self.places.iter().map(|y| signal * self.kernel.at(x, y)).collect();
        self.mean + self.scale * dot(&k, &self.weights)
    }

    /// What it says of a place.
    pub fn at(&self, x: &[f64]) -> Belief {
        let signal = (2.0 * self.choice.signal).exponential();
        let mut k: Vec<f64> = self.places.iter().map(|y| signal * self.kernel.at(x, y)).collect();
        let mean = dot(&k, &self.weights);
        let prior = signal * self.kernel.at(x, x);
        self.factor.solve_lower(&mut k);
        let left = (prior - dot(&k, &k)).max(0.0);
        let variance = left + noise_variance(&self.choice, self.form, x);
        Belief {
            mean: self.mean + self.scale * mean,
            sd: self.scale * variance.sqrt(),
            unknown: if prior > 0.0 { left / prior } else { 0.0 },
        }
    }

    /// What it would say of each of its own places without the value there: μ = y − [K⁻¹y]/[K⁻¹]ᵢᵢ, σ² = 1/[K⁻¹]ᵢᵢ (Rasmussen & Williams, eqs. 5.10 to 5.12).
    pub fn leave_one_out(&self, values: &[f64]) -> Vec<Belief> {
        let (n, inverse) = (self.places.len(), self.factor.inverse());
        let one = |i: usize| {
            let precision = inverse[i * n + i];
            Belief {
                mean: values[i] - self.scale * self.weights[i] / precision,
                sd: self.scale / precision.sqrt(),
                unknown: 0.0,
            }
        };
        (0..n).map(one).collect()
    }

    /// Square of the distance of two places in lengths of the process.
    pub fn distance2(&self, x: &[f64], y: &[f64]) -> f64 {
        self.kernel.inverse_squares.iter().zip(x.iter().zip(y)).map(|(w, (x, y))| w * (x - y) * (x - y)).sum()
    }
}

/// Places, values with mean zero (an odd response has it already) and standard deviation one, their mean and scale.
fn standardised(data: &Data, form: Form) -> Option<(Vec<f64>, f64, f64)> {
    let n = data.values.len() as f64;
    if data.values.is_empty() {
        return None;
    }
    let mean = if form.parity == Parity::Odd { 0.0 } else { data.values.iter().sum::<f64>() / n };
    let variance = data.values.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / n;
    // Values that are all the same have no scale of their own.
    let scale = if variance > 1e-24 * (1.0 + mean * mean) { variance.sqrt() } else { 1.0 };
    Some((data.values.iter().map(|y| (y - mean) / scale).collect(), mean, scale))
}

/// Logarithm of the posterior density (up to a constant), and its gradient; `None` where the matrix cannot be factored.
fn posterior(choice: &Choice, form: Form, places: &[Vec<f64>], values: &[f64]) -> Option<Slope> {
    let n = places.len();
    let (kernel, k) = covariance(choice, form, places);
    let factor = Cholesky::new(k.clone(), n)?;
    let weights = factor.solve(values.to_vec());
    let mut density = -0.5 * dot(values, &weights) - factor.half_log_determinant();
    let inverse = factor.inverse();
    let mut gradient = vec![0.0; 3 + choice.lengths.len()];
    let signal = (2.0 * choice.signal).exponential();
    let (own, roughest) = ((2.0 * choice.noise).exponential(), (2.0 * choice.rough_noise).exponential());
    // ½ tr((ααᵀ − K⁻¹) dK): every pair once, the diagonal by itself.
    for i in 0..n {
        for j in 0..i {
            let pull = weights[i] * weights[j] - inverse[i * n + j];
            gradient[0] += pull * 2.0 * k[i * n + j];
            kernel.add_derivatives(&places[i], &places[j], pull * signal, &mut gradient[3..]);
        }
        let pull = 0.5 * (weights[i] * weights[i] - inverse[i * n + i]);
        gradient[0] += pull * 2.0 * (k[i * n + i] - noise_variance(choice, form, &places[i]));
        kernel.add_derivatives(&places[i], &places[i], pull * signal, &mut gradient[3..]);
        gradient[1] += pull * 2.0 * own;
        let rough = form.rough.map_or(0.0, |c| places[i][c]);
        gradient[2] += pull * 2.0 * roughest * rough * rough;
    }
    let priors = [PRIOR[0], PRIOR[2], PRIOR[3]].into_iter().chain(std::iter::repeat(PRIOR[1]));
    for ((x, (mean, sd)), g) in choice.to_vec().iter().zip(priors).zip(&mut gradient) {
        let off = (x - mean) / sd;
        density -= 0.5 * off * off;
        *g -= off / sd;
    }
    density.is_finite().then_some((density, gradient))
}

#[cfg(test)]
mod tests;
