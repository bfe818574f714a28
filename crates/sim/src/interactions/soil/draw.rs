//! Forms of bodies in soil, for drawing: rims with their grousers, or meshes.

use crate::description::{SoilBody, Visual};
use crate::interactions::{contact_visual, z_onto};
use touchdown_contact::soil::{Grousers, SoilShape};
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Elementary, Mat3, Pose, Vec3};

/// The forms of a body.
pub(super) fn forms(on: &SoilBody) -> Vec<Visual> {
    let form = |name: String, R_SG: Mat3, shape: Shape| {
        let X_BG = on.X_BS.compose(&Pose { R: R_SG, p: Vec3::zeros() });
        contact_visual(name, Some(on.body), X_BG, shape)
    };
    match &on.surface.shape {
        SoilShape::Mesh(mesh) => vec![form(on.name.clone(), Mat3::identity(), Shape::Mesh(mesh.clone()))],
        SoilShape::Wheel { radius, width, grousers } => {
            let rim = Shape::Cylinder { radius: *radius, length: *width };
            let mut forms = vec![form(on.name.clone(), z_onto(&Vec3::y()), rim)];
            if let Some(g) = grousers.filter(|g| g.count > 0) {
                let bars = Shape::Mesh(bars(*radius, *width, &g));
                forms.push(form(format!("{}/grousers", on.name), Mat3::identity(), bars));
            }
            forms
        }
    }
}

/// Bars across the rim of a wheel about y, at the places of the contact: the first points down.
fn bars(radius: f64, width: f64, g: &Grousers) -> TriangleMesh {
    // The foot of a flat bar ends on the round rim.
    let foot = (radius * radius - 0.25 * g.thickness * g.thickness).max(0.0).sqrt();
    let top = radius + g.height;
    let bar = Shape::Box { size: Vec3::new(g.thickness, width, top - foot) }.triangulate(3);
    let mut mesh = TriangleMesh::default();
    for k in 0..g.count {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / f64::from(g.count)).sine_cosine();
        let first = mesh.vertices.len() as u32;
        // Along the rim, along the axle, inwards.
        let (along, inwards) = (Vec3::new(c, 0.0, s), Vec3::new(-s, 0.0, c));
        let middle = -0.5 * (foot + top) * inwards;
        mesh.vertices
            .extend(bar.vertices.iter().map(|p| middle + along * p.x + Vec3::y() * p.y + inwards * p.z));
        mesh.triangles.extend(bar.triangles.iter().map(|t| t.map(|n| first + n)));
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_the_rim_where_the_contact_has_them() {
        // Volume of a closed mesh of boxes, outwards; the first bar's tip lies straight down at r + h; all lie between foot and tip.
        let g = Grousers { count: 12, height: 0.01, thickness: 0.004 };
        let mesh = bars(0.125, 0.1, &g);
        let foot = (0.125f64.powi(2) - 0.002f64.powi(2)).sqrt();
        let one = 0.004 * 0.1 * (0.135 - foot);
        assert!(mesh.is_closed());
        assert!((mesh.volume() / (12.0 * one) - 1.0).abs() < 1e-12, "{}", mesh.volume());
        let first = &mesh.vertices[..8];
        let lowest = first.iter().map(|p| p.z).fold(0.0, f64::min);
        assert!((lowest + 0.135).abs() < 1e-15);
        let corner = 0.135f64.hypot(0.002);
        assert!(mesh.vertices.iter().all(|p| {
            let r = p.x.hypot(p.z);
            p.y.abs() <= 0.05 && r > 0.125 - 1e-12 && r < corner + 1e-12
        }));
    }
}
