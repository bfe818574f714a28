//! The corners of a mesh, each rounded to a ball, in a tree of balls, and its faces and edges. Built once.

use super::flats::{Flat, Flats};
use super::sides::Two;
use touchdown_geometry::{TriangleMesh, weld_labels};
use touchdown_math::Vec3;

/// Corners in a leaf at most; testing a box costs about as much as testing two corners.
const LEAF: usize = 8;

/// A ball around corners `first..first + count` of a leaf, or around the nodes that follow up to `skip`.
#[derive(Clone, Debug)]
struct Node {
    centre: Vec3,
    radius: f64,
    /// The next node that is not inside this one.
    skip: usize,
    first: usize,
    /// Zero unless a leaf.
    count: usize,
}

/// The corners of a mesh.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    /// In the order of the tree, m.
    centres: Vec<Vec3>,
    /// Corners that share an edge with corner k: `across[starts[k]..starts[k + 1]]`.
    across: Vec<u32>,
    starts: Vec<u32>,
    nodes: Vec<Node>,
    flats: Flats,
    radius: f64,
    reach: f64,
    middle: Vec3,
}

impl Corners {
    /// The corners that the triangles use, with coincident corners merged. `least` gives, from the body's
    /// reach, the least length of a face or edge that counts in addition to its corners.
    pub fn new(mesh: &TriangleMesh, radius: f64, least: impl Fn(f64) -> f64) -> Corners {
        let label = weld_labels(&mesh.vertices);
        let mut used: Vec<u32> = mesh.triangles.iter().flatten().map(|&i| label[i as usize]).collect();
        used.sort_unstable();
        used.dedup();
        let points: Vec<Vec3> = used.iter().map(|&i| mesh.vertices[i as usize]).collect();
        let mut order: Vec<usize> = (0..points.len()).collect();
        let mut nodes = Vec::new();
        split(&points, &mut order, 0, &mut nodes);
        let mut place = vec![0u32; mesh.vertices.len()];
        for (k, &i) in order.iter().enumerate() {
            place[used[i] as usize] = k as u32;
        }
        let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * mesh.triangles.len());
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|i| place[label[i as usize] as usize]);
            edges.extend([[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]);
        }
        edges.retain(|[a, b]| a != b);
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; order.len() + 1];
        for [a, _] in &edges {
            starts[*a as usize + 1] += 1;
        }
        for k in 0..order.len() {
            starts[k + 1] += starts[k];
        }
        let centres: Vec<Vec3> = order.iter().map(|&i| points[i]).collect();
        let middle = centres.iter().sum::<Vec3>() / centres.len().max(1) as f64;
        let reach = centres.iter().map(|c| c.norm()).fold(0.0, f64::max) + radius;
        let across = edges.iter().map(|[_, b]| *b).collect();
        let flats = Flats::new(mesh, least(reach));
        Corners { centres, across, starts, nodes, flats, radius, reach, middle }
    }

    /// Radius of the sphere about the origin that holds the body, m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// The mean of the corners, in the frame of the side.
    pub fn middle(&self) -> Vec3 {
        self.middle
    }

    /// Radius of each ball, m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Its faces and edges.
    pub fn flats(&self) -> &Flats {
        &self.flats
    }

    /// The number under which candidates of a face or edge are kept: after the corners.
    pub fn flat_feature(&self, k: usize) -> u32 {
        (self.centres.len() + k) as u32
    }

    /// The face or edge behind a number, where it is one.
    #[inline]
    pub fn flat(&self, feature: u32) -> Option<Flat<'_>> {
        (feature as usize).checked_sub(self.centres.len()).and_then(|k| self.flats.at(k))
    }

    /// The ball of a corner. Candidates name only corners that there are.
    #[inline]
    pub fn ball(&self, corner: u32) -> Two<'_> {
        let centre = self.centres.get(corner as usize).copied().unwrap_or_default();
        Two::Ball { centre, radius: self.radius }
    }

    /// Calls `visit` with each corner in balls (centre, radius) of the tree for which `may` holds.
    pub fn visit(&self, mut may: impl FnMut(&Vec3, f64) -> bool, mut visit: impl FnMut(u32, &Vec3)) {
        let mut k = 0;
        while let Some(node) = self.nodes.get(k) {
            if !may(&node.centre, node.radius) {
                k = node.skip;
                continue;
            }
            for i in node.first..node.first + node.count {
                visit(i as u32, &self.centres[i]);
            }
            k += 1;
        }
    }

    /// The corners across the edges of a corner.
    pub fn neighbours(&self, corner: u32) -> impl Iterator<Item = &Vec3> {
        let k = corner as usize;
        let range = self.starts[k] as usize..self.starts[k + 1] as usize;
        self.across[range].iter().map(|&i| &self.centres[i as usize])
    }
}

/// Appends the balls over `order`, whose first corner will have the index `first`, halving along the longest side.
fn split(points: &[Vec3], order: &mut [usize], first: usize, nodes: &mut Vec<Node>) {
    if order.is_empty() {
        return;
    }
    let start = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) = order.iter().fold(start, |(low, high), &i| (low.inf(&points[i]), high.sup(&points[i])));
    let centre = 0.5 * (low + high);
    let radius = order.iter().map(|&i| (points[i] - centre).norm()).fold(0.0, f64::max);
    let at = nodes.len();
    let count = if order.len() <= LEAF { order.len() } else { 0 };
    nodes.push(Node { centre, radius, skip: 0, first, count });
    if count == 0 {
        let axis = (high - low).imax();
        let middle = order.len() / 2;
        // Ties are broken by the index, so that the order does not depend on the sorting algorithm.
        order.select_nth_unstable_by(middle, |&i, &j| {
            points[i][axis].total_cmp(&points[j][axis]).then(i.cmp(&j))
        });
        let (left, right) = order.split_at_mut(middle);
        split(points, left, first, nodes);
        split(points, right, first + middle, nodes);
    }
    nodes[at].skip = nodes.len();
}
