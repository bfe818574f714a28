//! Whatever the pose and the form: no panic and no number that is not finite.

use super::*;
use proptest::prelude::*;

fn finite(force: &PolygonalForce) -> bool {
    let all =
        [force.elastic_energy, force.area, force.penetration_max, force.dissipated_power, force.normal_force];
    force
        .wrench_C
        .f
        .iter()
        .chain(force.wrench_C.t.iter())
        .chain(force.p_WQ.iter())
        .chain(&all)
        .all(|x| x.is_finite())
}

fn crown() -> Section {
    let path = Path::from([-0.02, 0.0])
        .line([-0.02, 0.01])
        .line([0.03, 0.02])
        .arc([0.035, 0.025], [0.03, 0.03])
        .spline(&[[0.01, 0.032], [0.0, 0.04], [0.01, 0.05]]);
    Section::new(&path, Side::Solid).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
    #[test]
    fn random_poses(
        turn in prop::array::uniform3(-4.0..4.0f64),
        offset in prop::array::uniform3(-0.08..0.08f64),
        v in prop::array::uniform3(-10.0..10.0f64),
        corners in prop::collection::vec(prop::array::uniform3(-0.05..0.05f64), 9..30),
        on_reference in any::<bool>(),
        literal in any::<bool>(),
        cavity in any::<bool>(),
    ) {
        let layer = Layer { damping: 1e5, shear_damping: 1e5, ..rubber() };
        let friction = Friction::StickSlip { stick: 0.5, slip: 0.3, release_speed: 1e-3 };
        let mut law = law(&layer, 1e-4, friction);
        law.separation = if literal { Separation::Literal } else { Separation::Clamped };
        let mesh = TriangleMesh {
            triangles: (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect(),
            vertices: corners.iter().map(|c| Vec3::from(*c)).collect(),
        };
        let nozzle = Section::through(&[[-0.05, 0.0], [-0.04, 0.02], [0.05, 0.03]], Side::Cavity).unwrap();
        let reference = if cavity { nozzle } else { crown() };
        let mut pair = RevolutionPair::new(Faces::new(&mesh, None, None).unwrap(), reference, law).unwrap();
        pair.area_of = if on_reference { AreaOf::Reference } else { AreaOf::Body };
        let mut state = PolygonalState::default();
        for k in 0..3 {
            let shift = Vec3::from(v) * (1e-3 * f64::from(k));
            let motion = SurfaceMotion { v_WS: Vec3::from(v), ..turned(Vec3::from(turn), Vec3::from(offset) + shift) };
            let (force, tangent) = pair.evaluate_with_tangent(&state, &motion, &origin());
            prop_assert!(finite(&force), "{force:?}");
            // The quick sum over leaves is the sum over faces.
            let mut slow = PolygonalForce::new();
            pair.for_each_touching(&state, &motion, &origin(), |face| {
                for i in 0..3 {
                    let arm = face.corners_R[i] - motion.X_WS.p;
                    slow.wrench_C += touchdown_math::Wrench::force_at(face.force.f[i], &arm);
                }
                slow.elastic_energy += face.force.elastic_energy;
                slow.dissipated_power += face.force.dissipated_power;
                slow.sliding += u32::from(face.force.friction.at_limit);
            });
            let size = force.normal_force.abs() + force.wrench_C.f.norm() + 1e-9;
            prop_assert!((slow.wrench_C.f - force.wrench_C.f).norm() < 1e-9 * size, "{slow:?} {force:?}");
            prop_assert!((slow.wrench_C.t - force.wrench_C.t).norm() < 1e-9 * size);
            prop_assert!((slow.elastic_energy - force.elastic_energy).abs() <= 1e-9 * force.elastic_energy.abs());
            prop_assert!((slow.dissipated_power - force.dissipated_power).abs() <= 1e-9 * force.dissipated_power.abs() + 1e-12);
            prop_assert_eq!(slow.sliding, force.sliding);
            prop_assert_eq!(pair.evaluate(&state, &motion, &origin()), force);
            prop_assert!(tangent.K.iter().chain(tangent.D.iter()).all(|x| x.is_finite()));
            prop_assert!(literal || on_reference || force.dissipated_power >= 0.0);
            let mut next = PolygonalState::default();
            let tried = pair.try_commit(&state, &motion, &origin(), &mut next);
            let commit = pair.commit(&mut state, &motion, &origin());
            prop_assert!(commit.heat.is_finite());
            prop_assert_eq!((tried, &next), (commit, &state));
            prop_assert_eq!(commit.force, force);
            prop_assert!(state.faces.iter().all(|f| f.anchor_R.iter().all(|x| x.is_finite())));
        }
    }
}

/// Faces without area, empty meshes, corners on the axis.
#[test]
fn degenerate_bodies() {
    let empty = RevolutionPair::new(
        Faces::new(&TriangleMesh::default(), None, None).unwrap(),
        plate(),
        smooth(&rubber()),
    )
    .unwrap();
    assert_eq!(fresh(&empty, &origin()).polygons, 0);
    let sliver = TriangleMesh { vertices: vec![Vec3::zeros(); 3], triangles: vec![[0, 1, 2], [0, 0, 0]] };
    for area_of in [AreaOf::Body, AreaOf::Reference] {
        let mut pair =
            RevolutionPair::new(Faces::new(&sliver, None, None).unwrap(), crown(), smooth(&rubber()))
                .unwrap();
        pair.area_of = area_of;
        let (force, tangent) = pair.evaluate_with_tangent(&PolygonalState::default(), &origin(), &origin());
        assert!(finite(&force) && tangent.K.iter().all(|x| x.is_finite()), "{force:?}");
    }
    let broken = TriangleMesh { vertices: vec![Vec3::repeat(f64::NAN); 3], triangles: vec![[0, 1, 2]] };
    assert!(Faces::new(&broken, None, None).is_err());
    assert!(Faces::new(&sliver, Some(&[1.0]), None).is_err());
}

/// A section that opens pushes a body at rest, and a body that grows pushes into a section at rest: the same rates.
#[test]
fn moving_sections_damp() {
    use touchdown_geometry::revolution::{Family, MovingSection};
    let shut = Path::from([0.1, 0.02]).line([0.0, 0.02]);
    let open = Path::from([0.1, 0.03]).line([0.0, 0.03]);
    let family = Family::new(vec![(0.0, shut), (1.0, open)], Side::Cavity).unwrap();
    let body = Section::through(&[[0.09, 0.0201], [0.01, 0.0201]], Side::Cavity).unwrap();
    let layer = Layer { damping: 1e5, ..Layer::given(1e8) };
    // Both run towards −a, so that material is inside: the reference body grows outwards into the body's faces.
    let mut one =
        pair(&body, &body.resolution(48), family.at(0.05).section, law(&layer, 0.0, Friction::None));
    let calm = fresh(&one, &origin());
    one.reference = family.at(0.05);
    one.reference_rate = 0.01;
    let pushed = fresh(&one, &origin());
    let growth = pushed.normal_force - calm.normal_force;
    assert!((growth / (1e5 * body.area() * 0.01 * 0.01) - 1.0).abs() < 1e-3, "{growth} {calm:?}");
    // The same speed of the faces inwards instead.
    one.reference = MovingSection::at_rest(family.at(0.05).section);
    let mesh = body.mesh(&body.resolution(48));
    let rates: Vec<Vec3> =
        mesh.mesh.vertices.iter().map(|p| -Vec3::new(p.x, p.y, 0.0).normalize() * 1e-4).collect();
    one.faces.update(&mesh, &rates).unwrap();
    let other = fresh(&one, &origin()).normal_force - calm.normal_force;
    assert!((other / growth - 1.0).abs() < 1e-6, "{other} {growth}");
}
