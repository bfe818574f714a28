//! Forms that change, for pictures: where each corner of a form's triangles is at a frame, as a displacement in the form's own frame.
//!
//! A brush tyre has no shape but its radius and a spoke that is shortened by δ. It is drawn as a cylinder that the ground cuts off: corners below
//! the plane of the footprint lie on it. The deepest of them is pushed in by δ, what `tyre.NAME.deformation_m` says.

use crate::description::Tyre;
use crate::system::System;
use crate::world::World;
use touchdown_contact::tyre::GroundPlane;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::rigid::kinematics;

/// Segments around a tyre: a footprint of 24 mm at 250 mm spans a seventh of the circle, nine of them.
const SEGMENTS: u32 = 64;

/// A form that changes: which of the contact's forms, and its corners at rest.
#[derive(Clone, Debug)]
pub(crate) struct Deforming {
    /// Index in the mechanism's bodies.
    body: usize,
    /// The form's frame in the body.
    X_BG: Pose,
    corners: Vec<Vec3>,
}

impl World {
    /// Those of [`World::contact_forms`] that change, in the order of a frame's deformations: the tyres, the flexible bodies and the booms, which come
    /// first.
    pub fn deforming_forms(&self) -> Vec<usize> {
        let d = &self.description;
        (0..d.tyres.len() + d.flexible.len() + d.booms.len()).collect()
    }
}

/// The triangles of a tyre about z.
pub(crate) fn tyre_mesh(tyre: &Tyre) -> TriangleMesh {
    Shape::Cylinder { radius: tyre.law.radius, length: tyre.law.width }.triangulate(SEGMENTS)
}

impl Deforming {
    pub fn tyre(tyre: &Tyre, X_BG: Pose) -> Deforming {
        Deforming { body: tyre.body, X_BG, corners: tyre_mesh(tyre).vertices }
    }

    /// Displacements of the corners that lie below the ground, onto it. Needs kinematics.
    pub fn flatten(&self, system: &System, ground: &GroundPlane, out: &mut Vec<[f32; 3]>) {
        out.clear();
        let X_WG = kinematics::body_pose(&system.model, &system.cache, self.body).compose(&self.X_BG);
        let n_G = X_WG.R.transpose() * ground.normal;
        let height = (X_WG.p - ground.point).dot(&ground.normal);
        out.extend(self.corners.iter().map(|corner| {
            let below = (-height - n_G.dot(corner)).max(0.0);
            let d = n_G * below;
            [d.x as f32, d.y as f32, d.z as f32]
        }));
    }
}
