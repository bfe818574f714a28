//! What one knob may be: a list, a range, or a distribution by its quantile function.

use crate::normal::{normal_cdf, normal_quantile};
use crate::sampling::hash;
use serde::{Deserialize, Serialize};
use touchdown_math::Elementary;

/// A value of a knob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A number, in the knob's unit or the one given with it.
    Number(f64),
    /// A word, a flag, or a number with its unit.
    Text(String),
}

impl Setting {
    /// As the right-hand side of `--set`.
    pub fn written(&self, unit: &str) -> String {
        match self {
            Setting::Number(x) if unit.is_empty() => format!("{x:?}"),
            Setting::Number(x) => format!("\"{x:?} {unit}\""),
            Setting::Text(text) => text.clone(),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Setting::Number(x) => Some(*x),
            Setting::Text(_) => None,
        }
    }
}

/// How a knob varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marginal {
    /// Each value equally often.
    Values(Vec<Setting>),
    /// Equally likely between two ends.
    Uniform([f64; 2]),
    /// The logarithm equally likely between two ends.
    LogUniform([f64; 2]),
    /// Mean and standard deviation.
    Normal([f64; 2]),
    /// Median, and standard deviation of the natural logarithm.
    LogNormal([f64; 2]),
    /// Lowest, most likely, highest.
    Triangular([f64; 3]),
}

/// A knob that varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vary {
    /// Knob or dotted path.
    pub name: String,
    /// Unit of its numbers; empty: the knob's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// How.
    pub how: Marginal,
    /// The distribution is cut to this range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<[f64; 2]>,
}

/// Part of the unit interval that is left out at either end when extremes are tried: six standard deviations.
const EXTREME: f64 = 1e-9;

impl Vary {
    /// Its value where a share `u` of all cases lies below.
    pub fn at(&self, u: f64) -> Setting {
        if let Marginal::Values(list) = &self.how {
            let k = (u * list.len() as f64) as usize;
            return list[k.min(list.len() - 1)].clone();
        }
        let Some([low, high]) = self.within else { return Setting::Number(self.quantile(u)) };
        let (from, to) = (self.cdf(low), self.cdf(high));
        // Rounding of the two functions must not lead out of the range.
        Setting::Number(self.quantile(from + u * (to - from)).clamp(low, high))
    }

    /// Listed values; none for a distribution.
    pub fn values(&self) -> Option<&[Setting]> {
        match &self.how {
            Marginal::Values(list) => Some(list),
            _ => None,
        }
    }

    /// Values between which practically all cases lie; every one of a list.
    pub fn extremes(&self) -> Vec<Setting> {
        match &self.how {
            Marginal::Values(list) => list.clone(),
            Marginal::Uniform([a, b]) | Marginal::LogUniform([a, b]) | Marginal::Triangular([a, _, b])
                if self.within.is_none() =>
            {
                vec![Setting::Number(*a), Setting::Number(*b)]
            }
            _ => vec![self.at(EXTREME), self.at(1.0 - EXTREME)],
        }
    }

    fn quantile(&self, u: f64) -> f64 {
        let between = |a: f64, b: f64| a + u * (b - a);
        match self.how {
            Marginal::Values(_) => f64::NAN,
            Marginal::Uniform([a, b]) => between(a, b),
            Marginal::LogUniform([a, b]) => between(a.natural_log(), b.natural_log()).exponential(),
            Marginal::Normal([mean, sigma]) => mean + sigma * normal_quantile(u),
            Marginal::LogNormal([median, sigma]) => median * (sigma * normal_quantile(u)).exponential(),
            Marginal::Triangular([a, c, b]) => {
                let turn = (c - a) / (b - a);
                if u < turn {
                    a + (u * (b - a) * (c - a)).sqrt()
                } else {
                    b - ((1.0 - u) * (b - a) * (b - c)).sqrt()
                }
            }
        }
    }

    /// Share of cases below `x`, before the distribution is cut.
    pub(crate) fn cdf(&self, x: f64) -> f64 {
        let part = |x: f64, a: f64, b: f64| ((x - a) / (b - a)).clamp(0.0, 1.0);
        match self.how {
            Marginal::Values(_) => f64::NAN,
            Marginal::Uniform([a, b]) => part(x, a, b),
            Marginal::LogUniform([a, b]) => {
                part(x.max(f64::MIN_POSITIVE).natural_log(), a.natural_log(), b.natural_log())
            }
            Marginal::Normal([mean, sigma]) => normal_cdf((x - mean) / sigma),
            Marginal::LogNormal([median, sigma]) if x > 0.0 => normal_cdf((x / median).natural_log() / sigma),
            Marginal::LogNormal(_) => 0.0,
            Marginal::Triangular([a, c, b]) => match x {
                x if x <= a => 0.0,
                x if x >= b => 1.0,
                x if x < c => (x - a).whole_power(2) / ((b - a) * (c - a)),
                x => 1.0 - (b - x).whole_power(2) / ((b - a) * (b - c)),
            },
        }
    }
}

/// Knobs whose draws belong together: a Gaussian copula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correlated {
    /// Their places among the knobs that vary.
    pub members: Vec<usize>,
    /// Lower triangle of the Cholesky factor of the correlations of their normal scores, row by row.
    pub factor: Vec<Vec<f64>>,
}

impl Correlated {
    /// Replaces the coordinates of its members by correlated ones, each still uniform.
    pub fn apply(&self, point: &mut [f64]) {
        let scores: Vec<f64> = self.members.iter().map(|m| normal_quantile(point[*m])).collect();
        for (member, row) in self.members.iter().zip(&self.factor) {
            let z: f64 = row.iter().zip(&scores).map(|(l, z)| l * z).sum();
            point[*member] = normal_cdf(z).clamp(hash::unit(0), hash::unit(u64::MAX));
        }
    }
}

/// Lower Cholesky factor of a correlation matrix; none if it is not positive definite.
pub fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut l: Vec<Vec<f64>> = Vec::with_capacity(n);
    for i in 0..n {
        let mut row = vec![0.0; i + 1];
        for j in 0..=i {
            let above = if j < i { &l[j] } else { &row };
            let dot: f64 = (0..j).map(|k| row[k] * above[k]).sum();
            let rest = matrix[i][j] - dot;
            row[j] = if i == j {
                if rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / l[j][j]
            };
        }
        l.push(row);
    }
    Some(l)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(how: Marginal, within: Option<[f64; 2]>) -> Vary {
        Vary { name: "x".into(), unit: String::new(), how, within }
    }

    #[test]
    fn quantiles_turn_distribution_functions_round() {
        // F(Q(u)) = u to the accuracy of the special functions (1e-9).
        for how in [
            Marginal::Uniform([-1.0, 3.0]),
            Marginal::LogUniform([0.01, 10.0]),
            Marginal::Normal([2.0, 0.5]),
            Marginal::LogNormal([3.0, 0.4]),
            Marginal::Triangular([0.0, 0.3, 2.0]),
        ] {
            let v = vary(how.clone(), None);
            for u in [1e-6, 0.01, 0.2, 0.5, 0.77, 0.999] {
                let x = v.at(u).number().unwrap();
                assert!((v.cdf(x) - u).abs() < 1e-9, "{how:?} {u}: {}", v.cdf(x));
            }
        }
    }

    #[test]
    fn a_cut_distribution_stays_inside_and_keeps_its_shape() {
        let v = vary(Marginal::Normal([0.0, 1.0]), Some([-0.5, 2.0]));
        let lowest = v.at(1e-16).number().unwrap();
        assert!((-0.5..-0.5 + 1e-12).contains(&lowest), "{lowest}");
        let middle = v.at(0.5).number().unwrap();
        let expected = normal_quantile(0.5 * (normal_cdf(-0.5) + normal_cdf(2.0)));
        assert!((middle - expected).abs() < 1e-12);
    }

    #[test]
    fn correlated_draws_have_their_correlation() {
        // Normal scores of 20,000 independent pairs: the standard error of a correlation of 0.6 is (1 − 0.36)/√n = 0.0045.
        let matrix = vec![vec![1.0, 0.6], vec![0.6, 1.0]];
        let group = Correlated { members: vec![0, 1], factor: cholesky(&matrix).unwrap() };
        let n = 20_000;
        let mut sums = [0.0; 3];
        for i in 0..n {
            let mut point = [0, 1].map(|d| hash::unit(hash::bits(1, d, i)));
            group.apply(&mut point);
            let [x, y] = point.map(normal_quantile);
            sums = [sums[0] + x * y, sums[1] + x * x, sums[2] + y * y];
        }
        let r = sums[0] / (sums[1] * sums[2]).sqrt();
        assert!((r - 0.6).abs() < 5.0 * 0.0045, "{r}");
        assert!(cholesky(&[vec![1.0, 1.1], vec![1.1, 1.0]]).is_none());
    }
}
