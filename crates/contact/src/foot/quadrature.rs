//! Gauss–Legendre quadrature on (0, 1) for integrands that end like a power.

use touchdown_math::Elementary;

/// Points. With the substitution below the error for exponents from 0.1 on is below 1e-12 (tests).
pub(super) const POINTS: usize = 32;

/// Nodes and weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub nodes: [f64; POINTS],
    pub weights: [f64; POINTS],
}

impl Rule {
    /// Gauss–Legendre on (0, 1): Newton's method on the Legendre polynomial, from the usual first guess.
    pub fn legendre() -> Rule {
        let n = POINTS as f64;
        let mut rule = Rule { nodes: [0.0; POINTS], weights: [0.0; POINTS] };
        for i in 0..POINTS {
            let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (n + 0.5)).cosine();
            let mut slope = 1.0;
            for _ in 0..8 {
                let (mut before, mut value) = (1.0, x);
                for k in 2..=POINTS {
                    let k = k as f64;
                    (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
                }
                slope = n * (x * value - before) / (x * x - 1.0);
                x -= value / slope;
            }
            rule.nodes[i] = 0.5 * (1.0 - x);
            rule.weights[i] = 1.0 / ((1.0 - x * x) * slope * slope);
        }
        rule
    }

    /// On (0, 1) for integrands that behave like a power of (1 − s) at the end: s = 1 − w⁴.
    pub fn powers_at_end() -> Rule {
        let mut rule = Rule::legendre();
        for i in 0..POINTS {
            let w = rule.nodes[i];
            rule.nodes[i] = 1.0 - w.whole_power(4);
            rule.weights[i] *= 4.0 * w.whole_power(3);
        }
        rule
    }

    /// Integral of f over (0, 1), in a fixed order.
    #[inline]
    pub fn sum<const N: usize>(&self, mut f: impl FnMut(f64) -> [f64; N]) -> [f64; N] {
        let mut out = [0.0; N];
        for (&x, &w) in self.nodes.iter().zip(&self.weights) {
            let value = f(x);
            for k in 0..N {
                out[k] += w * value[k];
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polynomials are exact, powers of (1 − s) down to 0.1 nearly so.
    #[test]
    fn powers_are_integrated() {
        for k in [0, 7, 60] {
            let [i] = Rule::legendre().sum(|x| [x.powi(k)]);
            assert!((i * (k as f64 + 1.0) - 1.0).abs() < 1e-13, "{k} {i}");
        }
        for e in [0.11, 0.63, 1.1, 2.1] {
            let [i] = Rule::powers_at_end().sum(|s| [(1.0 - s).powf(e)]);
            assert!((i * (e + 1.0) - 1.0).abs() < 1e-12, "{e} {i}");
        }
    }
}
