//! Small dense linear algebra of the oracle: LU with partial pivoting and a Cholesky solve, row-major slices.
//! Called by the collocation integrator, the loop closures, the chain and the rover statics.

/// An LU factorisation with row exchanges of a square row-major matrix.
pub(crate) struct Lu {
    n: usize,
    factors: Vec<f64>,
    rows: Vec<usize>,
}

impl Lu {
    /// Factors the `n × n` matrix `a`; `None` if a pivot vanishes or is not finite.
    pub(crate) fn factor(mut a: Vec<f64>, n: usize) -> Option<Lu> {
        let mut rows: Vec<usize> = (0..n).collect();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()))?;
            if a[pivot * n + k] == 0.0 || !a[pivot * n + k].is_finite() {
                return None;
            }
            if pivot != k {
                rows.swap(pivot, k);
                for j in 0..n {
                    a.swap(pivot * n + j, k * n + j);
                }
            }
            for i in k + 1..n {
                let factor = a[i * n + k] / a[k * n + k];
                a[i * n + k] = factor;
                for j in k + 1..n {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
        Some(Lu { n, factors: a, rows })
    }

    /// Solves `A x = b`.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        let n = self.n;
        let mut x: Vec<f64> = self.rows.iter().map(|&r| b[r]).collect();
        for i in 0..n {
            for j in 0..i {
                x[i] -= self.factors[i * n + j] * x[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                x[i] -= self.factors[i * n + j] * x[j];
            }
            x[i] /= self.factors[i * n + i];
        }
        x
    }
}

/// Solves `A x = b` in place for a symmetric positive definite row-major `a` (lower triangle read and overwritten);
/// `b` becomes `x`.
pub(crate) fn solve_positive_definite(a: &mut [f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            let dot: f64 = row[..j].iter().zip(other).map(|(x, y)| x * y).sum();
            row[j] = (row[j] - dot) / other[j];
        }
        let square: f64 = row[..i].iter().map(|x| x * x).sum();
        row[i] = (row[i] - square).sqrt();
        let dot: f64 = row[..i].iter().zip(b.iter()).map(|(x, y)| x * y).sum();
        b[i] = (b[i] - dot) / row[i];
    }
    for i in (0..n).rev() {
        b[i] /= a[i * n + i];
        let x = b[i];
        for j in 0..i {
            b[j] -= a[i * n + j] * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 6;

    fn hilbert_like() -> Vec<f64> {
        (0..N * N)
            .map(|k| 1.0 / ((k / N + k % N + 1) as f64) + if k / N == k % N { 0.5 } else { 0.0 })
            .collect()
    }

    fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
        (0..N).map(|i| (0..N).map(|j| a[i * N + j] * x[j]).sum()).collect()
    }

    /// Both solvers recover the vector that made the right-hand side, to a few roundings times the condition (about 5).
    #[test]
    fn solvers_invert_the_product() {
        let a = hilbert_like();
        let x: Vec<f64> = (0..N).map(|i| (i as f64 - 2.0) * 0.7).collect();
        let b = product(&a, &x);
        let by_lu = Lu::factor(a.clone(), N).map(|lu| lu.solve(&b));
        let mut by_cholesky = b.clone();
        solve_positive_definite(&mut a.clone(), &mut by_cholesky);
        for i in 0..N {
            assert!((by_cholesky[i] - x[i]).abs() < 1e-14);
            assert!(by_lu.as_ref().is_some_and(|y| (y[i] - x[i]).abs() < 1e-14));
        }
    }

    /// A singular matrix has no factorisation.
    #[test]
    fn singular_matrix_is_refused() {
        assert!(Lu::factor(vec![1.0, 2.0, 2.0, 4.0], 2).is_none());
    }
}
