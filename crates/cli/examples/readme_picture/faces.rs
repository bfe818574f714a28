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

    /// Twice its area, m².
    fn size(&self) -> f64 {
        let fan = self.corners.windows(2).skip(1);
        fan.map(|c| (c[0] - self.corners[0]).cross(&(c[1] - self.corners[0])).norm()).sum()
    }

    fn height(&self, p: &Vec3) -> f64 {
        self.normal.dot(&(p - self.corners[0]))
    }

    pub fn middle(&self) -> Vec3 {
        self.corners.iter().sum::<Vec3>() / self.corners.len() as f64
    }

    /// Whether a point of its plane lies within it.
    pub fn contains(&self, p: &Vec3) -> bool {
        let n = self.corners.len();
        let left_of = |a: &Vec3, b: &Vec3| (b - a).cross(&(p - a)).dot(&self.normal) >= 0.0;
        (0..n).all(|i| left_of(&self.corners[i], &self.corners[(i + 1) % n]))
    }
}

/// The faces of a form at a pose. Cylinders get a hub of another colour on both ends.
pub fn of_shape(shape: &Shape, X_WG: &Pose, colour: [f64; 3], hub: [f64; 3]) -> Vec<Face> {
    let outlines = match shape {
        Shape::Box { size } => cuboid(size).into_iter().map(|c| (c, colour)).collect(),
        Shape::Cylinder { radius, length } => wheel(*radius, 0.5 * length, colour, hub),
        other => {
            let mesh = other.triangulate(SEGMENTS as u32);
            let corners = |t: &[u32; 3]| t.iter().map(|i| mesh.vertices[*i as usize]).collect();
            mesh.triangles.iter().map(|t| (corners(t), colour)).collect()
        }
    };
    outlines
        .into_iter()
        .map(|(c, colour)| Face::new(c.iter().map(|p| X_WG.point(p)).collect(), colour))
        .collect()
}

fn cuboid(size: &Vec3) -> Vec<Vec<Vec3>> {
    // Corner i has +x, +y, +z where bits 0, 1, 2 of i are set; faces counter-clockwise from outside.
    let half = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |i: u32| Vec3::new(half(i, 0) * size.x, half(i, 1) * size.y, half(i, 2) * size.z);
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    faces.iter().map(|f| f.iter().map(|i| corner(*i)).collect()).collect()
}

fn wheel(r: f64, z: f64, colour: [f64; 3], hub: [f64; 3]) -> Vec<(Vec<Vec3>, [f64; 3])> {
    let at = |i: usize, r: f64, z: f64| {
        let angle = std::f64::consts::TAU * i as f64 / SEGMENTS as f64;
        Vec3::new(r * angle.cos(), r * angle.sin(), z)
    };
    let mut faces = Vec::new();
    for i in 0..SEGMENTS {
        let j = i + 1;
        faces.push((vec![at(i, r, -z), at(j, r, -z), at(j, r, z), at(i, r, z)], colour));
        faces.push((vec![at(i, r, z), at(j, r, z), at(j, HUB * r, z), at(i, HUB * r, z)], colour));
        faces.push((vec![at(j, r, -z), at(i, r, -z), at(i, HUB * r, -z), at(j, HUB * r, -z)], colour));
    }
    faces.push(((0..SEGMENTS).map(|i| at(i, HUB * r, z)).collect(), hub));
    faces.push(((0..SEGMENTS).rev().map(|i| at(i, HUB * r, -z)).collect(), hub));
    faces
}

/// The faces that look towards the eye, in an order in which none hides one that follows; some come back in pieces.
pub fn back_to_front(faces: Vec<Face>, eye: &Vec3) -> Vec<Face> {
    let mut ordered = Vec::new();
    let visible = faces.into_iter().filter(|f| f.height(eye) > 0.0).collect();
    partition(visible, &mut ordered);
    ordered
}

/// All faces look towards the eye, so what lies behind the divider's plane is painted first. The largest divides: the planes
/// of many small ones would cut everything to pieces.
fn partition(mut faces: Vec<Face>, ordered: &mut Vec<Face>) {
    let Some(largest) = (0..faces.len()).max_by(|a, b| faces[*a].size().total_cmp(&faces[*b].size())) else {
        return;
    };
    let divider = faces.swap_remove(largest);
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
