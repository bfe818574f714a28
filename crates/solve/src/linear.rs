//! Dense solves in place, without allocation, in a fixed order of operations.
//!
//! The systems of this project's joint-coordinate machines have 1 to a few hundred unknowns; at that size these loops, whose inner
//! kernels are plain row updates that the compiler vectorises, beat a library's call overhead.
//!
//! [`Saddle`] solves `[T −Gᵀ; G 0]·[x; λ] = [a; b]` where rows of G may be redundant or become so in singular positions: a small
//! multiple of the identity in the empty block keeps the factors finite, and refinement against the true matrix takes its error
//! away again in all directions that the constraints really hold.

/// Inner product in four running sums: a fixed order, without one long chain of dependent additions.
#[inline]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let (a, b) = (&a[..n], &b[..n]);
    let mut sums = [0.0; 4];
    let (heads, tails) = (a.chunks_exact(4).zip(b.chunks_exact(4)), n - n % 4);
    for (x, y) in heads {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    let rest: f64 = a[tails..].iter().zip(&b[tails..]).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// LU factors with partial pivoting of a row-major matrix, in place.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    n: usize,
    a: Vec<f64>,
    pivot: Vec<usize>,
}

impl Lu {
    /// Memory for matrices of size n.
    pub fn new(n: usize) -> Self {
        Lu { n, a: vec![0.0; n * n], pivot: vec![0; n] }
    }

    /// The matrix to fill before `factor`.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.a
    }

    /// Factors what stands in the matrix; an error names a column without pivot.
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
        for i in 1..n {
            let row = &self.a[i * n..i * n + i];
            x[i] -= dot(row, &x[..i]);
        }
        for i in (0..n).rev() {
            let row = &self.a[i * n + i + 1..(i + 1) * n];
            let sum = dot(row, &x[i + 1..]);
            x[i] = (x[i] - sum) / self.a[i * n + i];
        }
    }
}

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

/// Relative size of the regularisation: directions in which the constraints act weaker than this count as redundant.
const REDUNDANT: f64 = 1e-11;
/// Refinements against the unregularised system: each gains a factor (stiffness of the weakest direction)/REDUNDANT.
const REFINEMENTS: usize = 3;

/// Factors of a saddle-point system.
#[derive(Clone, Debug)]
pub struct Saddle {
    nv: usize,
    nc: usize,
    lu: Lu,
    T: Vec<f64>,
    G: Vec<f64>,
    rhs: Vec<f64>,
    correction: Vec<f64>,
}

impl Saddle {
    /// Memory for nv unknowns and nc constraint rows.
    pub fn new(nv: usize, nc: usize) -> Self {
        Saddle {
            nv,
            nc,
            lu: Lu::new(nv + nc),
            T: vec![0.0; nv * nv],
            G: vec![0.0; nc * nv],
            rhs: vec![0.0; nv + nc],
            correction: vec![0.0; nv + nc],
        }
    }

    /// The blocks T and G to fill before `factor`.
    pub fn blocks_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.T, &mut self.G)
    }

    /// The block G.
    pub fn jacobian(&self) -> &[f64] {
        &self.G
    }

    /// Factors `[T −Gᵀ; G ε]`.
    pub fn factor(&mut self) -> Result<(), usize> {
        let (nv, nc, n) = (self.nv, self.nc, self.nv + self.nc);
        let epsilon = self.regularisation();
        let a = self.lu.matrix_mut();
        for i in 0..nv {
            a[i * n..i * n + nv].copy_from_slice(&self.T[i * nv..(i + 1) * nv]);
            for c in 0..nc {
                a[i * n + nv + c] = -self.G[c * nv + i];
            }
        }
        for c in 0..nc {
            let row = &mut a[(nv + c) * n..(nv + c + 1) * n];
            row[..nv].copy_from_slice(&self.G[c * nv..(c + 1) * nv]);
            row[nv..].fill(0.0);
            row[nv + c] = epsilon;
        }
        self.lu.factor()
    }

    /// REDUNDANT times the mean of `G·diag(T)⁻¹·Gᵀ`'s diagonal: the size of a row's own compliance.
    fn regularisation(&self) -> f64 {
        let nv = self.nv;
        let mut sum = 0.0;
        for row in self.G.chunks_exact(nv.max(1)) {
            sum += row
                .iter()
                .enumerate()
                .map(|(k, g)| g * g / self.T[k * nv + k].abs().max(f64::MIN_POSITIVE))
                .sum::<f64>();
        }
        (REDUNDANT * sum / self.nc.max(1) as f64).max(f64::MIN_POSITIVE)
    }

    /// Solves in place: `x` (nv) holds a and becomes the unknowns, `lambda` (nc) holds b and becomes the multipliers.
    pub fn solve(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        let (nv, nc) = (self.nv, self.nc);
        if nc == 0 {
            self.lu.solve(x);
            return;
        }
        self.rhs[..nv].copy_from_slice(x);
        self.rhs[nv..].copy_from_slice(lambda);
        x.fill(0.0);
        lambda.fill(0.0);
        for round in 0..=REFINEMENTS {
            self.correction.copy_from_slice(&self.rhs);
            if round > 0 {
                self.subtract_product(x, lambda);
            }
            self.lu.solve(&mut self.correction);
            x.iter_mut().zip(&self.correction).for_each(|(a, b)| *a += b);
            lambda.iter_mut().zip(&self.correction[nv..]).for_each(|(a, b)| *a += b);
        }
    }

    /// Takes out of multipliers what pushes nothing: the part along redundant rows, which no equation holds and which would drift.
    pub fn filter(&mut self, lambda: &mut [f64]) {
        let nv = self.nv;
        self.correction.fill(0.0);
        for (row, l) in self.G.chunks_exact(nv.max(1)).zip(lambda.iter()) {
            self.correction.iter_mut().zip(row).for_each(|(c, g)| *c -= g * l);
        }
        // Without refinement the solution is A·(A + ε)⁻¹·λ, A = G·T⁻¹·Gᵀ.
        self.lu.solve(&mut self.correction);
        lambda.copy_from_slice(&self.correction[nv..]);
    }

    fn subtract_product(&mut self, x: &[f64], lambda: &[f64]) {
        let nv = self.nv;
        for i in 0..nv {
            let row = &self.T[i * nv..(i + 1) * nv];
            self.correction[i] -= dot(row, x);
        }
        for (c, l) in lambda.iter().enumerate() {
            let row = &self.G[c * nv..(c + 1) * nv];
            let mut sum = 0.0;
            for (k, g) in row.iter().enumerate() {
                self.correction[k] += g * l;
                sum += g * x[k];
            }
            self.correction[nv + c] -= sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(n: usize, seed: u64) -> Vec<f64> {
        let mut s = seed;
        (0..n * n)
            .map(|_| {
                s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
            })
            .collect()
    }

    /// Factors solve the matrix they came from.
    #[test]
    fn lu_and_cholesky_solve() {
        for n in [1, 2, 7, 40] {
            let a = sample(n, 3);
            let mut spd = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    spd[i * n + j] = (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum::<f64>()
                        + f64::from(u8::from(i == j));
                }
            }
            let b: Vec<f64> = (0..n).map(|i| i as f64 - 1.5).collect();
            let mut lu = Lu::new(n);
            lu.matrix_mut().copy_from_slice(&a);
            lu.factor().unwrap();
            let mut chol = Cholesky::new(n);
            chol.matrix_mut().copy_from_slice(&spd);
            chol.factor().unwrap();
            let (mut x, mut y) = (b.clone(), b.clone());
            lu.solve(&mut x);
            chol.solve(&mut y);
            for i in 0..n {
                let ax: f64 = (0..n).map(|j| a[i * n + j] * x[j]).sum();
                let sy: f64 = (0..n).map(|j| spd[i * n + j] * y[j]).sum();
                assert!((ax - b[i]).abs() < 1e-10 * n as f64 && (sy - b[i]).abs() < 1e-11 * n as f64);
            }
        }
    }

    /// Duplicate constraint rows change nothing in the motion, and share the multiplier evenly.
    #[test]
    fn redundant_rows_are_harmless() {
        let mut s = Saddle::new(3, 3);
        let (T, G) = s.blocks_mut();
        T.copy_from_slice(&[2.0, 0.1, 0.0, 0.1, 3.0, 0.0, 0.0, 0.0, 1.0]);
        G.copy_from_slice(&[1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        s.factor().unwrap();
        let (mut x, mut lambda) = ([1.0, 2.0, 3.0], [0.5, 0.5, 0.0]);
        s.solve(&mut x, &mut lambda);
        assert!((x[0] + x[1] - 0.5).abs() < 1e-14 && x[2].abs() < 1e-14);
        // Along redundant rows a multiplier is known to round-off over the regularisation, 1e-16/1e-11, and a little.
        assert!((lambda[0] - lambda[1]).abs() < 1e-4);
        let mut drifted = [lambda[0] + 5.0, lambda[1] - 5.0, lambda[2]];
        s.filter(&mut drifted);
        assert!((drifted[0] - lambda[0]).abs() < 1e-3 && (drifted[1] - lambda[1]).abs() < 1e-3);
        let balance = 2.0 * x[0] + 0.1 * x[1] - lambda[0] - lambda[1] - 1.0;
        assert!(balance.abs() < 1e-13);
    }

    /// A singular matrix is reported, not divided by.
    #[test]
    fn singular_matrices_are_reported() {
        let mut lu = Lu::new(2);
        lu.matrix_mut().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), Err(1));
    }
}
