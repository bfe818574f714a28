//! Trees and depths against looking at every face.

use crate::tree::nearest_on_triangle;
use crate::{MeshProblemKind, Rock, Shape, SolidMesh, TriangleMesh, icosphere};
use touchdown_math::{Pose, Vec3, rotation};

/// A reproducible vector with components within ±1.
fn vector(k: u32) -> Vec3 {
    Vec3::from_fn(|i, _| (f64::from(k) * [0.618_034, 0.754_878, 0.569_84][i]).fract() * 2.0 - 1.0)
}

fn rock(seed: u64) -> SolidMesh {
    SolidMesh::new(&Rock { halvings: 3, ..Rock::new(seed, Vec3::new(1.5, 1.2, 0.9)) }.mesh()).unwrap()
}

/// Depth is the least distance to any face, whatever the hint; inside a star-shaped body when the point lies nearer to its middle than the
/// surface does along the same ray, which the solid angle of all faces tells.
#[test]
fn depth_is_the_distance_to_the_nearest_face() {
    let solid = rock(3);
    for k in 0..2000 {
        let p = vector(k);
        let all = (0..solid.faces().len()).map(|i| (nearest_on_triangle(&p, solid.corners(i)).0 - p).norm());
        let least = all.fold(f64::INFINITY, f64::min);
        let depth = solid.depth(&p, Some(k * 7));
        assert!((depth.s.abs() - least).abs() < 1e-15);
        let angle: f64 =
            (0..solid.faces().len()).map(|i| solid_angle(&solid.corners(i).map(|c| c - p))).sum();
        assert_eq!(depth.s > 0.0, angle > 2.0 * std::f64::consts::PI, "{p}");
        assert!((p + depth.s * depth.outward - depth.place).norm() < 1e-14);
        assert_eq!(solid.depth(&p, None).s, depth.s);
    }
}

/// Van Oosterom & Strackee.
fn solid_angle([a, b, c]: &[Vec3; 3]) -> f64 {
    let (x, y, z) = (a.norm(), b.norm(), c.norm());
    2.0 * a.dot(&b.cross(c)).atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}

/// The outward direction is minus the gradient of depth, and turns as `bending` says.
#[test]
fn outward_is_the_gradient_and_bends_as_reported() {
    let solid = rock(4);
    let h = 1e-6;
    let mut bent = 0;
    for k in 0..300 {
        let p = vector(k) * 0.7;
        let at = solid.depth(&p, None);
        let (curvature, direction) = solid.bending(&at);
        for i in 0..3 {
            let e = Vec3::ith(i, h);
            let (plus, minus) = (solid.depth(&(p + e), None), solid.depth(&(p - e), None));
            // Differences across the border between two nearest places measure neither.
            if plus.feature != at.feature
                || minus.feature != at.feature
                || plus.face != at.face
                || minus.face != at.face
            {
                continue;
            }
            assert!(((plus.s - minus.s) / (2.0 * h) + at.outward[i]).abs() < 1e-8);
            let turn = (plus.outward - minus.outward) / (2.0 * h);
            let predicted: Vec3 = (0..2).map(|k| direction[k] * (curvature[k] * direction[k][i])).sum();
            // The direction's second derivative goes with 1/s².
            assert!((turn - predicted).norm() < 1e-8 + 10.0 * h * h / at.s.abs().powi(3), "{p}");
            bent += usize::from(predicted.norm() > 0.0);
        }
    }
    assert!(bent > 20);
}

/// Two trees find every pair of faces that are near enough to cross: no pair of crossing faces is missed at any pose.
#[test]
fn overlaps_miss_no_crossing_faces() {
    let (a, b) = (rock(5), rock(6));
    let mut crossings = 0;
    for k in 0..30 {
        let X = Pose::new(&rotation::exp(&(vector(k) * 3.0)), vector(k + 1000) * 0.8);
        let mut found = std::collections::BTreeSet::new();
        a.tree().for_each_overlap(b.tree(), &X, |i, j| {
            i.faces().for_each(|i| {
                j.faces().for_each(|j| {
                    found.insert((i, j));
                })
            });
        });
        for j in 0..b.faces().len() {
            let moved = b.corners(j).map(|p| X.point(&p));
            for i in 0..a.faces().len() {
                if (0..3).any(|k| pierces(&moved[k], &moved[(k + 1) % 3], a.corners(i))) {
                    crossings += 1;
                    assert!(found.contains(&(i, j)), "pose {k}: {i} {j}");
                }
            }
        }
        assert!(found.len() < a.faces().len() * b.faces().len() / 4);
    }
    assert!(crossings > 500);
}

/// Whether a segment passes through a triangle.
fn pierces(p: &Vec3, q: &Vec3, [a, b, c]: &[Vec3; 3]) -> bool {
    let volume = |o: &Vec3, x: &Vec3, y: &Vec3, z: &Vec3| (x - o).dot(&(y - o).cross(&(z - o)));
    let sides = [volume(p, a, b, q), volume(p, b, c, q), volume(p, c, a, q)];
    volume(p, a, b, c) * volume(q, a, b, c) < 0.0
        && (sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0))
}

/// Beside an open sheet nothing is inside; under its middle something is.
#[test]
fn a_sheet_has_an_inside_under_itself_only() {
    let sheet = TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let solid = SolidMesh::new(&sheet).unwrap();
    assert!(!solid.is_closed());
    assert_eq!(solid.depth(&Vec3::new(0.5, 0.5, -0.1), None).s, 0.1);
    assert_eq!(solid.depth(&Vec3::new(0.5, 0.5, 0.1), None).s, -0.1);
    for beside in [Vec3::new(1.1, 0.5, -0.1), Vec3::new(-0.1, -0.1, -0.1)] {
        assert!(solid.depth(&beside, None).s < 0.0);
    }
}

/// Faces carry area, normal, centre, neighbours and where they came from; broken meshes are refused with the face's name.
#[test]
fn faces_know_themselves() {
    let mesh = icosphere(2);
    let solid = SolidMesh::new(&mesh).unwrap();
    let total: f64 = solid.faces().iter().map(|f| f.area).sum();
    assert!((total / mesh.area() - 1.0).abs() < 1e-13 && solid.parts().len() == 1);
    for (i, face) in solid.faces().iter().enumerate() {
        assert!((face.normal - mesh.normal(face.source as usize).unwrap()).norm() < 1e-15);
        assert!(face.centre.dot(&face.normal) > 0.0);
        for &next in &face.across {
            assert!(solid.faces()[next as usize].across.contains(&(i as u32)));
        }
    }
    let mut turned = Shape::Box { size: Vec3::repeat(1.0) }.triangulate(3);
    turned.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let problem = SolidMesh::new(&turned).unwrap_err();
    assert_eq!((problem.kind, problem.face), (MeshProblemKind::InsideOut, Some(0)));
}
