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
//! - Triangles that carry area are small against the contact zone: a corner or an edge of the reference that pokes through the middle of
//!   a large face is not seen. [`TriangleMesh::refined`] makes them small; the reference may be coarse.
//! - Penetration stays below half the thickness of the reference: beyond the middle of a plate the nearest surface is its other side.
//! - Side walls of a block that sinks into a surface count with their own penetration, 2·s/(side length) of the whole.
//!
//! [`SolidMesh::depth`]: touchdown_geometry::SolidMesh::depth
//! [`TriangleMesh::refined`]: touchdown_geometry::TriangleMesh::refined

mod detect;
#[cfg(test)]
mod tests;

use super::force::{Element, Hold, calc_element};
use super::state::{FaceState, Phase, calc_next};
use super::tangent::{Bending, PairTangent, Spins, add_tangent};
use super::{PairForce, PairLaw, PairState, SurfaceMotion};
pub use detect::{Foot, MeshScratch};
use std::sync::Arc;
use touchdown_geometry::SolidMesh;
use touchdown_geometry::surface::HeightSurface;
use touchdown_math::{Pose, Vec3};

/// The side that penetration and normals come from, in its own frame R.
#[derive(Clone, Debug)]
pub enum Reference {
    /// A mesh, closed (or an open sheet that nothing passes beside).
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

/// A mesh that may touch a reference. Constant; its memory is a [`PairState`].
#[derive(Clone, Debug)]
pub struct MeshPair {
    /// The mesh that carries the area, frame C.
    pub mesh: Arc<SolidMesh>,
    /// The other side.
    pub reference: Reference,
    /// Laws of the mesh's faces.
    pub laws: FaceLaws,
}

/// The two sides at an instant, and how they see each other.
struct View<'a> {
    body: &'a SurfaceMotion,
    reference: &'a SurfaceMotion,
}

impl MeshPair {
    /// Force at a motion; writes nothing but scratch. With `tangent` its derivatives are added to it.
    pub fn evaluate(
        &self,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        state: &PairState,
        scratch: &mut MeshScratch,
        mut tangent: Option<&mut PairTangent>,
    ) -> PairForce {
        let view = View { body, reference };
        self.detect(&reference.X_WS.inverse().compose(&body.X_WS), scratch);
        let spins = Spins { body: body.w_WB, reference: reference.w_WB };
        let mut sum = PairForce::new();
        let mut memory = state.faces.as_slice();
        for &face in scratch.touching() {
            let element = self.element(&view, face, scratch);
            let law = self.laws.law(face);
            let hold = recall(&mut memory, face).map(|held| self.hold(&view, held));
            let Some(force) = calc_element(law, &element, hold.as_ref()) else { continue };
            sum.add(law, &element, &force);
            if let Some(tangent) = tangent.as_deref_mut() {
                let bending = self.bending(&view, face, scratch);
                add_tangent(law, &element, &force, hold.as_ref(), &bending, &spins, tangent);
            }
        }
        sum.finish(&body.X_WS.p);
        sum
    }

    /// Changes the memory at an accepted step and returns the heat of letting go, J.
    pub fn advance(
        &self,
        body: &SurfaceMotion,
        reference: &SurfaceMotion,
        state: &mut PairState,
        scratch: &mut MeshScratch,
    ) -> f64 {
        let view = View { body, reference };
        self.detect(&reference.X_WS.inverse().compose(&body.X_WS), scratch);
        let to_R = |v: &Vec3| reference.X_WS.R.tr_mul(v);
        let mut heat = 0.0;
        let old = std::mem::take(&mut state.faces);
        let mut memory = old.as_slice();
        for &face in scratch.touching() {
            let element = self.element(&view, face, scratch);
            let law = self.laws.law(face);
            let held = recall(&mut memory, face);
            let hold = held.map(|held| self.hold(&view, held));
            let Some(force) = calc_element(law, &element, hold.as_ref()) else { continue };
            let centre_R = view.to_reference(&self.mesh.faces()[face as usize].centre);
            if let Some((next, lost)) = calc_next(law, face, held, &force, &centre_R, to_R) {
                state.faces.push(next);
                heat += lost;
            }
        }
        // Faces that let go lose what their anchors held.
        let kept = |face: u32| state.faces.binary_search_by_key(&face, |f| f.face).is_ok();
        heat + old.iter().filter(|f| !kept(f.face)).map(|f| f.stored).sum::<f64>()
    }

    /// A touching face as the law sees it.
    fn element(&self, view: &View, face: u32, scratch: &MeshScratch) -> Element {
        let f = &self.mesh.faces()[face as usize];
        let feet = scratch.feet(f);
        let (X_WC, X_WR) = (&view.body.X_WS, &view.reference.X_WS);
        let x = self.mesh.corners(face as usize).map(|p| X_WC.R * p);
        let n = feet.map(|foot| X_WR.R * foot.outward);
        let apart = X_WC.p - X_WR.p;
        let v = x.map(|x| {
            view.body.v_WC + view.body.w_WB.cross(&x)
                - view.reference.v_WC
                - view.reference.w_WB.cross(&(apart + x))
        });
        Element {
            x,
            s: feet.map(|foot| foot.s),
            n,
            s_rate: std::array::from_fn(|i| -n[i].dot(&v[i])),
            v,
            area: f.area,
            area_gradient: None,
        }
    }

    fn hold(&self, view: &View, held: &FaceState) -> Hold {
        let centre_R = view.to_reference(&self.mesh.faces()[held.face as usize].centre);
        Hold {
            stretch: view.reference.X_WS.R * (centre_R - Vec3::from(held.anchor_R)),
            area: held.area,
            slides: held.phase != Phase::Stick,
        }
    }

    fn bending(&self, view: &View, face: u32, scratch: &MeshScratch) -> [Bending; 3] {
        scratch.feet(&self.mesh.faces()[face as usize]).map(|foot| {
            let (curvature, direction) = self.reference.bending(foot);
            Bending { curvature, direction: direction.map(|e| view.reference.X_WS.R * e) }
        })
    }
}

impl View<'_> {
    /// A point of the body in the reference's frame.
    fn to_reference(&self, p_C: &Vec3) -> Vec3 {
        let X_WR = &self.reference.X_WS;
        X_WR.R.tr_mul(&(self.body.X_WS.point(p_C) - X_WR.p))
    }
}

/// What is remembered of a face; `memory` is ascending and so are the faces asked for.
fn recall<'s>(memory: &mut &'s [FaceState], face: u32) -> Option<&'s FaceState> {
    while let Some((first, rest)) = memory.split_first() {
        if first.face > face {
            return None;
        }
        *memory = rest;
        if first.face == face {
            return Some(first);
        }
    }
    None
}

/// Motion of a side that stands still.
pub fn at_rest(X_WS: Pose) -> SurfaceMotion {
    SurfaceMotion { X_WS, v_WC: Vec3::zeros(), w_WB: Vec3::zeros() }
}
