//! Which boxes of two trees overlap: both are descended at once, the larger box first.

use super::{BoxNode, DEPTH, FaceTree, Slab};
use touchdown_math::{Mat3, Pose, Vec3};

/// Added to the rotation's absolute values, so that boxes that only touch count for any rounding.
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
            if let (Some(a), Some(b)) = (self.slabs.get(i as usize), other.slabs.get(j as usize))
                && frames.is_apart(a, b)
            {
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
    /// Whether one layer lies outside the other, along the normal of either. A layer of half thickness t in a sphere of radius r reaches
    /// t·cos α + r·sin α along a direction at the angle α to its normal.
    #[inline]
    fn is_apart(&self, a: &Slab, b: &Slab) -> bool {
        let across = self.X_AB.R * b.normal;
        let apart = self.X_AB.R * b.middle + self.X_AB.p - a.middle;
        let cos = a.normal.dot(&across).abs();
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let reach = |t: f64, r: f64| (t * cos + r * sin).min(r);
        let rounding = ROUNDING * (a.radius + b.radius + apart.norm());
        a.normal.dot(&apart).abs() > a.half + reach(b.half, b.radius) + rounding
            || across.dot(&apart).abs() > b.half + reach(a.half, a.radius) + rounding
    }

    /// Tests the axes of both boxes; the nine cross products would separate too few additional pairs for
    /// their cost.
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
