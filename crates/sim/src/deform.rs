//! Forms that change, for pictures: where each corner of a form's triangles is at a frame, as a displacement in the form's own frame.
//!
//! A brush tyre has no shape but its radius and a spoke that is shortened by δ. It is drawn as a cylinder that the ground cuts off: corners below
//! the plane of the footprint lie on it. The deepest of them is pushed in by δ, what `tyre.NAME.deformation_m` says.

use crate::description::{PolygonalContact, Tyre, WorldDescription};
use crate::system::System;
use crate::world::World;
use touchdown_contact::tyre::GroundPlane;
use touchdown_geometry::revolution::Ring;
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
    /// Those of [`World::contact_forms`] that change, in the order of a frame's deformations: the tyres, the flexible bodies, the booms and what
    /// opens, which come first.
    pub fn deforming_forms(&self) -> Vec<usize> {
        let d = &self.description;
        (0..d.tyres.len() + d.flexible.len() + d.booms.len() + self.opening.len()).collect()
    }
}

/// The triangles of a tyre about z.
pub(crate) fn tyre_mesh(tyre: &Tyre) -> TriangleMesh {
    Shape::Cylinder { radius: tyre.law.radius, length: tyre.law.width }.triangulate(SEGMENTS)
}

/// The reference side of a polygonal contact whose section changes: the same rings on every section.
#[derive(Clone, Debug)]
pub(crate) struct Spreading {
    /// Index in the polygonal contacts.
    pub contact: usize,
    rings: Vec<Ring>,
    /// Its triangles at the start.
    pub mesh: TriangleMesh,
}

impl Spreading {
    /// All of a description.
    pub fn all(description: &WorldDescription) -> Vec<Spreading> {
        let one = |(contact, told): (usize, &PolygonalContact)| {
            let opening = told.opening.as_ref()?;
            let section = opening.family.at(opening.parameter.value(0.0)).section;
            let rings = section.rings(&section.resolution(SEGMENTS));
            let mesh = section.revolve(&rings, SEGMENTS).mesh;
            Some(Spreading { contact, rings, mesh })
        };
        description.polygonal.iter().enumerate().filter_map(one).collect()
    }

    /// Displacements of the corners; none where the section has become another one. Needs an evaluation.
    pub fn displace(&self, system: &System, out: &mut Vec<[f32; 3]>) {
        out.clear();
        out.resize(self.mesh.vertices.len(), [0.0; 3]);
        let now =
            system.polygonal_section(self.contact).map(|s| s.revolve(&self.rings, SEGMENTS).mesh.vertices);
        let Some(now) = now.filter(|now| now.len() == out.len()) else { return };
        for (out, (now, start)) in out.iter_mut().zip(now.iter().zip(&self.mesh.vertices)) {
            let d = now - start;
            *out = [d.x as f32, d.y as f32, d.z as f32];
        }
    }
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
