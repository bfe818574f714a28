//! Cholesky factors of a sparse symmetric matrix: A = L·Lᵀ with L lower triangular in the order of elimination.

use super::SparsePattern;
use super::dense::eliminate_symmetric;
use super::order::{Front, Fronts};

/// Cholesky factors of a sparse symmetric positive definite matrix.
#[derive(Clone, Debug)]
pub struct SparseCholesky {
    fronts: Fronts,
    /// For each front the first p columns of its rows (m × p), one after the other.
    factors: Vec<f64>,
    first: Vec<usize>,
    front: Vec<f64>,
    waiting: Vec<f64>,
    local: Vec<f64>,
}

impl SparseCholesky {
    /// Analyses a pattern.
    pub fn new(pattern: &SparsePattern) -> Self {
        let fronts = Fronts::new(pattern);
        let mut first = Vec::new();
        let mut total = 0;
        for f in &fronts.fronts {
            first.push(total);
            total += f.pivots.len() * f.size();
        }
        SparseCholesky {
            factors: vec![0.0; total],
            first,
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

    /// Factors the matrix with these values (both triangles are stored, one is read); an error names an unknown whose pivot is not positive.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), usize> {
        let mut top = 0;
        for (s, front) in self.fronts.fronts.iter().enumerate() {
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
            eliminate_symmetric(a, m, p).map_err(|k| front.pivots[k] as usize)?;
            for (target, row) in self.factors[self.first[s]..].chunks_exact_mut(p).zip(a.chunks_exact(m)) {
                target.copy_from_slice(&row[..p]);
            }
            for i in 0..r {
                let row = &a[(p + i) * m + p..(p + i + 1) * m];
                self.waiting[top + i * r..top + (i + 1) * r].copy_from_slice(row);
            }
            top += r * r;
        }
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        self.solve_lower(x);
        self.solve_upper(x);
    }

    /// `x ← L⁻¹·x`; the result is at the unknowns' own indices.
    pub fn solve_lower(&mut self, x: &mut [f64]) {
        for (s, front) in self.fronts.fronts.iter().enumerate() {
            let (p, m) = (front.pivots.len(), front.size());
            let rows = &self.factors[self.first[s]..][..m * p];
            let y = &mut self.local[..p];
            front.pivots.iter().zip(y.iter_mut()).for_each(|(k, y)| *y = x[*k as usize]);
            for i in 0..p {
                let row = &rows[i * p..(i + 1) * p];
                y[i] = (y[i] - crate::linear::dot(&row[..i], &y[..i])) / row[i];
            }
            front.pivots.iter().zip(y.iter()).for_each(|(k, y)| x[*k as usize] = *y);
            for (k, row) in front.rest.iter().zip(rows.chunks_exact(p).skip(p)) {
                x[*k as usize] -= crate::linear::dot(row, y);
            }
        }
    }

    /// `x ← L⁻ᵀ·x`.
    pub fn solve_upper(&mut self, x: &mut [f64]) {
        for (s, front) in self.fronts.fronts.iter().enumerate().rev() {
            let (p, m) = (front.pivots.len(), front.size());
            let rows = &self.factors[self.first[s]..][..m * p];
            let y = &mut self.local[..p];
            front.pivots.iter().zip(y.iter_mut()).for_each(|(k, y)| *y = x[*k as usize]);
            for (k, row) in front.rest.iter().zip(rows.chunks_exact(p).skip(p)) {
                let known = x[*k as usize];
                y.iter_mut().zip(row).for_each(|(y, l)| *y -= l * known);
            }
            for i in (0..p).rev() {
                let row = &rows[i * p..(i + 1) * p];
                y[i] /= row[i];
                let (head, tail) = y.split_at_mut(i);
                head.iter_mut().zip(row).for_each(|(h, l)| *h -= l * tail[0]);
            }
            front.pivots.iter().zip(y.iter()).for_each(|(k, y)| x[*k as usize] = *y);
        }
    }

    /// `x ← L·x`.
    pub fn multiply_lower(&mut self, x: &mut [f64]) {
        for (s, front) in self.fronts.fronts.iter().enumerate().rev() {
            let (p, m) = (front.pivots.len(), front.size());
            let rows = &self.factors[self.first[s]..][..m * p];
            let y = &mut self.local[..p];
            front.pivots.iter().zip(y.iter_mut()).for_each(|(k, y)| *y = x[*k as usize]);
            for (k, row) in front.rest.iter().zip(rows.chunks_exact(p).skip(p)) {
                x[*k as usize] += crate::linear::dot(row, y);
            }
            for (i, k) in front.pivots.iter().enumerate() {
                x[*k as usize] = crate::linear::dot(&rows[i * p..i * p + i + 1], &y[..i + 1]);
            }
        }
    }

    /// `x ← Lᵀ·x`.
    pub fn multiply_upper(&mut self, x: &mut [f64]) {
        for (s, front) in self.fronts.fronts.iter().enumerate() {
            let (p, m) = (front.pivots.len(), front.size());
            let rows = &self.factors[self.first[s]..][..m * p];
            let y = &mut self.local[..p];
            y.fill(0.0);
            for (k, row) in front
                .pivots
                .iter()
                .chain(&front.rest)
                .zip(rows.chunks_exact(p))
                .enumerate()
                .map(|(i, (k, row))| (*k, &row[..(i + 1).min(p)]))
            {
                let known = x[k as usize];
                y.iter_mut().zip(row).for_each(|(y, l)| *y += l * known);
            }
            front.pivots.iter().zip(y.iter()).for_each(|(k, y)| x[*k as usize] = *y);
        }
    }
}

/// Adds the Schur complement of a child to its parent's front, lower triangle.
pub(super) fn add_rest(child: &Front, rest: &[f64], a: &mut [f64], m: usize) {
    let r = child.rest.len();
    for (i, (row, to)) in rest.chunks_exact(r.max(1)).zip(&child.in_parent).enumerate() {
        let target = &mut a[*to as usize * m..(*to as usize + 1) * m];
        child.in_parent[..i + 1].iter().zip(row).for_each(|(j, v)| target[*j as usize] += v);
    }
}
