//! A mesh against another mesh or against smooth ground: rocks, brackets, feet. The same law as for bodies of revolution; only the detection differs.
//!
//! # Model
//! One mesh carries the area; the other side is the **reference**, from which penetration and normal come. At every corner of the first the
//! penetration is the depth below the reference's surface: distance to its nearest place ([`SolidMesh::depth`]). Between corners it is linear,
//! and faces are clipped where it passes zero, so that area and force are continuous in the motion.
//!
//! Distance to the nearest place rather than along a fixed line: it has no jump where a line would slide over a sharp edge of the reference,
//! and its gradient is the normal, so that force is minus the gradient of the stored energy to round-off. At a sharp edge the *direction*
//! changes over the bisecting plane between its two faces. The force stays continuous, because a contact zone crosses that plane gradually.
//!
//! # Valid when
//! - Triangles that carry area are small against the contact zone: a corner or an edge of the reference that
//!   passes through the middle of a large face is not detected. [`TriangleMesh::refined`] makes them small;
//!   the reference may be coarse.
//! - Penetration stays below half the thickness of the reference: beyond the middle of a plate the nearest surface is its other side.
//! - With [`AreaOf::Body`], side walls of a block that sinks into a surface count with their own penetration, 2·s/(side length) of the
//!   whole. With [`AreaOf::Reference`] they carry nothing, and a flat reference pushes with c times the volume below it.
//!
//! [`SolidMesh::depth`]: touchdown_geometry::SolidMesh::depth
//! [`TriangleMesh::refined`]: touchdown_geometry::TriangleMesh::refined

mod detect;
#[cfg(test)]
mod tests;

use super::force::{Element, ElementForce, Hold, calc_element};
use super::pair::{FootAt, Scene, find, reference_area, tangent_to_world, to_world};
use super::state::{FaceState, Grip, PolygonalState, calc_next};
use super::tangent::{PolygonalTangent, add_tangent};
use super::{AreaOf, Commit, Friction, PairLaw, PolygonalForce, SurfaceMotion, TouchingFace};
pub use detect::{Foot, MeshScratch};
use std::sync::Arc;
use touchdown_geometry::SolidMesh;
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::Vec3;

/// The side that penetration and normals come from, in its own frame R.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A mesh, closed (or an open sheet, if contact does not reach beyond its border).
    Mesh(Arc<SolidMesh>),
    /// Smooth ground, z up.
    Ground(Arc<HeightSurface>),
}

/// Laws of a mesh: one for all faces, or one for each zone of them.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceLaws {
    laws: Vec<PairLaw>,
    /// Law of each face in the order of the mesh's tree; empty if all have the first.
    of: Vec<u16>,
}

impl FaceLaws {
    /// The same law everywhere.
    pub fn uniform(law: PairLaw) -> FaceLaws {
        FaceLaws { laws: vec![law], of: Vec::new() }
    }

    /// A law for each triangle: `zone[i]` is the index of that of triangle i of the mesh as it was imported. `None` if a triangle or a law is missing.
    pub fn by_zone(mesh: &SolidMesh, laws: Vec<PairLaw>, zone: &[u16]) -> Option<FaceLaws> {
        let of: Option<Vec<u16>> =
            mesh.faces().iter().map(|f| zone.get(f.source as usize).copied()).collect();
        let of = of.filter(|of| of.iter().all(|&k| usize::from(k) < laws.len()))?;
        Some(FaceLaws { laws, of })
    }

    /// The law of a face.
    #[inline]
    pub fn law(&self, face: u32) -> &PairLaw {
        &self.laws[self.of.get(face as usize).map_or(0, |&k| usize::from(k))]
    }
}

/// A mesh that may touch a reference. Constant; its memory is a [`PolygonalState`].
#[derive(Clone, Debug)]
pub struct MeshPair {
    /// The mesh that carries the faces, frame B.
    pub mesh: Arc<SolidMesh>,
    /// The other side, frame R.
    pub reference: Reference,
    /// Laws of the mesh's faces.
    pub laws: FaceLaws,
    /// Whose area counts.
    pub area_of: AreaOf,
    /// Faces with a corner deeper than this are ignored, m.
    pub depth_max: f64,
}

impl MeshPair {
    /// A pair with one law, the mesh's own area and no limit of depth.
    pub fn new(mesh: Arc<SolidMesh>, reference: Reference, law: PairLaw) -> MeshPair {
        let laws = FaceLaws::uniform(law);
        MeshPair { mesh, reference, laws, area_of: AreaOf::Body, depth_max: f64::INFINITY }
    }

    /// The force at a motion; writes only scratch, and allocates only when more faces touch than ever before.
    pub fn evaluate(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        scratch: &mut MeshScratch,
    ) -> PolygonalForce {
        let scene = Scene::of(body, reference);
        let mut force = PolygonalForce::new();
        self.run(state, &scene, scratch, |touch| force.add(touch.law, touch.element, touch.force));
        to_world(force, &scene, body)
    }

    /// The force with its derivatives.
    pub fn evaluate_with_tangent(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        scratch: &mut MeshScratch,
    ) -> (PolygonalForce, PolygonalTangent) {
        let scene = Scene::of(body, reference);
        let (mut force, mut tangent) = (PolygonalForce::new(), PolygonalTangent::zero());
        self.run(state, &scene, scratch, |touch| {
            force.add(touch.law, touch.element, touch.force);
            let bending = touch.feet.map(|foot| self.reference.bending(foot));
            add_tangent(
                touch.law,
                touch.element,
                touch.force,
                touch.hold,
                &bending,
                &scene.spins,
                &mut tangent,
            );
        });
        (to_world(force, &scene, body), tangent_to_world(&tangent, &scene))
    }

    /// Accepts a step that ends at this motion: anchors follow, faces stick or let go.
    pub fn commit(
        &self,
        state: &mut PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        scratch: &mut MeshScratch,
    ) -> Commit {
        let mut next = PolygonalState::default();
        let done = self.try_commit(state, (body, reference), &mut next, scratch);
        *state = next;
        done
    }

    /// A trial of [`MeshPair::commit`]: the resulting memory replaces `next`.
    pub fn try_commit(
        &self,
        state: &PolygonalState,
        (body, reference): (&SurfaceMotion, &SurfaceMotion),
        next: &mut PolygonalState,
        scratch: &mut MeshScratch,
    ) -> Commit {
        let scene = Scene::of(body, reference);
        let mut force = PolygonalForce::new();
        next.faces.clear();
        let mut heat: f64 = state.faces.iter().map(|face| face.stored).sum();
        self.run(state, &scene, scratch, |touch| {
            force.add(touch.law, touch.element, touch.force);
            let old = touch.hold.and_then(|_| find(&state.faces, touch.face));
            let centre_R = scene.X_RB.point(&self.mesh.faces()[touch.face as usize].centre);
            let is_held = touch.element.area > 0.0;
            let step = is_held.then(|| calc_next(touch.law, touch.face, old, touch.force, &centre_R, |f| *f));
            if let Some((new, lost)) = step.flatten() {
                heat += lost - old.map_or(0.0, |old| old.stored);
                next.faces.push(new);
            }
        });
        Commit { force: to_world(force, &scene, body), heat }
    }

    /// Calls `look` for every touching face, for pictures and reports.
    pub fn for_each_touching(
        &self,
        state: &PolygonalState,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        scratch: &mut MeshScratch,
        mut look: impl FnMut(&TouchingFace),
    ) {
        let scene = Scene::of(body, reference);
        self.run(state, &scene, scratch, |touch| {
            let corners_R = self.mesh.corners(touch.face as usize).map(|p| scene.X_RB.point(&p));
            let penetration = touch.element.s;
            look(&TouchingFace { face: touch.face, corners_R, penetration, force: *touch.force });
        });
    }

    /// detect ⇒ element ⇒ force, for every touching face in ascending order; axes of the reference.
    fn run(
        &self,
        state: &PolygonalState,
        scene: &Scene,
        scratch: &mut MeshScratch,
        mut each: impl FnMut(&Touch),
    ) {
        self.detect(&scene.X_RB, scratch);
        let mut memory = state.faces.as_slice();
        for &face in scratch.touching() {
            let law = self.laws.law(face);
            let feet = scratch.feet(&self.mesh.faces()[face as usize]);
            let element = self.element(scene, face, &feet);
            let hold = match law.friction {
                Friction::StickSlip { .. } => self.hold(scene, face, &mut memory),
                _ => None,
            };
            if let Some(force) = calc_element(law, &element, hold.as_ref()) {
                each(&Touch { face, law, element: &element, force: &force, hold: hold.as_ref(), feet });
            }
        }
    }

    /// A touching face as input of the law.
    fn element(&self, scene: &Scene, face: u32, feet: &[&Foot; 3]) -> Element {
        let x = self.mesh.corners(face as usize).map(|p| scene.X_RB.R * p);
        let n = feet.map(|foot| foot.outward);
        let v = x.map(|x| scene.v + scene.w.cross(&x));
        let (area, area_gradient) = match self.area_of {
            AreaOf::Body => (self.mesh.faces()[face as usize].area, None),
            AreaOf::Reference => {
                let feet = std::array::from_fn(|i| FootAt {
                    y: scene.X_RB.p + x[i] + feet[i].s * n[i],
                    n: n[i],
                    distance: -feet[i].s,
                    bending: self.reference.bending(feet[i]),
                });
                let (area, gradient) = reference_area(&feet);
                (area, Some(gradient))
            }
        };
        let s_rate = std::array::from_fn(|i| -n[i].dot(&v[i]));
        Element { x, s: feet.map(|foot| foot.s), n, s_rate, v, area, area_gradient }
    }

    /// Memory of a face; `memory` is the part not yet read.
    fn hold(&self, scene: &Scene, face: u32, memory: &mut &[FaceState]) -> Option<Hold> {
        while memory.first().is_some_and(|first| first.face < face) {
            *memory = &memory[1..];
        }
        let known = memory.first().filter(|first| first.face == face)?;
        let centre = scene.X_RB.point(&self.mesh.faces()[face as usize].centre);
        let stretch = centre - Vec3::from(known.anchor_R);
        Some(Hold { stretch, area: known.area, slides: known.grip != Grip::Stick })
    }
}

/// A touching face on its way to the sums.
struct Touch<'a> {
    face: u32,
    law: &'a PairLaw,
    element: &'a Element,
    force: &'a ElementForce,
    hold: Option<&'a Hold>,
    feet: [&'a Foot; 3],
}
