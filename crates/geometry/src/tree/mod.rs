//! A tree of boxes over triangles, built once in a body's frame, then queried: what is near, what overlaps another.
//!
//! Boxes lie in preorder: the first child of a box follows it, the second follows all that is inside the first. Faces are halved along the
//! longest side of their centroids, so the tree is balanced and its depth is log₂ of their number for any
//! mesh.

mod nearest;
mod pairs;

pub use nearest::{Feature, nearest_on_triangle};

use touchdown_math::Vec3;

/// Deepest tree: each level halves up to 2³² faces.
const DEPTH: usize = 33;

/// A box around the faces `first..first + count` of a leaf, or around the boxes that follow it up to `skip`. One cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxNode {
    /// Middle, m.
    pub centre: Vec3,
    /// Half of its edges, m.
    pub half: Vec3,
    /// The next node that is not inside this one.
    pub skip: u32,
    /// First face of a leaf, in the order of the tree.
    pub first: u32,
    /// Faces of a leaf; zero for others.
    pub count: u32,
}

impl BoxNode {
    /// Whether it holds faces and not boxes.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.count > 0
    }

    /// The faces of a leaf.
    #[inline]
    pub fn faces(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Square of the distance from a point to the box, m²; zero inside.
    #[inline]
    pub fn distance_squared(&self, p: &Vec3) -> f64 {
        let d = p - self.centre;
        let out = |i: usize| {
            let over = d[i].abs() - self.half[i];
            if over > 0.0 { over * over } else { 0.0 }
        };
        out(0) + out(1) + out(2)
    }
}

/// The layer in which the faces of a box lie, across their mean normal: thin where a box around a curved
/// sheet is thick. It separates closely spaced sheets whose boxes overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Slab {
    /// Mean normal, unit; zero where normals cancel.
    normal: Vec3,
    /// A point in the middle of it, m.
    middle: Vec3,
    /// Half its thickness, m.
    half: f64,
    /// Radius about the middle of a sphere around the faces, m.
    radius: f64,
}

/// Boxes over triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceTree {
    nodes: Vec<BoxNode>,
    /// Layers of the boxes; empty unless requested.
    slabs: Vec<Slab>,
}

impl FaceTree {
    /// A tree over triangles with finite corners, at most `leaf` of them (at least 1) in the lowest boxes; and the order in which the tree counts
    /// them: its face k is the triangle `order[k]`. Fewer than 2³¹ triangles. O(n log n).
    pub fn build(triangles: &[[Vec3; 3]], leaf: usize) -> (FaceTree, Vec<u32>) {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let centroids: Vec<Vec3> = triangles.iter().map(|t| t.iter().sum::<Vec3>() / 3.0).collect();
        let mut nodes = Vec::with_capacity(4 * triangles.len() / leaf.max(1) + 1);
        let mut builder = Builder { triangles, centroids: &centroids, leaf: leaf.max(1), nodes: &mut nodes };
        builder.split(&mut order, 0);
        (FaceTree { nodes, slabs: Vec::new() }, order)
    }

    /// Adds the layers in which the faces lie, for [`FaceTree::for_each_overlap`]; `faces` in the order of the tree.
    pub fn with_slabs(mut self, faces: &[[Vec3; 3]]) -> FaceTree {
        // A box holds the faces from its first to the first of the next box beside it.
        let end = |node: &BoxNode| {
            self.nodes.get(node.skip as usize).map_or(faces.len(), |next| next.first as usize)
        };
        self.slabs = self
            .nodes
            .iter()
            .map(|node| slab(&faces[node.first as usize..end(node)], &node.centre))
            .collect();
        self
    }

    /// Fits the boxes to faces that have moved, `corners` in the order of the tree. Faces of a box should
    /// stay together, otherwise boxes grow. Layers are dropped.
    pub fn refit(&mut self, corners: impl Fn(usize) -> [Vec3; 3]) {
        self.slabs.clear();
        // A box lies before those inside it.
        for k in (0..self.nodes.len()).rev() {
            let [low, high] = if self.nodes[k].is_leaf() {
                bounds(self.nodes[k].faces().flat_map(&corners))
            } else {
                let [a, b] = self.children(k as u32).map(|c| self.nodes[c as usize]);
                bounds(
                    [a.centre - a.half, b.centre - b.half, a.centre + a.half, b.centre + b.half].into_iter(),
                )
            };
            (self.nodes[k].centre, self.nodes[k].half) = (0.5 * (low + high), 0.5 * (high - low));
        }
    }

    /// All boxes in preorder; empty for a mesh without faces.
    #[inline]
    pub fn nodes(&self) -> &[BoxNode] {
        &self.nodes
    }

    /// The box around all.
    #[inline]
    pub fn root(&self) -> Option<&BoxNode> {
        self.nodes.first()
    }

    /// The two children of an inner box.
    #[inline]
    pub(crate) fn children(&self, k: u32) -> [u32; 2] {
        [k + 1, self.nodes[k as usize + 1].skip]
    }
}

struct Builder<'a> {
    triangles: &'a [[Vec3; 3]],
    centroids: &'a [Vec3],
    leaf: usize,
    nodes: &'a mut Vec<BoxNode>,
}

impl Builder<'_> {
    /// Appends the boxes over `order`, whose first face will have the index `first`.
    fn split(&mut self, order: &mut [u32], first: usize) {
        if order.is_empty() {
            return;
        }
        let [low, high] = bounds(order.iter().flat_map(|&i| self.triangles[i as usize]));
        let at = self.nodes.len();
        let count = if order.len() <= self.leaf { order.len() as u32 } else { 0 };
        let (centre, half) = (0.5 * (low + high), 0.5 * (high - low));
        self.nodes.push(BoxNode { centre, half, skip: 0, first: first as u32, count });
        if count == 0 {
            let [low, high] = bounds(order.iter().map(|&i| self.centroids[i as usize]));
            let axis = (high - low).imax();
            let middle = order.len() / 2;
            let place = |i: u32| self.centroids[i as usize][axis];
            // Ties are broken by the index, so that the order does not depend on the sorting algorithm.
            order.select_nth_unstable_by(middle, |&i, &j| place(i).total_cmp(&place(j)).then(i.cmp(&j)));
            let (left, right) = order.split_at_mut(middle);
            self.split(left, first);
            self.split(right, first + middle);
        }
        self.nodes[at].skip = self.nodes.len() as u32;
    }
}

fn slab(faces: &[[Vec3; 3]], centre: &Vec3) -> Slab {
    let sum: Vec3 = faces.iter().map(|[a, b, c]| (b - a).cross(&(c - a))).sum();
    let normal = sum.try_normalize(0.0).unwrap_or_default();
    let heights = faces.iter().flatten().map(|p| normal.dot(&(p - centre)));
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = heights.fold(start, |(low, high), z| (low.min(z), high.max(z)));
    let middle = centre + normal * (0.5 * (low + high));
    let radius = faces.iter().flatten().map(|p| (p - middle).norm_squared()).fold(0.0, f64::max).sqrt();
    Slab { normal, middle, half: 0.5 * (high - low), radius }
}

fn bounds(points: impl Iterator<Item = Vec3>) -> [Vec3; 2] {
    let start = [Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)];
    points.fold(start, |[low, high], p| [low.inf(&p), high.sup(&p)])
}
