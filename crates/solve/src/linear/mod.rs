//! Dense and tree-sparse solves in place, without allocation, in a fixed order of operations.
//!
//! The systems of this project's joint-coordinate machines have 1 to a few hundred unknowns; at that size these loops, whose inner
//! kernels are plain row updates that the compiler vectorises, are faster than a library because of its call
//! overhead.
//!
//! | file | what |
//! |---|---|
//! | `lu`, `cholesky` | dense factors |
//! | `tree` | factors of a matrix with the sparsity of a tree of joints: no fill-in |
//! | `sparse` | factors of general sparse matrices, for flexible bodies |
//! | `coupled` | rigid unknowns with constraints, followed by sparse blocks |
//! | `saddle` | systems with constraints whose rows may be redundant |

mod cholesky;
mod coupled;
mod lu;
mod saddle;
pub mod sparse;
mod tree;

pub use cholesky::Cholesky;
pub use coupled::{Block, BlockShape, Coupled, NewtonMatrix};
pub use lu::Lu;
pub use saddle::Saddle;
pub use tree::TreeLu;

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

    /// Duplicate constraint rows do not change the motion, and share the multiplier evenly.
    #[test]
    fn redundant_rows_are_harmless() {
        let mut s = Saddle::new(3, 3, None);
        let (T, G) = s.blocks_mut();
        T.copy_from_slice(&[2.0, 0.1, 0.0, 0.1, 3.0, 0.0, 0.0, 0.0, 1.0]);
        G.copy_from_slice(&[1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        s.factor().unwrap();
        let (mut x, mut lambda) = ([1.0, 2.0, 3.0], [0.5, 0.5, 0.0]);
        s.solve(&mut x, &mut lambda);
        assert!((x[0] + x[1] - 0.5).abs() < 1e-14 && x[2].abs() < 1e-14);
        // Along redundant rows a multiplier is known to round-off over the regularisation, 1e-16/1e-8, and a little.
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

    /// Elimination along a tree gives the solution of dense factors, with and without constraints.
    #[test]
    fn tree_factors_solve_as_dense_ones() {
        // A body with three arms of three joints each.
        let parents: Vec<usize> = vec![usize::MAX, 0, 1, 1, 3, 4, 1, 6, 7, 1, 9, 10];
        let n = parents.len();
        assert!(TreeLu::pays(&parents));
        let related = |i: usize, j: usize| {
            let (low, mut high) = (i.min(j), i.max(j));
            while high != usize::MAX && high > low {
                high = parents[high];
            }
            high == low
        };
        let noise = sample(n, 9);
        let mut T = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                T[i * n + j] = if i == j { 4.0 + noise[i * n + j] } else { noise[i * n + j] };
                T[i * n + j] *= f64::from(u8::from(related(i, j)));
            }
        }
        for nc in [0, 3] {
            let G = &sample(n, 5)[..nc * n];
            let solution = |tree: Option<&[usize]>| {
                let mut saddle = Saddle::new(n, nc, tree);
                let (t, g) = saddle.blocks_mut();
                t.copy_from_slice(&T);
                g.copy_from_slice(G);
                saddle.factor().unwrap();
                let (mut x, mut lambda) = (noise[..n].to_vec(), vec![0.3; nc]);
                saddle.solve(&mut x, &mut lambda);
                x.extend(lambda);
                x
            };
            let (dense, sparse) = (solution(None), solution(Some(&parents)));
            for (a, b) in dense.iter().zip(&sparse) {
                assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }
    }

    /// A chain is dense: its tree saves nothing.
    #[test]
    fn chains_are_dense() {
        let parents: Vec<usize> = (0..50).map(|k: usize| k.wrapping_sub(1)).collect();
        assert!(!TreeLu::pays(&parents));
    }
}
