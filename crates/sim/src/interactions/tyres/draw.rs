//! Form of a brush tyre that is deformed by the ground, for drawing.
//!
//! A brush tyre has no shape but its radius and a spoke that is shortened by δ. It is drawn as a cylinder cut
//! off by the ground: corners below the plane of the footprint are moved onto it. The deepest of them moves
//! by δ, the value of
//! `tyre.NAME.deformation_m`.

use crate::description::Tyre;
use crate::engine::system::System;
use crate::interactions::{Drawing, contact_visual, z_onto};
use std::sync::Arc;
use touchdown_contact::tyre::GroundPlane;
use touchdown_geometry::Shape;
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::rigid::kinematics;

/// Segments around a tyre: a footprint of 24 mm at 250 mm spans a seventh of the circle, nine of them.
const SEGMENTS: u32 = 64;

/// The form of tyre `i`.
pub(super) fn drawing(i: usize, tyre: &Tyre) -> Drawing {
    let X_BG = Pose { R: z_onto(&tyre.axis), p: tyre.centre };
    let mesh = Shape::Cylinder { radius: tyre.law.radius, length: tyre.law.width }.triangulate(SEGMENTS);
    let (corners, body) = (mesh.vertices.clone(), tyre.body);
    let displace = move |system: &System, out: &mut Vec<[f32; 3]>| {
        let X_WG = kinematics::body_pose(&system.model, &system.cache, body).compose(&X_BG);
        flatten(&corners, &X_WG, &system.acts.tyres[i].standing.footing.plane, out);
    };
    Drawing {
        visual: contact_visual(tyre.name.clone(), Some(body), X_BG, Shape::Mesh(mesh)),
        displace: Some(Arc::new(displace)),
    }
}

/// Displacements of the corners that lie below the ground, onto it.
fn flatten(corners: &[Vec3], X_WG: &Pose, ground: &GroundPlane, out: &mut Vec<[f32; 3]>) {
    out.clear();
    let n_G = X_WG.R.transpose() * ground.normal;
    let height = (X_WG.p - ground.point).dot(&ground.normal);
    out.extend(corners.iter().map(|corner| {
        let below = (-height - n_G.dot(corner)).max(0.0);
        let d = n_G * below;
        [d.x as f32, d.y as f32, d.z as f32]
    }));
}
