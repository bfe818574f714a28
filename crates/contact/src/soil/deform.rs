//! Deformable bodies: a mesh with freely moving corners, and the force of every node of the soil on it.
//!
//! Columns are those of the mesh at this moment. The normal over a node is not that of its facet but is
//! interpolated between those of its corners, so that it does not jump when a facet passes a node. A node
//! pushes at the point of the surface above it, a fixed combination of the facet's corners: forces on the
//! corners are the same shares of its force, and both have the same power.

use super::columns::{Columns, NO_FACET};
use super::contact::{Form, SoilContact};
use super::mesh::{MeshScratch, MeshUnderside};
use super::params::{SoilShape, SoilSurface};
use super::tangent::TangentWeights;
use super::{SoilForce, SurfaceMotion};
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Elementary, Mat3, Vec3};

/// Normals that point down less than this (cosine) are replaced by that of the facet.
const STEEP: f64 = 0.05;

/// A corner of a surface that deforms.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceCorner {
    /// Place from the origin of the body's frame, world axes, m.
    pub place: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Outward normal; its length does not matter.
    pub normal: Vec3,
}

/// Force of a loaded node on a deformable body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodePush {
    /// The triangle above the node.
    pub triangle: u32,
    /// Shares of its corners in the place where the node pushes; they add up to one.
    pub share: [f64; 3],
    /// Force on the body, N.
    pub force: Vec3,
    /// Weighted derivative of the force by displacement and velocity of that place; zero without weights.
    pub slope: Mat3,
}

/// The form of a body that deforms.
#[derive(Clone, Debug)]
pub(super) struct Deforming {
    mesh: TriangleMesh,
    corners: Vec<SurfaceCorner>,
    /// One for each touch. Written by `locate` and `force`.
    pub pushes: Vec<NodePush>,
    /// Velocity of the surface over each touch, less that of the frame, m/s. Written by `locate`.
    pub drift: Vec<Vec3>,
    /// Rise of the surface over each touch after the last followed motion, m. Written by `follow_deforming`.
    pub risen: Vec<f64>,
}

impl SoilContact {
    /// A body that deforms: `mesh` is its form at rest (counter-clockwise seen from outside), by which neighbours are found.
    pub fn deforming(mesh: TriangleMesh, carried_layer: f64) -> SoilContact {
        let shape = SoilShape::Mesh(mesh.clone());
        let mut contact = SoilContact::new(&SoilSurface { shape, carried_layer, bedded: false });
        contact.form = Form::Mesh(Box::new((MeshUnderside::new(&mesh), MeshScratch::default())));
        contact.columns = Columns { with_facets: true, ..Columns::default() };
        let corners = vec![SurfaceCorner::default(); mesh.vertices.len()];
        let (pushes, drift, risen) = (Vec::new(), Vec::new(), Vec::new());
        contact.deforming = Some(Box::new(Deforming { mesh, corners, pushes, drift, risen }));
        contact
    }

    /// Positions and velocities of the corners at the next evaluation (or at the followed motion), one for
    /// each corner of the mesh.
    pub fn deform(&mut self, corners: &[SurfaceCorner]) {
        let Some(deforming) = &mut self.deforming else { return };
        deforming.corners.copy_from_slice(corners);
    }

    /// Forces of the loaded nodes at the last evaluation.
    pub fn pushes(&self) -> &[NodePush] {
        self.deforming.as_ref().map_or(&[], |d| &d.pushes)
    }

    /// Puts the corners into the form of the body.
    pub(super) fn take_form(&mut self) {
        let Some(Deforming { mesh, corners, risen, .. }) = self.deforming.as_deref_mut() else { return };
        mesh.vertices.iter_mut().zip(corners.iter()).for_each(|(v, c)| *v = c.place);
        risen.clear();
        if let Form::Mesh(form) = &mut self.form {
            form.0.reshape(mesh);
        }
    }

    /// Slopes of the underside over a node, between the normals of the facet's corners; `None` for bodies that do not deform.
    pub(super) fn smooth_slope(&self, cell: usize, x: f64, y: f64) -> Option<[f64; 2]> {
        let deforming = self.deforming.as_ref()?;
        let (triangle, share) = self.above(cell, x, y)?;
        let n = deforming.between(triangle, &share, |c| c.normal);
        (n.z < -STEEP * n.norm()).then(|| [-n.x / n.z, -n.y / n.z])
    }

    /// The triangle that gave a column, and the shares of its corners in the place over the node.
    fn above(&self, cell: usize, x: f64, y: f64) -> Option<(u32, [f64; 3])> {
        let facet = *self.columns.facets.get(cell)?;
        if facet == NO_FACET {
            return None;
        }
        let (C, Form::Mesh(form)) = (&self.motion.X_WS.p, &self.form) else { return None };
        let (triangle, corners) = form.0.facet(facet);
        Some((triangle, shares(corners, x - C.x, y - C.y)))
    }

    /// Where each touch pushes, and how the surface moves there.
    pub(super) fn locate(&mut self) {
        let Some(mut deforming) = self.deforming.take() else { return };
        deforming.pushes.clear();
        deforming.drift.clear();
        let motion = self.motion;
        for touch in &self.touches {
            let (triangle, share) =
                self.above(touch.cell as usize, touch.x, touch.y).unwrap_or((0, [1.0, 0.0, 0.0]));
            deforming.pushes.push(NodePush { triangle, share, force: Vec3::zeros(), slope: Mat3::zeros() });
            let C = motion.X_WS.p;
            let r = Vec3::new(touch.x - C.x, touch.y - C.y, touch.level - C.z);
            let v = deforming.between(triangle, &share, |c| c.velocity);
            deforming.drift.push(v - motion.v_WS - motion.w_WS.cross(&r));
        }
        self.deforming = Some(deforming);
    }

    /// Velocity of the surface over a touch relative to the frame, m/s.
    #[inline]
    pub(super) fn drift(&self, index: usize) -> Vec3 {
        self.deforming.as_ref().and_then(|d| d.drift.get(index)).copied().unwrap_or_default()
    }

    /// Power of the nodes' forces on the motion of the surface relative to its frame, W.
    pub(super) fn power_of_drift(&self) -> f64 {
        let Some(d) = &self.deforming else { return 0.0 };
        d.pushes.iter().zip(&d.drift).map(|(push, v)| push.force.dot(v)).sum()
    }

    /// Continues to corners (given by `deform`) very near those of the last evaluation, which had these
    /// weights.
    pub(super) fn follow_deforming(
        &mut self,
        (old, motion): (&SurfaceMotion, &SurfaceMotion),
        weights: TangentWeights,
        force: &mut SoilForce,
    ) {
        let Some(mut deforming) = self.deforming.take() else { return };
        deforming.risen.clear();
        force.wrench_C = touchdown_math::Wrench::zero();
        force.dissipated_power = 0.0;
        for (index, touch) in self.touches.iter().enumerate() {
            let NodePush { triangle, share, .. } = deforming.pushes[index];
            let place = deforming.between(triangle, &share, |c| c.place) + motion.X_WS.p;
            let before = deforming.place_before(triangle, &share) + old.X_WS.p;
            let moved = place - before;
            deforming.risen.push(touch.m[0] * moved.x + touch.m[1] * moved.y + moved.z);
            let r = Vec3::new(touch.x, touch.y, touch.level) - old.X_WS.p;
            let v_old = old.v_WS + old.w_WS.cross(&r) + deforming.drift[index];
            let v = deforming.between(triangle, &share, |c| c.velocity);
            let push = &mut deforming.pushes[index];
            push.force += push.slope * ((v - v_old) / weights.v);
            let r_new = r + old.X_WS.p - motion.X_WS.p;
            deforming.drift[index] = v - motion.v_WS - motion.w_WS.cross(&r_new);
            force.wrench_C.f += push.force;
            force.wrench_C.t += r.cross(&push.force);
            force.dissipated_power -= push.force.dot(&v);
        }
        self.deforming = Some(deforming);
    }
}

impl Deforming {
    /// A sum over the corners of a triangle.
    fn between(&self, triangle: u32, share: &[f64; 3], of: impl Fn(&SurfaceCorner) -> Vec3) -> Vec3 {
        let corners = self.mesh.triangles[triangle as usize];
        (0..3).map(|k| of(&self.corners[corners[k] as usize]) * share[k]).sum()
    }

    /// The same of the places at the last evaluation.
    fn place_before(&self, triangle: u32, share: &[f64; 3]) -> Vec3 {
        let corners = self.mesh.triangles[triangle as usize];
        (0..3).map(|k| self.mesh.vertices[corners[k] as usize] * share[k]).sum()
    }
}

/// Barycentric coordinates of the place of a triangle (seen from above) nearest to (x, y).
fn shares(corners: &[Vec3; 3], x: f64, y: f64) -> [f64; 3] {
    let [a, b, c] = corners;
    let cross = |p: &Vec3, q: &Vec3| (p.x - x) * (q.y - y) - (p.y - y) * (q.x - x);
    let (u, v, w) = (cross(b, c), cross(c, a), cross(a, b));
    let area = u + v + w;
    if area != 0.0 && [u, v, w].iter().all(|s| s / area >= 0.0) {
        return [u / area, v / area, w / area];
    }
    let mut best = ([1.0, 0.0, 0.0], f64::INFINITY);
    for k in 0..3 {
        let (p, q) = (&corners[k], &corners[(k + 1) % 3]);
        let (ex, ey) = (q.x - p.x, q.y - p.y);
        let square = ex * ex + ey * ey;
        let s = if square > 0.0 { (((x - p.x) * ex + (y - p.y) * ey) / square).clamp(0.0, 1.0) } else { 0.0 };
        let distance = (x - p.x - s * ex).hypotenuse(y - p.y - s * ey);
        if distance < best.1 {
            let mut share = [0.0; 3];
            (share[k], share[(k + 1) % 3]) = (1.0 - s, s);
            best = (share, distance);
        }
    }
    best.0
}
