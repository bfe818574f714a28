//! Form of a flexible body, for drawing: its faces as triangles, and their corners at a frame.

use super::FlexPart;
use crate::description::Flexible;
use crate::engine::simulation::Simulation;
use crate::engine::system::System;
use crate::interactions::{Drawing, contact_visual};
use std::sync::Arc;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::{Pose, Vec3};
use touchdown_multibody::flex::mesh::{FlexMesh, MeshElementKind, Point};
use touchdown_multibody::rigid::kinematics;

/// Cells along and across the face of a plate that is curved at rest, and of a flat one.
const CURVED: [usize; 2] = [6, 2];
const FLAT: [usize; 2] = [2, 2];
/// Distance of the middle of a plate from the middle of its corners, relative to their distance, above which
/// it counts as curved.
const IS_CURVED: f64 = 0.02;

/// Corners of a flexible body's form as points of its mesh.
#[derive(Clone, Debug)]
pub struct Drawn {
    corners: Vec<Point>,
    /// Places at rest in the mesh's frame, m.
    rest: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// The form of flexible body `i`.
pub(super) fn drawing(i: usize, flexible: &Flexible) -> Drawing {
    let drawn = Drawn::new(&flexible.mesh);
    let (body, X_BG) = match &flexible.carrier {
        None => (None, flexible.X_WM),
        Some(on) => (Some(on.body), on.X_BM),
    };
    let visual = contact_visual(flexible.name.clone(), body, X_BG, Shape::Mesh(drawn.mesh()));
    let displace = move |system: &System, out: &mut Vec<[f32; 3]>| {
        let X_WG = match body {
            None => X_BG,
            Some(body) => kinematics::body_pose(&system.model, &system.cache, body).compose(&X_BG),
        };
        drawn.displace(&system.acts.flexible[i], &X_WG, out);
    };
    Drawing { visual, displace: Some(Arc::new(displace)) }
}

impl Simulation {
    /// Index of a flexible body's form among the deformable ones, and its corners.
    pub fn flexible_form(&self, i: usize) -> (usize, Drawn) {
        let flexible = &self.description.flexible[i];
        let form = self.drawings.iter().position(|drawing| drawing.visual.name == flexible.name);
        (form.unwrap_or(0), Drawn::new(&flexible.mesh))
    }
}

impl Drawn {
    /// Corners of the plates of a mesh.
    pub fn new(mesh: &FlexMesh) -> Drawn {
        let mut drawn = Drawn { corners: Vec::new(), rest: Vec::new(), triangles: Vec::new() };
        for (number, element) in mesh.elements().iter().enumerate() {
            if let MeshElementKind::Plate(..) = element.kind {
                drawn.add_plate(mesh, number);
            }
        }
        drawn.rest = drawn.corners.iter().map(|c| at_rest(mesh, c)).collect();
        drawn
    }

    /// Both faces and the four edges of a plate.
    fn add_plate(&mut self, mesh: &FlexMesh, element: usize) {
        let place = |xi: f64, eta: f64| at_rest(mesh, &mesh.point(element, [xi, eta, 0.0]));
        let ends = [place(0.0, 0.0), place(1.0, 0.0), place(1.0, 1.0), place(0.0, 1.0)];
        let bow = (place(0.5, 0.5) - (ends[0] + ends[1] + ends[2] + ends[3]) / 4.0).norm();
        let [nx, ny] = if bow > IS_CURVED * (ends[2] - ends[0]).norm() { CURVED } else { FLAT };
        let first = self.corners.len() as u32;
        for zeta in [-0.5, 0.5] {
            for i in 0..=nx {
                for j in 0..=ny {
                    self.corners
                        .push(mesh.point(element, [i as f64 / nx as f64, j as f64 / ny as f64, zeta]));
                }
            }
        }
        let face = ((nx + 1) * (ny + 1)) as u32;
        let at = |side: u32, i: usize, j: usize| first + side * face + (i * (ny + 1) + j) as u32;
        let mut quad = |a: u32, b: u32, c: u32, d: u32| self.triangles.extend([[a, b, c], [a, c, d]]);
        for i in 0..nx {
            for j in 0..ny {
                quad(at(1, i, j), at(1, i + 1, j), at(1, i + 1, j + 1), at(1, i, j + 1));
                quad(at(0, i, j), at(0, i, j + 1), at(0, i + 1, j + 1), at(0, i + 1, j));
            }
            quad(at(0, i, 0), at(0, i + 1, 0), at(1, i + 1, 0), at(1, i, 0));
            quad(at(0, i + 1, ny), at(0, i, ny), at(1, i, ny), at(1, i + 1, ny));
        }
        for j in 0..ny {
            quad(at(0, 0, j + 1), at(0, 0, j), at(1, 0, j), at(1, 0, j + 1));
            quad(at(0, nx, j), at(0, nx, j + 1), at(1, nx, j + 1), at(1, nx, j));
        }
    }

    /// The form at rest, in the mesh's frame.
    pub fn mesh(&self) -> TriangleMesh {
        TriangleMesh { vertices: self.rest.clone(), triangles: self.triangles.clone() }
    }

    /// Displacements of the corners in the frame G, the present frame of the mesh, m.
    pub(crate) fn displace(&self, part: &FlexPart, X_WG: &Pose, out: &mut Vec<[f32; 3]>) {
        out.clear();
        out.extend(self.corners.iter().zip(&self.rest).map(|(corner, rest)| {
            let p_W = part.mesh.point_position(corner, &part.e);
            let d = X_WG.R.transpose() * (p_W - X_WG.p) - rest;
            [d.x as f32, d.y as f32, d.z as f32]
        }));
    }

    /// Displacements of the corners of a mesh of this form at its own origin, moved by `shift`, m.
    pub fn displace_by(&self, mesh: &FlexMesh, e: &[f64], shift: &Vec3, out: &mut Vec<[f32; 3]>) {
        out.clear();
        out.extend(self.corners.iter().zip(&self.rest).map(|(corner, rest)| {
            let d = mesh.point_position(corner, e) + shift - rest;
            [d.x as f32, d.y as f32, d.z as f32]
        }));
    }
}

/// Place at rest: prescribed coordinates are taken at rest, too.
fn at_rest(mesh: &FlexMesh, point: &Point) -> Vec3 {
    mesh.point_position(point, mesh.reference())
}
