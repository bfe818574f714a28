//! Small dense symmetric positive definite systems, row by row, in one order of operations.

/// The lower Cholesky factor of a symmetric positive definite matrix.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cholesky {
    n: usize,
    /// Lower triangle by rows, in full rows of `n`.
    l: Vec<f64>,
}

impl Cholesky {
    /// Factors a matrix given by rows; `None` if it is not positive definite.
    pub fn new(mut a: Vec<f64>, n: usize) -> Option<Cholesky> {
        for i in 0..n {
            let (above, row) = a.split_at_mut(i * n);
            for j in 0..i {
                let other = &above[j * n..j * n + j + 1];
                let dot: f64 = dot(&row[..j], &other[..j]);
                row[j] = (row[j] - dot) / other[j];
            }
            let rest = row[i] - dot(&row[..i], &row[..i]);
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            row[i] = rest.sqrt();
            row[i + 1..n].fill(0.0);
        }
        Some(Cholesky { n, l: a })
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.l[i * self.n..i * self.n + i + 1]
    }

    /// `L⁻¹ b`, in place.
    pub fn solve_lower(&self, b: &mut [f64]) {
        for i in 0..self.n {
            let row = self.row(i);
            b[i] = (b[i] - dot(&row[..i], &b[..i])) / row[i];
        }
    }

    /// `A⁻¹ b`.
    pub fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        self.solve_lower(&mut b);
        for i in (0..self.n).rev() {
            let row = self.row(i);
            b[i] /= row[i];
            let x = b[i];
            b[..i].iter_mut().zip(row).for_each(|(b, l)| *b -= l * x);
        }
        b
    }

    /// `A⁻¹` by rows.
    pub fn inverse(&self) -> Vec<f64> {
        let n = self.n;
        // Columns of L⁻¹, which is lower triangular; then A⁻¹ = L⁻ᵀ L⁻¹.
        let mut columns = vec![0.0; n * n];
        for j in 0..n {
            let column = &mut columns[j * n..(j + 1) * n];
            column[j] = 1.0;
            for i in j..n {
                let row = self.row(i);
                column[i] = (column[i] - dot(&row[j..i], &column[j..i])) / row[i];
            }
        }
        let mut inverse = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let x = dot(&columns[i * n + i..(i + 1) * n], &columns[j * n + i..(j + 1) * n]);
                (inverse[i * n + j], inverse[j * n + i]) = (x, x);
            }
        }
        inverse
    }

    /// Half of the logarithm of the determinant of A.
    pub fn half_log_determinant(&self) -> f64 {
        use touchdown_math::Elementary;
        (0..self.n).map(|i| self.row(i)[i].natural_log()).sum()
    }
}

/// Σ a·b in four sums, in a fixed order: one rounding order on every machine, four times as fast as one sum.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 4];
    let (fours, rest) = a.as_chunks::<4>();
    let (others, other_rest) = b.as_chunks::<4>();
    for (x, y) in fours.iter().zip(others) {
        sums.iter_mut().zip(x.iter().zip(y)).for_each(|(sum, (x, y))| *sum += x * y);
    }
    let tail: f64 = rest.iter().zip(other_rest).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = [[4, 2, 0], [2, 5, 1], [0, 1, 3]]: determinant 4·14 − 2·6 = 44; A·[1, −1, 2] = [2, −1, 5].
    #[test]
    fn a_system_by_hand() {
        let a = vec![4.0, 2.0, 0.0, 2.0, 5.0, 1.0, 0.0, 1.0, 3.0];
        let factor = Cholesky::new(a.clone(), 3).unwrap();
        let x = factor.solve(vec![2.0, -1.0, 5.0]);
        assert!(x.iter().zip([1.0, -1.0, 2.0]).all(|(x, y)| (x - y).abs() < 1e-14), "{x:?}");
        assert!((factor.half_log_determinant() - 0.5 * 44f64.ln()).abs() < 1e-14);
        let inverse = factor.inverse();
        for i in 0..3 {
            for j in 0..3 {
                let x: f64 = (0..3).map(|k| a[3 * i + k] * inverse[3 * k + j]).sum();
                assert!((x - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        assert!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2).is_none());
    }
}
