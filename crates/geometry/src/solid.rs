//! A triangle mesh prepared for contact: faces with area, normal and centre, neighbours, a tree of boxes, and
//! depth below the surface.
//!
//! **Depth** of a point is its distance to the nearest place of the surface, positive inside. It is continuous everywhere, also where the nearest
//! place jumps from one face to another, and falls at rate one towards the surface: a force along `outward` that is a function of depth is
//! the gradient of an energy. The side of the surface follows from the angle-weighted normal of the nearest
//! face, edge or corner, which is correct for every closed mesh (J. A. Bærentzen, H. Aanæs, IEEE Trans. Vis.
//! Comput. Graph. 11, 2005).

use crate::tree::{FaceTree, Feature, nearest_on_triangle};
use crate::{MeshAudit, MeshProblem, MeshProblemKind, TriangleMesh, weld};
use touchdown_math::{Vec3, rotation};

/// Faces in a leaf: a box costs about as much as half a face.
const LEAF: usize = 4;

/// No face across an edge.
pub const NO_FACE: u32 = u32::MAX;

/// A face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face {
    /// Its corners among the vertices, counter-clockwise seen from outside.
    pub corners: [u32; 3],
    /// Faces across the edges from corner 0, 1, 2; [`NO_FACE`] where there is none.
    pub across: [u32; 3],
    /// Outward unit normal.
    pub normal: Vec3,
    /// m².
    pub area: f64,
    /// Centroid, m.
    pub centre: Vec3,
    /// Index of the triangle in the mesh that it came from.
    pub source: u32,
}

/// The place of a surface nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// Distance to the surface, m: positive inside, negative outside.
    pub s: f64,
    /// Nearest place, m.
    pub place: Vec3,
    /// Unit vector in which depth falls fastest: from the point to `place` inside, reversed outside.
    pub outward: Vec3,
    /// The face that has the place.
    pub face: u32,
    /// The nearest feature of it.
    pub feature: Feature,
}

/// A mesh ready for contact, in its body's frame. Faces are counted in the order of their tree.
#[derive(Clone, PartialEq)]
pub struct SolidMesh {
    vertices: Vec<Vec3>,
    /// Angle-weighted normals of the vertices, not normalised.
    vertex_normals: Vec<Vec3>,
    /// Whether a vertex lies on the border of an open mesh.
    is_border: Vec<bool>,
    faces: Vec<Face>,
    /// Corners of the faces, side by side for the search.
    corners: Vec<[Vec3; 3]>,
    /// Spheres around the faces, for a fast first test: centre and radius, m.
    balls: Vec<(Vec3, f64)>,
    /// One face of each connected part.
    parts: Vec<u32>,
    tree: FaceTree,
    is_closed: bool,
}

impl std::fmt::Debug for SolidMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "SolidMesh({} faces, digest {:x})",
            self.faces.len(),
            crate::digest(self.corners.iter().flatten().flatten())
        )
    }
}

impl SolidMesh {
    /// Prepares a mesh; faces without area are left out. Returns the first error found by the audit. An open
    /// mesh is accepted: beyond its border it has no inside.
    pub fn new(mesh: &TriangleMesh) -> Result<SolidMesh, MeshProblem> {
        let audit = MeshAudit::new(mesh);
        match audit.errors().next() {
            Some(problem) => Err(*problem),
            None => SolidMesh::of_audited(mesh, &audit),
        }
    }

    /// The same for a mesh with an audit without errors.
    pub fn of_audited(mesh: &TriangleMesh, audit: &MeshAudit) -> Result<SolidMesh, MeshProblem> {
        let mesh = weld(mesh);
        let is_face = |i: &usize| mesh.normal(*i).is_some_and(|n| n.iter().all(|c| c.is_finite()));
        let kept: Vec<usize> = (0..mesh.triangles.len()).filter(is_face).collect();
        let triangles: Vec<[Vec3; 3]> = kept.iter().map(|&i| mesh.corners(i)).collect();
        if triangles.is_empty() {
            let (kind, place) = (MeshProblemKind::Empty, Vec3::zeros());
            return Err(MeshProblem { kind, face: None, edge: None, place });
        }
        let (tree, order) = FaceTree::build(&triangles, LEAF);
        let corners: Vec<[Vec3; 3]> = order.iter().map(|&k| triangles[k as usize]).collect();
        let tree = tree.with_slabs(&corners);
        let mut faces: Vec<Face> = order.iter().map(|&k| face(&mesh, kept[k as usize])).collect();
        pair_edges(&mut faces);
        let vertex_normals = vertex_normals(mesh.vertices.len(), &faces, &corners);
        let is_closed = audit.is_closed;
        let is_border = border_vertices(mesh.vertices.len(), &faces, is_closed);
        let parts = parts(&faces);
        let balls = corners.iter().map(ball).collect();
        let vertices = mesh.vertices;
        Ok(SolidMesh { vertices, vertex_normals, is_border, faces, corners, balls, parts, tree, is_closed })
    }

    /// Corners, each place once, m.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Faces in the order of the tree.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Corners of a face, m.
    #[inline]
    pub fn corners(&self, face: usize) -> &[Vec3; 3] {
        &self.corners[face]
    }

    /// One face of each part connected by edges.
    pub fn parts(&self) -> &[u32] {
        &self.parts
    }

    /// Its boxes.
    pub fn tree(&self) -> &FaceTree {
        &self.tree
    }

    /// Whether it has an inside everywhere.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Outward unit normal at a vertex: the mean of its faces, weighted by their angles there.
    pub fn vertex_normal(&self, vertex: usize) -> Vec3 {
        self.vertex_normals[vertex].try_normalize(0.0).unwrap_or_else(Vec3::z)
    }

    /// Depth of a point below the surface. `hint` is a face that is probably near, which saves most of the
    /// search; the result does not depend on it except for ties. A point beyond the border of an open mesh is
    /// outside.
    #[inline]
    pub fn depth(&self, p: &Vec3, hint: Option<u32>) -> Depth {
        let start = hint.filter(|&k| (k as usize) < self.faces.len()).unwrap_or(0);
        let (place, feature) = nearest_on_triangle(p, &self.corners[start as usize]);
        let mut best = (start, place, feature);
        let bound = (p - place).norm_squared();
        let mut reach = bound.sqrt();
        self.tree.search_near(p, bound, |face, bound| {
            let ball = &self.balls[face];
            let far = reach + ball.1;
            if (p - ball.0).norm_squared() >= far * far {
                return bound;
            }
            let (place, feature) = nearest_on_triangle(p, &self.corners[face]);
            let distance = (p - place).norm_squared();
            if distance < bound {
                best = (face as u32, place, feature);
                reach = distance.sqrt();
                distance
            } else {
                bound
            }
        });
        self.side(p, best)
    }

    /// Distance to the nearest place with the sign of its side.
    fn side(&self, p: &Vec3, (face, place, feature): (u32, Vec3, Feature)) -> Depth {
        let f = &self.faces[face as usize];
        let (normal, is_border) = match feature {
            Feature::Face => (f.normal, false),
            Feature::Edge(k) => match self.faces.get(f.across[k as usize] as usize) {
                Some(other) => (f.normal + other.normal, false),
                // A closed mesh has such edges only where a face without area was left out.
                None => (f.normal, !self.is_closed),
            },
            Feature::Corner(k) => {
                let vertex = f.corners[k as usize] as usize;
                (self.vertex_normals[vertex], self.is_border[vertex])
            }
        };
        let away = p - place;
        let distance = away.norm();
        let is_outside = is_border || away.dot(&normal) >= 0.0;
        // On the surface the direction to the nearest place is lost in rounding; the normal is its limit.
        let across = if distance > ON_SURFACE { away / distance } else { Vec3::zeros() };
        let (s, outward) = if is_outside { (-distance, across) } else { (distance, -across) };
        let outward =
            if distance > ON_SURFACE { outward } else { normal.try_normalize(0.0).unwrap_or(f.normal) };
        Depth { s, place, outward, face, feature }
    }

    /// Rotation of `outward` with the motion of a point: dn = Σ κ_k e_k (e_k·dx) with these κ (1/m) and unit
    /// vectors e. Zero below a face; about a nearest edge or corner the direction rotates with the motion
    /// of the point.
    pub fn bending(&self, depth: &Depth) -> ([f64; 2], [Vec3; 2]) {
        let none = ([0.0; 2], [Vec3::zeros(); 2]);
        if depth.s.abs() <= ON_SURFACE {
            return none;
        }
        let swing = -1.0 / depth.s;
        let corners = &self.corners[depth.face as usize];
        match depth.feature {
            Feature::Face => none,
            Feature::Edge(k) => {
                let along = corners[(k as usize + 1) % 3] - corners[k as usize];
                let across = along.cross(&depth.outward).try_normalize(0.0).unwrap_or_default();
                ([swing, 0.0], [across, Vec3::zeros()])
            }
            Feature::Corner(_) => {
                let across = rotation::perpendicular(&depth.outward);
                ([swing; 2], [across, depth.outward.cross(&across)])
            }
        }
    }
}

/// Distance below which a point lies on the surface, m: far below any penetration of interest, far above rounding at the size of a machine.
const ON_SURFACE: f64 = 1e-11;

fn face(mesh: &TriangleMesh, index: usize) -> Face {
    let double = mesh.double_area(index);
    Face {
        corners: mesh.triangles[index],
        across: [NO_FACE; 3],
        normal: double.normalize(),
        area: 0.5 * double.norm(),
        centre: mesh.corners(index).iter().sum::<Vec3>() / 3.0,
        source: index as u32,
    }
}

/// A sphere around a triangle, about its centroid.
fn ball(corners: &[Vec3; 3]) -> (Vec3, f64) {
    let centre = corners.iter().sum::<Vec3>() / 3.0;
    // Slightly enlarged, against rounding.
    (centre, corners.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max) * (1.0 + 1e-12))
}

/// Joins faces that run along the same edge in opposite directions, one to one also where more than two meet.
fn pair_edges(faces: &mut [Face]) {
    let mut edges: Vec<([u32; 2], bool, u32, u8)> = Vec::with_capacity(3 * faces.len());
    for (i, face) in faces.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
            edges.push(([a.min(b), a.max(b)], a < b, i as u32, k as u8));
        }
    }
    edges.sort_unstable();
    for shared in edges.chunk_by(|a, b| a.0 == b.0) {
        let forward = shared.iter().filter(|e| e.1);
        for (one, other) in forward.zip(shared.iter().filter(|e| !e.1)) {
            faces[one.2 as usize].across[one.3 as usize] = other.2;
            faces[other.2 as usize].across[other.3 as usize] = one.2;
        }
    }
}

fn vertex_normals(count: usize, faces: &[Face], corners: &[[Vec3; 3]]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::zeros(); count];
    for (face, p) in faces.iter().zip(corners) {
        for k in 0..3 {
            let (to_next, to_last) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
            normals[face.corners[k] as usize] += to_next.angle(&to_last) * face.normal;
        }
    }
    normals
}

fn border_vertices(count: usize, faces: &[Face], is_closed: bool) -> Vec<bool> {
    let mut is_border = vec![false; count];
    for face in faces.iter().filter(|_| !is_closed) {
        for k in (0..3).filter(|&k| face.across[k] == NO_FACE) {
            is_border[face.corners[k] as usize] = true;
            is_border[face.corners[(k + 1) % 3] as usize] = true;
        }
    }
    is_border
}

fn parts(faces: &[Face]) -> Vec<u32> {
    let mut is_seen = vec![false; faces.len()];
    let (mut parts, mut stack) = (Vec::new(), Vec::new());
    for start in 0..faces.len() as u32 {
        if is_seen[start as usize] {
            continue;
        }
        parts.push(start);
        is_seen[start as usize] = true;
        stack.push(start);
        while let Some(face) = stack.pop() {
            for &next in faces[face as usize].across.iter().filter(|&&next| next != NO_FACE) {
                if !std::mem::replace(&mut is_seen[next as usize], true) {
                    stack.push(next);
                }
            }
        }
    }
    parts
}
