//! Natural frequencies and modes: K·x = ω²·M·x by subspace iteration on the shifted inverse, with sparse factors.

use super::mesh::FlexMesh;
use super::plate::Weights;
use nalgebra::{DMatrix, SymmetricEigen};
use touchdown_solve::linear::sparse::SparseLu;

/// A natural mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// ω², 1/s²; about zero for rigid motions, negative for an unstable form.
    pub square: f64,
    /// Natural frequency, Hz; zero for rigid and unstable ones.
    pub frequency: f64,
    /// Shape in the free coordinates, with unit modal mass.
    pub shape: Vec<f64>,
}

/// Largest number of iterations; each divides the errors by the ratio of eigenvalues beyond the subspace to
/// those sought.
const ITERATIONS: usize = 200;
/// Eigenvalues with a smaller relative change have converged.
const SETTLED: f64 = 1e-10;
/// The shift, over the ratio of the traces of K and M: small against the lowest elastic mode of any sensible
/// mesh, yet enough to factor a free mesh.
const SHIFT: f64 = 1e-9;

/// The `count` lowest modes of a mesh at q (rigid ones included, if it is free), lowest first; `None` if the
/// matrices have no factors.
pub fn lowest(mesh: &FlexMesh, q: &[f64], count: usize) -> Option<Vec<Mode>> {
    let n = mesh.coordinates();
    let (mut K, mut scratch) = (vec![0.0; mesh.pattern().entries()], vec![0.0; n]);
    mesh.tangent(q, &vec![0.0; n], Weights { position: 1.0, velocity: 0.0 }, &mut scratch, &mut K);
    lowest_of(mesh, &K, count)
}

/// The same for a tangent that includes that of loads.
pub(super) fn lowest_of(mesh: &FlexMesh, K: &[f64], count: usize) -> Option<Vec<Mode>> {
    let n = mesh.coordinates();
    let count = count.min(n);
    let width = (2 * count + 4).min(n);
    let pattern = mesh.pattern();
    let M = mesh.mass();
    let trace = |values: &[f64]| (0..n).filter_map(|i| pattern.find(i, i)).map(|at| values[at]).sum::<f64>();
    let shift = SHIFT * trace(K) / trace(M);
    let mut lu = SparseLu::new(pattern);
    lu.factor(&K.iter().zip(M).map(|(k, m)| k + shift * m).collect::<Vec<_>>()).ok()?;

    let mut X = start(n, width);
    let mut last = vec![f64::INFINITY; count];
    for _ in 0..ITERATIONS {
        let mut Y = DMatrix::zeros(n, width);
        for j in 0..width {
            let mut y = vec![0.0; n];
            pattern.add_product(M, X.column(j).as_slice(), &mut y);
            lu.solve(&mut y);
            Y.column_mut(j).copy_from_slice(&y);
        }
        orthonormalise(mesh, &mut Y);
        let (values, vectors) = ritz(mesh, K, &Y)?;
        X = Y * vectors;
        let settled =
            (0..count).all(|j| (values[j] - last[j]).abs() <= SETTLED * values[j].abs() + 1e-6 * shift);
        last.copy_from_slice(&values[..count]);
        // Without convergence to this tolerance the result is still used: the last digits vary by round-off.
        if settled {
            break;
        }
    }
    Some(
        (0..count)
            .map(|j| Mode {
                square: last[j],
                frequency: last[j].max(0.0).sqrt() / std::f64::consts::TAU,
                shape: X.column(j).as_slice().to_vec(),
            })
            .collect(),
    )
}

/// Repeatable noise as start: no mode is orthogonal to all of it.
fn start(n: usize, width: usize) -> DMatrix<f64> {
    let mut s = 1u64;
    DMatrix::from_fn(n, width, |_, _| {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// Makes the columns orthonormal in the mass, each against the previous ones, twice, because once is not
/// sufficient for nearly parallel columns.
fn orthonormalise(mesh: &FlexMesh, Y: &mut DMatrix<f64>) {
    let (n, width) = Y.shape();
    let mut images = DMatrix::<f64>::zeros(n, width);
    let mut image = vec![0.0; n];
    for j in 0..width {
        for _ in 0..2 {
            let parts: Vec<f64> = (0..j).map(|i| images.column(i).dot(&Y.column(j))).collect();
            for (i, part) in parts.into_iter().enumerate() {
                let other = Y.column(i).into_owned();
                Y.column_mut(j).axpy(-part, &other, 1.0);
            }
            image.fill(0.0);
            mesh.pattern().add_product(mesh.mass(), Y.column(j).as_slice(), &mut image);
            let norm =
                Y.column(j).iter().zip(&image).map(|(a, b)| a * b).sum::<f64>().max(f64::MIN_POSITIVE).sqrt();
            Y.column_mut(j).scale_mut(1.0 / norm);
            image.iter_mut().for_each(|x| *x /= norm);
        }
        images.column_mut(j).copy_from_slice(&image);
    }
}

/// Eigenvalues (ascending) of K restricted to an orthonormal subspace, and the vectors there.
fn ritz(mesh: &FlexMesh, K: &[f64], Y: &DMatrix<f64>) -> Option<(Vec<f64>, DMatrix<f64>)> {
    let (n, width) = Y.shape();
    let mut images = DMatrix::zeros(n, width);
    let mut image = vec![0.0; n];
    for j in 0..width {
        image.fill(0.0);
        mesh.pattern().add_product(K, Y.column(j).as_slice(), &mut image);
        images.column_mut(j).copy_from_slice(&image);
    }
    let reduced = Y.transpose() * images;
    if reduced.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let eigen = SymmetricEigen::new(0.5 * (&reduced + reduced.transpose()));
    let mut order: Vec<usize> = (0..width).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    let values = order.iter().map(|j| eigen.eigenvalues[*j]).collect();
    Some((values, eigen.eigenvectors.select_columns(&order)))
}
