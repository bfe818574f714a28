//! Sphere and block on plates against closed forms.

use super::*;
use std::f64::consts::PI;

const RADIUS: f64 = 0.05;
const DEPTH: f64 = 1e-3;

/// Orientations of the sphere over which forces are averaged, so that the order is not hidden by where its corners happen to lie.
const TURNS: usize = 24;

/// Mean vertical force on the upper of two bodies, the sphere, at random orientations and places.
fn mean_force(force: impl Fn(&Pose, &mut MeshScratch) -> f64) -> f64 {
    let (mut random, mut scratch) = (Random(7), MeshScratch::default());
    let mut sum = 0.0;
    for _ in 0..TURNS {
        let turn = random.turn();
        let [x, y] = [random.next(), random.next()].map(|u| 4e-3 * (u - 0.5));
        sum += force(&Pose::new(&turn, Vec3::new(x, y, RADIUS - DEPTH)), &mut scratch);
    }
    sum / TURNS as f64
}

/// Errors against `exact` at three refinements: each halving quarters the error.
fn assert_second_order(force: impl Fn(u32) -> f64, exact: f64, finest_error: f64) {
    let error = [3, 4, 5].map(|n| (force(n) / exact - 1.0).abs());
    let order = [0, 1].map(|k| (error[k] / error[k + 1]).log2());
    assert!(error[2] < finest_error && order.iter().all(|o| (1.7..2.4).contains(o)), "{error:?} {order:?}");
}

fn plate(depth: f64) -> TriangleMesh {
    let mut plate = Shape::Box { size: Vec3::new(0.2, 0.2, depth) }.triangulate(3);
    plate.vertices.iter_mut().for_each(|p| p.z -= 0.5 * depth);
    plate
}

/// The plate is the reference, of 12 triangles or ground, and the force tends at second order to the closed form: with the sphere's area to
/// F = π k R d², with the plate's to k times the volume of the cap, π k d² (R − d/3).
#[test]
fn sphere_on_a_reference_plate() {
    let k = layer().stiffness;
    sphere_on_plate(AreaOf::Body, PI * k * RADIUS * DEPTH * DEPTH);
    sphere_on_plate(AreaOf::Reference, PI * k * DEPTH * DEPTH * (RADIUS - DEPTH / 3.0));
}

fn sphere_on_plate(area_of: AreaOf, exact: f64) {
    let level = HeightSurface::new(HeightForm::Plane { height: 0.0, gradient: [0.0, 0.0] });
    for reference in [Reference::Mesh(solid(&plate(0.02))), Reference::Ground(Arc::new(level))] {
        let force = |n: u32| {
            let pair = MeshPair::new(solid(&sphere(RADIUS, n)), reference.clone(), law(Friction::None));
            let pair = MeshPair { area_of, ..pair };
            mean_force(|X_WS, scratch| still(&pair, *X_WS, scratch).wrench_C.f.z)
        };
        // Chords lie h²/8R below the sphere on average, which lowers the depth; F goes with its square: 2·h²/8Rd is 1.9 % with edges of 2 mm.
        assert_second_order(force, exact, 0.02);
    }
}

/// The plate carries the area and the sphere is the reference: depth is the distance to the sphere, s = R − r, along the radius r. Over the plate
/// r dr = ρ dρ, so F = 2πk(R − d)∫(R − r)dr = π k (R − d) d². The volume rule k·V = π k d² (R − d/3) differs by ⅔ d/R.
#[test]
fn plate_carries_the_area() {
    let k = layer().stiffness;
    let exact = PI * k * (RADIUS - DEPTH) * DEPTH * DEPTH;
    let volume_rule = PI * k * DEPTH * DEPTH * (RADIUS - DEPTH / 3.0);
    assert!((volume_rule / exact - 1.0 - 2.0 / 3.0 * DEPTH / RADIUS).abs() < (DEPTH / RADIUS).powi(2));
    let force = |n: u32| {
        // Edges of plate and sphere in proportion.
        let mut plate = Shape::Box { size: Vec3::new(0.05, 0.05, 0.02) }.triangulate(3);
        plate.vertices.iter_mut().for_each(|p| p.z -= 0.01);
        let plate = solid(&(0..n + 1).fold(plate, |mesh, _| mesh.halved()));
        let reference = Reference::Mesh(solid(&sphere(RADIUS, n + 1)));
        let pair = MeshPair::new(plate, reference, law(Friction::None));
        let plate = SurfaceMotion::at_rest(Pose::identity());
        mean_force(|X_WS, scratch| {
            let force =
                pair.evaluate(&PolygonalState::default(), &plate, &SurfaceMotion::at_rest(*X_WS), scratch);
            -force.wrench_C.f.z
        })
    };
    assert_second_order(force, exact, 0.01);
}

/// A block pressed flat into ground: k A s from its underside, and from its four walls k P s²/2, whose own penetration counts too.
#[test]
fn block_presses_with_underside_and_walls() {
    let (a, b, s) = (0.04, 0.06, 5e-4);
    let block = Shape::Box { size: Vec3::new(a, b, 0.05) }.triangulate(3);
    // Linear between corners and exactly clipped: no mesh error, but the walls' triangles must not straddle the block's top.
    let pair = pair(&block, &plate(0.02), law(Friction::None));
    let X_WC = Pose::translation(Vec3::new(0.01, 0.02, 0.025 - s));
    let force = still(&pair, X_WC, &mut MeshScratch::default());
    let k = layer().stiffness;
    let exact = k * (a * b * s + (a + b) * s * s);
    assert!((force.wrench_C.f.z / exact - 1.0).abs() < 1e-9, "{} {exact}", force.wrench_C.f.z);
    assert!(
        (force.elastic_energy / (k * (a * b * s * s / 2.0 + (a + b) * s.powi(3) / 3.0)) - 1.0).abs() < 1e-9
    );
    assert!((force.penetration_max / s - 1.0).abs() < 1e-9);
    // With the reference's area the walls carry nothing.
    let flat = MeshPair { area_of: AreaOf::Reference, ..pair.clone() };
    let pressed = still(&flat, X_WC, &mut MeshScratch::default());
    assert!((pressed.wrench_C.f.z / (k * a * b * s) - 1.0).abs() < 1e-9, "{}", pressed.wrench_C.f.z);
    // On a slope of the ground the force turns with it.
    let slope = HeightSurface::new(HeightForm::Plane { height: 0.0, gradient: [0.3, 0.0] });
    let up = Vec3::new(-0.3, 0.0, 1.0).normalize();
    let R = rotation::exp(&Vec3::new(0.0, -(0.3f64).atan(), 0.0)).to_rotation_matrix().into_inner();
    let tilted = MeshPair { reference: Reference::Ground(Arc::new(slope)), ..pair };
    let force = still(&tilted, Pose { R, p: up * (0.025 - s) }, &mut MeshScratch::default());
    assert!((force.wrench_C.f - exact * up).norm() < 1e-9 * exact, "{:?}", force.wrench_C);
    assert!(force.wrench_C.t.norm() < 1e-9 * exact);
}
