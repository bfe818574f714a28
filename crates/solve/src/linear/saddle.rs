//! Saddle-point systems `[T −Gᵀ; G 0]·[x; λ] = [a; b]` whose constraint rows may be redundant or become so in singular positions.
//!
//! A small multiple of the identity in the empty block keeps the factors finite, and refinement against the
//! true matrix removes the resulting error in all directions that the constraints determine. Where T has the
//! sparsity of a tree, it is factored from the leaves without fill-in and the constraints by their Schur
//! complement; where a pivot of that fails, or the tree is so slender that it saves nothing, the whole is
//! factored densely with pivoting.

use super::{Lu, TreeLu, dot};

/// Relative size of the regularisation: directions in which the constraints are weaker than this count as
/// redundant.
const REDUNDANT: f64 = 1e-8;
/// Refinements against the unregularised system: each gains a factor (stiffness of the weakest direction)/REDUNDANT.
const REFINEMENTS: usize = 3;

/// Factors of a saddle-point system.
#[derive(Clone, Debug)]
pub struct Saddle {
    nv: usize,
    nc: usize,
    /// Dense factors of the whole.
    lu: Lu,
    /// Sparse factors of T, if a tree is known and saves work.
    tree: Option<Sparse>,
    /// Whether the present factors are the sparse ones.
    sparse: bool,
    T: Vec<f64>,
    G: Vec<f64>,
    rhs: Vec<f64>,
    correction: Vec<f64>,
}

/// Sparse factors of T and the Schur complement of the constraints.
#[derive(Clone, Debug)]
struct Sparse {
    tree: TreeLu,
    /// Rows T⁻¹·G_cᵀ, nc × nv.
    Y: Vec<f64>,
    schur: Lu,
}

impl Saddle {
    /// Memory for nv unknowns and nc constraint rows. `parents` is the elimination tree of T if it has one: for each unknown the
    /// next towards the root, or `usize::MAX`.
    pub fn new(nv: usize, nc: usize, parents: Option<&[usize]>) -> Self {
        let tree = parents.filter(|p| TreeLu::pays(p)).map(|p| Sparse {
            tree: TreeLu::new(p),
            Y: vec![0.0; nc * nv],
            schur: Lu::new(nc),
        });
        Saddle {
            nv,
            nc,
            lu: Lu::new(nv + nc),
            tree,
            sparse: false,
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
        self.sparse = self.factor_sparse();
        if self.sparse { Ok(()) } else { self.factor_dense() }
    }

    /// False where there is no tree or a pivot fails.
    fn factor_sparse(&mut self) -> bool {
        let (nv, nc) = (self.nv, self.nc);
        let Some(mut sparse) = self.tree.take() else { return false };
        let mut good = sparse.tree.factor(&self.T);
        if good && nc > 0 {
            sparse.Y.copy_from_slice(&self.G);
            for row in sparse.Y.chunks_exact_mut(nv) {
                sparse.tree.solve(row);
            }
            let A = sparse.schur.matrix_mut();
            for i in 0..nc {
                for j in 0..nc {
                    A[i * nc + j] = dot(&self.G[i * nv..(i + 1) * nv], &sparse.Y[j * nv..(j + 1) * nv]);
                }
                A[i * nc + i] += self.regularisation(i);
            }
            good = sparse.schur.factor().is_ok();
        }
        self.tree = Some(sparse);
        good
    }

    /// Solves with the present factors: `correction` holds [a; b] and becomes [x; λ].
    fn back_substitute(&mut self) {
        let (nv, nc) = (self.nv, self.nc);
        match &self.tree {
            Some(sparse) if self.sparse => {
                let (x, lambda) = self.correction.split_at_mut(nv);
                sparse.tree.solve(x);
                for (l, row) in lambda.iter_mut().zip(self.G.chunks_exact(nv.max(1))) {
                    *l -= dot(row, x);
                }
                if nc > 0 {
                    sparse.schur.solve(lambda);
                }
                for (l, row) in lambda.iter().zip(sparse.Y.chunks_exact(nv.max(1))) {
                    x.iter_mut().zip(row).for_each(|(x, y)| *x += l * y);
                }
            }
            _ => self.lu.solve(&mut self.correction),
        }
    }

    fn factor_dense(&mut self) -> Result<(), usize> {
        let (nv, nc, n) = (self.nv, self.nc, self.nv + self.nc);
        for c in 0..nc {
            let epsilon = self.regularisation(c);
            self.lu.matrix_mut()[(nv + c) * n + nv + c] = epsilon;
        }
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
            row[nv..nv + c].fill(0.0);
            row[nv + c + 1..].fill(0.0);
        }
        self.lu.factor()
    }

    /// REDUNDANT times the row's own compliance, G_c·diag(T)⁻¹·G_cᵀ: rows of light and of heavy parts are
    /// treated equally.
    fn regularisation(&self, c: usize) -> f64 {
        let nv = self.nv;
        let row = self.G[c * nv..(c + 1) * nv].iter().enumerate();
        let own: f64 = row.map(|(k, g)| g * g / self.T[k * nv + k].abs().max(f64::MIN_POSITIVE)).sum();
        (REDUNDANT * own).max(f64::MIN_POSITIVE)
    }

    /// Solves in place: `x` (nv) holds a and becomes the unknowns, `lambda` (nc) holds b and becomes the multipliers.
    pub fn solve(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        let (nv, nc) = (self.nv, self.nc);
        if nc == 0 {
            return self.solve_gently(x, lambda);
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
            self.back_substitute();
            x.iter_mut().zip(&self.correction).for_each(|(a, b)| *a += b);
            lambda.iter_mut().zip(&self.correction[nv..]).for_each(|(a, b)| *a += b);
        }
    }

    /// One solve without refinement, for iterations that correct themselves: directions that the constraints hold only weakly,
    /// because rows are redundant except for the error of a trial point, get a small correction instead of a
    /// large one.
    pub fn solve_gently(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        let nv = self.nv;
        self.correction[..nv].copy_from_slice(x);
        self.correction[nv..].copy_from_slice(lambda);
        self.back_substitute();
        x.copy_from_slice(&self.correction[..nv]);
        lambda.copy_from_slice(&self.correction[nv..]);
    }

    /// The largest force `Gᵀ·λ` of multipliers; parts along redundant rows do not count, because they exert
    /// no force.
    pub fn largest_push(&mut self, lambda: &[f64]) -> f64 {
        let nv = self.nv;
        let push = &mut self.correction[..nv];
        push.fill(0.0);
        for (row, l) in self.G.chunks_exact(nv.max(1)).zip(lambda) {
            push.iter_mut().zip(row).for_each(|(p, g)| *p += g * l);
        }
        push.iter().fold(0.0, |m: f64, p| if p.abs() <= m { m } else { p.abs() })
    }

    /// Removes the part of multipliers that exerts no force: the part along redundant rows, which no equation
    /// determines and which would drift.
    pub fn filter(&mut self, lambda: &mut [f64]) {
        let nv = self.nv;
        self.correction.fill(0.0);
        for (row, l) in self.G.chunks_exact(nv.max(1)).zip(lambda.iter()) {
            self.correction.iter_mut().zip(row).for_each(|(c, g)| *c -= g * l);
        }
        // Without refinement the solution is A·(A + ε)⁻¹·λ, A = G·T⁻¹·Gᵀ.
        self.back_substitute();
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
