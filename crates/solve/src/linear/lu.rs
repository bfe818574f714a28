//! LU with partial pivoting, in place.

use super::dot;

/// LU factors with partial pivoting of a row-major matrix, in place.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    pivot: Vec<usize>,
    /// Inverses of the pivots.
    inverse: Vec<f64>,
}

/// Up to this size substitution works by columns: each step then depends on one product, not on a whole row
/// of them.
const SMALL: usize = 12;

impl Lu {
    /// Memory for matrices of size n.
    pub fn new(n: usize) -> Self {
        Lu { n, a: vec![0.0; n * n], pivot: vec![0; n], inverse: vec![0.0; n] }
    }

    /// The matrix to fill before `factor`.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Factors the matrix; an error names a column without pivot.
    pub fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        for k in 0..n {
            let mut best = k;
            for i in k + 1..n {
                if self.a[i * n + k].abs() > self.a[best * n + k].abs() {
                    best = i;
                }
            }
            self.pivot[k] = best;
            if best != k {
                let (upper, lower) = self.a.split_at_mut(best * n);
                upper[k * n..k * n + n].swap_with_slice(&mut lower[..n]);
            }
            let pivot = self.a[k * n + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return Err(k);
            }
            let inverse = 1.0 / pivot;
            self.inverse[k] = inverse;
            let (upper, lower) = self.a.split_at_mut((k + 1) * n);
            let row = &upper[k * n + k + 1..];
            for target in lower.chunks_exact_mut(n) {
                let factor = target[k];
                if factor != 0.0 {
                    let factor = factor * inverse;
                    target[k] = factor;
                    for (t, r) in target[k + 1..].iter_mut().zip(row) {
                        *t -= factor * r;
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            x.swap(k, self.pivot[k]);
        }
        if n <= SMALL {
            return self.substitute_by_columns(x);
        }
        for i in 1..n {
            let row = &self.a[i * n..i * n + i];
            x[i] -= dot(row, &x[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.a[i * n + i + 1..(i + 1) * n];
            let sum = dot(row, &x[i + 1..]);
            x[i] = (x[i] - sum) * self.inverse[i];
        }
    }

    fn substitute_by_columns(&self, x: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            let (known, rest) = x.split_at_mut(k + 1);
            for (x, row) in rest.iter_mut().zip(self.a.chunks_exact(n).skip(k + 1)) {
                *x -= row[k] * known[k];
            }
        }
        for k in (0..n).rev() {
            let (rest, known) = x.split_at_mut(k);
            known[0] *= self.inverse[k];
            for (x, row) in rest.iter_mut().zip(self.a.chunks_exact(n)) {
                *x -= row[k] * known[0];
            }
        }
    }
}
