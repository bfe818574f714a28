//! Faces of a mesh as triangles that move with it, and forces on these as forces on the mesh: a flexible body as soil contact uses it.
//!
//! A grid of corners on each face spans triangles, the present form of the body. A node of the soil pushes
//! between the three corners of a triangle, all of one element, so that its force and slope are converted to
//! generalised ones by the sum of their weights.

use super::contact::subtract_outer;
use std::collections::BTreeMap;
use touchdown_contact::soil::{NodePush, SurfaceCorner};
use touchdown_geometry::TriangleMesh;
use touchdown_math::{Mat3, Vec3};
use touchdown_multibody::flex::mesh::{FlexMesh, LOCAL, LocalBlocks, LocalVectors, Point, SurfacePoint};

/// Corners at rest closer than this are one, m.
const SAME: f64 = 1e-9;

/// Faces of a mesh as triangles.
#[derive(Clone, Debug)]
pub(crate) struct Skin {
    corners: Vec<SurfacePoint>,
    /// Triangles by their corners, all of one element.
    facets: Vec<[u32; 3]>,
    /// For each corner its vertex: neighbouring elements share those of their common edge, so that the
    /// surface is closed.
    vertex: Vec<u32>,
    /// The form at rest, facet by facet.
    pub form: TriangleMesh,
    /// Vertices at the last evaluation. Written by `place`.
    placed: Vec<SurfaceCorner>,
}

/// Sums over the pushes on one element.
struct Pushed {
    force: LocalVectors,
    slope: Option<Box<LocalBlocks>>,
}

impl Skin {
    /// `along` × `across` cells on each face (an element and ζ = ±½).
    pub fn new(mesh: &FlexMesh, faces: &[(usize, f64)], [along, across]: [usize; 2]) -> Skin {
        let (mut corners, mut facets) = (Vec::new(), Vec::new());
        for (element, zeta) in faces {
            let first = corners.len() as u32;
            let at = |i: usize, j: usize| first + (i * (across + 1) + j) as u32;
            for (i, j) in (0..=along).flat_map(|i| (0..=across).map(move |j| (i, j))) {
                let place = [i as f64 / along as f64, j as f64 / across as f64, *zeta];
                corners.extend(mesh.surface_point(*element, place, along * across));
            }
            for (i, j) in (0..along).flat_map(|i| (0..across).map(move |j| (i, j))) {
                let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                // From the other side the lower face is clockwise.
                facets.extend(if *zeta < 0.0 { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] });
            }
        }
        let (mut known, mut vertices, mut vertex) = (BTreeMap::new(), Vec::new(), Vec::new());
        for corner in &corners {
            let p = mesh.point_position(&corner.point, mesh.reference());
            let key = [p.x, p.y, p.z].map(|x| (x / SAME).round() as i64);
            vertex.push(*known.entry(key).or_insert_with(|| {
                vertices.push(p);
                vertices.len() as u32 - 1
            }));
        }
        let triangles = facets.iter().map(|f: &[u32; 3]| f.map(|k| vertex[k as usize])).collect();
        let placed = vec![SurfaceCorner::default(); vertices.len()];
        Skin { corners, facets, vertex, form: TriangleMesh { vertices, triangles }, placed }
    }

    /// The vertices of the present mesh, relative to an origin.
    pub fn place(&mut self, mesh: &FlexMesh, e: &[f64], e_rate: &[f64], origin: &Vec3) -> &[SurfaceCorner] {
        let mut gathered: Option<(u32, LocalVectors, LocalVectors)> = None;
        for (corner, vertex) in self.corners.iter().zip(&self.vertex) {
            let element = corner.point.element;
            if gathered.as_ref().is_none_or(|(of, ..)| *of != element) {
                let of = element as usize;
                gathered = Some((element, mesh.gather(of, e), mesh.gather_rates(of, e_rate)));
            }
            let Some((_, local, rates)) = &gathered else { continue };
            self.placed[*vertex as usize] = SurfaceCorner {
                place: corner.point.at(local) - origin,
                velocity: corner.point.at(rates),
                normal: corner.normal(local),
            };
        }
        &self.placed
    }

    /// Adds the forces of nodes to those on the mesh and, if requested, minus their slopes to values in its
    /// pattern.
    pub fn add_pushes(
        &self,
        mesh: &FlexMesh,
        pushes: &[NodePush],
        force: &mut [f64],
        values: Option<&mut [f64]>,
    ) {
        let mut sums: BTreeMap<u32, Pushed> = BTreeMap::new();
        for push in pushes {
            let point = self.point(push);
            let sum = sums.entry(point.element).or_insert_with(|| Pushed {
                force: [[0.0; 3]; LOCAL],
                slope: values.is_some().then(|| Box::new([[[0.0; 9]; LOCAL]; LOCAL])),
            });
            point.push(&push.force, &mut sum.force);
            if let Some(blocks) = sum.slope.as_deref_mut().filter(|_| push.slope != Mat3::zeros()) {
                subtract_outer(&point.weight, &push.slope, blocks);
            }
        }
        for (element, sum) in &sums {
            mesh.scatter(*element as usize, &sum.force, force);
        }
        let Some(values) = values else { return };
        for (element, sum) in &sums {
            if let Some(blocks) = &sum.slope {
                mesh.scatter_blocks(*element as usize, blocks, values);
            }
        }
    }

    /// The point of the mesh where a node pushes.
    fn point(&self, push: &NodePush) -> Point {
        let corners = self.facets[push.triangle as usize].map(|k| &self.corners[k as usize].point);
        let mut point = Point { element: corners[0].element, weight: [0.0; LOCAL] };
        for (corner, share) in corners.iter().zip(push.share) {
            point.weight.iter_mut().zip(&corner.weight).for_each(|(sum, w)| *sum += share * w);
        }
        point
    }
}
