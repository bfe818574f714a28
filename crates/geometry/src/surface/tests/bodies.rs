//! Surfaces of bodies.

use super::*;

const BODIES: [BodySurface; 4] = [
    BodySurface::Sphere { radius: 0.3 },
    BodySurface::Ellipsoid { semi_axes: [0.5, 0.3, 0.2] },
    BodySurface::Cylinder { radius: 0.3, half_length: 0.4 },
    BodySurface::Torus { radius: 0.5, tube: 0.2 },
];

/// Normals and curvatures are those of the surface, everywhere, also at what would be poles of coordinates.
#[test]
fn curvature_is_the_derivative_of_the_normal() {
    let mut r = Random(3);
    for body in BODIES {
        for k in 0..40 {
            let p = if k == 0 {
                Vec3::new(1e-9, 0.0, 0.4)
            } else {
                Vec3::new(r.next(), r.next(), 0.3 * r.next())
            };
            if k == 0 && !body.is_strictly_convex() {
                continue;
            }
            let p = body.onto(&p);
            assert!(body.distance(&p).abs() < 1e-15, "{body:?} {}", body.distance(&p));
            assert!((body.onto(&p) - p).norm() < 1e-15);
            check_curvature(&Surface::Body(body), &p, 0.3);
        }
    }
}

/// Principal curvatures of an ellipsoid at the end of an axis are a/b² and a/c², of a torus at its outside 1/(R + r) and 1/r, inside
/// −1/(R − r).
#[test]
fn principal_curvatures_are_the_known_ones() {
    let [_, ellipsoid, cylinder, torus] = BODIES;
    let near = |found: [f64; 2], expected: [f64; 2]| {
        assert!((0..2).all(|k| (found[k] - expected[k]).abs() < 1e-12), "{found:?} {expected:?}");
    };
    near(ellipsoid.point(&Vec3::new(0.5, 0.0, 0.0)).principal_curvatures(), [0.5 / 0.09, 0.5 / 0.04]);
    near(ellipsoid.point(&Vec3::new(0.0, 0.0, -0.2)).principal_curvatures(), [0.2 / 0.25, 0.2 / 0.09]);
    near(cylinder.point(&Vec3::new(0.0, 0.3, 0.1)).principal_curvatures(), [0.0, 1.0 / 0.3]);
    near(torus.point(&Vec3::new(0.0, 0.7, 0.0)).principal_curvatures(), [1.0 / 0.7, 5.0]);
    near(torus.point(&Vec3::new(-0.3, 0.0, 0.0)).principal_curvatures(), [-1.0 / 0.3, 5.0]);
}

/// The point that faces a direction has that normal, and no point of the body lies farther along it.
#[test]
fn facing_points_have_the_normal() {
    let mut r = Random(8);
    for body in BODIES {
        for _ in 0..30 {
            let mut n = Vec3::new(r.next(), r.next(), r.next()).normalize();
            if matches!(body, BodySurface::Cylinder { .. }) {
                n = Vec3::new(n.x, n.y, 0.0).normalize();
            }
            let p = body.facing(&n);
            assert!((body.point(&p).normal() - n).norm() < 1e-14, "{body:?}");
            for _ in 0..20 {
                let q = body.onto(&Vec3::new(r.next(), r.next(), 0.3 * r.next()));
                assert!(n.dot(&q) <= n.dot(&p) + 1e-14 && q.norm() <= body.reach() + 1e-14);
            }
        }
    }
}
