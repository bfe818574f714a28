//! Relative pose ⇒ touching faces and the penetration of their corners; no forces.
//!
//! Faces near the line where the surfaces cross are found by descending both trees (or one tree and the ground's heights); from them the zone
//! inside is filled face by face. The cost is log(mesh size) for the crossing and proportional to the faces inside.

use super::super::tangent::Bending;
use super::{MeshPair, Reference};
use touchdown_geometry::surface::{HeightSurface, Patch};
use touchdown_geometry::tree::FaceTree;
use touchdown_geometry::{Depth, Face, NO_FACE, SolidMesh};
use touchdown_math::{Elementary, Pose, Vec3};

/// A corner seen from the reference, in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foot {
    /// Penetration, m; negative outside.
    pub s: f64,
    /// Unit normal of the reference at its nearest place.
    pub outward: Vec3,
    /// How that normal turns, from the ground's curvature; for a mesh it is computed when needed.
    bending: Bending,
    /// The nearest place on a mesh.
    depth: Option<Depth>,
}

/// Working memory of the detection; its content between calls does not affect results.
#[derive(Clone, Debug, Default)]
pub struct MeshScratch {
    /// Number of the present detection: entries with another number are out of date.
    now: u32,
    /// For each vertex, the detection that measured it and the index of its foot.
    vertices: Vec<(u32, u32)>,
    /// For each face, the detection that tested it.
    faces: Vec<u32>,
    feet: Vec<Foot>,
    /// Faces to test.
    queue: Vec<u32>,
    touching: Vec<u32>,
    patch: Option<Patch>,
}

impl MeshScratch {
    /// Touching faces of the last detection, ascending.
    pub fn touching(&self) -> &[u32] {
        &self.touching
    }

    /// Corners that the last detection measured.
    pub fn measured(&self) -> usize {
        self.feet.len()
    }

    /// Feet of the corners of a tested face.
    pub(super) fn feet(&self, face: &Face) -> [&Foot; 3] {
        face.corners.map(|v| &self.feet[self.vertices[v as usize].1 as usize])
    }

    fn begin(&mut self, mesh: &SolidMesh) {
        self.now = self.now.wrapping_add(1);
        let is_other = self.vertices.len() != mesh.vertices().len() || self.faces.len() != mesh.faces().len();
        // Once in four billion detections the count wraps around.
        if is_other || self.now == 0 {
            self.vertices.clear();
            self.vertices.resize(mesh.vertices().len(), (0, 0));
            self.faces.clear();
            self.faces.resize(mesh.faces().len(), 0);
            self.now = 1;
        }
        self.feet.clear();
        self.queue.clear();
        self.touching.clear();
    }

    /// Puts a face on the queue unless it was there before.
    #[inline]
    fn add(&mut self, face: u32) {
        if std::mem::replace(&mut self.faces[face as usize], self.now) != self.now {
            self.queue.push(face);
        }
    }
}

impl MeshPair {
    /// Finds the touching faces at a pose of the mesh in the reference's frame.
    pub fn detect(&self, X_RC: &Pose, scratch: &mut MeshScratch) {
        scratch.begin(&self.mesh);
        if !X_RC.p.iter().chain(X_RC.R.iter()).all(|x| x.is_finite()) {
            return;
        }
        match &self.reference {
            Reference::Mesh(other) => {
                other.tree().for_each_overlap(self.mesh.tree(), X_RC, |_, leaf| {
                    leaf.faces().for_each(|face| scratch.add(face as u32));
                });
                self.fill(X_RC, scratch);
                self.add_swallowed(other, X_RC, scratch);
            }
            Reference::Ground(ground) => {
                for_each_low(self.mesh.tree(), ground, X_RC, |face| scratch.add(face));
                self.fill(X_RC, scratch);
            }
        }
        // Sorted, so that sums have a fixed order and the memory can be read in parallel.
        scratch.touching.sort_unstable();
    }

    /// Tests the faces of the queue; the neighbours of touching faces are added.
    fn fill(&self, X_RC: &Pose, scratch: &mut MeshScratch) {
        let mut hint = None;
        while let Some(face) = scratch.queue.pop() {
            let f = &self.mesh.faces()[face as usize];
            let mut deepest = f64::NEG_INFINITY;
            for vertex in f.corners {
                let s = self.foot(vertex, X_RC, &mut hint, scratch);
                deepest = if s > deepest { s } else { deepest };
            }
            if deepest > 0.0 {
                if deepest <= self.depth_max {
                    scratch.touching.push(face);
                }
                f.across.iter().filter(|&&next| next != NO_FACE).for_each(|&next| scratch.add(next));
            }
        }
    }

    /// Parts of the mesh that lie completely inside the other do not cross its surface: one corner of each is
    /// tested.
    fn add_swallowed(&self, other: &SolidMesh, X_RC: &Pose, scratch: &mut MeshScratch) {
        let Some(root) = other.tree().root() else { return };
        for &start in self.mesh.parts() {
            let face = &self.mesh.faces()[start as usize];
            let is_inside_box = root.distance_squared(&X_RC.point(&face.centre)) == 0.0;
            if scratch.faces[start as usize] == scratch.now || !is_inside_box {
                continue;
            }
            if self.foot(face.corners[0], X_RC, &mut None, scratch) > 0.0 {
                scratch.add(start);
                self.fill(X_RC, scratch);
            }
        }
    }

    /// Penetration of a vertex, measured once.
    #[inline]
    fn foot(&self, vertex: u32, X_RC: &Pose, hint: &mut Option<u32>, scratch: &mut MeshScratch) -> f64 {
        let (seen, at) = scratch.vertices[vertex as usize];
        if seen == scratch.now {
            return scratch.feet[at as usize].s;
        }
        let p = X_RC.point(&self.mesh.vertices()[vertex as usize]);
        let foot = match &self.reference {
            Reference::Mesh(other) => {
                let depth = other.depth(&p, *hint);
                *hint = Some(depth.face);
                Foot { s: depth.s, outward: depth.outward, bending: NO_BENDING, depth: Some(depth) }
            }
            Reference::Ground(ground) => on_ground(ground, &p, &mut scratch.patch),
        };
        scratch.vertices[vertex as usize] = (scratch.now, scratch.feet.len() as u32);
        scratch.feet.push(foot);
        foot.s
    }
}

const NO_BENDING: Bending = Bending { curvature: [0.0; 2], direction: [Vec3::new(0.0, 0.0, 0.0); 2] };

impl Reference {
    /// How the normal at a foot turns: dn = Σ κ e (e·dx), frame R.
    pub(super) fn bending(&self, foot: &Foot) -> Bending {
        match (self, &foot.depth) {
            (Reference::Mesh(mesh), Some(depth)) => {
                let (curvature, direction) = mesh.bending(depth);
                Bending { curvature, direction }
            }
            _ => foot.bending,
        }
    }
}

/// Off the map nothing touches.
fn on_ground(ground: &HeightSurface, p: &Vec3, patch: &mut Option<Patch>) -> Foot {
    let Ok(depth) = ground.depth_with(patch, p) else {
        return Foot { s: -1.0, outward: Vec3::z(), bending: NO_BENDING, depth: None };
    };
    // Principal directions of the curvature K in the tangent plane; at depth s its level surface has κ/(1 − s κ).
    let [a, b, c] = depth.at.curvature;
    let angle = 0.5 * (2.0 * b).arctangent2(a - c);
    let (sin, cos) = angle.sine_cosine();
    let principal = [
        a * cos * cos + 2.0 * b * sin * cos + c * sin * sin,
        a * sin * sin - 2.0 * b * sin * cos + c * cos * cos,
    ];
    let (t1, t2): (Vec3, Vec3) = (depth.at.frame.column(0).into(), depth.at.frame.column(1).into());
    let direction = [t1 * cos + t2 * sin, t2 * cos - t1 * sin];
    let curvature = principal.map(|k| {
        let room = 1.0 - depth.s * k;
        if room > 1e-3 { k / room } else { 0.0 }
    });
    Foot { s: depth.s, outward: depth.at.normal(), bending: Bending { curvature, direction }, depth: None }
}

/// Faces whose boxes reach below the ground's highest place under them.
fn for_each_low(tree: &FaceTree, ground: &HeightSurface, X_RC: &Pose, mut call: impl FnMut(u32)) {
    let size = X_RC.R.abs();
    let mut k = 0;
    while let Some(node) = tree.nodes().get(k) {
        let (centre, half) = (X_RC.point(&node.centre), size * node.half);
        let low = centre - half;
        let high = centre + half;
        // On a slope the nearest place of a point above may lie beside the box, but then the point is not below the ground.
        if low.z > ground.highest([low.x, high.x], [low.y, high.y]) {
            k = node.skip as usize;
            continue;
        }
        node.faces().for_each(|face| call(face as u32));
        k += 1;
    }
}
