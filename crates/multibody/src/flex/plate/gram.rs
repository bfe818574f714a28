//! Elastic forces through constant matrices: the energy is a quadratic form of the products of nodal vectors.
//!
//! With u the 15 vectors (12 gradients, 3 differences of positions), Δ the changes of their 120 products from the stress-free form,
//! and K = Σ w·BᵀCB from quadrature, U = ½ΔᵀKΔ and ∂U/∂uᵢ = Σₖ Pᵢₖ·uₖ with P = KΔ (doubled on the diagonal). Kelvin–Voigt stress
//! replaces Δ by Δ + γΔ̇. The derivative is Pᵢⱼ·1 + Σₖₗ uₖ K̂(ik)(jl) ûₗᵀ.

use super::assumed::{self, Rows};
use super::products::{
    DIFFERENCES, EVEN, FREE, PAIRS, PLANE, Products, Reduced, Row, SOURCE, dot, multiply, pair, rates,
    reduce, squares, words,
};
use super::{Blocks, Energies, Nodal, PlateTables, QuadraturePoint, VECTORS, Weights};
use crate::flex::material::Locking;
use std::ops::Range;
use wide::f64x2;

/// Second index of a derivative, four at a time.
const CHUNKS: usize = VECTORS / 4;
/// Four entries in two SIMD words.
type Chunk = [f64x2; 2];
/// Derivatives `[i][a][b][slot of j]` of component a of force i by component b of vector j.
type Hessian = [[[[f64; VECTORS]; 3]; 3]; FREE];

/// Position of vector j among the chunks: in-plane vectors fill the first three (with a gap), r_z the last.
#[inline]
const fn slot(j: usize) -> usize {
    if j < PLANE { j } else { j + 1 }
}

/// Relative size below which couplings between the two kinds of products are round-off of quadrature.
const APART: f64 = 1e-13;

/// The constant matrices of a form and material.
#[derive(Clone, Debug)]
pub struct Gram {
    /// Products in the stress-free form.
    rest: Products,
    /// K by rows.
    stiffness: Vec<Row>,
    /// K̂ with both diagonals doubled: `[pair (ik)][chunk of j][l]`.
    doubled: Vec<[[Chunk; FREE]; CHUNKS]>,
    /// Whether mixed products are coupled only with mixed ones: the form is flat.
    kinds_are_apart: bool,
}

/// Strain over products, Voigt order 11, 22, 33, 12, 13, 23 with engineering shear.
fn compatible_rows(point: &QuadraturePoint) -> Rows {
    let mut B = [[0.0; PAIRS]; 6];
    let g = |i: usize| [0, 1, 2].map(|a| point.slope[a][SOURCE[i]]);
    for i in 0..FREE {
        for k in 0..=i {
            let (p, x, y) = (pair(i, k), g(i), g(k));
            let half = if i == k { 0.5 } else { 1.0 };
            for a in 0..3 {
                B[a][p] = half * x[a] * y[a];
            }
            for (m, (a, b)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
                B[3 + m][p] = half * (x[a] * y[b] + x[b] * y[a]);
            }
        }
    }
    B
}

impl Gram {
    /// Integrates the matrices at the points of the tables.
    pub fn new(tables: &PlateTables) -> Self {
        let mut stiffness = vec![[0.0; PAIRS]; PAIRS];
        let assumed = match tables.material.locking {
            Locking::Assumed => assumed::points(tables, &tables.moduli),
            _ => Vec::new(),
        };
        let compatible = if assumed.is_empty() { &tables.points[..] } else { &[] };
        let sampled = assumed.into_iter().map(|p| (p.weight, &tables.moduli, p.rows));
        let points = compatible.iter().map(|p| (p.weight, tables.moduli(p), Box::new(compatible_rows(p))));
        for (weight, D, B) in points.chain(sampled) {
            let mut DB = [[0.0; PAIRS]; 6];
            for m in 0..6 {
                for n in 0..6 {
                    let d = weight * D[m][n];
                    if d != 0.0 {
                        (0..PAIRS).for_each(|q| DB[m][q] += d * B[n][q]);
                    }
                }
            }
            for p in 0..PAIRS {
                let row = &mut stiffness[p];
                for m in 0..6 {
                    let b = B[m][p];
                    (0..PAIRS).for_each(|q| row[q] += b * DB[m][q]);
                }
            }
        }
        let is_apart = |p: usize, q: usize| {
            stiffness[p][q].abs() <= APART * (stiffness[p][p] * stiffness[q][q]).abs().sqrt()
        };
        let kinds_are_apart = (0..EVEN).all(|p| (EVEN..PAIRS).all(|q| is_apart(p, q)));
        let mut doubled = vec![[[[f64x2::ZERO; 2]; FREE]; CHUNKS]; PAIRS];
        let twice = |i: usize, k: usize| if i == k { 2.0 } else { 1.0 };
        for i in 0..FREE {
            for k in 0..=i {
                for j in 0..FREE {
                    for l in 0..FREE {
                        let value = twice(i, k) * twice(j, l) * stiffness[pair(i, k)][pair(j, l)];
                        let word = &mut doubled[pair(i, k)][slot(j) / 4][l][slot(j) % 4 / 2];
                        let mut both = word.to_array();
                        both[slot(j) % 2] = value;
                        *word = f64x2::new(both);
                    }
                }
            }
        }
        Gram {
            rest: squares(&reduce(&tables.reference)),
            stiffness: stiffness.iter().map(words).collect(),
            doubled,
            kinds_are_apart,
        }
    }

    /// The vectors l that K̂(ik)(jl) needs for a product and a chunk of j.
    #[inline]
    fn needed(&self, product: usize, chunk: usize) -> Range<usize> {
        match (self.kinds_are_apart, (product < EVEN) == (chunk < CHUNKS - 1)) {
            (false, _) => 0..FREE,
            (true, true) => 0..PLANE,
            (true, false) => PLANE..FREE,
        }
    }

    /// P = K(Δ + γΔ̇) doubled on its diagonal as a 15 × 16 matrix, and the energies.
    #[inline]
    fn stress(&self, damping_time: f64, u: &Reduced, rate: &Nodal) -> ([[f64; VECTORS]; FREE], Energies) {
        let mut change = squares(u);
        for p in 0..PAIRS {
            change[p] -= self.rest[p];
        }
        let mut stress = multiply(&self.stiffness, &change, self.kinds_are_apart);
        let mut energies = Energies { elastic: 0.5 * dot(&stress, &change), dissipated: 0.0 };
        if damping_time > 0.0 {
            let rates = rates(u, &reduce(rate));
            let viscous = multiply(&self.stiffness, &rates, self.kinds_are_apart);
            // K is positive semi-definite; its round-off in rigid spin may be negative.
            energies.dissipated = (damping_time * dot(&viscous, &rates)).max(0.0);
            (0..PAIRS).for_each(|p| stress[p] += damping_time * viscous[p]);
        }
        let mut P = [[0.0; VECTORS]; FREE];
        for i in 0..FREE {
            for k in 0..i {
                P[i][k] = stress[pair(i, k)];
                P[k][i] = stress[pair(i, k)];
            }
            P[i][i] = 2.0 * stress[pair(i, i)];
        }
        (P, energies)
    }

    /// Subtracts Σₖ Pᵢₖ·uₖ from the force on each nodal vector.
    #[inline]
    fn subtract(P: &[[f64; VECTORS]; FREE], u: &Reduced, force: &mut Nodal) {
        for c in 0..3 {
            let mut f = [0.0; VECTORS];
            for k in 0..FREE {
                let x = u[c][k];
                (0..VECTORS).for_each(|i| f[i] += P[k][i] * x);
            }
            for i in 0..FREE {
                force[c][SOURCE[i]] -= f[i];
            }
            DIFFERENCES.for_each(|i| force[c][0] += f[i]);
        }
    }

    /// Adds the forces of the element.
    pub fn force(&self, damping_time: f64, e: &Nodal, rate: &Nodal, force: &mut Nodal) -> Energies {
        let u = reduce(e);
        let (P, energies) = self.stress(damping_time, &u, rate);
        Self::subtract(&P, &u, force);
        energies
    }

    /// `H[i][a][b][j] = Σₖ uₖ[a]·(Σₗ K̂(ik)(jl)·right[b][l])`.
    fn contract(&self, u: &Reduced, right: &Reduced, is_symmetric: bool) -> Hessian {
        let splat = |x: &Reduced| x.map(|row| row.map(f64x2::splat));
        let (u, right) = (splat(u), splat(right));
        let first = |k: usize| if is_symmetric { slot(k) / 4 } else { 0 };
        let mut inner = [[[[f64x2::ZERO; 2]; 3]; CHUNKS]; PAIRS];
        for i in 0..FREE {
            for k in 0..=i {
                let (from, to) = (&self.doubled[pair(i, k)], &mut inner[pair(i, k)]);
                for c in first(k)..CHUNKS {
                    let mut sums = [[f64x2::ZERO; 2]; 3];
                    for l in self.needed(pair(i, k), c) {
                        for b in 0..3 {
                            sums[b][0] += right[b][l] * from[c][l][0];
                            sums[b][1] += right[b][l] * from[c][l][1];
                        }
                    }
                    to[c] = sums;
                }
            }
        }
        let mut H = [[[[0.0; VECTORS]; 3]; 3]; FREE];
        for i in 0..FREE {
            for c in first(i)..CHUNKS {
                for b in 0..3 {
                    let mut sums = [[f64x2::ZERO; 2]; 3];
                    for k in 0..FREE {
                        let part = &inner[pair(i, k)][c][b];
                        for a in 0..3 {
                            sums[a][0] += u[a][k] * part[0];
                            sums[a][1] += u[a][k] * part[1];
                        }
                    }
                    for a in 0..3 {
                        for w in 0..2 {
                            let [x, y] = sums[a][w].to_array();
                            H[i][a][b][4 * c + 2 * w] = x;
                            H[i][a][b][4 * c + 2 * w + 1] = y;
                        }
                    }
                }
            }
            for j in (0..FREE).take_while(|j| slot(*j) < 4 * first(i)) {
                for a in 0..3 {
                    (0..3).for_each(|b| H[i][a][b][slot(j)] = H[j][b][a][slot(i)]);
                }
            }
        }
        H
    }

    /// Adds the forces of the element and their weighted derivatives.
    pub fn tangent(
        &self,
        damping_time: f64,
        e: &Nodal,
        rate: &Nodal,
        force: &mut Nodal,
        weights: Weights,
        tangent: &mut Blocks,
    ) -> Energies {
        let u = reduce(e);
        let (P, energies) = self.stress(damping_time, &u, rate);
        Self::subtract(&P, &u, force);
        // Derivatives of products: ∂(Δ + γΔ̇) = (w_e·(u + γu̇) + w_v·γu)·∂u.
        let mut right = reduce(rate);
        for c in 0..3 {
            for l in 0..FREE {
                right[c][l] = weights.position * (u[c][l] + damping_time * right[c][l])
                    + weights.velocity * damping_time * u[c][l];
            }
        }
        // Without viscous stress the derivative is symmetric: chunks left of the diagonal are copied.
        let is_symmetric = weights.position * damping_time == 0.0;
        let H = self.contract(&u, &right, is_symmetric);
        // Back to nodal vectors: the first position gets the terms of the differences with the opposite sign.
        for i in 0..FREE {
            for j in 0..FREE {
                let mut block = [0.0; 9];
                for a in 0..3 {
                    for b in 0..3 {
                        block[3 * a + b] = H[i][a][b][slot(j)];
                    }
                    block[4 * a] += weights.position * P[i][j];
                }
                let (row, column) = (SOURCE[i], SOURCE[j]);
                for m in 0..9 {
                    tangent[row][column][m] -= block[m];
                }
                if DIFFERENCES.contains(&i) {
                    (0..9).for_each(|m| tangent[0][column][m] += block[m]);
                }
                if DIFFERENCES.contains(&j) {
                    (0..9).for_each(|m| tangent[row][0][m] += block[m]);
                }
                if DIFFERENCES.contains(&i) && DIFFERENCES.contains(&j) {
                    (0..9).for_each(|m| tangent[0][0][m] -= block[m]);
                }
            }
        }
        energies
    }
}
