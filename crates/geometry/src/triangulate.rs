//! Primitives into triangles: box, cylinder, sphere. Called by [`crate::Shape::triangulate`].
//!
//! All triangles are counter-clockwise seen from outside; all meshes are closed (corners are shared, seams included).

use crate::TriangleMesh;
use std::f64::consts::PI;
use touchdown_math::Elementary;
use touchdown_math::Vec3;

/// A box centred at the origin; `size` in m. Twelve triangles.
pub(crate) fn cuboid(size: &Vec3) -> TriangleMesh {
    // Corner i has +x, +y, +z where bits 0, 1, 2 of i are set.
    let half = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let vertices =
        (0..8).map(|i| Vec3::new(half(i, 0) * size.x, half(i, 1) * size.y, half(i, 2) * size.z)).collect();
    // Each face as a quadrilateral, counter-clockwise from outside: −x, +x, −y, +y, −z, +z.
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { vertices, triangles }
}

/// A cylinder about z, centred at the origin: a prism over the inscribed regular polygon. Lengths in m.
pub(crate) fn cylinder(radius: f64, length: f64, segments: u32) -> TriangleMesh {
    let n = segments;
    let mut vertices = Vec::with_capacity(2 * n as usize + 2);
    for z in [-0.5 * length, 0.5 * length] {
        vertices.extend((0..n).map(|i| on_circle(radius, i, n, z)));
    }
    let (bottom, top) = (2 * n, 2 * n + 1);
    vertices.push(Vec3::new(0.0, 0.0, -0.5 * length));
    vertices.push(Vec3::new(0.0, 0.0, 0.5 * length));
    let mut triangles = Vec::with_capacity(4 * n as usize);
    for i in 0..n {
        let j = (i + 1) % n;
        triangles.extend([[i, j, n + j], [i, n + j, n + i], [bottom, j, i], [top, n + i, n + j]]);
    }
    TriangleMesh { vertices, triangles }
}

/// A sphere centred at the origin by longitude and latitude, with half as many bands as segments. Radius in m.
pub(crate) fn sphere(radius: f64, segments: u32) -> TriangleMesh {
    let n = segments;
    let bands = (n / 2).max(2);
    let mut vertices = vec![Vec3::new(0.0, 0.0, -radius)];
    for band in 1..bands {
        let latitude = PI * (f64::from(band) / f64::from(bands) - 0.5);
        vertices
            .extend((0..n).map(|i| on_circle(radius * latitude.cosine(), i, n, radius * latitude.sine())));
    }
    let (south, north) = (0, vertices.len() as u32);
    vertices.push(Vec3::new(0.0, 0.0, radius));
    let at = |band: u32, i: u32| 1 + (band - 1) * n + i % n;
    let mut triangles = Vec::new();
    for i in 0..n {
        triangles.push([south, at(1, i + 1), at(1, i)]);
        for band in 1..bands - 1 {
            let (a, b, c, d) = (at(band, i), at(band, i + 1), at(band + 1, i + 1), at(band + 1, i));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([north, at(bands - 1, i), at(bands - 1, i + 1)]);
    }
    TriangleMesh { vertices, triangles }
}

/// Corner `i` of the regular `n`-gon in the plane at height `z`.
fn on_circle(radius: f64, i: u32, n: u32, z: f64) -> Vec3 {
    let (s, c) = (2.0 * PI * f64::from(i) / f64::from(n)).sine_cosine();
    Vec3::new(radius * c, radius * s, z)
}

#[cfg(test)]
mod tests {
    use crate::{Shape, TriangleMesh};
    use std::f64::consts::PI;
    use touchdown_math::Vec3;

    /// Rounding of a sum of `n` terms, relative.
    fn rounding(mesh: &TriangleMesh) -> f64 {
        8.0 * mesh.triangles.len() as f64 * f64::EPSILON
    }

    /// All forms are convex about the origin, so an outward normal points away from it.
    fn assert_outward(mesh: &TriangleMesh) {
        assert!(mesh.check().is_ok() && mesh.is_closed());
        for i in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(i);
            let normal = mesh.normal(i).expect("no triangle of a primitive is a sliver");
            assert!(normal.dot(&(a + b + c)) > 0.0, "triangle {i} faces inwards");
        }
    }

    #[test]
    fn box_is_exact() {
        // A box is a polyhedron: its triangles have its area and volume to rounding.
        let shape = Shape::Box { size: Vec3::new(0.3, 1.7, 2.9) };
        let mesh = shape.triangulate(3);
        assert_outward(&mesh);
        assert!((mesh.volume() / shape.volume() - 1.0).abs() < rounding(&mesh));
        assert!((mesh.area() / shape.area() - 1.0).abs() < rounding(&mesh));
    }

    #[test]
    fn cylinder_is_its_inscribed_prism() {
        // The prism over a regular n-gon has base n/2·R² sin(2π/n) and perimeter 2nR sin(π/n).
        let (radius, length) = (0.7, 1.9);
        for n in [3u32, 4, 17, 64] {
            let mesh = Shape::Cylinder { radius, length }.triangulate(n);
            assert_outward(&mesh);
            let count = f64::from(n);
            let base = 0.5 * count * radius * radius * (2.0 * PI / count).sin();
            let side = 2.0 * count * radius * (PI / count).sin() * length;
            assert!((mesh.volume() / (base * length) - 1.0).abs() < rounding(&mesh));
            assert!((mesh.area() / (2.0 * base + side) - 1.0).abs() < rounding(&mesh));
        }
    }

    #[test]
    fn sphere_converges_from_inside_at_second_order() {
        // An inscribed polyhedron is smaller than its sphere by an amount proportional to the square of its edge.
        let shape = Shape::Sphere { radius: 0.8 };
        let deficit = |n: u32| {
            let mesh = shape.triangulate(n);
            assert_outward(&mesh);
            assert!(mesh.vertices.iter().all(|p| (p.norm() - 0.8).abs() < 4.0 * f64::EPSILON));
            (1.0 - mesh.volume() / shape.volume(), 1.0 - mesh.area() / shape.area())
        };
        let (coarse, fine) = (deficit(32), deficit(64));
        assert!(fine.0 > 0.0 && fine.1 > 0.0);
        // The next term of the error is of order (π/32)² = 1 % of the first, so the ratio is 4 within 2 %.
        assert!((coarse.0 / fine.0 - 4.0).abs() < 0.08, "volume: {}", coarse.0 / fine.0);
        assert!((coarse.1 / fine.1 - 4.0).abs() < 0.08, "area: {}", coarse.1 / fine.1);
    }

    #[test]
    fn few_segments_are_raised_to_a_solid() {
        // Fewer than three segments enclose nothing, so three are used.
        for shape in [Shape::Sphere { radius: 1.0 }, Shape::Cylinder { radius: 1.0, length: 1.0 }] {
            assert_outward(&shape.triangulate(0));
        }
    }
}
