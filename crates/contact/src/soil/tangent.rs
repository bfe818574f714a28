//! Derivatives of the wrench, summed node by node: outer products of six-vectors, and the isotropic part of friction by its moments.

use touchdown_math::{Mat6, Vec3};
use wide::f64x2;

/// Weights of the tangent: `q` of the derivative by the pose, `v` of that by the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Of ∂/∂pose.
    pub q: f64,
    /// Of ∂/∂velocity.
    pub v: f64,
}

/// A weighted derivative in the making, about the origin of the surface's frame.
#[derive(Default)]
pub(super) struct Sum {
    /// Columns of the matrix, angular rows first, two rows at a time.
    outer: [[f64x2; 3]; 6],
    /// Σ γ, Σ γ r, Σ γ r rᵀ (xx, yy, zz, xy, xz, yz) of forces −γ·(velocity of the node).
    drag: f64,
    first: [f64; 3],
    second: [f64; 6],
}

impl Sum {
    /// Adds [r×a; a]·[r×b; b]ᵀ.
    #[inline(always)]
    pub fn add_outer(&mut self, r: &Vec3, a: &Vec3, b: &Vec3) {
        let (left, right) = (six(r, a), six(r, b));
        let pairs = [[left[0], left[1]], [left[2], left[3]], [left[4], left[5]]].map(f64x2::new);
        for (column, factor) in self.outer.iter_mut().zip(right) {
            let factor = f64x2::splat(factor);
            column[0] += pairs[0] * factor;
            column[1] += pairs[1] * factor;
            column[2] += pairs[2] * factor;
        }
    }

    /// Adds a force −weight·(velocity of the node).
    #[inline(always)]
    pub fn add_drag(&mut self, r: &Vec3, weight: f64) {
        self.drag += weight;
        let w = [r.x * weight, r.y * weight, r.z * weight];
        let products = [w[0] * r.x, w[1] * r.y, w[2] * r.z, w[0] * r.y, w[0] * r.z, w[1] * r.z];
        for k in 0..3 {
            self.first[k] += w[k];
        }
        for k in 0..6 {
            self.second[k] += products[k];
        }
    }

    /// The whole.
    pub fn finish(&self, K: &mut Mat6) {
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let torque = [[yy + zz, -xy, -xz], [-xy, xx + zz, -yz], [-xz, -yz, xx + yy]];
        let s = self.first;
        let cross = [[0.0, -s[2], s[1]], [s[2], 0.0, -s[0]], [-s[1], s[0], 0.0]];
        for j in 0..6 {
            for i in 0..6 {
                K[(i, j)] = self.outer[j][i / 2].to_array()[i % 2];
            }
        }
        for i in 0..3 {
            K[(i + 3, i + 3)] -= self.drag;
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
fn six(r: &Vec3, a: &Vec3) -> [f64; 6] {
    let t = r.cross(a);
    [t.x, t.y, t.z, a.x, a.y, a.z]
}
