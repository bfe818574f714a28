//! LU of a matrix with the sparsity of a tree: entry (i, j) only where i is an ancestor of j or j of i. Unknowns are eliminated from
//! the leaves to the root, without fill-in (Featherstone 2008, chapter 6, for symmetric matrices). No
//! pivoting: the mass matrix makes the leading blocks definite, and a pivot that cancels is reported.

/// A pivot smaller than this part of its entry before elimination has cancelled.
const CANCELLED: f64 = 1e-9;

/// Factors of a tree-sparse matrix.
#[derive(Clone, Debug)]
pub struct TreeLu {
    n: usize,
    /// For each unknown its ancestors, nearest first, one list after the other.
    ancestors: Vec<usize>,
    /// Index of the beginning of each list; n + 1 entries.
    first: Vec<usize>,
    a: Vec<f64>,
}

impl TreeLu {
    /// Memory for a tree: for each unknown its parent (smaller than itself), or `usize::MAX`.
    pub fn new(parents: &[usize]) -> Self {
        let n = parents.len();
        let (mut ancestors, mut first) = (Vec::new(), vec![0]);
        for k in 0..n {
            let mut i = parents[k];
            while i != usize::MAX {
                ancestors.push(i);
                i = parents[i];
            }
            first.push(ancestors.len());
        }
        TreeLu { n, ancestors, first, a: vec![0.0; n * n] }
    }

    /// Whether the tree has enough branches to be faster than dense factors, whose inner loops access
    /// contiguous memory.
    pub fn pays(parents: &[usize]) -> bool {
        let mut depth = vec![0usize; parents.len()];
        for (k, p) in parents.iter().enumerate() {
            depth[k] = if *p == usize::MAX { 0 } else { depth[*p] + 1 };
        }
        let sparse: usize = depth.iter().map(|d| d * d).sum();
        // Twice, because the sparse loops gather.
        2 * sparse < parents.len().pow(3) / 3
    }

    fn ancestors(&self, k: usize) -> &[usize] {
        &self.ancestors[self.first[k]..self.first[k + 1]]
    }

    /// Factors the row-major matrix T; false where a pivot cancelled.
    pub fn factor(&mut self, T: &[f64]) -> bool {
        let n = self.n;
        self.a.copy_from_slice(T);
        for k in (0..n).rev() {
            let pivot = self.a[k * n + k];
            if !pivot.is_finite() || pivot == 0.0 || pivot.abs() <= CANCELLED * T[k * n + k].abs() {
                return false;
            }
            let up = &self.ancestors[self.first[k]..self.first[k + 1]];
            for &i in up {
                let factor = self.a[i * n + k] / pivot;
                self.a[i * n + k] = factor;
                for &j in up {
                    self.a[i * n + j] -= factor * self.a[k * n + j];
                }
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for k in (0..n).rev() {
            let value = x[k];
            for &i in self.ancestors(k) {
                x[i] -= self.a[i * n + k] * value;
            }
        }
        for k in 0..n {
            let mut value = x[k];
            for &j in self.ancestors(k) {
                value -= self.a[k * n + j] * x[j];
            }
            x[k] = value / self.a[k * n + k];
        }
    }
}
