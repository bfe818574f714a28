//! The outer faces of a wheel's rim on soil: points of the mesh ⇒ underside that the soil sees ⇒ its pressures as forces on the mesh, at rest.
//!
//! A grid of corners on each rim element spans triangles, which are the wheel's form at this moment. The soil compares them with its nodes; each node that
//! carries presses with p·A·m on the mesh at the place above it, between the three corners of its triangle, m the normal of the smooth face there. By the
//! level of the node, −∂f/∂r = −(dp/dz)·A·m·mᵀ; how areas and normals change is left out, so that Newton's method converges linearly.

use std::collections::BTreeMap;
use touchdown_contact::soil::{
    NodeLoad, Soil, SoilContact, SoilForce, SoilShape, SoilSurface, SurfaceMotion,
};
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::flex::mesh::{FlexMesh, Point, SurfacePoint};
use touchdown_multibody::flex::statics::Loads;

/// Corners at rest closer than this are one, m.
const SAME: f64 = 1e-9;
/// A normal that looks down less than this (cosine) carries nothing.
const STEEP: f64 = 0.05;

/// The outer faces of a rim and their contact with soil; also what [`Loads`] need of it.
#[derive(Clone, Debug)]
pub(crate) struct RimOnSoil {
    pub soil: Soil,
    pub contact: SoilContact,
    /// Height of the hub over the undisturbed ground at load zero and at full load, m.
    pub height: [f64; 2],
    /// What the soil did at the last evaluation.
    pub force: SoilForce,
    corners: Vec<SurfacePoint>,
    /// Triangles by their corners, all of one element.
    facets: Vec<[u32; 3]>,
    /// For each corner the vertex of `form`.
    vertex: Vec<u32>,
    form: TriangleMesh,
    /// Places and normals of the corners at the last evaluation, hub at the origin.
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
}

/// Where a node presses: three corners with their shares.
struct Above {
    corners: [u32; 3],
    share: [f64; 3],
}

impl RimOnSoil {
    /// `along` × `across` cells on the outer face of each rim element.
    pub fn new(soil: Soil, mesh: &FlexMesh, rim: &[usize], [along, across]: [usize; 2]) -> RimOnSoil {
        let (mut corners, mut facets) = (Vec::new(), Vec::new());
        for element in rim {
            let first = corners.len() as u32;
            let at = |i: usize, j: usize| first + (i * (across + 1) + j) as u32;
            for (i, j) in (0..=along).flat_map(|i| (0..=across).map(move |j| (i, j))) {
                let place = [i as f64 / along as f64, j as f64 / across as f64, 0.5];
                corners.extend(mesh.surface_point(*element, place, along * across));
            }
            for (i, j) in (0..along).flat_map(|i| (0..across).map(move |j| (i, j))) {
                let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                facets.extend([[a, b, c], [a, c, d]]);
            }
        }
        // Neighbouring elements share their edge, so that the soil sees one surface.
        let mut known = BTreeMap::new();
        let mut vertex = Vec::with_capacity(corners.len());
        for corner in &corners {
            let p = mesh.point_position(&corner.point, mesh.reference());
            let key = [p.x, p.y, p.z].map(|x| (x / SAME).round() as i64);
            let number = known.len() as u32;
            vertex.push(*known.entry(key).or_insert(number));
        }
        let triangles = facets.iter().map(|f| f.map(|k| vertex[k as usize])).collect();
        let form = TriangleMesh { vertices: vec![Vec3::zeros(); known.len()], triangles };
        let surface = SoilSurface { shape: SoilShape::Mesh(form.clone()), carried_layer: 0.0, bedded: false };
        let (contact, count) = (SoilContact::new(&surface), corners.len());
        RimOnSoil {
            soil,
            contact,
            height: [0.0; 2],
            force: SoilForce::default(),
            corners,
            facets,
            vertex,
            form,
            places: vec![Vec3::zeros(); count],
            normals: vec![Vec3::zeros(); count],
        }
    }

    /// Coordinates of the mesh, height of the hub ⇒ what the soil carries. Pure but for the scratch.
    pub fn evaluate(&mut self, mesh: &FlexMesh, q: &[f64], height: f64) {
        for (k, corner) in self.corners.iter().enumerate() {
            let local = mesh.gather(corner.point.element as usize, q);
            self.places[k] = corner.point.at(&local);
            self.normals[k] = corner.normal(&local);
            self.form.vertices[self.vertex[k] as usize] = self.places[k];
        }
        self.contact.reshape(&self.form);
        let X_WS = Pose { p: Vec3::new(0.0, 0.0, height), ..Pose::identity() };
        let motion = SurfaceMotion { X_WS, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
        self.force = self.contact.evaluate(&self.soil, &motion, 0.0, None);
    }

    /// Lets the soil keep what was last evaluated.
    pub fn commit(&mut self, t: f64) {
        self.soil.advance(t, std::iter::once(&mut self.contact));
    }

    /// Facets that look down and reach below `ceiling` (hub at the origin), with their boxes along x and y.
    fn facets_below(&self, ceiling: f64) -> Vec<([u32; 3], [f64; 4])> {
        let place = |k: u32| &self.places[k as usize];
        let is_near = |f: &&[u32; 3]| {
            let [a, b, c] = f.map(place);
            a.z.min(b.z).min(c.z) <= ceiling && (b - a).cross(&(c - a)).z < 0.0
        };
        let with_box = |f: &[u32; 3]| {
            let [a, b, c] = f.map(place);
            let box_of =
                [a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x), a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y)];
            (*f, box_of)
        };
        self.facets.iter().filter(is_near).map(with_box).collect()
    }

    /// The lowest facet over a node or, where the node lies beside the body, the nearest.
    fn above(&self, facets: &[([u32; 3], [f64; 4])], x: f64, y: f64) -> Option<Above> {
        let mut best: Option<((f64, f64), Above)> = None;
        for (corners, [x0, x1, y0, y1]) in facets {
            let beside = (x0 - x).max(x - x1).max(y0 - y).max(y - y1);
            if best.as_ref().is_some_and(|(b, _)| beside > b.0.max(0.0) + SAME) {
                continue;
            }
            let [a, b, c] = corners.map(|k| self.places[k as usize]);
            let (share, distance) = shares([a, b, c], x, y);
            let level = share[0] * a.z + share[1] * b.z + share[2] * c.z;
            // On an edge that two facets share both are as good.
            let rank = (if distance < SAME { 0.0 } else { distance }, level);
            if best.as_ref().is_none_or(|(b, _)| rank < *b) {
                best = Some((rank, Above { corners: *corners, share }));
            }
        }
        best.map(|(_, above)| above)
    }

    /// The point of the mesh where a node presses, and the normal (m_x, m_y, 1) there.
    fn pressed(&self, facets: &[([u32; 3], [f64; 4])], node: &NodeLoad) -> Option<(Point, Vec3)> {
        let above = self.above(facets, node.p_W.x, node.p_W.y)?;
        let parts = || above.corners.iter().zip(above.share);
        let first = &self.corners[above.corners[0] as usize].point;
        let mut point = Point { element: first.element, weight: [0.0; _] };
        let mut n = Vec3::zeros();
        for (k, share) in parts() {
            let corner = &self.corners[*k as usize].point;
            point.weight.iter_mut().zip(&corner.weight).for_each(|(sum, w)| *sum += share * w);
            n += self.normals[*k as usize] * share;
        }
        (n.z < -STEEP).then(|| (point, n / n.z))
    }
}

/// Barycentric coordinates of the place of a triangle (seen from above) nearest to (x, y), and how far that is.
fn shares([a, b, c]: [Vec3; 3], x: f64, y: f64) -> ([f64; 3], f64) {
    let cross = |p: &Vec3, q: &Vec3| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
    let (u, v, w) = (cross(&b, &c), cross(&c, &a), cross(&a, &b));
    let area = u + v + w;
    if area != 0.0 && [u, v, w].iter().all(|s| s / area >= 0.0) {
        return ([u / area, v / area, w / area], 0.0);
    }
    let mut best = ([1.0, 0.0, 0.0], f64::INFINITY);
    let corners = [a, b, c];
    for k in 0..3 {
        let (p, q) = (&corners[k], &corners[(k + 1) % 3]);
        let (ex, ey) = (q.x - p.x, q.y - p.y);
        let square = ex * ex + ey * ey;
        let s = if square > 0.0 { (((x - p.x) * ex + (y - p.y) * ey) / square).clamp(0.0, 1.0) } else { 0.0 };
        let distance = (x - p.x - s * ex).hypot(y - p.y - s * ey);
        if distance < best.1 {
            let mut share = [0.0; 3];
            (share[k], share[(k + 1) % 3]) = (1.0 - s, s);
            best = (share, distance);
        }
    }
    best
}

impl Loads for RimOnSoil {
    fn add(
        &mut self,
        load: f64,
        mesh: &FlexMesh,
        q: &[f64],
        force: &mut [f64],
        mut tangent: Option<&mut [f64]>,
    ) {
        let height = self.height[0] + load * (self.height[1] - self.height[0]);
        self.evaluate(mesh, q, height);
        let highest = self.contact.loads().map(|node| node.p_W.z).fold(f64::NEG_INFINITY, f64::max);
        let facets = self.facets_below(highest - height + self.soil.spacing());
        for node in self.contact.loads() {
            let Some((point, m)) = self.pressed(&facets, &node) else { continue };
            mesh.add_point_force(&point, &(m * (node.pressure * node.area)), force);
            if let Some(values) = tangent.as_deref_mut() {
                mesh.add_point_stiffness(&point, &(m * m.transpose() * (-node.slope * node.area)), values);
            }
        }
    }
}
