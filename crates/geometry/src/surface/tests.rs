//! Patches, formulas and bodies against closed forms, orders and differences.

mod bodies;
mod expressions;
mod patches;

use super::*;
use crate::{Procedural, Raster};

/// Numbers in [−1, 1] from a seed, the same everywhere.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A map of a function, its south-western node at `origin`.
pub(super) fn map_of(
    origin: [f64; 2],
    spacing: f64,
    [columns, rows]: [usize; 2],
    f: impl Fn(f64, f64) -> f64,
) -> Raster {
    let heights = (0..columns * rows)
        .map(|k| f(origin[0] + spacing * (k % columns) as f64, origin[1] + spacing * (k / columns) as f64))
        .collect();
    Raster::new(origin, spacing, columns, rows, heights).expect("a valid map")
}

/// First and second derivatives agree with central differences of value and slopes; the step is 1e-4 of the scale, the error its square.
pub(super) fn check_jet(surface: &HeightSurface, x: f64, y: f64, scale: f64) {
    let h = 1e-4 * scale;
    let at = |a: f64, b: f64| surface.jet(x + a * h, y + b * h).expect("inside");
    let jet = at(0.0, 0.0);
    let (e, w, n, s) = (at(1.0, 0.0), at(-1.0, 0.0), at(0.0, 1.0), at(0.0, -1.0));
    let over = 1.0 / (2.0 * h);
    let slopes = [(e.z - w.z) * over, (n.z - s.z) * over];
    let bends = [
        (e.gradient[0] - w.gradient[0]) * over,
        (e.gradient[1] - w.gradient[1]) * over,
        (n.gradient[1] - s.gradient[1]) * over,
    ];
    let steep = 1.0 + jet.gradient[0].abs() + jet.gradient[1].abs();
    let bent = 1.0 + jet.hessian.iter().fold(0.0f64, |m, b| m.max(b.abs()));
    for k in 0..2 {
        assert!(
            (slopes[k] - jet.gradient[k]).abs() < 1e-6 * steep * bent,
            "slope {k} at {x} {y}: {slopes:?} {jet:?}"
        );
    }
    for k in 0..3 {
        assert!(
            (bends[k] - jet.hessian[k]).abs() < 1e-5 * bent / scale,
            "bend {k} at {x} {y}: {bends:?} {jet:?}"
        );
    }
}

/// The Gauss frame is orthonormal, and the curvature is the derivative of the normal along the tangents.
pub(super) fn check_curvature(surface: &Surface, p: &Vec3, scale: f64) {
    let at = |p: &Vec3| surface.point(&mut None, p).expect("inside");
    let here = at(p);
    assert!((here.frame.transpose() * here.frame - Mat3::identity()).norm() < 1e-14);
    assert!((here.frame.determinant() - 1.0).abs() < 1e-14);
    let h = 1e-5 * scale;
    for (k, expected) in
        [[here.curvature[0], here.curvature[1]], [here.curvature[1], here.curvature[2]]].iter().enumerate()
    {
        let t: Vec3 = here.frame.column(k).into();
        let (a, b) = (at(&(here.p + t * h)), at(&(here.p - t * h)));
        let turn = (a.normal() - b.normal()) / (a.p - b.p).norm();
        for i in 0..2 {
            let found = turn.dot(&here.frame.column(i));
            assert!((found - expected[i]).abs() < 1e-6 / scale, "{k}{i}: {found} {}", expected[i]);
        }
    }
}

/// Every kind of ground has the derivatives it says, and curvatures from them.
#[test]
fn all_ground_has_its_derivatives() {
    let map = map_of([-1.0, -1.0], 0.25, [12, 11], |x, y| (1.3 * x).sin() * (0.9 * y).cos());
    let forms = [
        HeightForm::Plane { height: 0.3, gradient: [0.2, -0.1] },
        HeightForm::Paraboloid { height: 0.3, coefficients: [0.2, -0.1] },
        HeightForm::Ellipsoid { centre: [0.1, 0.2, 0.3], semi_axes: [1.5, 1.2, 0.7], hollow: false },
        HeightForm::Ellipsoid { centre: [0.1, 0.2, 0.3], semi_axes: [1.5, 1.2, 0.7], hollow: true },
        HeightForm::Cylinder { centre: [0.1, 0.2, 0.3], axis: [0.6, 0.8], radius: 1.4, hollow: true },
        HeightForm::Procedural(Procedural::new(3, 0.1, 4.0, 0.2, 3).expect("valid")),
        HeightForm::Expression(Expression::parse("0.3*sin(2*x)*exp(-y^2) + x/(2 + y)").expect("valid")),
        HeightForm::Map { raster: map.clone(), smoothness: Smoothness::C1 },
        HeightForm::Map { raster: map, smoothness: Smoothness::C2 },
    ];
    let mut r = Random(1);
    for form in forms {
        let surface = HeightSurface::new(form);
        for _ in 0..20 {
            let (x, y) = (0.5 * r.next() + 0.011, 0.5 * r.next() + 0.013);
            // Away from the lines of nodes, where second derivatives of C¹ patches jump.
            let near = |c: f64| ((c * 4.0).round() - c * 4.0).abs() < 1e-3;
            if near(x) || near(y) {
                continue;
            }
            check_jet(&surface, x, y, 1.0);
            let z = surface.jet(x, y).expect("inside").z;
            check_curvature(&Surface::Height(surface.clone()), &Vec3::new(x, y, z), 1.0);
        }
    }
}

/// A hill that is half a sphere has the sphere's curvature, a bowl the opposite; beside them there is no ground.
#[test]
fn half_spheres_are_round() {
    let half = |hollow| HeightForm::Ellipsoid { centre: [0.0, 0.0, 1.0], semi_axes: [0.5; 3], hollow };
    for (hollow, sign) in [(false, 2.0), (true, -2.0)] {
        let surface = HeightSurface::new(half(hollow));
        let jet = surface.jet(0.2, -0.3).expect("inside");
        let point = jet.point(0.2, -0.3);
        for k in point.principal_curvatures() {
            assert!((k - sign).abs() < 1e-12, "{k}");
        }
        assert!(((point.p - Vec3::new(0.0, 0.0, 1.0)).norm() - 0.5).abs() < 1e-15);
        assert_eq!(surface.jet(0.4, 0.4), Err(crate::Missing::OffMap));
    }
    let ridge = HeightForm::Cylinder { centre: [0.0; 3], axis: [0.0, 1.0], radius: 0.5, hollow: false };
    let point = HeightSurface::new(ridge).jet(0.3, 7.0).expect("inside").point(0.3, 7.0);
    let [low, high] = point.principal_curvatures();
    assert!(low.abs() < 1e-14 && (high - 2.0).abs() < 1e-12);
}
