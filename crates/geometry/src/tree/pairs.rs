//! Which boxes of two trees overlap: both are descended at once, the larger box first.

use super::{BoxNode, DEPTH, FaceTree};
use touchdown_math::{Mat3, Pose, Vec3};

/// Added to the rotation's absolute values, so that boxes which only touch count whatever the rounding.
const ROUNDING: f64 = 1e-12;

impl FaceTree {
    /// Calls with the lowest boxes of this tree (frame A) and of another (frame B, at `X_AB`) that may overlap.
    pub fn for_each_overlap(&self, other: &FaceTree, X_AB: &Pose, mut call: impl FnMut(&BoxNode, &BoxNode)) {
        if self.root().is_none() || other.root().is_none() {
            return;
        }
        let frames = Frames { X_AB, size: X_AB.R.map(|x| x.abs() + ROUNDING) };
        let mut stack = [(0u32, 0u32); 2 * DEPTH];
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let (i, j) = stack[open];
            let (a, b) = (&self.nodes()[i as usize], &other.nodes()[j as usize]);
            if !frames.may_overlap(a, b) {
                continue;
            }
            let opens_a = match (a.is_leaf(), b.is_leaf()) {
                (true, true) => {
                    call(a, b);
                    continue;
                }
                (is_a_leaf, is_b_leaf) => {
                    is_b_leaf || (!is_a_leaf && a.half.norm_squared() > b.half.norm_squared())
                }
            };
            let pairs =
                if opens_a { self.children(i).map(|i| (i, j)) } else { other.children(j).map(|j| (i, j)) };
            stack[open..open + 2].copy_from_slice(&pairs);
            open += 2;
        }
    }
}

struct Frames<'a> {
    X_AB: &'a Pose,
    /// Absolute values of the rotation.
    size: Mat3,
}

impl Frames<'_> {
    /// Tests the axes of both boxes; the nine crossed ones would part few more pairs than they cost.
    #[inline]
    fn may_overlap(&self, a: &BoxNode, b: &BoxNode) -> bool {
        let apart: Vec3 = self.X_AB.R * b.centre + self.X_AB.p - a.centre;
        let reach = a.half + self.size * b.half;
        if apart.x.abs() > reach.x || apart.y.abs() > reach.y || apart.z.abs() > reach.z {
            return false;
        }
        let apart = self.X_AB.R.tr_mul(&apart);
        let reach = b.half + self.size.tr_mul(&a.half);
        apart.x.abs() <= reach.x && apart.y.abs() <= reach.y && apart.z.abs() <= reach.z
    }
}
