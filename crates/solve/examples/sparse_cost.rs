//! Cost of sparse factors for the blocks of flexible bodies: `cargo run --release -p touchdown-solve --example sparse_cost`.

use std::time::Instant;
use touchdown_solve::linear::Lu;
use touchdown_solve::linear::sparse::{SparseCholesky, SparseLu, SparsePattern};

/// Nodes with 12 unknowns in a grid of elements; around a ring if asked.
fn pattern(nx: usize, ny: usize, ring: bool) -> SparsePattern {
    let columns = if ring { nx } else { nx + 1 };
    let node = |i: usize, j: usize| (i % columns) * (ny + 1) + j;
    let groups: Vec<Vec<usize>> = (0..nx * ny)
        .map(|e| {
            let (i, j) = (e / ny, e % ny);
            let nodes = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
            nodes.iter().flat_map(|n| (0..12).map(move |k| n * 12 + k)).collect()
        })
        .collect();
    SparsePattern::from_groups(columns * (ny + 1) * 12, groups.iter().map(Vec::as_slice))
}

/// Fastest of several runs, µs; of fewer if they take long.
fn fastest(mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e6
    };
    let first = once(&mut work);
    let more = if first > 1e6 { 1 } else { 14 };
    (0..more).map(|_| once(&mut work)).fold(first, f64::min)
}

fn main() {
    println!(
        "{:24}{:>8}{:>12}{:>12}{:>12}{:>12}",
        "unknowns", "", "lu us", "solve us", "cholesky us", "dense lu us"
    );
    for (name, nx, ny, ring) in [
        ("wheel 4 x 1", 4, 1, true),
        ("wheel 16 x 1", 16, 1, true),
        ("plate 8 x 8", 8, 8, false),
        ("plate 32 x 32", 32, 32, false),
        ("plate 50 x 50", 50, 50, false),
        ("plate 100 x 100", 100, 100, false),
        ("strip 10 x 10", 10, 10, false),
        ("strip 100 x 10", 100, 10, false),
        ("strip 1000 x 10", 1000, 10, false),
    ] {
        let pattern = pattern(nx, ny, ring);
        let n = pattern.size();
        let mut values = vec![0.0; pattern.entries()];
        for j in 0..n {
            for (k, i) in (pattern.first(j)..).zip(pattern.rows(j)) {
                values[k] =
                    if *i as usize == j { 100.0 } else { 1.0 / (1.0 + (i % 7) as f64 + (j % 7) as f64) };
            }
        }
        let (mut lu, mut cholesky) = (SparseLu::new(&pattern), SparseCholesky::new(&pattern));
        let factor = fastest(|| lu.factor(&values).expect("strong diagonal"));
        let mut x = vec![1.0; n];
        let solve = fastest(|| lu.solve(&mut x));
        let symmetric = fastest(|| cholesky.factor(&values).expect("definite"));
        let dense = if n <= 1000 {
            let mut matrix = vec![0.0; n * n];
            for j in 0..n {
                for (k, i) in (pattern.first(j)..).zip(pattern.rows(j)) {
                    matrix[*i as usize * n + j] = values[k];
                }
            }
            let mut dense = Lu::new(n);
            fastest(|| {
                dense.matrix_mut().copy_from_slice(&matrix);
                dense.factor().expect("strong diagonal");
            })
        } else {
            f64::NAN
        };
        println!("{name:24}{n:8}{factor:12.1}{solve:12.1}{symmetric:12.1}{dense:12.1}");
    }
}
