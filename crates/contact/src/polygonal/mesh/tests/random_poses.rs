//! Two random meshes at random poses and motions: whatever they do, numbers stay numbers.

use super::*;
use touchdown_geometry::MeshAudit;

/// A heap of triangles without order: slivers, overlaps, open edges, huge and tiny. Errors of the audit
/// refuse it; the rest must be borne.
fn heap(random: &mut Random) -> TriangleMesh {
    let corners = 4 + (random.next() * 30.0) as usize;
    let mut vertices: Vec<Vec3> = (0..corners).map(|_| random.vector(0.1)).collect();
    if random.next() < 0.3 {
        vertices[1] = vertices[0] + random.vector(1e-14);
    }
    let corner = |random: &mut Random| (random.next() * corners as f64) as u32;
    let count = 4 + (random.next() * 60.0) as usize;
    let triangles = (0..count).map(|_| [corner(random), corner(random), corner(random)]).collect();
    TriangleMesh { vertices, triangles }
}

fn any_mesh(random: &mut Random) -> TriangleMesh {
    match (random.next() * 5.0) as u32 {
        0 => heap(random),
        1 => Shape::Box { size: random.vector(0.1).abs() }.triangulate(3).refined(0.05, 2000),
        2 => Shape::Cylinder { radius: 0.05, length: 0.1 }.triangulate(12),
        _ => {
            let size = Vec3::repeat(0.02) + random.vector(0.1).abs();
            let seed = (random.next() * 1e9) as u64;
            let halvings = (random.next() * 4.0) as u32;
            Rock { halvings, roughness: 0.5 * random.next(), ..Rock::new(seed, size) }.mesh()
        }
    }
}

/// `count` poses; a new pair of meshes every hundred. Returns how many touched.
fn try_poses(seed: u64, count: usize) -> usize {
    let mut random = Random(seed);
    let mut scratch = MeshScratch::default();
    let (mut pair, mut state) = (None, PolygonalState::default());
    let mut touched = 0;
    for k in 0..count {
        if k % 100 == 0 {
            let friction = match k / 100 % 3 {
                0 => Friction::None,
                1 => Friction::Regularised { coefficient: 0.5, speed: 1e-3 },
                _ => Friction::StickSlip { stick: 0.5, slip: 0.3, release_speed: 1e-3 },
            };
            let (mesh, other) = (any_mesh(&mut random), any_mesh(&mut random));
            // Also meshes with errors: the results must still be numbers.
            let ready = |mesh| SolidMesh::of_audited(mesh, &MeshAudit::new(mesh));
            let (Ok(mesh), Ok(other)) = (ready(&mesh), ready(&other)) else {
                pair = None;
                continue;
            };
            let law = PairLaw { damping: 1e5, damping_depth: 1e-4, ..law(friction) };
            let reference = Reference::Mesh(Arc::new(other));
            let area_of = if k / 100 % 2 == 0 { AreaOf::Body } else { AreaOf::Reference };
            pair = Some(MeshPair { area_of, ..MeshPair::new(Arc::new(mesh), reference, law) });
            state = PolygonalState::default();
        }
        let Some(pair) = &pair else { continue };
        let size = if random.next() < 0.02 { 1e6 } else { 0.1 };
        let mut motion = |size: f64| SurfaceMotion {
            X_WS: Pose::new(&random.turn(), random.vector(size)),
            v_WS: random.vector(1.0),
            w_WS: random.vector(10.0),
        };
        let (body, reference) = (motion(size), motion(0.01));
        let (force, tangent) = pair.evaluate_with_tangent(&state, &body, &reference, &mut scratch);
        let is_finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        assert!(
            is_finite(&force.wrench_C.f) && is_finite(&force.wrench_C.t) && is_finite(&force.p_WQ),
            "pose {k}"
        );
        assert!(
            force.elastic_energy.is_finite() && force.dissipated_power.is_finite() && force.area.is_finite()
        );
        // Faces that look away take from the reference's area.
        let is_own = pair.area_of == AreaOf::Body;
        assert!((force.elastic_energy >= 0.0 || !is_own) && force.penetration_max >= 0.0);
        // Anchors that jump from pose to pose set free what no motion stored.
        let has_memory = !state.faces.is_empty() || !is_own;
        assert!(has_memory || force.dissipated_power >= 0.0, "pose {k}: {}", force.dissipated_power);
        assert!(tangent.K.iter().chain(tangent.D.iter()).all(|x| x.is_finite()), "pose {k}");
        let heat = pair.commit(&mut state, &body, &reference, &mut scratch).heat;
        assert!(heat.is_finite() && state.faces.iter().all(|f| f.anchor_R.iter().all(|x| x.is_finite())));
        touched += usize::from(force.polygons > 0);
    }
    touched
}

/// Random poses of random meshes raise no panic and no number that is not finite.
#[test]
fn random_poses_stay_finite() {
    // Two bodies of a decimetre within a decimetre of each other: many touch.
    assert!(try_poses(1, 4000) > 400);
}

/// The same a million times: a few minutes.
#[test]
#[ignore = "a million poses; minutes"]
fn a_million_random_poses_stay_finite() {
    assert!((0..10).map(|seed| try_poses(seed, 100_000)).sum::<usize>() > 100_000);
}

/// Poses that are no numbers touch nothing.
#[test]
fn poses_that_are_no_numbers_touch_nothing() {
    let pair = pair(&sphere(0.05, 1), &sphere(0.05, 1), law(Friction::None));
    for bad in [f64::NAN, f64::INFINITY] {
        let force = still(&pair, Pose::translation(Vec3::new(bad, 0.0, 0.0)), &mut MeshScratch::default());
        assert_eq!(force.polygons, 0);
    }
}
