//! Derivatives of the wrench, summed node by node: each node's own three by three derivative, moved to the origin.

use super::lanes::{V, cross};
use touchdown_math::Mat6;

/// Weights of the tangent: `q` of the derivative by the pose, `v` of that by the velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentWeights {
    /// Of ∂/∂pose.
    pub q: f64,
    /// Of ∂/∂velocity.
    pub v: f64,
}

/// Accumulator of a weighted derivative, about the origin of the surface's frame; one node in each lane.
#[derive(Default)]
pub(super) struct Sum {
    /// Blocks of the matrix, columns first: torque by turn, torque by velocity, force by turn, force by velocity.
    blocks: [[V; 3]; 4],
}

impl Sum {
    /// Adds a node at r whose force changes by `B` (columns) per unit of its own motion: its velocity is v + w × r = [r×]ᵀ·w + v and its
    /// torque r × f, so that it adds [r×; 1]·B·[r×; 1]ᵀ.
    #[inline(always)]
    pub fn add(&mut self, r: &V, B: &[V; 3]) {
        let torque = [cross(r, &B[0]), cross(r, &B[1]), cross(r, &B[2])];
        let [torque_by_turn, torque_by_velocity, force_by_turn, force_by_velocity] = &mut self.blocks;
        add(torque_by_turn, &by_turn(r, &torque));
        add(torque_by_velocity, &torque);
        add(force_by_turn, &by_turn(r, B));
        add(force_by_velocity, B);
    }

    /// The whole.
    pub fn finish(&self, K: &mut Mat6) {
        let corners = [(0, 0), (0, 3), (3, 0), (3, 3)];
        for (block, (row, column)) in self.blocks.iter().zip(corners) {
            for j in 0..3 {
                for i in 0..3 {
                    let [a, b] = block[j][i].to_array();
                    K[(row + i, column + j)] = a + b;
                }
            }
        }
    }
}

/// Columns of `B·[r×]ᵀ`: row by row, r × that row.
#[inline(always)]
fn by_turn(r: &V, B: &[V; 3]) -> [V; 3] {
    let rows: [V; 3] = std::array::from_fn(|i| cross(r, &[B[0][i], B[1][i], B[2][i]]));
    std::array::from_fn(|j| [rows[0][j], rows[1][j], rows[2][j]])
}

#[inline(always)]
fn add(sum: &mut [V; 3], B: &[V; 3]) {
    for (sum, column) in sum.iter_mut().zip(B) {
        for (sum, entry) in sum.iter_mut().zip(column) {
            *sum += *entry;
        }
    }
}
