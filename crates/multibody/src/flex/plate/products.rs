//! Products of the nodal vectors of a plate: their numbering, and products of vectors with the matrix that acts on them.

use super::{Nodal, VECTORS};
use wide::f64x4;

/// Vectors without the common translation.
pub const FREE: usize = 15;
/// The first of them lie in the plate: r_x and r_y at the nodes, then positions of nodes 2 to 4 less that of node 1. The others are r_z.
pub const PLANE: usize = 11;
/// Which of the first are differences of positions.
pub const DIFFERENCES: std::ops::Range<usize> = 8..11;
/// Nodal vectors in this order.
pub const SOURCE: [usize; FREE] = [1, 2, 5, 6, 9, 10, 13, 14, 4, 8, 12, 3, 7, 11, 15];
/// Products of two of them.
pub const PAIRS: usize = FREE * (FREE + 1) / 2;
/// The first are products of two vectors of the plane, or of two r_z; the others are mixed. In a flat plate
/// the two kinds are decoupled.
pub const EVEN: usize = 76;
const PLANE_PAIRS: usize = PLANE * (PLANE + 1) / 2;

/// The vectors by components, padded.
pub type Reduced = [[f64; VECTORS]; 3];
/// A number for each product.
pub type Products = [f64; PAIRS];

/// Number of the product of vectors i and k.
#[inline]
pub const fn pair(i: usize, k: usize) -> usize {
    let (low, high) = if i < k { (i, k) } else { (k, i) };
    if high < PLANE {
        high * (high + 1) / 2 + low
    } else if low >= PLANE {
        PLANE_PAIRS + (high - PLANE) * (high - PLANE + 1) / 2 + low - PLANE
    } else {
        EVEN + (high - PLANE) * PLANE + low
    }
}

/// Rows of products with consecutive numbers: vector i with vectors `from..to`.
const ROWS: [(usize, usize, usize); 2 * FREE - PLANE] = {
    let mut rows = [(0, 0, 0); 2 * FREE - PLANE];
    let mut i = 0;
    while i < FREE {
        if i < PLANE {
            rows[i] = (i, 0, i + 1);
        } else {
            rows[i] = (i, PLANE, i + 1);
            rows[i + FREE - PLANE] = (i, 0, PLANE);
        }
        i += 1;
    }
    rows
};

/// The 15 vectors of 16.
#[inline]
pub fn reduce(e: &Nodal) -> Reduced {
    let mut u = [[0.0; VECTORS]; 3];
    for c in 0..3 {
        for i in 0..FREE {
            u[c][i] = e[c][SOURCE[i]];
        }
        for i in DIFFERENCES {
            u[c][i] -= e[c][0];
        }
    }
    u
}

/// uᵢ·uₖ.
#[inline]
pub fn squares(u: &Reduced) -> Products {
    let mut out = [0.0; PAIRS];
    for (i, from, to) in ROWS {
        let start = pair(i, from);
        let row = &mut out[start..start + to - from];
        let (x, y, z) = (u[0][i], u[1][i], u[2][i]);
        let others = u[0][from..to].iter().zip(&u[1][from..to]).zip(&u[2][from..to]);
        row.iter_mut().zip(others).for_each(|(p, ((a, b), c))| *p = x * a + y * b + z * c);
    }
    out
}

/// Rates of the products: uᵢ·vₖ + uₖ·vᵢ for v = u̇.
#[inline]
pub fn rates(u: &Reduced, v: &Reduced) -> Products {
    let mut out = [0.0; PAIRS];
    for (i, from, to) in ROWS {
        let start = pair(i, from);
        let row = &mut out[start..start + to - from];
        for c in 0..3 {
            let (x, y) = (u[c][i], v[c][i]);
            let others = u[c][from..to].iter().zip(&v[c][from..to]);
            row.iter_mut().zip(others).for_each(|(p, (a, b))| *p += x * b + y * a);
        }
    }
    out
}

/// Rows taken together: each entry of the vector is then loaded once for all of them.
const TOGETHER: usize = 4;
/// Numbers of a SIMD word.
const LANES: usize = 4;
/// A row of the matrix.
pub type Row = [f64x4; PAIRS / LANES];

/// Products in SIMD words.
pub fn words(x: &Products) -> Row {
    std::array::from_fn(|k| f64x4::new([x[4 * k], x[4 * k + 1], x[4 * k + 2], x[4 * k + 3]]))
}

/// K·x; the parts between the two kinds of products are left out where they vanish.
#[inline]
pub fn multiply(K: &[Row], x: &Products, kinds_are_apart: bool) -> Products {
    let mut out = [0.0; PAIRS];
    let x = words(x);
    if kinds_are_apart {
        multiply_block::<0, EVEN>(K, &x, &mut out);
        multiply_block::<EVEN, PAIRS>(K, &x, &mut out);
    } else {
        multiply_block::<0, PAIRS>(K, &x, &mut out);
    }
    out
}

#[inline]
fn multiply_block<const FROM: usize, const TO: usize>(K: &[Row], x: &Row, out: &mut Products) {
    for (rows, to) in K[FROM..TO].chunks_exact(TOGETHER).zip(out[FROM..TO].chunks_exact_mut(TOGETHER)) {
        let mut sums = [f64x4::ZERO; TOGETHER];
        for k in FROM / LANES..TO / LANES {
            (0..TOGETHER).for_each(|r| sums[r] += rows[r][k] * x[k]);
        }
        for r in 0..TOGETHER {
            let s = sums[r].to_array();
            to[r] = (s[0] + s[2]) + (s[1] + s[3]);
        }
    }
}

/// Inner product in four running sums.
pub fn dot(a: &Products, b: &Products) -> f64 {
    let mut sums = [0.0; LANES];
    for k in 0..PAIRS / LANES {
        for l in 0..LANES {
            sums[l] += a[LANES * k + l] * b[LANES * k + l];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every product has its own number, and mixed ones come last.
    #[test]
    fn numbering() {
        let mut seen = [false; PAIRS];
        for i in 0..FREE {
            for k in 0..=i {
                let p = pair(i, k);
                assert!(!seen[p] && p == pair(k, i));
                assert_eq!(p < EVEN, (i < PLANE) == (k < PLANE));
                seen[p] = true;
            }
        }
        let u: Reduced = std::array::from_fn(|c| std::array::from_fn(|i| ((3 * i + c) as f64).sin()));
        let v: Reduced = std::array::from_fn(|c| std::array::from_fn(|i| ((5 * i + c) as f64).cos()));
        let (s, r) = (squares(&u), rates(&u, &v));
        for i in 0..FREE {
            for k in 0..=i {
                let by = |a: &Reduced, b: &Reduced| {
                    (0..3).map(|c| a[c][i] * b[c][k] + a[c][k] * b[c][i]).sum::<f64>()
                };
                assert!((s[pair(i, k)] - 0.5 * by(&u, &u)).abs() < 1e-15);
                assert!((r[pair(i, k)] - by(&u, &v)).abs() < 1e-14);
            }
        }
    }
}
