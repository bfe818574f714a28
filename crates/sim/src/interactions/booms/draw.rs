//! Form of a bent boom, for drawing.

use super::BoomOnLinks;
use crate::description::{Boom, Visual};
use crate::engine::system::System;
use crate::interactions::Drawing;
use std::sync::Arc;
use touchdown_geometry::{Shape, TriangleMesh};
use touchdown_math::Elementary;
use touchdown_math::Vec3;
use touchdown_spacecraft::boom::column::deflection;

/// Colour of booms.
const COLOUR: [f32; 4] = [0.85, 0.78, 0.55, 1.0];
/// Rings along a drawn boom, and corners around it.
const RINGS: usize = 33;
const AROUND: usize = 16;

/// The form of boom `i`.
pub(super) fn drawing(i: usize, boom: &Boom) -> Drawing {
    let tube = tube(boom.radius, boom.length.value(0.0));
    let (body, X_BG) = (boom.root.body, boom.root.X_BF);
    let shape = Shape::Mesh(tube.clone());
    let visual = Visual { name: boom.name.clone(), body, X_BG, shape, colour: COLOUR };
    let displace = move |system: &System, out: &mut Vec<[f32; 3]>| system.acts.booms[i].displace(&tube, out);
    Drawing { visual, displace: Some(Arc::new(displace)) }
}

/// A boom's tube in its root frame.
fn tube(radius: f64, length: f64) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for i in 0..RINGS {
        let z = length * i as f64 / (RINGS - 1) as f64;
        for k in 0..AROUND {
            let (s, c) = (std::f64::consts::TAU * k as f64 / AROUND as f64).sine_cosine();
            mesh.vertices.push(Vec3::new(radius * c, radius * s, z));
        }
    }
    let at = |i: usize, k: usize| (i * AROUND + k % AROUND) as u32;
    for i in 0..RINGS - 1 {
        for k in 0..AROUND {
            mesh.triangles.push([at(i, k), at(i, k + 1), at(i + 1, k + 1)]);
            mesh.triangles.push([at(i, k), at(i + 1, k + 1), at(i + 1, k)]);
        }
    }
    mesh
}

impl BoomOnLinks {
    /// Displacements of the corners of [`tube`] in the root frame. Needs an evaluation.
    fn displace(&self, tube: &TriangleMesh, out: &mut Vec<[f32; 3]>) {
        out.clear();
        let (d, theta) = (self.motion.d, self.force.theta);
        let line = |s: f64| {
            let x = deflection(s, d.x, theta.y * d.z);
            let y = deflection(s, d.y, -theta.x * d.z);
            Vec3::new(x, y, s * d.z)
        };
        out.extend(tube.vertices.iter().enumerate().map(|(n, p)| {
            let s = (n / AROUND) as f64 / (RINGS - 1) as f64;
            let e = line(s) + Vec3::new(p.x, p.y, 0.0) - p;
            [e.x as f32, e.y as f32, e.z as f32]
        }));
    }
}
