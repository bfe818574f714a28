//! The facets of a mesh in a tree of boxes: which of them reach below a height, and how low the lowest reaches. Built once.

use touchdown_geometry::{TriangleMesh, weld_labels};
use touchdown_math::{Pose, Vec3};

/// Facets in a leaf at most; a box costs about as much to test as two facets.
const LEAF: usize = 8;

/// No facet across an edge.
pub(super) const NONE: u32 = u32::MAX;

/// A triangle, in the body's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facet {
    /// Corners, counter-clockwise seen from outside, m.
    pub corners: [Vec3; 3],
    /// Outward unit normal.
    pub normal: Vec3,
    /// Facets that run along the edges from corner 0, 1, 2 in the opposite direction; `NONE` where there is none.
    pub across: [u32; 3],
}

/// A box around the facets `first..first + count` of a leaf, or around the boxes that follow it up to `skip`.
#[derive(Clone, Debug)]
struct Node {
    centre: Vec3,
    half: Vec3,
    /// The next node that is not inside this one.
    skip: usize,
    first: usize,
    /// Zero unless a leaf.
    count: usize,
}

impl Node {
    /// A height that nothing in the box reaches below at a pose, above the body's origin; `vertical` is the world's in the
    /// body's axes.
    #[inline]
    fn lowest(&self, vertical: &Vec3) -> f64 {
        vertical.dot(&self.centre) - vertical.abs().dot(&self.half)
    }
}

/// Facets, ordered along the tree, and their boxes in preorder.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub facets: Vec<Facet>,
    nodes: Vec<Node>,
}

impl Tree {
    /// Facets without area, or with corners that are missing or not finite, are left out.
    pub fn new(mesh: &TriangleMesh) -> Tree {
        let label = weld_labels(&mesh.vertices);
        let mut facets = Vec::with_capacity(mesh.triangles.len());
        let mut labels = Vec::with_capacity(mesh.triangles.len());
        for triangle in &mesh.triangles {
            let corner = |k: usize| mesh.vertices.get(triangle[k] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
            if normal.iter().all(|n| n.is_finite()) {
                facets.push(Facet { corners: [a, b, c], normal, across: [NONE; 3] });
                labels.push(triangle.map(|i| label[i as usize]));
            }
        }
        let mut order: Vec<usize> = (0..facets.len()).collect();
        let mut nodes = Vec::new();
        split(&facets, &mut order, 0, &mut nodes);
        let mut facets: Vec<Facet> = order.iter().map(|&i| facets[i]).collect();
        let labels: Vec<[u32; 3]> = order.iter().map(|&i| labels[i]).collect();
        pair_edges(&mut facets, &labels);
        Tree { facets, nodes }
    }

    /// Calls with the index of each facet whose box reaches below `ceiling`.
    #[inline]
    pub fn for_each_below(&self, X_WS: &Pose, ceiling: f64, mut call: impl FnMut(usize)) {
        let vertical = vertical(X_WS);
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            if node.lowest(&vertical) + X_WS.p.z >= ceiling {
                k = node.skip;
                continue;
            }
            (node.first..node.first + node.count).for_each(&mut call);
            k += 1;
        }
    }

    /// A box [x_min, x_max, y_min, y_max] around all.
    pub fn bounds(&self, X_WS: &Pose) -> Option<[f64; 4]> {
        self.nodes.first().map(|root| {
            let (centre, half) = (X_WS.point(&root.centre), X_WS.R.abs() * root.half);
            [centre.x - half.x, centre.x + half.x, centre.y - half.y, centre.y + half.y]
        })
    }

    /// The lowest corner, m; infinite without facets.
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        let vertical = vertical(X_WS);
        let in_leaf = |node: &Node| {
            self.facets[node.first..node.first + node.count]
                .iter()
                .flat_map(|facet| facet.corners.iter().map(|p| vertical.dot(p)))
                .fold(f64::INFINITY, f64::min)
        };
        // Straight down to a leaf first: with its corner as bound, few other boxes are opened.
        let mut k = 0;
        while let Some(node) = self.nodes.get(k).filter(|node| node.count == 0) {
            let (left, right) = (k + 1, self.nodes[k + 1].skip);
            let is_left = self.nodes[left].lowest(&vertical) <= self.nodes[right].lowest(&vertical);
            debug_assert!(right < node.skip);
            k = if is_left { left } else { right };
        }
        let mut lowest = self.nodes.get(k).map_or(f64::INFINITY, in_leaf);
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            if node.lowest(&vertical) >= lowest {
                k = node.skip;
                continue;
            }
            lowest = lowest.min(in_leaf(node));
            k += 1;
        }
        lowest + X_WS.p.z
    }
}

/// The world's vertical in the body's axes.
fn vertical(X_WS: &Pose) -> Vec3 {
    X_WS.R.row(2).transpose()
}

/// Appends the boxes over `order`, whose first facet will have the index `first`, halving along the longest side of their centroids.
fn split(facets: &[Facet], order: &mut [usize], first: usize, nodes: &mut Vec<Node>) {
    if order.is_empty() {
        return;
    }
    let (mut low, mut high) = bounds(order.iter().flat_map(|&i| facets[i].corners));
    let at = nodes.len();
    let count = if order.len() <= LEAF { order.len() } else { 0 };
    nodes.push(Node { centre: 0.5 * (low + high), half: 0.5 * (high - low), skip: 0, first, count });
    if count == 0 {
        let centroid = |i: usize| facets[i].corners.iter().sum::<Vec3>() / 3.0;
        (low, high) = bounds(order.iter().map(|&i| centroid(i)));
        let axis = (high - low).imax();
        let middle = order.len() / 2;
        // Ties are broken by the index, so that the order does not depend on the sorting algorithm.
        order.select_nth_unstable_by(middle, |&i, &j| {
            centroid(i)[axis].total_cmp(&centroid(j)[axis]).then(i.cmp(&j))
        });
        let (left, right) = order.split_at_mut(middle);
        split(facets, left, first, nodes);
        split(facets, right, first + middle, nodes);
    }
    nodes[at].skip = nodes.len();
}

fn bounds(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    points.fold(start, |(low, high), p| (low.inf(&p), high.sup(&p)))
}

/// Joins facets that run along the same edge in opposite directions, one to one also where more than two meet.
fn pair_edges(facets: &mut [Facet], labels: &[[u32; 3]]) {
    let mut open = std::collections::BTreeMap::<(u32, u32), Vec<(usize, usize)>>::new();
    for (i, corners) in labels.iter().enumerate() {
        for k in 0..3 {
            let (from, to) = (corners[k], corners[(k + 1) % 3]);
            if let Some((other, slot)) = open.get_mut(&(to, from)).and_then(Vec::pop) {
                facets[i].across[k] = other as u32;
                facets[other].across[slot] = i as u32;
            } else {
                open.entry((from, to)).or_default().push((i, k));
            }
        }
    }
}
