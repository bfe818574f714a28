//! Forms ⇒ flat faces ⇒ an order in which painting them hides what is hidden.
//!
//! The order comes from a binary space partition: exact also where forms pierce each other, as spindles do wheels.

use touchdown_geometry::Shape;
use touchdown_math::{Pose, Vec3};

/// Distance below which a corner counts as lying in a plane, m.
const IN_PLANE: f64 = 1e-7;
/// Faces around a cylinder.
const SEGMENTS: usize = 40;
/// Radius of a wheel's hub over that of its tyre; for the eye.
const HUB: f64 = 0.62;

/// A flat, convex face, counter-clockwise seen from outside; corners in the world, m.
#[derive(Clone)]
pub struct Face {
    pub corners: Vec<Vec3>,
    pub normal: Vec3,
    pub colour: [f64; 3],
}

impl Face {
    fn new(corners: Vec<Vec3>, colour: [f64; 3]) -> Face {
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
        Face { corners, normal, colour }
    }

    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(&(p - self.corners[0]))
    }
}

/// The faces of a form at a pose. Cylinders get a hub of another colour on both ends.
pub fn of_shape(shape: &Shape, X_WG: &Pose, colour: [f64; 3], hub: [f64; 3]) -> Vec<Face> {
    let face = |corners: Vec<Vec3>, colour| Face::new(corners.iter().map(|p| X_WG.point(p)).collect(), colour);
    if let Shape::Cylinder { radius, length } = shape {
        let at = |i: usize, r: f64, z: f64| {
            let angle = std::f64::consts::TAU * i as f64 / SEGMENTS as f64;
            Vec3::new(r * angle.cos(), r * angle.sin(), z)
        };
        let (r, z) = (*radius, 0.5 * length);
        let mut faces = Vec::new();
        for i in 0..SEGMENTS {
            let j = i + 1;
            faces.push(face(vec![at(i, r, -z), at(j, r, -z), at(j, r, z), at(i, r, z)], colour));
            faces.push(face(vec![at(i, r, z), at(j, r, z), at(j, HUB * r, z), at(i, HUB * r, z)], colour));
            faces.push(face(vec![at(j, r, -z), at(i, r, -z), at(i, HUB * r, -z), at(j, HUB * r, -z)], colour));
        }
        faces.push(face((0..SEGMENTS).map(|i| at(i, HUB * r, z)).collect(), hub));
        faces.push(face((0..SEGMENTS).rev().map(|i| at(i, HUB * r, -z)).collect(), hub));
        return faces;
    }
    let mesh = shape.triangulate(SEGMENTS as u32);
    let corner = |i: u32| mesh.vertices[i as usize];
    mesh.triangles.iter().map(|t| face(t.iter().map(|i| corner(*i)).collect(), colour)).collect()
}

/// The faces that look towards the viewer, farthest first; some come back in pieces.
pub fn back_to_front(faces: Vec<Face>, to_viewer: &Vec3) -> Vec<Face> {
    let mut ordered = Vec::new();
    let visible = faces.into_iter().filter(|f| f.normal.dot(to_viewer) > 0.0).collect();
    partition(visible, &mut ordered);
    ordered
}

/// All faces look towards the viewer, so what lies behind the first one's plane is painted first.
fn partition(mut faces: Vec<Face>, ordered: &mut Vec<Face>) {
    if faces.is_empty() {
        return;
    }
    let divider = faces.swap_remove(faces.len() / 2);
    let (mut behind, mut before, mut level) = (Vec::new(), Vec::new(), Vec::new());
    for face in faces {
        let heights: Vec<f64> = face.corners.iter().map(|p| divider.height(p)).collect();
        let (above, below) = (heights.iter().any(|h| *h > IN_PLANE), heights.iter().any(|h| *h < -IN_PLANE));
        match (above, below) {
            (false, false) => level.push(face),
            (true, false) => before.push(face),
            (false, true) => behind.push(face),
            (true, true) => {
                behind.extend(cut(&face, &heights, -1.0));
                before.extend(cut(&face, &heights, 1.0));
            }
        }
    }
    partition(behind, ordered);
    ordered.push(divider);
    ordered.append(&mut level);
    partition(before, ordered);
}

/// The part of a face on one side (`sign`) of a plane that its corners have these heights over.
fn cut(face: &Face, heights: &[f64], sign: f64) -> Option<Face> {
    let n = face.corners.len();
    let mut corners = Vec::with_capacity(n + 1);
    for i in 0..n {
        let (j, h, h_next) = ((i + 1) % n, sign * heights[i], sign * heights[(i + 1) % n]);
        if h >= 0.0 {
            corners.push(face.corners[i]);
        }
        if (h > 0.0 && h_next < 0.0) || (h < 0.0 && h_next > 0.0) {
            corners.push(face.corners[i] + (face.corners[j] - face.corners[i]) * (h / (h - h_next)));
        }
    }
    (corners.len() >= 3).then(|| Face { corners, ..face.clone() })
}
