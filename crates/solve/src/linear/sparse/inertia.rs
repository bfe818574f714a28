//! Signs of the pivots of a sparse symmetric matrix: A = L·D·Lᵀ has as many negative pivots in D as A has negative eigenvalues (Sylvester's law of inertia).
//!
//! The factors themselves are not kept. Pivots are taken in the order of elimination, without pivoting:
//! counts are exact unless a pivot is lost in round-off, which happens only if an eigenvalue of a leading
//! block is nearly zero.

use super::SparsePattern;
use super::cholesky::add_rest;
use super::dense::eliminate_signed;
use super::order::Fronts;

/// Counts the negative eigenvalues of sparse symmetric matrices of one pattern.
#[derive(Clone, Debug)]
pub struct SparseInertia {
    fronts: Fronts,
    front: Vec<f64>,
    waiting: Vec<f64>,
}

impl SparseInertia {
    /// Analyses a pattern.
    pub fn new(pattern: &SparsePattern) -> Self {
        let fronts = Fronts::new(pattern);
        SparseInertia {
            front: vec![0.0; fronts.largest * fronts.largest],
            waiting: vec![0.0; fronts.waiting],
            fronts,
        }
    }

    /// Negative eigenvalues of the matrix with these values (both triangles are stored, one is read); an error names an unknown whose pivot is zero or not finite.
    pub fn negative(&mut self, values: &[f64]) -> Result<usize, usize> {
        let (mut top, mut negative) = (0, 0);
        for front in &self.fronts.fronts {
            let (p, r, m) = (front.pivots.len(), front.rest.len(), front.size());
            let a = &mut self.front[..m * m];
            a.fill(0.0);
            for (k, i, j) in front.own.iter().filter(|(_, i, j)| i >= j) {
                a[*i as usize * m + *j as usize] = values[*k as usize];
            }
            for c in front.children.iter().rev() {
                let child = &self.fronts.fronts[*c];
                top -= child.rest.len().pow(2);
                add_rest(child, &self.waiting[top..], a, m);
            }
            negative += eliminate_signed(a, m, p).map_err(|k| front.pivots[k] as usize)?;
            for i in 0..r {
                let row = &a[(p + i) * m + p..(p + i + 1) * m];
                self.waiting[top + i * r..top + (i + 1) * r].copy_from_slice(row);
            }
            top += r * r;
        }
        Ok(negative)
    }
}
