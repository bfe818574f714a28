//! Building a tree of faces: nodes are split until each leaf fits its capacity, bounds are fitted from the
//! leaves up, and integrals are computed over each leaf.

use super::faces::{Band, Edge, Face, Faces, LEAF, LEAF_CORNERS, Node, Slab};
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::revolution::RevolvedMesh;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// Input of the tree.
pub(super) struct Source<'a> {
    pub mesh: &'a TriangleMesh,
    pub centres: &'a [Vec3],
    pub areas: Option<&'a [f64]>,
    pub laws: Option<&'a [u16]>,
    /// The axis along which nodes are split; `None`: that along which they are longest.
    pub across: Option<usize>,
}

impl Faces {
    /// Adds a node over strips whose triangles begin and end at `ends`, and all below it.
    pub(super) fn add_bands(&mut self, mesh: &RevolvedMesh, centres: &[Vec3], ends: &[u32]) {
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        let (here, strips) = (self.nodes.len(), ends.len() - 1);
        if strips > 1 {
            self.nodes.push(Node::empty());
            self.add_bands(mesh, centres, &ends[..=strips / 2]);
            self.add_bands(mesh, centres, &ends[strips / 2..]);
            self.nodes[here].skip = self.nodes.len() as u32;
        } else {
            let mut order: Vec<u32> = (first..last).collect();
            let areas = Some(mesh.areas.as_slice());
            let source = Source { mesh: &mesh.mesh, centres, areas, laws: None, across: None };
            self.add_node(&source, &mut order);
        }
        let corners = (first..last).flat_map(|t| mesh.mesh.corners(t as usize));
        let points: Vec<Vec3> = corners.map(|p| Vec3::new(p.z, p.x.hypotenuse(p.y), 0.0)).collect();
        let centre = Slab::around(points.iter().copied()).centre;
        let size = points.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
        self.nodes[here].band = Some(Band { a: centre.x, radius: centre.y, size });
    }

    /// Adds a node over the faces of `order` and all below it; returns its index.
    pub(super) fn add_node(&mut self, from: &Source, order: &mut [u32]) {
        let here = self.nodes.len();
        self.nodes.push(Node::empty());
        if order.len() <= LEAF && count_corners(from.mesh, order) <= LEAF_CORNERS {
            let (face, corner) = (self.faces.len() as u32, self.sources.len() as u32);
            order.sort_unstable();
            for &t in order.iter() {
                self.add_face(from, corner as usize, t);
            }
            self.nodes[here].faces = [face, self.faces.len() as u32];
            self.nodes[here].corners = [corner, self.sources.len() as u32];
        } else {
            let centres = from.centres;
            let longest = || widest_axis(order.iter().map(|t| &centres[*t as usize]));
            let axis = from.across.unwrap_or_else(longest);
            let middle = order.len() / 2;
            // Ties by index: the order is the same on every machine.
            order.select_nth_unstable_by(middle, |p, q| {
                centres[*p as usize][axis].total_cmp(&centres[*q as usize][axis]).then(p.cmp(q))
            });
            let (low, high) = order.split_at_mut(middle);
            self.add_node(from, low);
            self.add_node(from, high);
        }
        self.nodes[here].skip = self.nodes.len() as u32;
    }

    fn add_face(&mut self, from: &Source, leaf: usize, t: u32) {
        let Source { mesh, centres, areas, laws, .. } = from;
        let corners = mesh.triangles[t as usize].map(|source| {
            let known = self.sources[leaf..].iter().position(|s| *s == source);
            let k = known.unwrap_or_else(|| {
                self.sources.push(source);
                for (axis, list) in self.corners.iter_mut().enumerate() {
                    list.push(mesh.vertices[source as usize][axis]);
                }
                self.sources.len() - leaf - 1
            });
            k as u8
        });
        let [a, b, c] = mesh.corners(t as usize);
        let area = areas.map_or_else(|| 0.5 * (b - a).cross(&(c - a)).norm(), |areas| areas[t as usize]);
        let law = laws.map_or(0, |laws| laws[t as usize]);
        let normal = mesh.normal(t as usize).unwrap_or_default();
        self.faces.push(Face { corners, law, original: t, area, centre: centres[t as usize], normal });
    }

    /// Integrals of the corners' shape functions over each leaf: used by a leaf that lies completely inside.
    pub(super) fn weigh(&mut self) {
        self.edges.clear();
        for list in [&mut self.squares, &mut self.shares] {
            list.clear();
            list.resize(self.sources.len(), 0.0);
        }
        let mut at = vec![u32::MAX; LEAF_CORNERS * LEAF_CORNERS];
        for node in self.nodes.iter_mut().filter(|node| node.faces[0] < node.faces[1]) {
            let (corner, edge) = (node.corners[0] as usize, self.edges.len());
            let faces = &self.faces[node.faces[0] as usize..node.faces[1] as usize];
            node.law = Some(faces[0].law).filter(|law| faces.iter().all(|face| face.law == *law));
            (node.area, node.count) = (0.0, 0);
            for face in faces.iter().filter(|face| face.area > 0.0) {
                node.area += face.area;
                node.count += 1;
                for i in 0..3 {
                    let (p, q) = (face.corners[i], face.corners[(i + 1) % 3]);
                    self.squares[corner + usize::from(p)] += face.area / 6.0;
                    self.shares[corner + usize::from(p)] += face.area / 3.0;
                    let ends = [p.min(q), p.max(q)];
                    let slot = &mut at[usize::from(ends[0]) * LEAF_CORNERS + usize::from(ends[1])];
                    if *slot == u32::MAX {
                        *slot = self.edges.len() as u32;
                        self.edges.push(Edge { ends, weight: 0.0 });
                    }
                    self.edges[*slot as usize].weight += face.area / 12.0;
                }
            }
            node.edges = [edge as u32, self.edges.len() as u32];
            for Edge { ends, .. } in &self.edges[edge..] {
                at[usize::from(ends[0]) * LEAF_CORNERS + usize::from(ends[1])] = u32::MAX;
            }
        }
    }

    fn corner(&self, k: usize) -> Vec3 {
        Vec3::from_fn(|axis, _| self.corners[axis][k])
    }

    /// Fits spheres and boxes to the corners, from the leaves up.
    pub(super) fn fit(&mut self) {
        for k in (0..self.nodes.len()).rev() {
            let node = self.nodes[k];
            let (slab, centre, radius) = if node.faces[0] < node.faces[1] {
                let corners = (node.corners[0]..node.corners[1]).map(|k| self.corner(k as usize));
                let slab = Slab::around(corners.clone());
                (slab, slab.centre, corners.map(|p| (p - slab.centre).norm()).fold(0.0, f64::max))
            } else {
                let (low, high) = (self.nodes[k + 1], self.nodes[self.nodes[k + 1].skip as usize]);
                let slab = Slab::around([low.slab, high.slab].iter().flat_map(Slab::ends));
                let (centre, radius) = around(&low, &high);
                (slab, centre, radius)
            };
            (self.nodes[k].slab, self.nodes[k].centre, self.nodes[k].radius) = (slab, centre, radius);
        }
    }
}

/// Different corners of faces.
fn count_corners(mesh: &TriangleMesh, faces: &[u32]) -> usize {
    let mut corners: Vec<u32> = faces.iter().flat_map(|t| mesh.triangles[*t as usize]).collect();
    corners.sort_unstable();
    corners.dedup();
    corners.len()
}

fn widest_axis<'a>(points: impl Iterator<Item = &'a Vec3>) -> usize {
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for p in points {
        (low, high) = (low.inf(p), high.sup(p));
    }
    (high - low).imax()
}

/// The smallest sphere around two.
fn around(a: &Node, b: &Node) -> (Vec3, f64) {
    let between = b.centre - a.centre;
    let distance = between.norm();
    if distance + b.radius <= a.radius {
        return (a.centre, a.radius);
    }
    if distance + a.radius <= b.radius {
        return (b.centre, b.radius);
    }
    let radius = 0.5 * (distance + a.radius + b.radius);
    (a.centre + between * ((radius - a.radius) / distance), radius)
}
