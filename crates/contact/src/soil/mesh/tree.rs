//! The facets of a mesh in a tree of boxes: which of them reach below a height, and how low the lowest reaches. Built once.

use touchdown_geometry::tree::{BoxNode, FaceTree};
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
    /// Its triangle in the mesh.
    pub triangle: u32,
}

/// A lower bound of the height of a box at a pose, relative to the body's origin; `vertical` is the world's
/// in the body's axes.
#[inline]
fn lowest(node: &BoxNode, vertical: &Vec3) -> f64 {
    vertical.dot(&node.centre) - vertical.abs().dot(&node.half)
}

/// Facets, ordered along the tree, and their boxes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub facets: Vec<Facet>,
    boxes: FaceTree,
}

impl Tree {
    /// Facets without area, or with corners that are missing or not finite, are left out.
    pub fn new(mesh: &TriangleMesh) -> Tree {
        let label = weld_labels(&mesh.vertices);
        let mut facets = Vec::with_capacity(mesh.triangles.len());
        let mut labels = Vec::with_capacity(mesh.triangles.len());
        for (number, triangle) in mesh.triangles.iter().enumerate() {
            let corner = |k: usize| mesh.vertices.get(triangle[k] as usize).copied();
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
            let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
            if normal.iter().all(|n| n.is_finite()) {
                facets.push(Facet { corners: [a, b, c], normal, across: [NONE; 3], triangle: number as u32 });
                labels.push(triangle.map(|i| label[i as usize]));
            }
        }
        let corners: Vec<[Vec3; 3]> = facets.iter().map(|facet| facet.corners).collect();
        let (boxes, order) = FaceTree::build(&corners, LEAF);
        let mut facets: Vec<Facet> = order.iter().map(|&i| facets[i as usize]).collect();
        let labels: Vec<[u32; 3]> = order.iter().map(|&i| labels[i as usize]).collect();
        pair_edges(&mut facets, &labels);
        Tree { facets, boxes }
    }

    /// Moves the corners to where those of the same mesh are now; neighbours stay neighbours. Facets that lost their area keep their normal.
    pub fn reshape(&mut self, mesh: &TriangleMesh) {
        for facet in &mut self.facets {
            let corners = mesh.triangles[facet.triangle as usize].map(|k| mesh.vertices[k as usize]);
            let [a, b, c] = corners;
            facet.corners = corners;
            facet.normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or(facet.normal);
        }
        self.boxes.refit(|face| self.facets[face].corners);
    }

    /// Calls with the index of each facet whose box reaches below `ceiling`.
    #[inline]
    pub fn for_each_below(&self, X_WS: &Pose, ceiling: f64, mut call: impl FnMut(usize)) {
        let vertical = vertical(X_WS);
        let mut k = 0;
        while let Some(node) = self.boxes.nodes().get(k) {
            if lowest(node, &vertical) + X_WS.p.z >= ceiling {
                k = node.skip as usize;
                continue;
            }
            node.faces().for_each(&mut call);
            k += 1;
        }
    }

    /// A box [x_min, x_max, y_min, y_max] around all.
    pub fn bounds(&self, X_WS: &Pose) -> Option<[f64; 4]> {
        self.boxes.root().map(|root| {
            let (centre, half) = (X_WS.point(&root.centre), X_WS.R.abs() * root.half);
            [centre.x - half.x, centre.x + half.x, centre.y - half.y, centre.y + half.y]
        })
    }

    /// The lowest corner, m; infinite without facets.
    pub fn lowest(&self, X_WS: &Pose) -> f64 {
        let vertical = vertical(X_WS);
        let nodes = self.boxes.nodes();
        let in_leaf = |node: &BoxNode| {
            self.facets[node.faces()]
                .iter()
                .flat_map(|facet| facet.corners.iter().map(|p| vertical.dot(p)))
                .fold(f64::INFINITY, f64::min)
        };
        // Straight down to a leaf first: with its corner as bound, few other boxes are opened.
        let mut k = 0;
        while let Some(node) = nodes.get(k).filter(|node| !node.is_leaf()) {
            let (left, right) = (k + 1, nodes[k + 1].skip as usize);
            let is_left = lowest(&nodes[left], &vertical) <= lowest(&nodes[right], &vertical);
            debug_assert!(right < node.skip as usize);
            k = if is_left { left } else { right };
        }
        let mut least = nodes.get(k).map_or(f64::INFINITY, in_leaf);
        let mut k = 0;
        while let Some(node) = nodes.get(k) {
            if lowest(node, &vertical) >= least {
                k = node.skip as usize;
                continue;
            }
            least = least.min(in_leaf(node));
            k += 1;
        }
        least + X_WS.p.z
    }
}

/// The world's vertical in the body's axes.
fn vertical(X_WS: &Pose) -> Vec3 {
    X_WS.R.row(2).transpose()
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
