//! Bodies that the parts below share.

mod closed_forms;
mod continuity;
mod friction;
mod impact;
mod laws;
mod peg;
mod robust;
mod tangents;

use super::*;
use touchdown_geometry::TriangleMesh;
use touchdown_geometry::revolution::{Path, Resolution, Section, Side};
use touchdown_math::{Mat3, Pose, Vec3, rotation};

/// E = 2 MPa, ν = 0.3, b = 5 mm: k = 5.384615e8 N/m³.
fn rubber() -> Layer {
    Layer::from_material(2e6, 0.3, 5e-3).unwrap()
}

fn law(layer: &Layer, damping_depth: f64, friction: Friction) -> PairLaw {
    PairLaw::in_series(layer, &Layer::RIGID, damping_depth, friction).unwrap()
}

fn smooth(layer: &Layer) -> PairLaw {
    law(layer, 0.0, Friction::None)
}

/// A plate of 1 m radius, top at z = 0.
fn plate() -> Section {
    Section::through(&[[0.0, 1.0], [0.0, 0.0]], Side::Solid).unwrap()
}

/// The lower 40° of a sphere, centre at the origin.
fn cap(radius: f64) -> Section {
    let at = |angle: f64| [-radius * angle.cos(), radius * angle.sin()];
    let end = 40f64.to_radians();
    Section::new(&Path::from([-radius, 0.0]).arc(at(0.5 * end), at(end)), Side::Solid).unwrap()
}

/// The underside of a flat round punch.
fn punch(radius: f64) -> Section {
    Section::through(&[[0.0, 0.0], [0.0, radius]], Side::Solid).unwrap()
}

fn pair(body: &Section, resolution: &Resolution, reference: Section, law: PairLaw) -> RevolutionPair {
    RevolutionPair::new(Faces::revolved(&body.mesh(resolution)).unwrap(), reference, law).unwrap()
}

fn still(X_WS: Pose) -> SurfaceMotion {
    SurfaceMotion::at_rest(X_WS)
}

fn at(p: Vec3) -> SurfaceMotion {
    still(Pose::translation(p))
}

fn origin() -> SurfaceMotion {
    at(Vec3::zeros())
}

fn turned(theta: Vec3, p: Vec3) -> SurfaceMotion {
    still(Pose::new(&rotation::exp(&theta), p))
}

/// A motion moved by a small rotation and displacement, world velocities held.
fn moved(motion: &SurfaceMotion, turn: &Vec3, shift: &Vec3) -> SurfaceMotion {
    let R: Mat3 = *rotation::exp(turn).to_rotation_matrix().matrix();
    SurfaceMotion { X_WS: Pose { R: R * motion.X_WS.R, p: motion.X_WS.p + shift }, ..*motion }
}

/// The force without memory.
fn fresh(pair: &RevolutionPair, body: &SurfaceMotion) -> PolygonalForce {
    pair.evaluate(&PolygonalState::default(), body, &origin())
}

/// A tree of bands finds what a tree of spheres finds: the same force on a tilted, shifted ring of a body in a cone, and less of it is looked at.
#[test]
fn bands_find_what_spheres_find() {
    let body = Section::through(&[[0.0, 0.02], [0.06, 0.02], [0.08, 0.01]], Side::Solid).unwrap();
    let cone = Section::through(&[[-0.05, 0.001], [0.15, 0.0415]], Side::Cavity).unwrap();
    let law = PairLaw::in_series(&Layer::given(1e9), &Layer::RIGID, 0.0, Friction::None).unwrap();
    let mesh = body.mesh(&Resolution { segments: 24, sagitta: 1.0, spacing: 5e-4 });
    let make = |faces: Faces| RevolutionPair::new(faces, cone.clone(), law).unwrap();
    let (spheres, bands) = (make(Faces::revolved(&mesh).unwrap()), make(Faces::banded(&mesh).unwrap()));
    let fresh = PolygonalState::default();
    let still = |X_WS| SurfaceMotion::at_rest(X_WS);
    let mut touched = 0;
    for k in 0..60 {
        let x = f64::from(k);
        let turn = Vec3::new((1.3 * x).sin(), (0.7 * x).cos(), x) * 0.004 * (x / 20.0);
        let R = touchdown_math::rotation::exp(&turn).to_rotation_matrix().into_inner();
        let p = Vec3::new(3e-4 * (2.1 * x).sin(), 4e-4 * x.cos(), 0.0441 + 2e-3 * (0.37 * x).sin());
        let (at, to) = (still(Pose { R, p }), still(Pose::identity()));
        let [a, b] = [&spheres, &bands].map(|pair| pair.evaluate(&fresh, &at, &to));
        assert_eq!(a.polygons, b.polygons);
        let apart = (a.wrench_C.f - b.wrench_C.f).norm() + (a.wrench_C.t - b.wrench_C.t).norm();
        assert!(apart <= 1e-12 * (1.0 + a.wrench_C.f.norm()), "{apart:e}");
        touched += u32::from(a.polygons > 0);
    }
    assert!((10..60).contains(&touched), "{touched}");
    // Coaxial and just touching at its widest ring: two strips of bands, and all that the spheres of long faces reach.
    let (at, to) = (still(Pose::translation(Vec3::z() * 0.0437)), still(Pose::identity()));
    let [a, b] = [&spheres, &bands].map(|pair| pair.for_each_touching(&fresh, &at, &to, |_| {}).corners);
    assert!(b > 0 && 3 * b < a, "{a} {b}");
}

/// A pad of 40 mm × 40 mm that looks along z, fine along x.
fn pad(across: u32, along: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (i, j) in (0..=across).flat_map(|i| (0..=along).map(move |j| (i, j))) {
        let place = |k: u32, of: u32| 0.04 * (f64::from(k) / f64::from(of) - 0.5);
        mesh.vertices.push(Vec3::new(place(i, across), place(j, along), 0.0));
    }
    let at = |i: u32, j: u32| i * (along + 1) + j;
    for (i, j) in (0..across).flat_map(|i| (0..along).map(move |j| (i, j))) {
        mesh.triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
        mesh.triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    mesh
}

/// A ring on a pad, tilted and shifted: both trees find exactly the faces that have a corner in the ring, and slices look at fewer.
#[test]
fn slices_find_what_touches() {
    let (radius, edge) = (0.6, 0.004);
    let circle = Path::from([-2.0 * edge, radius])
        .arc([-edge, radius + edge], [0.0, radius])
        .arc([-edge, radius - edge], [-2.0 * edge, radius]);
    let ring = Section::new(&circle, Side::Solid).unwrap();
    let mesh = pad(160, 4);
    let make = |faces: Faces| RevolutionPair::new(faces, ring.clone(), smooth(&rubber())).unwrap();
    let (whole, sliced) =
        (make(Faces::new(&mesh, None, None).unwrap()), make(Faces::sliced(&mesh, 0).unwrap()));
    let (mut touched, mut corners) = (0, [0; 2]);
    for k in 0..80 {
        let x = f64::from(k);
        let turn = Vec3::new((1.3 * x).sin(), (0.7 * x).cos(), (0.2 * x).sin()) * 0.005;
        let place = Vec3::new(radius + 0.019 * (0.9 * x).sin(), 0.05 * (0.4 * x).cos(), 1.5e-4 * x.cos());
        let body = turned(turn, place);
        let inside = |k: &u32| {
            let p = body.X_WS.point(&mesh.vertices[*k as usize]);
            ring.distance([p.z, p.x.hypot(p.y)]) < 0.0
        };
        let expected = mesh.triangles.iter().filter(|t| t.iter().any(inside)).count();
        let [a, b] = [&whole, &sliced].map(|pair| fresh(pair, &body));
        assert_eq!([a.polygons as usize, b.polygons as usize], [expected; 2], "pose {k}");
        assert!((a.wrench_C.f - b.wrench_C.f).norm() <= 1e-12 * a.wrench_C.f.norm());
        touched += u32::from(expected > 0);
        for (count, pair) in corners.iter_mut().zip([&whole, &sliced]) {
            *count += pair.for_each_touching(&PolygonalState::default(), &body, &origin(), |_| {}).corners;
        }
    }
    assert!((20..80).contains(&touched), "{touched}");
    assert!(corners[1] < corners[0], "{corners:?}");
}
