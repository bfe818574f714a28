//! Newton matrices of machines with flexible bodies: the rigid unknowns with their constraints first,
//! followed by sparse blocks, each coupled to the rigid ones through a few ports (the six motions of the link
//! that carries the body).
//!
//! ```text
//! ⎡ T    Pᵀ·U  −Gᵀ ⎤
//! ⎢ Vᵀ·P   F    0  ⎥      P: ports × rigid,  U, V: ports × block
//! ⎣ G      0    0  ⎦
//! ```
//!
//! Blocks are eliminated first: `T − Pᵀ·(U·F⁻¹·Vᵀ)·P` keeps the sparsity of the tree, because the rigid unknowns that move a port are
//! ancestors of each other. The remaining system is a [`Saddle`]; without blocks it is only that.

use super::Saddle;
use super::dot;
use super::sparse::{SparseCholesky, SparseLu, SparsePattern};

/// Shape of a block; constant.
#[derive(Clone, Debug)]
pub struct BlockShape {
    /// Places of its entries.
    pub pattern: SparsePattern,
    /// Ports: motions of rigid unknowns that act on it.
    pub ports: usize,
    /// Where the unknowns are x = Lᵀ·y of those (y) that the entries belong to: the factors whose L that is.
    pub change: Option<SparseCholesky>,
}

/// A sparse block with its ports; all to be filled before the factors are taken.
#[derive(Clone, Debug)]
pub struct Block {
    /// Values of F in the order of the pattern.
    pub F: Vec<f64>,
    /// Ports' rows by the block's unknowns, ports × n.
    pub U: Vec<f64>,
    /// The block's rows by the ports' motions, transposed: ports × n.
    pub V: Vec<f64>,
    /// Motions of the ports by the rigid unknowns, ports × rigid.
    pub P: Vec<f64>,
    lu: SparseLu,
    change: Option<SparseCholesky>,
    n: usize,
    ports: usize,
    /// F⁻¹·Vᵀ, transposed: ports × n.
    Y: Vec<f64>,
    /// U·F⁻¹·Vᵀ, ports × ports.
    D: Vec<f64>,
    /// Rigid unknowns that move a port.
    movers: Vec<usize>,
    at_ports: Vec<f64>,
}

impl Block {
    fn new(shape: BlockShape, rigid: usize) -> Self {
        let (n, ports) = (shape.pattern.size(), shape.ports);
        Block {
            F: vec![0.0; shape.pattern.entries()],
            U: vec![0.0; ports * n],
            V: vec![0.0; ports * n],
            P: vec![0.0; ports * rigid],
            lu: SparseLu::new(&shape.pattern),
            change: shape.change,
            n,
            ports,
            Y: vec![0.0; ports * n],
            D: vec![0.0; ports * ports],
            movers: Vec::with_capacity(rigid),
            at_ports: vec![0.0; ports],
        }
    }

    /// Factors F and subtracts its part from T; an error names an unknown of the block.
    fn eliminate(&mut self, T: &mut [f64], rigid: usize) -> Result<(), usize> {
        self.lu.factor(&self.F)?;
        let (n, ports) = (self.n, self.ports);
        if ports == 0 {
            return Ok(());
        }
        self.Y.copy_from_slice(&self.V);
        for row in self.Y.chunks_exact_mut(n) {
            self.lu.solve(row);
        }
        for i in 0..ports {
            for j in 0..ports {
                self.D[i * ports + j] = dot(&self.U[i * n..(i + 1) * n], &self.Y[j * n..(j + 1) * n]);
            }
        }
        self.movers.clear();
        self.movers.extend((0..rigid).filter(|k| (0..ports).any(|p| self.P[p * rigid + k] != 0.0)));
        for &i in &self.movers {
            for &j in &self.movers {
                let mut sum = 0.0;
                for a in 0..ports {
                    let row = self.P[a * rigid + i];
                    for b in 0..ports {
                        sum += row * self.D[a * ports + b] * self.P[b * rigid + j];
                    }
                }
                T[i * rigid + j] -= sum;
            }
        }
        Ok(())
    }

    /// `x ← F⁻¹·x` in the block's own unknowns; subtracts `Pᵀ·U·x` from the rigid rows.
    fn solve_first(&mut self, x: &mut [f64], rigid_rows: &mut [f64]) {
        if let Some(change) = &mut self.change {
            change.multiply_lower(x);
        }
        self.lu.solve(x);
        let (n, rigid) = (self.n, rigid_rows.len());
        for (p, row) in self.U.chunks_exact(n.max(1)).enumerate().take(self.ports) {
            let push = dot(row, x);
            for &k in &self.movers {
                rigid_rows[k] -= self.P[p * rigid + k] * push;
            }
        }
    }

    /// Subtracts from `x` the effect of the rigid unknowns' motion on the block, and returns it in the
    /// unknowns of the whole.
    fn solve_second(&mut self, x: &mut [f64], rigid_unknowns: &[f64]) {
        let (n, rigid) = (self.n, rigid_unknowns.len());
        for (p, row) in self.Y.chunks_exact(n.max(1)).enumerate().take(self.ports) {
            let moved: f64 = self.movers.iter().map(|k| self.P[p * rigid + k] * rigid_unknowns[*k]).sum();
            self.at_ports[p] = moved;
            x.iter_mut().zip(row).for_each(|(x, y)| *x -= moved * y);
        }
        if let Some(change) = &mut self.change {
            change.multiply_upper(x);
        }
    }
}

/// The Newton matrix to fill.
#[derive(Debug)]
pub struct NewtonMatrix<'a> {
    /// Rigid rows and columns, row-major.
    pub T: &'a mut [f64],
    /// Constraint rows over the rigid unknowns, row-major.
    pub G: &'a mut [f64],
    /// The sparse blocks, in their order.
    pub blocks: &'a mut [Block],
}

/// Factors of a saddle-point system with sparse blocks. Vectors hold the rigid unknowns first, then those of each block.
#[derive(Clone, Debug)]
pub struct Coupled {
    rigid: usize,
    saddle: Saddle,
    blocks: Vec<Block>,
}

impl Coupled {
    /// Memory for `nv` unknowns, those of the blocks among them and last, and `nc` constraint rows; `parents` as in [`Saddle::new`].
    pub fn new(nv: usize, nc: usize, parents: Option<&[usize]>, shapes: Vec<BlockShape>) -> Self {
        let flexible: usize = shapes.iter().map(|s| s.pattern.size()).sum();
        let rigid = nv - flexible;
        Coupled {
            rigid,
            saddle: Saddle::new(rigid, nc, parents),
            blocks: shapes.into_iter().map(|s| Block::new(s, rigid)).collect(),
        }
    }

    /// All to fill before `factor`.
    pub fn matrix_mut(&mut self) -> NewtonMatrix<'_> {
        let (T, G) = self.saddle.blocks_mut();
        NewtonMatrix { T, G, blocks: &mut self.blocks }
    }

    /// Factors; an error names an unknown without pivot (or, beyond all unknowns, a constraint).
    pub fn factor(&mut self) -> Result<(), usize> {
        let mut first = self.rigid;
        for block in &mut self.blocks {
            block.eliminate(self.saddle.blocks_mut().0, self.rigid).map_err(|k| first + k)?;
            first += block.n;
        }
        if self.rigid == 0 && self.saddle.jacobian().is_empty() {
            return Ok(());
        }
        self.saddle.factor()
    }

    /// Solves in place, refined against the true constraints: `x` holds the right side and becomes the unknowns, `lambda` likewise.
    pub fn solve(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        self.with_blocks(x, |saddle, rigid| saddle.solve(rigid, lambda));
    }

    /// The same without refinement: see [`Saddle::solve_gently`].
    pub fn solve_gently(&mut self, x: &mut [f64], lambda: &mut [f64]) {
        self.with_blocks(x, |saddle, rigid| saddle.solve_gently(rigid, lambda));
    }

    fn with_blocks(&mut self, x: &mut [f64], solve: impl FnOnce(&mut Saddle, &mut [f64])) {
        let (rigid, mut rest) = x.split_at_mut(self.rigid);
        for block in &mut self.blocks {
            let (own, behind) = rest.split_at_mut(block.n);
            block.solve_first(own, rigid);
            rest = behind;
        }
        if self.rigid > 0 {
            solve(&mut self.saddle, rigid);
        }
        let (rigid, mut rest) = x.split_at_mut(self.rigid);
        for block in &mut self.blocks {
            let (own, behind) = rest.split_at_mut(block.n);
            block.solve_second(own, rigid);
            rest = behind;
        }
    }

    /// See [`Saddle::largest_push`].
    pub fn largest_push(&mut self, lambda: &[f64]) -> f64 {
        self.saddle.largest_push(lambda)
    }

    /// See [`Saddle::filter`].
    pub fn filter(&mut self, lambda: &mut [f64]) {
        if self.rigid > 0 {
            self.saddle.filter(lambda);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Lu;

    /// Blocks eliminated through their ports give the solution of the whole matrix, also in changed unknowns.
    #[test]
    fn blocks_solve_as_the_whole() {
        let (rigid, nc, ports) = (4, 1, 2);
        let mut seed = 7u64;
        let mut noise = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let patterns =
            [SparsePattern::new(5, (0..4usize).map(|k| (k, k + 1))), SparsePattern::new(3, [(0, 2)])];
        for changed in [false, true] {
            let changes: Vec<SparseCholesky> = patterns
                .iter()
                .map(|p| {
                    let mut mass = SparseCholesky::new(p);
                    let values: Vec<f64> = (0..p.size())
                        .flat_map(|j| p.rows(j).iter().map(move |i| if *i as usize == j { 3.0 } else { 0.7 }))
                        .collect();
                    mass.factor(&values).unwrap();
                    mass
                })
                .collect();
            let shapes: Vec<BlockShape> = (0..2)
                .map(|b| BlockShape {
                    pattern: patterns[b].clone(),
                    ports,
                    change: changed.then(|| changes[b].clone()),
                })
                .collect();
            let nv = rigid + 8;
            let n = nv + nc;
            let mut coupled = Coupled::new(nv, nc, None, shapes);
            let mut whole = vec![0.0; n * n];
            let matrix = coupled.matrix_mut();
            for i in 0..rigid {
                for j in 0..rigid {
                    matrix.T[i * rigid + j] = noise() + if i == j { 5.0 } else { 0.0 };
                    whole[i * n + j] = matrix.T[i * rigid + j];
                }
                matrix.G[i] = noise();
                whole[nv * n + i] = matrix.G[i];
                whole[i * n + nv] = -matrix.G[i];
            }
            let mut first = rigid;
            for (block, pattern) in matrix.blocks.iter_mut().zip(&patterns) {
                let m = pattern.size();
                for j in 0..m {
                    for i in pattern.rows(j) {
                        let k = pattern.find(*i as usize, j).unwrap();
                        block.F[k] = noise() + if *i as usize == j { 5.0 } else { 0.0 };
                        whole[(first + *i as usize) * n + first + j] = block.F[k];
                    }
                }
                block.U.iter_mut().chain(&mut block.V).chain(&mut block.P).for_each(|x| *x = noise());
                for i in 0..rigid {
                    for j in 0..m {
                        for p in 0..ports {
                            let motion = block.P[p * rigid + i];
                            whole[i * n + first + j] += motion * block.U[p * m + j];
                            whole[(first + j) * n + i] += motion * block.V[p * m + j];
                        }
                    }
                }
                first += m;
            }
            coupled.factor().unwrap();
            let right: Vec<f64> = (0..n).map(|_| noise()).collect();
            let mut x = right.clone();
            if changed {
                // Rows of the whole belong to y; those of x are L⁻¹ times them.
                let mut at = rigid;
                for (change, pattern) in changes.iter().zip(&patterns) {
                    change.clone().solve_lower(&mut x[at..at + pattern.size()]);
                    at += pattern.size();
                }
            }
            let (unknowns, lambda) = x.split_at_mut(nv);
            coupled.solve(unknowns, lambda);
            if changed {
                let mut at = rigid;
                for (change, pattern) in changes.iter().zip(&patterns) {
                    change.clone().solve_upper(&mut unknowns[at..at + pattern.size()]);
                    at += pattern.size();
                }
            }
            let mut lu = Lu::new(n);
            lu.matrix_mut().copy_from_slice(&whole);
            lu.factor().unwrap();
            let mut expected = right;
            lu.solve(&mut expected);
            for (a, b) in x.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }
    }
}
