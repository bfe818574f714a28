//! The convex hull of points: it replaces a collision mesh, which need not be closed or oriented outwards.
//!
//! Incremental (M. Kallay, 1984): a tetrahedron; then, point by point, the faces visible from the point are
//! replaced by a fan from their border. Of many points only those farthest in evenly spread directions are
//! used, which limits the number of faces; the hull is then inscribed in that of all points.

use crate::{TriangleMesh, icosphere};
use std::collections::BTreeSet;
use touchdown_math::{Vec3, rotation};

/// A point counts as outside a face beyond this part of the largest extent.
const OUTSIDE: f64 = 1e-9;
/// Height of a flat hull, as a share of the largest extent.
const FLAT: f64 = 1e-6;
/// Turn of the directions, rad, about (1, 2, 3): edges of boxes and axes of cylinders lie along no direction,
/// so that farthest points are unique.
const SKEW: f64 = 0.3;

/// The hull of the points that are farthest in 10·4ⁿ + 2 directions, n the `halvings` of [`icosphere`]; `None` where they lie in a plane. Closed, counter-clockwise seen from outside.
pub fn convex_hull(points: &[Vec3], halvings: u32) -> Option<TriangleMesh> {
    let skew = rotation::about_axis(&Vec3::new(1.0, 2.0, 3.0).normalize(), SKEW);
    let farthest = |d: &Vec3| {
        let along = |p: &Vec3| p.dot(d);
        (0..points.len()).max_by(|&i, &j| along(&points[i]).total_cmp(&along(&points[j])))
    };
    let taken: BTreeSet<usize> =
        icosphere(halvings).vertices.iter().filter_map(|d| farthest(&(skew * d))).collect();
    let points: Vec<Vec3> = taken.into_iter().map(|i| points[i]).collect();
    let first = *points.first()?;
    let extent = points.iter().map(|p| (p - first).amax()).fold(0.0, f64::max);
    let mut faces = tetrahedron(&points, FLAT * extent)?;
    for p in 0..points.len() {
        add(&points, &mut faces, p as u32, OUTSIDE * extent);
    }
    Some(without_loose(&points, faces))
}

/// Four points that span a volume, as faces.
fn tetrahedron(points: &[Vec3], least: f64) -> Option<Vec<[u32; 3]>> {
    let best = |measure: &dyn Fn(&Vec3) -> f64| {
        let best = (0..points.len()).max_by(|&i, &j| measure(&points[i]).total_cmp(&measure(&points[j])))?;
        (measure(&points[best]) > least).then_some(best)
    };
    let a = points[0];
    let b = best(&|p| (p - a).norm())?;
    let along = (points[b] - a).normalize();
    let c = best(&|p| (p - a).cross(&along).norm())?;
    let normal = along.cross(&(points[c] - a)).normalize();
    let d = best(&|p| (p - a).dot(&normal).abs())?;
    let [b, c] = if (points[d] - a).dot(&normal) > 0.0 { [c, b] } else { [b, c] };
    let [a, b, c, d] = [0, b, c, d].map(|i| i as u32);
    Some(vec![[a, b, c], [a, d, b], [b, d, c], [c, d, a]])
}

/// Faces visible from the point are replaced by a fan from their border to it.
fn add(points: &[Vec3], faces: &mut Vec<[u32; 3]>, p: u32, outside: f64) {
    let sees = |f: &[u32; 3]| {
        let [a, b, c] = f.map(|i| points[i as usize]);
        let normal = (b - a).cross(&(c - a));
        (points[p as usize] - a).dot(&normal) > outside * normal.norm()
    };
    let seen: Vec<[u32; 3]> = faces.iter().filter(|f| sees(f)).copied().collect();
    let edges: BTreeSet<[u32; 2]> = seen.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    faces.retain(|f| !sees(f));
    faces.extend(edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a])).map(|&[a, b]| [a, b, p]));
}

/// The mesh with the points that its faces use.
fn without_loose(points: &[Vec3], faces: Vec<[u32; 3]>) -> TriangleMesh {
    let used: Vec<u32> = faces.iter().flatten().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    let place = |i: u32| used.binary_search(&i).map_or(0, |k| k as u32);
    TriangleMesh {
        vertices: used.iter().map(|&i| points[i as usize]).collect(),
        triangles: faces.into_iter().map(|f| f.map(place)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshAudit, Shape};

    /// The hull of a convex body is the body: volume, area and a closed surface that faces outwards.
    #[test]
    fn convex_bodies_are_their_own_hulls() {
        let shapes =
            [Shape::Box { size: Vec3::new(0.4, 0.2, 0.1) }, Shape::Cylinder { radius: 0.05, length: 0.3 }];
        for shape in shapes {
            let mesh = shape.triangulate(16);
            let hull = convex_hull(&mesh.vertices, 3).expect("a volume");
            assert!(MeshAudit::new(&hull).problems.is_empty(), "{:?}", MeshAudit::new(&hull).problems);
            assert!((hull.volume() - mesh.volume()).abs() < 1e-12, "{} {}", hull.volume(), mesh.volume());
            assert!((hull.area() - mesh.area()).abs() < 1e-12);
        }
    }

    /// Points inside do not count, every point of a cloud lies in its hull, and the hull has no more corners than directions.
    #[test]
    fn clouds_lie_in_their_hulls() {
        let mut cloud: Vec<Vec3> =
            icosphere(2).vertices.iter().map(|p| p.component_mul(&Vec3::new(0.3, 0.2, 0.1))).collect();
        let corners = cloud.len();
        cloud.extend(icosphere(1).vertices.iter().map(|p| p * 0.05));
        let hull = convex_hull(&cloud, 4).expect("a volume");
        assert!(hull.vertices.len() <= corners);
        for k in 0..hull.triangles.len() {
            let [a, b, c] = hull.corners(k);
            let normal = (b - a).cross(&(c - a)).normalize();
            // Farthest points of an ellipsoid: what is left out lies within the sag between directions, here well below 1 mm.
            assert!(cloud.iter().all(|p| (p - a).dot(&normal) < 1e-3));
        }
        assert!(convex_hull(&cloud, 1).expect("a volume").vertices.len() <= 42);
    }

    /// Points in a plane, on a line or in one place have no hull.
    #[test]
    fn flat_clouds_have_none() {
        let flat: Vec<Vec3> = (0..9).map(|i| Vec3::new(f64::from(i % 3), f64::from(i / 3), 1.0)).collect();
        assert!(convex_hull(&flat, 2).is_none() && convex_hull(&flat[..3], 2).is_none());
        assert!(convex_hull(&[], 2).is_none() && convex_hull(&flat[..1], 2).is_none());
    }
}
