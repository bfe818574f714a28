//! Gauss–Legendre quadrature with one end where the integrand is only a power of the distance to it.
//! Called by the soil problems: pressure under a wheel begins like dⁿ at the rim's entry, with any n > 0.
//!
//! The substitution d = L·s⁸ makes dⁿ dd ∝ s^(8n+7) ds, smooth enough at s = 0 for the rule to converge to rounding, and crowds the
//! points where boundary layers are. The integrand receives the distance d itself, so that differences like cos θ − cos θ₁ can be formed
//! without cancellation.

/// Points of the rule: s^(8n+7) is integrated with an error of order POINTS^(−16n−16), below rounding for every n > 0.
const POINTS: usize = 64;
/// Power of the substitution.
const POWER: i32 = 8;

/// A quadrature rule on (0, 1).
pub(crate) struct Gauss {
    /// Nodes and weights.
    points: Vec<(f64, f64)>,
}

impl Gauss {
    pub(crate) fn new() -> Gauss {
        Gauss { points: (0..POINTS).map(point).collect() }
    }

    /// ∫₀ᴸ f(d) dd of several functions at once, for f that may start like a power of d and is smooth elsewhere.
    pub(crate) fn integrate_from_end<const N: usize>(
        &self,
        length: f64,
        f: impl Fn(f64) -> [f64; N],
    ) -> [f64; N] {
        let mut sum = [0.0; N];
        for (s, weight) in &self.points {
            let rest = s.powi(POWER - 1);
            let values = f(length * rest * s);
            (0..N).for_each(|k| sum[k] += weight * length * f64::from(POWER) * rest * values[k]);
        }
        sum
    }
}

/// Node and weight number `k`: a root of P_n by Newton from Tricomi's estimate (Abramowitz & Stegun 22.16.6, 25.4.29).
fn point(k: usize) -> (f64, f64) {
    let n = POINTS as f64;
    let mut x = (std::f64::consts::PI * (k as f64 + 0.75) / (n + 0.5)).cos();
    let mut slope = 1.0;
    // Quadratic convergence from an estimate good to 1e-4: four rounds reach rounding, a fifth makes sure.
    for _ in 0..5 {
        let (mut old, mut new) = (1.0, x);
        for degree in 2..=POINTS {
            let d = degree as f64;
            (old, new) = (new, ((2.0 * d - 1.0) * x * new - (d - 1.0) * old) / d);
        }
        slope = n * (x * new - old) / (x * x - 1.0);
        x -= new / slope;
    }
    (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule integrates polynomials up to degree 2·POINTS − 1 exactly.
    #[test]
    fn rule_is_exact_for_polynomials() {
        let gauss = Gauss::new();
        for degree in [0, 1, 2, 40, 2 * POINTS as i32 - 1] {
            let sum: f64 = gauss.points.iter().map(|(s, w)| w * s.powi(degree)).sum();
            assert!((sum * f64::from(degree + 1) - 1.0).abs() < 1e-13, "degree {degree}: {sum}");
        }
    }

    /// Powers of the distance and exponential layers are integrated to rounding: ∫₀ᴸ dⁿ = Lⁿ⁺¹/(n+1), ∫₀ᴸ e^(−d/ℓ) = ℓ(1 − e^(−L/ℓ)).
    #[test]
    fn singular_ends_and_thin_layers() {
        let gauss = Gauss::new();
        for n in [0.05, 0.3, 0.63, 1.0, 1.387, 2.5f64] {
            let [sum] = gauss.integrate_from_end(0.7, |d| [d.powf(n)]);
            assert!((sum * (n + 1.0) / 0.7f64.powf(n + 1.0) - 1.0).abs() < 1e-13, "n = {n}");
        }
        for layer in [1e-3, 1e-2, 0.1f64] {
            let [sum] = gauss.integrate_from_end(1.0, |d| [(-d / layer).exp()]);
            assert!((sum / (-layer * (-1.0 / layer).exp_m1()) - 1.0).abs() < 1e-12, "layer {layer}");
        }
    }
}
