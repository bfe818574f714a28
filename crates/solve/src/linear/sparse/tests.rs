//! Sparse factors against dense ones and against their own matrix.

use super::*;
use crate::linear::Lu;

/// Numbers of a fixed sequence in −1 … 1.
fn sample(count: usize) -> Vec<f64> {
    let mut seed = 12345u64;
    (0..count)
        .map(|_| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        })
        .collect()
}

/// A grid of nodes with `per` unknowns each; elements join four neighbours.
fn grid(nx: usize, ny: usize, per: usize) -> SparsePattern {
    let node = |i: usize, j: usize| i * (ny + 1) + j;
    let groups: Vec<Vec<usize>> = (0..nx * ny)
        .map(|e| {
            let (i, j) = (e / ny, e % ny);
            [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
                .iter()
                .flat_map(|n| (0..per).map(move |k| n * per + k))
                .collect()
        })
        .collect();
    SparsePattern::from_groups((nx + 1) * (ny + 1) * per, groups.iter().map(Vec::as_slice))
}

/// Values with a strong diagonal; symmetric if asked.
fn values(pattern: &SparsePattern, symmetric: bool) -> Vec<f64> {
    let mut out = sample(pattern.entries());
    for j in 0..pattern.size() {
        for &i in pattern.rows(j) {
            let (i, here) = (i as usize, pattern.find(i as usize, j).unwrap());
            if i == j {
                out[here] = pattern.rows(j).len() as f64 * 0.7;
            } else if symmetric && i < j {
                out[here] = out[pattern.find(j, i).unwrap()];
            }
        }
    }
    out
}

fn patterns() -> Vec<SparsePattern> {
    let ring = (0..7usize).map(|k| (k, (k + 1) % 7));
    vec![
        SparsePattern::new(1, []),
        SparsePattern::new(5, []),
        SparsePattern::new(7, ring),
        grid(4, 3, 1),
        grid(3, 3, 12),
        grid(7, 2, 3),
        SparsePattern::new(30, (0..29usize).map(|k| (k / 3, k + 1))),
    ]
}

/// Sparse factors solve what dense factors solve: every order of elimination gives the same solution to round-off.
#[test]
fn lu_solves_as_dense_factors() {
    for pattern in patterns() {
        let n = pattern.size();
        let a = values(&pattern, false);
        let mut dense = Lu::new(n);
        for j in 0..n {
            for &i in pattern.rows(j) {
                dense.matrix_mut()[i as usize * n + j] = a[pattern.find(i as usize, j).unwrap()];
            }
        }
        dense.factor().unwrap();
        let mut sparse = SparseLu::new(&pattern);
        // Twice: nothing of a former matrix may be left.
        sparse.factor(&values(&pattern, true)).unwrap();
        sparse.factor(&a).unwrap();
        let mut x = sample(n);
        let mut y = x.clone();
        dense.solve(&mut x);
        sparse.solve(&mut y);
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-12, "{x} {y} of {n}");
        }
    }
}

/// The solution satisfies its equation, and both halves of it undo the products with L and Lᵀ, whose product is the matrix.
#[test]
fn cholesky_halves_multiply_to_the_matrix() {
    for pattern in patterns() {
        let n = pattern.size();
        let a = values(&pattern, true);
        let mut factors = SparseCholesky::new(&pattern);
        factors.factor(&a).unwrap();
        let x = sample(n);
        let (mut product, mut by_halves) = (vec![0.0; n], x.clone());
        pattern.add_product(&a, &x, &mut product);
        factors.multiply_upper(&mut by_halves);
        factors.multiply_lower(&mut by_halves);
        let size = pattern.entries() as f64;
        for (p, h) in product.iter().zip(&by_halves) {
            assert!((p - h).abs() < 1e-14 * size, "{p} {h} of {n}");
        }
        let mut back = product.clone();
        factors.solve_lower(&mut back);
        factors.solve_upper(&mut back);
        for (x, b) in x.iter().zip(&back) {
            assert!((x - b).abs() < 1e-12, "{x} {b} of {n}");
        }
    }
}

/// A matrix that is not definite or has an empty row is reported with the unknown, not divided by.
#[test]
fn bad_pivots_are_named() {
    let pattern = grid(2, 1, 2);
    let mut a = values(&pattern, true);
    let at = pattern.find(5, 5).unwrap();
    a[at] = -1.0;
    assert!(SparseCholesky::new(&pattern).factor(&a).is_err());
    for j in 0..pattern.size() {
        for (i, j) in [(5, j), (j, 5)] {
            pattern.find(i, j).into_iter().for_each(|k| a[k] = 0.0);
        }
    }
    assert_eq!(SparseLu::new(&pattern).factor(&a), Err(5));
}

/// Elimination of a grid fills in far less than a dense or banded factor: about 31/4 n log₂ n for a square of n nodes.
#[test]
fn grids_fill_in_little() {
    let pattern = grid(30, 30, 1);
    let lu = SparseLu::new(&pattern);
    let n = pattern.size() as f64;
    let factors = lu.stored() as f64;
    assert!(factors < 2.0 * 7.75 * n * n.log2(), "{factors}");
}

/// Unknowns that no entry joins are distinguished.
#[test]
fn components_are_found() {
    let pattern = SparsePattern::new(6, [(0, 3), (3, 5), (1, 2)]);
    assert_eq!(pattern.components(), vec![0, 1, 1, 0, 2, 0]);
}

/// Multiplications and additions of factors.
fn operations(pattern: &SparsePattern) -> f64 {
    let of = |front: &super::order::Front| {
        let (p, r) = (front.pivots.len() as f64, front.rest.len() as f64);
        2.0 / 3.0 * p * p * p + 2.0 * p * p * r + 2.0 * p * r * r
    };
    super::order::Fronts::new(pattern).fronts.iter().map(of).sum()
}

/// Factors of long strips cost in proportion to their length; those of sheets grow with the power 1.5 of their elements, which no order beats (George 1973).
#[test]
fn factors_of_strips_are_linear_and_of_sheets_optimal() {
    let strips = operations(&grid(1000, 10, 1)) / operations(&grid(100, 10, 1));
    assert!((9.0..12.5).contains(&strips), "{strips}");
    let sheets = operations(&grid(100, 100, 1)) / operations(&grid(50, 50, 1));
    // 4 to the power 1.5 is 8.
    assert!((7.0..9.2).contains(&sheets), "{sheets}");
}

/// A pattern that is cut solves what it was made of.
#[test]
fn dissected_patterns_solve() {
    let pattern = grid(30, 20, 1);
    let n = pattern.size();
    let mut values = vec![0.0; pattern.entries()];
    for j in 0..n {
        for (k, i) in (pattern.first(j)..).zip(pattern.rows(j)) {
            values[k] = if *i as usize == j { 20.0 } else { ((*i as usize * 7 + j * 3) % 11) as f64 / 11.0 };
        }
    }
    let x: Vec<f64> = (0..n).map(|k| (k as f64).sin()).collect();
    let mut b = vec![0.0; n];
    pattern.add_product(&values, &x, &mut b);
    let mut lu = SparseLu::new(&pattern);
    lu.factor(&values).unwrap();
    lu.solve(&mut b);
    b.iter().zip(&x).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a} {b}"));
}

/// A symmetric matrix whose diagonal outweighs its rows has as many negative eigenvalues as negative entries there (Gershgorin), and so many pivots are negative
/// (Sylvester), in whatever order they are taken.
#[test]
fn signs_of_pivots_count_negative_eigenvalues() {
    let mut most = 0;
    for pattern in patterns() {
        let n = pattern.size();
        let mut inertia = SparseInertia::new(&pattern);
        for every in [1, 2, 3, 7, n + 1] {
            let mut values = values(&pattern, true);
            for i in 0..n {
                let sign = if i % every == every / 2 { -1.0 } else { 1.0 };
                values[pattern.find(i, i).unwrap()] = sign * (pattern.rows(i).len() as f64 + 1.0);
            }
            let wanted = (0..n).filter(|i| i % every == every / 2).count();
            assert_eq!(inertia.negative(&values), Ok(wanted), "{n} unknowns, every {every}");
            most = most.max(wanted);
        }
    }
    assert!(most > 100);
    assert!(SparseInertia::new(&patterns()[0]).negative(&[0.0]).is_err());
}
