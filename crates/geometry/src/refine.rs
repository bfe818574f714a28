//! Finer triangles for the same surface: every triangle into four at the middles of its edges; and the sphere
//! obtained from the icosahedron.

use crate::TriangleMesh;
use touchdown_math::Vec3;

/// Finest icosphere: 20·4⁸ = 1.3 million triangles.
const MOST_HALVINGS: u32 = 8;

/// The unit sphere as an icosahedron whose edges were halved `halvings` times (at most 8), corners on the sphere: 20·4ⁿ nearly equal triangles.
pub fn icosphere(halvings: u32) -> TriangleMesh {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    // Corners of three golden rectangles.
    let mut vertices = Vec::with_capacity(12);
    for axis in 0..3 {
        for (long, short) in [(golden, 1.0), (golden, -1.0), (-golden, 1.0), (-golden, -1.0)] {
            let mut p = Vec3::zeros();
            (p[axis], p[(axis + 1) % 3]) = (long, short);
            vertices.push(p.normalize());
        }
    }
    // Each triple of corners an edge apart is a face; the sign of its product says which way round.
    let edge = (vertices[0] - vertices[1]).norm();
    let is_edge = |i: usize, j: usize| ((vertices[i] - vertices[j]).norm() / edge - 1.0).abs() < 1e-9;
    let mut triangles = Vec::with_capacity(20);
    for i in 0..12 {
        for j in i + 1..12 {
            for k in (j + 1..12).filter(|&k| is_edge(i, j) && is_edge(j, k) && is_edge(k, i)) {
                let outward = vertices[i].dot(&vertices[j].cross(&vertices[k])) > 0.0;
                let (j, k) = if outward { (j, k) } else { (k, j) };
                triangles.push([i as u32, j as u32, k as u32]);
            }
        }
    }
    let mut mesh = TriangleMesh { vertices, triangles };
    for _ in 0..halvings.min(MOST_HALVINGS) {
        mesh = mesh.halved();
        mesh.vertices.iter_mut().for_each(|p| *p = p.normalize());
    }
    mesh
}

impl TriangleMesh {
    /// The same surface with every triangle cut into four at the middles of its edges; a closed mesh stays closed.
    pub fn halved(&self) -> TriangleMesh {
        let mut vertices = self.vertices.clone();
        let mut edges: Vec<([u32; 2], usize, usize)> = Vec::with_capacity(3 * self.triangles.len());
        for (i, t) in self.triangles.iter().enumerate() {
            edges.extend((0..3).map(|k| {
                let (a, b) = (t[k], t[(k + 1) % 3]);
                ([a.min(b), a.max(b)], i, k)
            }));
        }
        edges.sort_unstable();
        let mut middles = vec![[0u32; 3]; self.triangles.len()];
        for shared in edges.chunk_by(|a, b| a.0 == b.0) {
            let [a, b] = shared[0].0.map(|i| self.vertices[i as usize]);
            shared.iter().for_each(|&(_, i, k)| middles[i][k] = vertices.len() as u32);
            vertices.push(0.5 * (a + b));
        }
        let four = |(&[a, b, c], &[ab, bc, ca]): (&[u32; 3], &[u32; 3])| {
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        let triangles = self.triangles.iter().zip(&middles).flat_map(four).collect();
        TriangleMesh { vertices, triangles }
    }

    /// Halved until no edge is longer than `longest`, m, or a further halving would exceed `most_triangles`. Contact measures penetration at the
    /// corners of the surface that carries the area: its triangles must be small compared with the contact
    /// zones.
    pub fn refined(&self, longest: f64, most_triangles: usize) -> TriangleMesh {
        let mut mesh = self.clone();
        while mesh.longest_edge() > longest && 4 * mesh.triangles.len() <= most_triangles {
            mesh = mesh.halved();
        }
        mesh
    }

    /// The longest edge, m.
    pub fn longest_edge(&self) -> f64 {
        let of = |[a, b, c]: [Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm());
        (0..self.triangles.len()).map(|i| of(self.corners(i))).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// The icosphere is closed, has 20·4ⁿ faces, and its volume tends to the sphere's at second order.
    #[test]
    fn icosphere_tends_to_the_sphere() {
        let error = |n: u32| {
            let mesh = icosphere(n);
            assert!(mesh.is_closed());
            assert_eq!(mesh.triangles.len(), 20 << (2 * n));
            1.0 - mesh.volume() / (4.0 / 3.0 * PI)
        };
        let (coarse, fine) = (error(3), error(4));
        assert!(fine > 0.0 && (coarse / fine).log2() > 1.95, "{coarse} {fine}");
    }

    /// Cutting triangles in four changes neither area nor volume.
    #[test]
    fn refining_keeps_the_surface() {
        let mesh = icosphere(1);
        let fine = mesh.refined(0.1, 1_000_000);
        assert!(fine.is_closed() && fine.longest_edge() <= 0.1);
        // Sums of about 5000 terms.
        assert!((fine.area() / mesh.area() - 1.0).abs() < 5e3 * f64::EPSILON);
        assert!((fine.volume() / mesh.volume() - 1.0).abs() < 5e3 * f64::EPSILON);
        assert_eq!(mesh.refined(0.0, 400).triangles.len(), 320);
    }
}
