//! Faces and edges of a mesh, rounded like its corners: they touch peaks and ridges of side 1 between the
//! corners.
//!
//! Around a mesh whose corners are balls of radius ρ lies a surface without sharp bends: planes at the distance ρ from the faces, cylinders of radius ρ about
//! the edges. A face touches side 1 where the normals are opposite; only curvature of side 1 makes this a
//! single place. An edge touches it where the line to the nearest point of the edge is normal to both. A
//! candidate that slides off its face or edge is passed to the adjacent one, with its bristle, at accepted
//! steps: the surface has one normal there, and the gap differs by the squared sliding distance of a step
//! over 2ρ.

use super::track::{
    Facing, ITERATIONS, Lost, SMALL, facing_ball, inverse, is_positive, matrix, point, spatial, tangential,
};
use nalgebra::{Matrix2, Vector2};
use std::collections::BTreeMap;
use touchdown_geometry::surface::{Patch, Surface};
use touchdown_geometry::{TriangleMesh, weld_labels};
use touchdown_math::{Pose, Vec3};

/// Cosine between the normals of two faces from which they are one plane.
const FLAT: f64 = 1.0 - 1e-9;
/// How far beyond its border a place still belongs to a face or edge, over its size.
const BORDER: f64 = 1e-9;
/// Halvings of a step that does not converge.
const HALVINGS: usize = 12;

/// A triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// m, in the frame of the side.
    pub corners: [Vec3; 3],
    pub outward: Vec3,
}

/// A convex edge, or the border of a sheet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// m, in the frame of the side.
    pub ends: [Vec3; 2],
    /// Unit vectors across it into its faces.
    into: [Vec3; 2],
}

/// Faces and edges of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Flats {
    pub faces: Vec<Face>,
    pub edges: Vec<Edge>,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flat<'a> {
    Face(&'a Face),
    Edge(&'a Edge),
}

impl Flats {
    /// Those of a mesh that are as long as `least`; triangles without area are none.
    pub fn new(mesh: &TriangleMesh, least: f64) -> Flats {
        let label = weld_labels(&mesh.vertices);
        let (mut flats, mut normals) = (Flats::default(), Vec::with_capacity(mesh.triangles.len()));
        let mut borders: BTreeMap<[u32; 2], Vec<(usize, Vec3)>> = BTreeMap::new();
        for t in &mesh.triangles {
            let corners = t.map(|i| mesh.vertices[i as usize]);
            let across = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let Some(outward) = across.try_normalize(0.0) else { continue };
            let mut longest = 0f64;
            for k in 0..3 {
                let [from, to] = [k, (k + 1) % 3];
                let along = corners[to] - corners[from];
                longest = longest.max(along.norm());
                let Some(into) = outward.cross(&along).try_normalize(0.0) else { continue };
                if along.norm() >= least {
                    let [a, b] = [t[from], t[to]].map(|i| label[i as usize]);
                    borders.entry([a.min(b), a.max(b)]).or_default().push((normals.len(), into));
                }
            }
            normals.push(outward);
            if longest >= least {
                flats.faces.push(Face { corners, outward });
            }
        }
        for ([a, b], sides) in borders {
            let (first, last) = (sides[0], sides[sides.len() - 1]);
            let [m1, m2] = [first.0, last.0].map(|face| normals[face]);
            let sticks_out = sides.len() == 1 || (m1.dot(&m2) < FLAT && first.1.dot(&m2) < 0.0);
            if sides.len() <= 2 && sticks_out {
                let ends = [a, b].map(|i| mesh.vertices[i as usize]);
                flats.edges.push(Edge { ends, into: [first.1, last.1] });
            }
        }
        flats
    }

    /// By its number: faces, then edges.
    #[inline]
    pub fn at(&self, k: usize) -> Option<Flat<'_>> {
        match self.faces.get(k) {
            Some(face) => Some(Flat::Face(face)),
            None => self.edges.get(k - self.faces.len()).map(Flat::Edge),
        }
    }
}

impl Flat<'_> {
    /// Whether the nearest point of a facing place belongs to it: within its border, and nearer to side 1 than its neighbours. `c` is that point and `n` the normal of side 1, in the frame of the side.
    pub fn holds(&self, c: &Vec3, n: &Vec3) -> bool {
        match self {
            Flat::Face(face) => (0..3).all(|k| {
                let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
                let into = face.outward.cross(&(b - a));
                into.dot(&(c - a)) >= -BORDER * (b - a).norm_squared()
            }),
            Flat::Edge(edge) => {
                let [a, b] = edge.ends;
                let along = (c - a).dot(&(b - a)) / (b - a).norm_squared();
                let within = (-BORDER..=1.0 + BORDER).contains(&along);
                within && edge.into.iter().all(|into| into.dot(n) >= -BORDER)
            }
        }
    }

    /// Facing points near a start on side 1.
    pub fn track(
        &self,
        one: &Surface,
        radius: f64,
        poses: [&Pose; 2],
        start: &Vec3,
        patch: &mut Option<Patch>,
    ) -> Result<Facing, Lost> {
        match self {
            Flat::Face(face) => track_face(one, (face, radius), poses, start, patch),
            Flat::Edge(edge) => track_edge(one, (edge, radius), poses, start, patch),
        }
    }
}

/// Newton's method on the tilt of the normals: K₁ a = −B₁ᵀ m with the face's normal m; downhill towards the face where side 1 is not convex yet.
fn track_face(
    one: &Surface,
    (face, radius): (&Face, f64),
    [X1, X2]: [&Pose; 2],
    start: &Vec3,
    patch: &mut Option<Patch>,
) -> Result<Facing, Lost> {
    let m = X1.R.tr_mul(&(X2.R * face.outward));
    let corner = X1.R.tr_mul(&(X2.point(&face.corners[0]) - X1.p));
    let size = (face.corners[1] - face.corners[0]).norm().max((face.corners[2] - face.corners[0]).norm());
    let mut at = point(one, patch, start)?;
    for _ in 0..ITERATIONS {
        let K = matrix(at.curvature);
        let tilt = tangential(&at.frame, &m);
        let convex = is_positive(&K);
        let mut a = if convex { -(inverse(&K) * tilt) } else { -tilt / K.norm().max(1.0 / size) };
        let length = a.norm();
        if length > 0.25 * size {
            a *= 0.25 * size / length;
        }
        let mut next = point(one, patch, &(at.p + spatial(&at.frame, &a)))?;
        if length <= SMALL * size {
            let n = next.normal();
            let height = m.dot(&(next.p - corner));
            if !is_positive(&matrix(next.curvature)) || n.dot(&m) >= 0.0 {
                return Err(Lost::Convexity);
            }
            let q_W = X1.point(&(next.p - m * (height - radius)));
            return Ok(Facing {
                places: [next.p, X2.R.tr_mul(&(q_W - X2.p))],
                p_W: X1.point(&next.p),
                frame_W: X1.R * next.frame,
                gap: height - radius,
                K: [matrix(next.curvature), Matrix2::zeros()],
            });
        }
        for _ in 0..HALVINGS {
            let nearer = m.dot(&(next.p - at.p)) < 0.0;
            if nearer || (convex && tangential(&next.frame, &m).norm() < tilt.norm()) {
                break;
            }
            a *= 0.5;
            next = point(one, patch, &(at.p + spatial(&at.frame, &a)))?;
        }
        at = next;
    }
    Err(Lost::Convexity)
}

/// Newton's method for a point p of side 1 and a place t along the edge u: with g = B₁ᵀ(c − p), h = n·(c − p) and L = K₁(1 + h K₁)⁻¹,
/// uᵀL u τ = −u·n − uᵀL g and (1 + h K₁) a = g + u τ.
fn track_edge(
    one: &Surface,
    (edge, radius): (&Edge, f64),
    [X1, X2]: [&Pose; 2],
    start: &Vec3,
    patch: &mut Option<Patch>,
) -> Result<Facing, Lost> {
    let [from, to] = edge.ends.map(|end| X1.R.tr_mul(&(X2.point(&end) - X1.p)));
    let size = (to - from).norm();
    let u = (to - from) / size;
    let mut at = point(one, patch, start)?;
    let mut t = u.dot(&(at.p - from));
    for _ in 0..ITERATIONS {
        let away = from + u * t - at.p;
        let (K, u_t) = (matrix(at.curvature), tangential(&at.frame, &u));
        let (g, height) = (tangential(&at.frame, &away), at.normal().dot(&away));
        let spread = Matrix2::identity() + K * height;
        if !is_positive(&spread) {
            return Err(Lost::Convexity);
        }
        let L = K * inverse(&spread);
        let bent = u_t.dot(&(L * u_t));
        if bent <= 0.0 {
            return Err(Lost::Convexity);
        }
        let mut along = -(u.dot(&at.normal()) + u_t.dot(&(L * g))) / bent;
        let mut a: Vector2<f64> = inverse(&spread) * (g + u_t * along);
        let length = a.norm().max(along.abs());
        if length > 0.25 * size {
            (a, along) = (a * (0.25 * size / length), along * (0.25 * size / length));
        }
        at = point(one, patch, &(at.p + spatial(&at.frame, &a)))?;
        t += along;
        if length <= SMALL * size {
            let c = from + u * t;
            let mut facing = facing_ball(at, (&c, &X1.point(&c), radius), [X1, X2]);
            let u_t = u_t.normalize();
            facing.K[1] = (Matrix2::identity() - u_t * u_t.transpose()) / radius;
            return Ok(facing);
        }
    }
    Err(Lost::Convexity)
}
