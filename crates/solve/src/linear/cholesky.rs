//! Cholesky factors, in place.

use super::dot;

/// Cholesky factor of a symmetric row-major matrix, in place, lower triangle.
#[derive(Clone, Debug, Default)]
pub struct Cholesky {
    n: usize,
    a: Vec<f64>,
}

impl Cholesky {
    /// Memory for matrices of size n.
    pub fn new(n: usize) -> Self {
        Cholesky { n, a: vec![0.0; n * n] }
    }

    /// The matrix to fill (lower triangle suffices) before `factor`.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Factors; an error names a row whose pivot is not positive.
    pub fn factor(&mut self) -> Result<(), usize> {
        let n = self.n;
        for i in 0..n {
            let (above, rest) = self.a.split_at_mut(i * n);
            let row = &mut rest[..n];
            for j in 0..i {
                let other = &above[j * n..j * n + j + 1];
                let sum = dot(&row[..j], &other[..j]);
                row[j] = (row[j] - sum) / other[j];
            }
            let pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot <= 0.0 || pivot.is_nan() {
                return Err(i);
            }
            row[i] = pivot.sqrt();
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in 0..n {
            let row = &self.a[i * n..i * n + i];
            let sum = dot(row, &x[..i]);
            x[i] = (x[i] - sum) / self.a[i * n + i];
        }
        for i in (0..n).rev() {
            x[i] /= self.a[i * n + i];
            let (head, tail) = x.split_at_mut(i);
            for (h, a) in head.iter_mut().zip(&self.a[i * n..i * n + i]) {
                *h -= a * tail[0];
            }
        }
    }
}
