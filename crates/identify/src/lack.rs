//! Whether the model describes the data at all: residuals of a right model are noise. Pure.
//!
//! Two questions for each series. Do the signs of its residuals come in an order that chance gives (runs test, A. Wald & J. Wolfowitz, Annals of Mathematical Statistics 11, 1940)? Where the noise is known:
//! are the residuals as large as it (χ² of the variance ratio, by the cube root of E. B. Wilson & M. M. Hilferty, PNAS 17, 1931)?

use crate::fit::{FitOptions, Loss};
use crate::problem::Problem;
use crate::report::upper_tail;
use touchdown_math::Elementary;

/// Chance of saying of a right model that it does not describe a series: one in a thousand.
const LEVEL: f64 = 1e-3;
/// Residuals of either sign that the normal law of runs needs.
const LEAST_OF_SIGN: usize = 10;
/// Residuals below this share of the largest value, root mean square, are no matter of the model: differences of integrators, digits of a file.
const SMALL: f64 = 1e-5;

/// What speaks against the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Lack {
    /// Its series.
    pub series: String,
    /// Which test says so.
    pub test: LackTest,
    /// Probability of residuals as strange as these, if the model were right.
    pub chance: f64,
}

/// A test of residuals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LackTest {
    /// Too few changes of sign: so many runs of one sign, and so many expected.
    Runs(usize, f64),
    /// Too large for the noise: mean square over the variance.
    Variance(f64),
}

impl Lack {
    /// In words.
    pub fn text(&self) -> String {
        let (series, chance) = (&self.series, self.chance.max(1e-12));
        let why = match self.test {
            LackTest::Runs(found, expected) => {
                format!(
                    "its residuals change sign {} times where chance changes it {:.0} times",
                    found - 1,
                    expected - 1.0
                )
            }
            LackTest::Variance(ratio) => {
                format!("its residuals are {:.1} times as large as the noise", ratio.sqrt())
            }
        };
        format!("the model does not describe these data: {series}: {why} (p = {chance:.0e})")
    }
}

/// What speaks against a model, from its residuals over the noise, series by series.
pub(crate) fn lack_of_fit(
    problem: &Problem,
    options: &FitOptions,
    residuals: &[f64],
    sigma: &[f64],
) -> Vec<Lack> {
    let (mut out, mut first) = (Vec::new(), 0);
    let used = problem.parameters.len() as f64 / problem.count() as f64;
    for (series, sigma) in problem.series.iter().zip(sigma) {
        let own = &residuals[first..first + series.values.len()];
        first += series.values.len();
        let mean_square = own.iter().map(|r| r * r).sum::<f64>() / own.len() as f64;
        if mean_square.sqrt() * sigma <= SMALL * series.scale() {
            continue;
        }
        let mut add = |test, chance: f64| {
            if chance < LEVEL {
                out.push(Lack { series: series.name.clone(), test, chance });
            }
        };
        if let Some((found, expected, chance)) = runs(own) {
            add(LackTest::Runs(found, expected), chance);
        }
        if series.sigma.is_some() && options.loss == Loss::Squares {
            // Each series pays for its share of the parameters.
            let degrees = own.len() as f64 * (1.0 - used);
            let ratio = mean_square * own.len() as f64 / degrees;
            add(LackTest::Variance(ratio), chi_square_tail(ratio, degrees));
        }
    }
    out
}

/// Runs of one sign, as many as expected of chance, and the probability of so few; nothing where there are too few residuals of a sign.
fn runs(residuals: &[f64]) -> Option<(usize, f64, f64)> {
    let signs: Vec<bool> = residuals.iter().filter(|r| **r != 0.0).map(|r| *r > 0.0).collect();
    let above = signs.iter().filter(|above| **above).count();
    let below = signs.len() - above;
    if above.min(below) < LEAST_OF_SIGN {
        return None;
    }
    let found = 1 + signs.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let (a, b, n) = (above as f64, below as f64, signs.len() as f64);
    let expected = 2.0 * a * b / n + 1.0;
    let variance = (expected - 1.0) * (expected - 2.0) / (n - 1.0);
    let z = (expected - found as f64 - 0.5) / variance.sqrt();
    Some((found, expected, tail(z)))
}

/// P(χ²/ν > ratio).
fn chi_square_tail(ratio: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    tail((ratio.cube_root() - (1.0 - spread)) / spread.sqrt())
}

/// P(Z > z) of the normal law; beyond six deviations there is nothing to tell.
fn tail(z: f64) -> f64 {
    if z >= 0.0 { upper_tail(z.min(6.0)) } else { 1.0 - upper_tail((-z).min(6.0)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parameter, Series, Verdict, fit};

    /// Normal numbers, the same every time: Box and Muller on SplitMix64.
    fn noise(seed: u64, n: usize) -> Vec<f64> {
        let mut state = seed;
        let mut roll = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..n).map(|_| (-2.0 * (1.0 - roll()).ln()).sqrt() * (std::f64::consts::TAU * roll()).cos()).collect()
    }

    /// y = a xᵇ with b = 1.4 and noise of 1 %, fitted by a power law or by a straight line through zero.
    fn fitted(straight: bool, sigma: Option<f64>, seed: u64) -> crate::Fit {
        let x: Vec<f64> = (1..=80).map(|k| f64::from(k) / 80.0).collect();
        let values: Vec<f64> =
            x.iter().zip(noise(seed, 80)).map(|(x, e)| 3.0 * x.powf(1.4) + 0.03 * e).collect();
        let model = |p: &[f64]| {
            let b = if straight { 1.0 } else { p[1] };
            Some(vec![x.iter().map(|x| p[0] * x.powf(b)).collect()])
        };
        let mut parameters = vec![Parameter::new("a", 1.0, 0.0, 10.0)];
        if !straight {
            parameters.push(Parameter::new("b", 1.0, 0.1, 3.0));
        }
        let problem =
            Problem { parameters, series: vec![Series { sigma, ..Series::new("y", values) }], model: &model };
        fit(&problem, &FitOptions::default()).expect("a minimum")
    }

    /// A wrong model is said to be wrong, by the order of its residuals alone, and by their size where the noise is known; its parameter is no longer called determined. The right model is not.
    #[test]
    fn a_wrong_model_is_distinguished_from_a_right_one() {
        for sigma in [None, Some(0.03)] {
            let wrong = fitted(true, sigma, 1);
            assert!(
                !wrong.lack.is_empty()
                    && wrong.remarks.iter().any(|r| r.contains("does not describe these data"))
            );
            assert_eq!(
                (wrong.estimates[0].verdict.clone(), wrong.estimates[0].verdict.is_identifiable()),
                (Verdict::Doubtful, false)
            );
            assert_eq!(wrong.lack.iter().any(|l| matches!(l.test, LackTest::Variance(_))), sigma.is_some());
            let right = fitted(false, sigma, 1);
            assert_eq!((right.lack, right.estimates[0].verdict.clone()), (Vec::new(), Verdict::Determined));
        }
    }

    /// Of right models one in a thousand is doubted by each test: of 400 fits at most four, for which the chance is 0.1 % (Poisson with mean 0.8: P(> 4) = 0.14 %).
    #[test]
    fn right_models_are_seldom_doubted() {
        let doubted = (0..400).filter(|seed| !fitted(false, Some(0.03), 100 + seed).lack.is_empty()).count();
        assert!(doubted <= 4, "{doubted}");
    }

    /// Quantiles of the tables: the normal law, χ² with 10 and 100 degrees of freedom at 0.1 %. The cube root makes χ² normal but for terms of the order 1/ν, which far out in the tail
    /// are some per cent of the probability with ten degrees of freedom, and less with more.
    #[test]
    fn tails_are_those_of_the_tables() {
        assert!((tail(3.0902) - 1e-3).abs() < 1e-6 && (tail(-1.2816) - 0.9).abs() < 1e-4);
        for (quantile, degrees) in [(29.588, 10.0), (149.449, 100.0)] {
            let p = chi_square_tail(quantile / degrees, degrees);
            assert!((p / 1e-3 - 1.0).abs() < 0.3 / f64::sqrt(degrees), "{degrees}: {p}");
        }
    }

    /// Alternating signs make as many runs as there are residuals, one block of each sign two.
    #[test]
    fn runs_are_counted() {
        let alternating: Vec<f64> = (0..40).map(|k| if k % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let blocks: Vec<f64> = (0..40).map(|k| if k < 20 { 1.0 } else { -1.0 }).collect();
        let (many, few) = (runs(&alternating), runs(&blocks));
        assert!(many.is_some_and(|(n, expected, p)| n == 40 && expected == 21.0 && p > 0.999));
        assert!(few.is_some_and(|(n, _, p)| n == 2 && p < 1e-8));
        assert_eq!(runs(&[1.0; 40]), None);
    }
}
