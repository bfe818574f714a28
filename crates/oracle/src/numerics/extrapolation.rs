//! Gragg–Bulirsch–Stoer extrapolation of the explicit midpoint rule: the oracle's integrator for smooth problems.
//! The problem files hand in a right-hand side and a list of times and get states that are accurate to near rounding.
//!
//! Step: for n_j = 2, 4, 6, … substeps the midpoint rule ends with an error expansion in (H/n_j)²; Aitken–Neville
//! removes one term per column (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, II.9).

/// Rows of the extrapolation table; the last row has order 18.
const ROWS: usize = 9;
/// A step that converges in this row or earlier may grow.
const COMFORTABLE_ROW: usize = 6;
/// Default local error relative to `1 + |y|`: some fifty roundings, above the noise of the table.
pub(crate) const TIGHT: f64 = 2e-14;

/// An initial-value problem being advanced, and its step size.
pub(crate) struct Extrapolation<F> {
    rhs: F,
    tolerance: f64,
    h: f64,
    t: f64,
    y: Vec<f64>,
    /// What rounding has kept out of `y` so far (Kahan): over thousands of steps it would be the largest error.
    carry: Vec<f64>,
}

impl<F: FnMut(f64, &[f64], &mut [f64])> Extrapolation<F> {
    /// Starts at `t = 0` from `y`, with a first trial step `h` (only a guess: it is halved until the table converges).
    pub(crate) fn new(y: Vec<f64>, h: f64, tolerance: f64, rhs: F) -> Self {
        let carry = vec![0.0; y.len()];
        Extrapolation { rhs, tolerance, h, t: 0.0, y, carry }
    }

    /// Advances to `t_end ≥ t` and returns the state there.
    pub(crate) fn advance_to(&mut self, t_end: f64) -> &[f64] {
        while self.t < t_end {
            let left = t_end - self.t;
            let last = self.h >= left;
            let h = if last { left } else { self.h };
            match self.try_step(h) {
                Some((increment, row)) => {
                    self.t = if last { t_end } else { self.t + h };
                    self.add(&increment);
                    // A short last step says nothing about the step that would be possible.
                    if !last {
                        self.h *= if row <= COMFORTABLE_ROW { 1.4 } else { 0.9 };
                    }
                }
                None => {
                    self.h = 0.5 * h;
                    assert!(self.h > 1e-14 * t_end, "oracle integrator: step underflow at t = {}", self.t);
                }
            }
        }
        &self.y
    }

    /// Adds an increment to the state, keeping the digits that do not fit.
    fn add(&mut self, increment: &[f64]) {
        for (i, increment) in increment.iter().enumerate() {
            let wanted = increment + self.carry[i];
            let sum = self.y[i] + wanted;
            self.carry[i] = wanted - (sum - self.y[i]);
            self.y[i] = sum;
        }
    }

    /// One step of size `h`; the increment of the state and the row that converged, or `None`.
    fn try_step(&mut self, h: f64) -> Option<(Vec<f64>, usize)> {
        let mut start = vec![0.0; self.y.len()];
        (self.rhs)(self.t, &self.y, &mut start);
        let mut table: Vec<Vec<f64>> = Vec::with_capacity(ROWS);
        for row in 0..ROWS {
            let mut entry = self.midpoint(h, 2 * (row + 1), &start);
            let mut error = f64::INFINITY;
            // Column by column; `table[k]` holds column k of the previous row and receives that of this row.
            for (column, previous) in table.iter_mut().enumerate() {
                let ratio = (row + 1) as f64 / (row - column) as f64;
                let weight = 1.0 / (ratio * ratio - 1.0);
                error = 0.0;
                for i in 0..entry.len() {
                    let correction = (entry[i] - previous[i]) * weight;
                    previous[i] = entry[i];
                    entry[i] += correction;
                    let relative = correction.abs() / (1.0 + self.y[i].abs());
                    // NaN must fail the step, and f64::max would drop it.
                    error = if relative > error || relative.is_nan() { relative } else { error };
                }
            }
            if error <= self.tolerance {
                return Some((entry, row));
            }
            table.push(entry);
        }
        None
    }

    /// The increment by the explicit midpoint rule over `h` in `n` (even) substeps; `start` is the slope at the beginning.
    fn midpoint(&mut self, h: f64, n: usize, start: &[f64]) -> Vec<f64> {
        let step = h / n as f64;
        let mut old = vec![0.0; self.y.len()];
        let mut new: Vec<f64> = start.iter().map(|f| step * f).collect();
        let mut at = self.y.clone();
        let mut slope = vec![0.0; old.len()];
        for k in 1..n {
            for i in 0..at.len() {
                at[i] = self.y[i] + (new[i] + self.carry[i]);
            }
            (self.rhs)(self.t + k as f64 * step, &at, &mut slope);
            for i in 0..old.len() {
                old[i] += 2.0 * step * slope[i];
            }
            std::mem::swap(&mut old, &mut new);
        }
        new
    }
}

/// Indices of `times` in ascending order, so that callers may ask for times in any order.
pub(crate) fn ascending(times: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|&a, &b| times[a].total_cmp(&times[b]));
    order
}

/// Solves from `y0` at t = 0 and hands the state at each of `times` (any order, each ≥ 0) to `read`.
pub(crate) fn solve_at<S: Clone>(
    times: &[f64],
    y0: Vec<f64>,
    h: f64,
    rhs: impl FnMut(f64, &[f64], &mut [f64]),
    read: impl Fn(&[f64]) -> S,
) -> Vec<S> {
    let mut flow = Extrapolation::new(y0, h, TIGHT, rhs);
    let mut samples: Vec<Option<S>> = vec![None; times.len()];
    for index in ascending(times) {
        samples[index] = Some(read(flow.advance_to(times[index])));
    }
    samples.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oscillator(tolerance: f64) -> f64 {
        let mut flow = Extrapolation::new(vec![1.0, 0.0], 0.1, tolerance, |_, y, f| {
            f[0] = y[1];
            f[1] = -y[0];
        });
        let y = flow.advance_to(100.0);
        (y[0] - 100f64.cos()).abs().max((y[1] + 100f64.sin()).abs())
    }

    /// A harmonic oscillator returns to cos t after a hundred seconds: error near the sum of the local ones.
    #[test]
    fn harmonic_oscillator_is_near_rounding() {
        assert!(oscillator(TIGHT) < 5e-13);
    }

    /// The error follows the tolerance, so a tolerance can be used to estimate the error of a solution.
    #[test]
    fn error_follows_tolerance() {
        assert!(oscillator(1e-6) > 10.0 * oscillator(1e-10));
    }

    /// Samples come back in the order in which they were asked for.
    #[test]
    fn times_may_be_unordered() {
        let rhs = |t: f64, _: &[f64], f: &mut [f64]| f[0] = 2.0 * t;
        let samples = solve_at(&[3.0, 0.0, 2.0], vec![0.0], 0.1, rhs, |y| y[0]);
        for (sample, exact) in samples.iter().zip([9.0, 0.0, 4.0]) {
            assert!((sample - exact).abs() < 1e-13);
        }
    }
}
