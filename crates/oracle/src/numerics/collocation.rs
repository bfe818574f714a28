//! Radau IIA collocation with five stages (order 9, L-stable): the oracle's integrator for stiff problems.
//! Called by the flyball governor, whose dampers decay ten thousand times faster than its mechanism moves.
//!
//! The collocation coefficients are computed, not typed: nodes are the roots of P₅ − P₄ on [0, 1], weights solve
//! Σ_j A_ij c_j^(k−1) = c_i^k / k. Stage equations by simplified Newton; error by comparing one step with two halves.
//! Source: Hairer & Wanner, *Solving Ordinary Differential Equations II*, IV.5.

use super::linear::Lu;

/// Stages; the classical order is 2·STAGES − 1.
const STAGES: usize = 5;
/// Newton iterations before a step fails.
const ITERATIONS: usize = 15;

/// A stiff initial-value problem being advanced from t = 0.
pub(crate) struct Radau<F> {
    rhs: F,
    tolerance: f64,
    h: f64,
    t: f64,
    y: Vec<f64>,
    weights: Vec<f64>,
}

impl<F: Fn(&[f64], &mut [f64])> Radau<F> {
    /// Starts from `y`; `h` is a first guess of the step, `tolerance` the local error relative to `1 + |y|`.
    pub(crate) fn new(y: Vec<f64>, h: f64, tolerance: f64, rhs: F) -> Self {
        Radau { rhs, tolerance, h, t: 0.0, y, weights: weights(&nodes()) }
    }

    /// Advances to `t_end ≥ t` and returns the state there.
    pub(crate) fn advance_to(&mut self, t_end: f64) -> &[f64] {
        while self.t < t_end {
            let left = t_end - self.t;
            let last = self.h >= left;
            let h = if last { left } else { self.h };
            let (y, error) = self.try_step(h);
            if error <= self.tolerance {
                self.t = if last { t_end } else { self.t + h };
                self.y = y;
            }
            // Exponent of the stage order, which is what a stiff component sees; the smooth ones are then better still.
            let factor = 0.9 * (self.tolerance / error.max(1e-20)).powf(1.0 / (STAGES + 1) as f64);
            if !last || error > self.tolerance {
                self.h = h * factor.clamp(0.3, 2.0);
            }
            assert!(self.h > 1e-14 * t_end, "oracle collocation: step underflow at t = {}", self.t);
        }
        &self.y
    }

    /// Two half steps and the estimated error of the pair; an unsolved stage system counts as an infinite error.
    fn try_step(&self, h: f64) -> (Vec<f64>, f64) {
        let jacobian = self.jacobian();
        let halves =
            self.stages(&self.y, 0.5 * h, &jacobian).and_then(|y| self.stages(&y, 0.5 * h, &jacobian));
        let (Some(whole), Some(fine)) = (self.stages(&self.y, h, &jacobian), halves) else {
            return (self.y.clone(), f64::INFINITY);
        };
        let difference = whole.iter().zip(&fine).map(|(a, b)| (a - b).abs() / (1.0 + b.abs()));
        let error = difference.fold(0.0, f64::max) / (2f64.powi(STAGES as i32) - 1.0);
        (fine, error)
    }

    /// One collocation step from `y`; `None` if Newton does not converge.
    fn stages(&self, y: &[f64], h: f64, jacobian: &[f64]) -> Option<Vec<f64>> {
        let n = y.len();
        let size = STAGES * n;
        let mut matrix = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..size {
                let coupling =
                    self.weights[(row / n) * STAGES + column / n] * jacobian[(row % n) * n + column % n];
                matrix[row * size + column] = f64::from(row == column) - h * coupling;
            }
        }
        let lu = Lu::factor(matrix, size)?;
        let mut z = vec![0.0; size];
        let mut previous = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let correction = lu.solve(&self.residual(y, &z, h));
            z.iter_mut().zip(&correction).for_each(|(z, c)| *z += c);
            let change = (0..size).map(|k| correction[k].abs() / (1.0 + y[k % n].abs())).fold(0.0, f64::max);
            // Rounding ends the contraction: a change that no longer halves below 1e-13 is as good as it gets.
            if change < 1e-16 || (change < 1e-13 && change > 0.5 * previous) {
                return Some((0..n).map(|i| y[i] + z[size - n + i]).collect());
            }
            previous = change;
        }
        None
    }

    /// h A F(y + z) − z, stage by stage.
    fn residual(&self, y: &[f64], z: &[f64], h: f64) -> Vec<f64> {
        let n = y.len();
        let mut slopes = vec![0.0; z.len()];
        for (stage, slope) in z.chunks(n).zip(slopes.chunks_mut(n)) {
            let at: Vec<f64> = y.iter().zip(stage).map(|(y, z)| y + z).collect();
            (self.rhs)(&at, slope);
        }
        let sum = |k: usize| {
            (0..STAGES).map(|j| self.weights[(k / n) * STAGES + j] * slopes[j * n + k % n]).sum::<f64>()
        };
        (0..z.len()).map(|k| h * sum(k) - z[k]).collect()
    }

    /// Central differences: simplified Newton needs the slope only roughly, its fixed point does not depend on it.
    fn jacobian(&self) -> Vec<f64> {
        let n = self.y.len();
        let mut jacobian = vec![0.0; n * n];
        let (mut low, mut high) = (vec![0.0; n], vec![0.0; n]);
        for column in 0..n {
            let step = 1e-6 * (1.0 + self.y[column].abs());
            let mut at = self.y.clone();
            at[column] = self.y[column] + step;
            (self.rhs)(&at, &mut high);
            at[column] = self.y[column] - step;
            (self.rhs)(&at, &mut low);
            for row in 0..n {
                jacobian[row * n + column] = (high[row] - low[row]) / (2.0 * step);
            }
        }
        jacobian
    }
}

/// The Radau right nodes: roots of P_s(x) − P_{s−1}(x), mapped from [−1, 1] to [0, 1]; the last is 1.
fn nodes() -> [f64; STAGES] {
    let function = |x: f64| {
        let (mut old, mut new) = (1.0, x);
        for k in 2..=STAGES {
            (old, new) = (new, ((2 * k - 1) as f64 * x * new - (k - 1) as f64 * old) / k as f64);
        }
        new - old
    };
    // The roots interlace on a fine grid; each sign change is bisected to rounding. The root x = 1 is exact.
    const GRID: usize = 1000;
    let mut nodes = [1.0; STAGES];
    let mut found = 0;
    for k in 0..GRID - 1 {
        let (mut low, mut high) =
            (2.0 * k as f64 / GRID as f64 - 1.0, 2.0 * (k + 1) as f64 / GRID as f64 - 1.0);
        if function(low) * function(high) > 0.0 || found == STAGES - 1 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if function(low) * function(middle) <= 0.0 { high = middle } else { low = middle }
        }
        nodes[found] = 0.25 * (low + high) + 0.5;
        found += 1;
    }
    nodes
}

/// A_ij = ∫₀^{c_i} ℓ_j by the moment equations.
fn weights(nodes: &[f64; STAGES]) -> Vec<f64> {
    let moments: Vec<f64> =
        (0..STAGES * STAGES).map(|k| nodes[k % STAGES].powi((k / STAGES) as i32)).collect();
    let lu = Lu::factor(moments, STAGES).expect("distinct nodes give a regular Vandermonde matrix");
    nodes
        .iter()
        .flat_map(|c| {
            let rhs: Vec<f64> = (1..=STAGES as i32).map(|k| c.powi(k) / k as f64).collect();
            lu.solve(&rhs)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The end weights integrate polynomials up to degree 2s − 2 = 8 exactly: the order-9 quadrature condition.
    #[test]
    fn quadrature_has_order_nine() {
        let nodes = nodes();
        let weights = weights(&nodes);
        let end = &weights[(STAGES - 1) * STAGES..];
        for degree in 0..=2 * STAGES - 2 {
            let sum: f64 = (0..STAGES).map(|j| end[j] * nodes[j].powi(degree as i32)).sum();
            assert!((sum - 1.0 / (degree + 1) as f64).abs() < 1e-14, "degree {degree}");
        }
        let ninth: f64 = (0..STAGES).map(|j| end[j] * nodes[j].powi(9)).sum();
        assert!((ninth - 0.1).abs() > 1e-8);
    }

    /// Prothero and Robinson's stiff equation y' = −10⁴ (y − cos t) − sin t keeps to cos t.
    #[test]
    fn stiff_equation_follows_its_smooth_solution() {
        let mut radau = Radau::new(vec![1.0, 0.0], 1e-3, 1e-13, |y: &[f64], f: &mut [f64]| {
            f[0] = -1e4 * (y[0] - y[1].cos()) - y[1].sin();
            f[1] = 1.0;
        });
        assert!((radau.advance_to(5.0)[0] - 5f64.cos()).abs() < 1e-12);
    }
}
