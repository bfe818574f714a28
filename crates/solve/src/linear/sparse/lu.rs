//! LU factors of a sparse matrix with a symmetric pattern; pivots are chosen among the unknowns of a front.

use super::SparsePattern;
use super::dense::eliminate;
use super::order::{Front, Fronts};

/// LU factors of a sparse matrix.
#[derive(Clone, Debug)]
pub struct SparseLu {
    fronts: Fronts,
    /// For each front: L and U of the pivots with U to the right (p × m), L below (r × p), one after the other.
    factors: Vec<f64>,
    /// Index of the first factor of each front.
    first: Vec<usize>,
    swaps: Vec<u32>,
    front: Vec<f64>,
    waiting: Vec<f64>,
    local: Vec<f64>,
}

impl SparseLu {
    /// Analyses a pattern.
    pub fn new(pattern: &SparsePattern) -> Self {
        let fronts = Fronts::new(pattern);
        let mut first = Vec::new();
        let mut total = 0;
        for f in &fronts.fronts {
            first.push(total);
            total += f.pivots.len() * (f.size() + f.rest.len());
        }
        SparseLu {
            factors: vec![0.0; total],
            first,
            swaps: vec![0; fronts.n],
            front: vec![0.0; fronts.largest * fronts.largest],
            waiting: vec![0.0; fronts.waiting],
            local: vec![0.0; fronts.largest],
            fronts,
        }
    }

    /// Unknowns.
    pub fn size(&self) -> usize {
        self.fronts.n
    }

    /// Numbers in the factors.
    pub fn stored(&self) -> usize {
        self.factors.len()
    }

    /// Factors the matrix with these values; an error names an unknown without pivot.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), usize> {
        let (mut top, mut pivot) = (0, 0);
        for (s, front) in self.fronts.fronts.iter().enumerate() {
            let (p, r, m) = (front.pivots.len(), front.rest.len(), front.size());
            let a = &mut self.front[..m * m];
            a.fill(0.0);
            for (k, i, j) in &front.own {
                a[*i as usize * m + *j as usize] = values[*k as usize];
            }
            for c in front.children.iter().rev() {
                let child = &self.fronts.fronts[*c];
                top -= child.rest.len().pow(2);
                add_rest(child, &self.waiting[top..], a, m);
            }
            let swaps = &mut self.swaps[pivot..pivot + p];
            eliminate(a, m, p, swaps).map_err(|k| front.pivots[k] as usize)?;
            let (upper, lower) = self.factors[self.first[s]..][..p * (m + r)].split_at_mut(p * m);
            upper.copy_from_slice(&a[..p * m]);
            for i in 0..r {
                let row = &a[(p + i) * m..(p + i + 1) * m];
                lower[i * p..(i + 1) * p].copy_from_slice(&row[..p]);
                self.waiting[top + i * r..top + (i + 1) * r].copy_from_slice(&row[p..]);
            }
            top += r * r;
            pivot += p;
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let mut pivot = 0;
        for (s, front) in self.fronts.fronts.iter().enumerate() {
            let (p, m) = (front.pivots.len(), front.size());
            let (upper, lower) = self.factors[self.first[s]..].split_at(p * m);
            let y = &mut self.local[..p];
            front.pivots.iter().zip(y.iter_mut()).for_each(|(k, y)| *y = x[*k as usize]);
            (0..p).for_each(|k| y.swap(k, self.swaps[pivot + k] as usize));
            for i in 1..p {
                y[i] -= crate::linear::dot(&upper[i * m..i * m + i], &y[..i]);
            }
            front.pivots.iter().zip(y.iter()).for_each(|(k, y)| x[*k as usize] = *y);
            for (k, row) in front.rest.iter().zip(lower.chunks_exact(p)) {
                x[*k as usize] -= crate::linear::dot(row, y);
            }
            pivot += p;
        }
        for (s, front) in self.fronts.fronts.iter().enumerate().rev() {
            let (p, m) = (front.pivots.len(), front.size());
            let upper = &self.factors[self.first[s]..][..p * m];
            let y = &mut self.local[..m];
            front.pivots.iter().chain(&front.rest).zip(y.iter_mut()).for_each(|(k, y)| *y = x[*k as usize]);
            for i in (0..p).rev() {
                let row = &upper[i * m..(i + 1) * m];
                y[i] = (y[i] - crate::linear::dot(&row[i + 1..], &y[i + 1..])) / row[i];
                x[front.pivots[i] as usize] = y[i];
            }
        }
    }
}

/// Adds the Schur complement of a child to its parent's front.
fn add_rest(child: &Front, rest: &[f64], a: &mut [f64], m: usize) {
    let r = child.rest.len();
    for (i, row) in child.in_parent.iter().zip(rest.chunks_exact(r.max(1))) {
        let target = &mut a[*i as usize * m..(*i as usize + 1) * m];
        child.in_parent.iter().zip(row).for_each(|(j, v)| target[*j as usize] += v);
    }
}
