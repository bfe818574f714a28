//! Forces of simple bodies against their closed forms, for both choices of the area, and their order in the mesh.

use super::*;
use std::f64::consts::PI;

const R: f64 = 0.05;
const D: f64 = 1e-3;

fn force(pair: &RevolutionPair, height: f64) -> f64 {
    fresh(pair, &at(Vec3::new(0.0, 0.0, height))).wrench_C.f.z
}

fn sphere(segments: u32, area_of: AreaOf) -> f64 {
    let body = cap(R);
    let whole = Section::new(&Path::from([-R, 0.0]).arc([0.0, R], [R, 0.0]), Side::Solid).unwrap();
    let mut pair = pair(&body, &whole.resolution(segments), plate(), smooth(&rubber()));
    pair.area_of = area_of;
    force(&pair, R - D)
}

/// A cylinder lies on the plate, its axis along x.
fn cylinder(segments: u32, area_of: AreaOf) -> f64 {
    let body = Section::through(&[[-0.05, R], [0.05, R]], Side::Solid).unwrap();
    let mut pair = pair(&body, &body.resolution(segments), plate(), smooth(&rubber()));
    pair.area_of = area_of;
    fresh(&pair, &turned(Vec3::new(0.0, 0.5 * PI, 0.0), Vec3::new(0.0, 0.0, R - D))).wrench_C.f.z
}

fn cone(segments: u32) -> f64 {
    let half = 60f64.to_radians();
    let body = Section::through(&[[0.0, 0.0], [0.01, 0.01 * half.tan()]], Side::Solid).unwrap();
    let mut pair = pair(&body, &body.resolution(segments), plate(), smooth(&rubber()));
    pair.area_of = AreaOf::Reference;
    force(&pair, -D)
}

/// Errors at three meshes: within 0.1 % at the default one, and falling with the square of the spacing.
fn check(name: &str, exact: f64, force: impl Fn(u32) -> f64) {
    let error = |n: u32| (force(n) / exact - 1.0).abs();
    let n = DEFAULT_SEGMENTS;
    let (coarse, medium, fine) = (error(n / 4), error(n / 2), error(n));
    println!("{name}: {exact:.6} N, errors {coarse:.2e} {medium:.2e} {fine:.2e}");
    assert!(fine < 1e-3, "{name}: {fine}");
    let order = (coarse / fine).log2() / 2.0;
    assert!(order > 1.8 || fine < 1e-12, "{name}: order {order}");
}

/// Sphere on plate: π k R d² over the sphere's area, k times the volume of the cap over the plate's.
#[test]
fn sphere_on_plate() {
    let k = rubber().stiffness;
    assert!((k / 5.384615e8 - 1.0).abs() < 1e-7);
    check("sphere, own area", PI * k * R * D * D, |n| sphere(n, AreaOf::Body));
    check("sphere, plate's area", PI * k * D * D * (R - D / 3.0), |n| sphere(n, AreaOf::Reference));
}

/// Cylinder on plate.
#[test]
fn cylinder_on_plate() {
    let (k, L) = (rubber().stiffness, 0.1);
    let c = 1.0 - D / R;
    let t0 = c.acos();
    check("cylinder, own area", 2.0 * k * L * R * R * (t0.sin() - c * t0), |n| cylinder(n, AreaOf::Body));
    check("cylinder, plate's area", k * L * R * R * (t0 - c * t0.sin()), |n| cylinder(n, AreaOf::Reference));
}

/// Cone on plate: (π/3) k tan²α d³.
#[test]
fn cone_on_plate() {
    let tan = 60f64.to_radians().tan();
    check("cone, plate's area", PI / 3.0 * rubber().stiffness * tan * tan * D.powi(3), cone);
}

/// The plate may carry the triangles instead and the sphere be the reference: π k (R − d) d² along the sphere's normals over the plate's area.
#[test]
fn plate_on_sphere() {
    let whole = Section::new(&Path::from([-R, 0.0]).arc([0.0, R], [R, 0.0]), Side::Solid).unwrap();
    let body = Section::through(&[[0.0, 0.0], [0.0, 0.02]], Side::Solid).unwrap();
    let exact = PI * rubber().stiffness * (R - D) * D * D;
    check("plate on sphere", exact, |n| {
        let resolution = Resolution { segments: n, sagitta: 1.0, spacing: 2.0 * PI * R / f64::from(n) };
        force(&pair(&body, &resolution, whole.clone(), smooth(&rubber())), R - D)
    });
}

/// A flat punch: k A d exactly, whichever area counts but for the circle's roundness; tilted about its middle, k I φ of a restoring moment. A square
/// one by its own mesh: k L² d and k L⁴ φ/12.
#[test]
fn flat_punch() {
    let k = rubber().stiffness;
    let body = punch(0.03);
    let one = pair(&body, &body.resolution(48), plate(), smooth(&rubber()));
    let exact = k * PI * 0.03 * 0.03 * D;
    assert!((force(&one, -D) / exact - 1.0).abs() < 1e-12);

    let L = 0.04;
    let n = 8;
    let mut mesh = touchdown_geometry::TriangleMesh::default();
    let place = |i: u32| L * (f64::from(i) / f64::from(n) - 0.5);
    for i in 0..=n {
        mesh.vertices.extend((0..=n).map(|j| Vec3::new(place(i), place(j), 0.0)));
    }
    for i in 0..n {
        for j in 0..n {
            let corner = |i: u32, j: u32| i * (n + 1) + j;
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            mesh.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    for area_of in [AreaOf::Body, AreaOf::Reference] {
        let mut square =
            RevolutionPair::new(Faces::new(&mesh, None, None).unwrap(), plate(), smooth(&rubber())).unwrap();
        square.area_of = area_of;
        let phi = 1e-3;
        let force = fresh(&square, &turned(Vec3::new(phi, 0.0, 0.0), Vec3::new(0.0, 0.0, -D)));
        assert!((force.wrench_C.f.z / (k * L * L * D) - 1.0).abs() < phi * phi);
        // A plate without sides covers less of the reference body when it tilts, which pays ½ k L² d² of energy per cos φ.
        let open = if area_of == AreaOf::Reference { 0.5 * k * L * L * D * D * phi } else { 0.0 };
        let moment = k * L.powi(4) * phi / 12.0 - open;
        assert!((-force.wrench_C.t.x / moment - 1.0).abs() < 2.0 * phi * phi);
        assert!((force.area / (L * L) - 1.0).abs() < phi * phi);
        assert_eq!(force.polygons, 2 * n * n);
    }
}

/// Where the pressure acts, how deep, and when the layer leaves its range.
#[test]
fn figures_of_a_contact() {
    let body = punch(0.03);
    let one = pair(&body, &body.resolution(48), plate(), smooth(&rubber()));
    let force = fresh(&one, &at(Vec3::new(0.1, 0.2, -D)));
    assert!((force.p_WQ - Vec3::new(0.1, 0.2, -D)).norm() < 1e-12);
    assert!((force.penetration_max - D).abs() < 1e-15 && force.in_range);
    assert!((force.elastic_energy / (0.5 * force.wrench_C.f.z * D) - 1.0).abs() < 1e-12);
    // Torque about another point: arm times force.
    let torque = force.torque_about(&Vec3::new(0.1, 0.2, -D), &Vec3::new(0.1, 0.0, 0.0));
    assert!((torque.x / (0.2 * force.wrench_C.f.z) - 1.0).abs() < 1e-12);
    assert!(!fresh(&one, &at(Vec3::new(0.0, 0.0, -1.3e-3))).in_range);
    assert_eq!(
        fresh(&one, &at(Vec3::new(0.0, 0.0, 1e-9))),
        PolygonalForce { p_WQ: Vec3::new(0.0, 0.0, 1e-9), ..PolygonalForce::new() }
    );
}
