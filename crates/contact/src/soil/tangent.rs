//! Derivatives of the wrench, summed node by node: outer products of six-vectors, and the isotropic part of friction by its moments.

use super::force::{V, cross};
use touchdown_math::Mat6;
use wide::f64x2;

/// Weights of the tangent: `q` of the derivative by the pose, `v` of that by the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Of ∂/∂pose.
    pub q: f64,
    /// Of ∂/∂velocity.
    pub v: f64,
}

/// A weighted derivative in the making, about the origin of the surface's frame; one node in each lane.
#[derive(Default)]
pub(super) struct Sum {
    /// Columns of the matrix, angular rows first.
    outer: [[f64x2; 6]; 6],
    /// The same of symmetric parts: on and above the diagonal.
    square: [[f64x2; 6]; 6],
    /// Σ γ, Σ γ r, Σ γ r rᵀ (xx, yy, zz, xy, xz, yz) of forces −γ·(velocity of the node).
    drag: [f64x2; 10],
}

impl Sum {
    /// Adds [r×a; a]·[r×b; b]ᵀ.
    #[inline(always)]
    pub fn add_outer(&mut self, r: &V, a: &V, b: &V) {
        let (left, right) = (six(r, a), six(r, b));
        for (column, factor) in self.outer.iter_mut().zip(right) {
            for (sum, row) in column.iter_mut().zip(left) {
                *sum += row * factor;
            }
        }
    }

    /// Adds weight·[r×a; a]·[r×a; a]ᵀ.
    #[inline(always)]
    pub fn add_square(&mut self, r: &V, a: &V, weight: f64x2) {
        let right = six(r, a);
        for j in 0..6 {
            let factor = right[j] * weight;
            for i in 0..=j {
                self.square[j][i] += right[i] * factor;
            }
        }
    }

    /// Adds a force −weight·(velocity of the node).
    #[inline(always)]
    pub fn add_drag(&mut self, r: &V, weight: f64x2) {
        let w = [r[0] * weight, r[1] * weight, r[2] * weight];
        let squares = [w[0] * r[0], w[1] * r[1], w[2] * r[2], w[0] * r[1], w[0] * r[2], w[1] * r[2]];
        let terms = [weight, w[0], w[1], w[2]].into_iter().chain(squares);
        for (sum, term) in self.drag.iter_mut().zip(terms) {
            *sum += term;
        }
    }

    /// The whole.
    pub fn finish(&self, K: &mut Mat6) {
        let total = |v: f64x2| {
            let [a, b] = v.to_array();
            a + b
        };
        let [drag, sx, sy, sz, xx, yy, zz, xy, xz, yz] = self.drag.map(total);
        let torque = [[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]];
        let cross = [[0.0, -sz, sy], [sz, 0.0, -sx], [-sy, sx, 0.0]];
        for j in 0..6 {
            for i in 0..6 {
                let square = total(self.square[j.max(i)][j.min(i)]);
                K[(i, j)] = total(self.outer[j][i]) + square;
            }
        }
        for i in 0..3 {
            K[(i + 3, i + 3)] -= drag;
            for j in 0..3 {
                K[(i, j)] -= torque[i][j];
                // Torque by velocity: r×; force by rotation: its transpose.
                K[(i, j + 3)] -= cross[i][j];
                K[(j + 3, i)] -= cross[i][j];
            }
        }
    }
}

#[inline(always)]
fn six(r: &V, a: &V) -> [f64x2; 6] {
    let t = cross(r, a);
    [t[0], t[1], t[2], a[0], a[1], a[2]]
}
