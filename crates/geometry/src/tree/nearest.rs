//! The place of a mesh nearest to a point.

use super::{DEPTH, FaceTree};
use touchdown_math::Vec3;

/// Nearest feature of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Its inside.
    Face,
    /// The edge from this corner to the next.
    Edge(u8),
    /// This corner.
    Corner(u8),
}

/// The place of a triangle nearest to a point, and its feature (Ericson, Real-Time Collision Detection, 2005,
/// section 5.1.5).
#[inline]
pub fn nearest_on_triangle(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> (Vec3, Feature) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (*a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (*b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (*c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * w, Feature::Edge(1));
    }
    let share = 1.0 / (va + vb + vc);
    (a + ab * (vb * share) + ac * (vc * share), Feature::Face)
}

impl FaceTree {
    /// Calls `nearer` with every face whose box is nearer to `p` than the bound, m², which `nearer` returns updated; nearest boxes first.
    #[inline]
    pub fn search_near(&self, p: &Vec3, mut bound: f64, mut nearer: impl FnMut(usize, f64) -> f64) {
        // Boxes still to be opened, with their distance. A balanced tree leaves at most one per level.
        let mut stack = [(0.0f64, 0u32); DEPTH];
        let Some(root) = self.root() else { return };
        let mut open = 1;
        stack[0] = (root.distance_squared(p), 0);
        while open > 0 {
            open -= 1;
            let (distance, k) = stack[open];
            if distance >= bound {
                continue;
            }
            let node = &self.nodes()[k as usize];
            if node.is_leaf() {
                for face in node.faces() {
                    bound = nearer(face, bound);
                }
                continue;
            }
            let [left, right] = self.children(k);
            let of = |k: u32| (self.nodes()[k as usize].distance_squared(p), k);
            let (one, other) = (of(left), of(right));
            let (near, far) = if other.0 < one.0 { (other, one) } else { (one, other) };
            stack[open] = far;
            stack[open + 1] = near;
            open += 2;
        }
    }
}
