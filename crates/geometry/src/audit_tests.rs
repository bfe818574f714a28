//! Broken meshes, one problem each: the audit names the face and the place.

use crate::{MeshAudit, MeshProblemKind as Kind, Shape, TriangleMesh};
use touchdown_math::Vec3;

fn cuboid() -> TriangleMesh {
    Shape::Box { size: Vec3::new(0.2, 0.4, 0.6) }.triangulate(3)
}

fn kinds(mesh: &TriangleMesh) -> Vec<(Kind, usize)> {
    MeshAudit::new(mesh).counts
}

/// A sound box has no problem, and its sizes are those of the box.
#[test]
fn a_sound_mesh_is_quiet() {
    let audit = MeshAudit::new(&cuboid());
    assert_eq!((audit.problems.len(), audit.triangles, audit.vertices, audit.components), (0, 12, 8, 1));
    assert!(audit.is_closed && audit.is_oriented);
    assert!((audit.volume - 0.048).abs() < 1e-16 && (audit.area - 0.88).abs() < 1e-15);
}

/// A missing face leaves three open edges, each named with a face beside the hole.
#[test]
fn a_hole_is_named() {
    let mut mesh = cuboid();
    let lost = mesh.triangles.remove(4);
    let audit = MeshAudit::new(&mesh);
    assert_eq!(audit.counts, [(Kind::Open, 3)]);
    assert!(!audit.is_closed && audit.errors().next().is_none());
    for problem in audit.warnings() {
        let edge = problem.edge.expect("an open edge has ends");
        assert!(edge.iter().all(|corner| lost.contains(corner)));
        let beside = mesh.triangles[problem.face.expect("and a face beside it")];
        assert!(edge.iter().all(|corner| beside.contains(corner)));
    }
}

/// One face turned over disagrees with its three neighbours; all turned over are inside out. Both are errors.
#[test]
fn wrong_sides_are_named() {
    let mut one = cuboid();
    one.triangles[7].swap(0, 1);
    let audit = MeshAudit::new(&one);
    assert_eq!(audit.counts, [(Kind::TurnedOver, 3)]);
    assert!(audit.is_closed && !audit.is_oriented && audit.errors().count() == 3);
    let mut all = cuboid();
    all.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let audit = MeshAudit::new(&all);
    assert_eq!(audit.counts, [(Kind::InsideOut, 1)]);
    assert_eq!(audit.errors().next().map(|p| p.face), Some(Some(0)));
    assert!(audit.volume < 0.0);
}

/// A cavity is inside out on purpose; a second body that is inside out beside the first is not.
#[test]
fn cavities_are_no_mistake() {
    let both = |shift: f64| {
        let mut mesh = cuboid();
        let inner = Shape::Box { size: Vec3::repeat(0.1) }.triangulate(3);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(inner.vertices.iter().map(|p| p + Vec3::new(shift, 0.0, 0.0)));
        mesh.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + first, c + first, b + first]));
        MeshAudit::new(&mesh)
    };
    let hollow = both(0.0);
    assert_eq!((hollow.problems.len(), hollow.components), (0, 2));
    assert!((hollow.volume - 0.047).abs() < 1e-16);
    let beside = both(1.0);
    assert_eq!(beside.counts, [(Kind::InsideOut, 1)]);
    assert_eq!(beside.problems[0].face, Some(12));
}

/// Faces without area, faces that are there twice, corners that are no numbers or not there at all.
#[test]
fn broken_faces_are_named() {
    let mut sliver = cuboid();
    sliver.triangles.push([0, 1, 1]);
    assert!(kinds(&sliver).contains(&(Kind::NoArea, 1)));
    assert_eq!(
        MeshAudit::new(&sliver).problems.iter().find(|p| p.kind == Kind::NoArea).unwrap().face,
        Some(12)
    );
    let mut twice = cuboid();
    twice.triangles.push(twice.triangles[3]);
    assert!(kinds(&twice).contains(&(Kind::Duplicate, 1)) && kinds(&twice).contains(&(Kind::ManyAtEdge, 3)));
    let mut nan = cuboid();
    nan.vertices[5].y = f64::NAN;
    let audit = MeshAudit::new(&nan);
    let faces = nan.triangles.iter().filter(|t| t.contains(&5)).count();
    assert!(audit.counts.contains(&(Kind::NotFinite, faces)));
    assert!(audit.area.is_finite() && audit.extent().iter().all(|x| x.is_finite()));
    let mut gone = cuboid();
    gone.triangles[2][1] = 99;
    let problem = MeshAudit::new(&gone).problems[0];
    assert_eq!(
        problem.to_string(),
        "face 2 names a corner that is not there (near 0.0000, 0.0000, 0.0000 m)"
    );
    assert_eq!(kinds(&TriangleMesh::default()), [(Kind::Empty, 1)]);
}

/// A body of 200 mm taken for 200 m is believed; 20 m in millimetres, and a box in kilometres, are not.
#[test]
fn wrong_scales_are_suspected() {
    let scaled = |factor: f64| {
        let mut mesh = cuboid();
        mesh.vertices.iter_mut().for_each(|p| *p *= factor);
        kinds(&mesh)
    };
    assert_eq!(scaled(1.0), []);
    assert_eq!(scaled(1e-3), [(Kind::TooSmall, 1)]);
    assert_eq!(scaled(2e3), [(Kind::TooLarge, 1)]);
}
