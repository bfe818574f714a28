//! Energy, action and reaction, continuity, memory.

use super::*;

fn rock(seed: u64, halvings: u32) -> TriangleMesh {
    Rock { halvings, ..Rock::new(seed, Vec3::new(0.12, 0.1, 0.08)) }.mesh()
}

/// A pose at which two rocks overlap a little: moved together along a random line until the mesh touches, then a bit further.
fn touching_pose(pair: &MeshPair, random: &mut Random, scratch: &mut MeshScratch) -> Pose {
    let (turn, direction) = (random.turn(), random.vector(1.0).normalize());
    let (mut near, mut far) = (0.0, 0.2);
    for _ in 0..50 {
        let middle = 0.5 * (near + far);
        pair.detect(&Pose::new(&turn, direction * middle), scratch);
        if scratch.touching().is_empty() { far = middle } else { near = middle }
    }
    Pose::new(&turn, direction * (near - 1e-3 * (0.5 + random.next())))
}

/// A pose turned about the body's origin and moved, in world axes.
fn moved(X: &Pose, turn: &Vec3, step: &Vec3) -> Pose {
    let R = rotation::exp(turn).to_rotation_matrix().into_inner();
    Pose { R: R * X.R, p: X.p + step }
}

/// Without friction and damping the wrench is minus the gradient of the stored energy, for any two rocks; the discrete energy has that gradient
/// exactly, so that only the difference quotient's error is left: kinks of the second derivative times its step.
#[test]
fn wrench_is_minus_the_gradient_of_energy() {
    let (mut random, mut scratch) = (Random(3), MeshScratch::default());
    for seed in 0..6 {
        let pair = pair(&rock(seed, 4), &rock(seed + 50, 4), law(Friction::None));
        let X = touching_pose(&pair, &mut random, &mut scratch);
        let force = still(&pair, X, &mut scratch);
        assert!(force.polygons > 5 && force.elastic_energy > 0.0);
        let mut energy =
            |turn: &Vec3, step: &Vec3| still(&pair, moved(&X, turn, step), &mut scratch).elastic_energy;
        let h = 1e-8;
        let zero = Vec3::zeros();
        for i in 0..3 {
            let e = Vec3::ith(i, h);
            let slope = (energy(&zero, &e) - energy(&zero, &-e)) / (2.0 * h);
            assert!((slope + force.wrench_C.f[i]).abs() < 1e-6 * force.normal_force, "seed {seed} axis {i}");
            let slope = (energy(&e, &zero) - energy(&-e, &zero)) / (2.0 * h);
            // Torques are as large as the force times the rock's radius.
            assert!(
                (slope + force.wrench_C.t[i]).abs() < 1e-6 * 0.06 * force.normal_force,
                "seed {seed} turn {i}"
            );
        }
    }
}

/// The same on curved ground, where the nearest place is found by iteration.
#[test]
fn wrench_is_minus_the_gradient_of_energy_on_ground() {
    [AreaOf::Body, AreaOf::Reference].into_iter().for_each(gradient_on_ground);
}

fn gradient_on_ground(area_of: AreaOf) {
    let bowl = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [1.5, -2.0] });
    let reference = Reference::Ground(Arc::new(bowl));
    let pair = MeshPair { area_of, ..MeshPair::new(solid(&rock(2, 4)), reference, law(Friction::None)) };
    let mut scratch = MeshScratch::default();
    let X = Pose::new(&rotation::exp(&Vec3::new(0.3, -0.8, 0.4)), Vec3::new(0.05, 0.02, 0.044));
    let force = still(&pair, X, &mut scratch);
    assert!(force.polygons > 5, "{force:?}");
    let mut energy =
        |turn: &Vec3, step: &Vec3| still(&pair, moved(&X, turn, step), &mut scratch).elastic_energy;
    let (h, zero) = (1e-8, Vec3::zeros());
    for i in 0..3 {
        let e = Vec3::ith(i, h);
        let slope = (energy(&zero, &e) - energy(&zero, &-e)) / (2.0 * h);
        assert!((slope + force.wrench_C.f[i]).abs() < 1e-6 * force.normal_force);
        let slope = (energy(&e, &zero) - energy(&-e, &zero)) / (2.0 * h);
        assert!((slope + force.wrench_C.t[i]).abs() < 1e-6 * 0.06 * force.normal_force);
    }
}

/// Derivatives of the wrench by pose and velocity against differences, for a rock that moves, with damping, on another rock and on curved
/// ground. Without friction, whose derivatives leave out the turning of its normal.
#[test]
fn tangents_are_differences() {
    let (mut random, mut scratch) = (Random(21), MeshScratch::default());
    let law = PairLaw { damping: 2e5, damping_depth: 3e-4, ..law(Friction::None) };
    let on_rock = pair(&rock(5, 4), &rock(6, 4), law);
    let X = touching_pose(&on_rock, &mut random, &mut scratch);
    let bowl = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [1.5, -2.0] });
    let on_ground = MeshPair { reference: Reference::Ground(Arc::new(bowl)), ..on_rock.clone() };
    let low = Pose::new(&rotation::exp(&Vec3::new(0.3, -0.8, 0.4)), Vec3::new(0.05, 0.02, 0.044));
    for (pair, X) in [(on_rock, X), (on_ground, low)] {
        let (v, w) = (random.vector(0.02), random.vector(0.2));
        let still = SurfaceMotion::at_rest(Pose::identity());
        let none = PolygonalState::default();
        let mut wrench = |X_WS: Pose, v: Vec3, w: Vec3| {
            let body = SurfaceMotion { X_WS, v_WS: v, w_WS: w };
            let F = pair.evaluate(&none, &body, &still, &mut scratch).wrench_C;
            nalgebra::Vector6::new(F.t.x, F.t.y, F.t.z, F.f.x, F.f.y, F.f.z)
        };
        let (h, zero) = (3e-8, Vec3::zeros());
        let mut K = touchdown_math::Mat6::zeros();
        let mut D = touchdown_math::Mat6::zeros();
        for i in 0..6 {
            let e = Vec3::ith(i % 3, h);
            let (turn, step) = if i < 3 { (e, zero) } else { (zero, e) };
            let at = |sign: f64| moved(&X, &(sign * turn), &(sign * step));
            let change = wrench(at(1.0), v, w) - wrench(at(-1.0), v, w);
            K.set_column(i, &(change / (2.0 * h)));
            let change = wrench(X, v + step, w + turn) - wrench(X, v - step, w - turn);
            D.set_column(i, &(change / (2.0 * h)));
        }
        let body = SurfaceMotion { X_WS: X, v_WS: v, w_WS: w };
        let (force, tangent) = pair.evaluate_with_tangent(&none, &body, &still, &mut scratch);
        assert!(force.polygons > 5);
        // Differences over 6e-8 m of forces known to 1e-13 of stiffness times place.
        assert!((tangent.K - K).norm() < 1e-5 * K.norm(), "{}", (tangent.K - K) / K.norm());
        assert!((tangent.D - D).norm() < 1e-5 * D.norm(), "{}", (tangent.D - D) / D.norm());
    }
}

/// Turning the whole world turns the wrench and changes nothing else.
#[test]
fn wrench_turns_with_the_world() {
    let (mut random, mut scratch) = (Random(11), MeshScratch::default());
    let pair = pair(&rock(1, 3), &rock(2, 3), law(Friction::Regularised { coefficient: 0.5, speed: 1e-3 }));
    let X = touching_pose(&pair, &mut random, &mut scratch);
    let motion = |X_WS, v: Vec3, w: Vec3| SurfaceMotion { X_WS, v_WS: v, w_WS: w };
    let (v, w) = (random.vector(0.1), random.vector(1.0));
    let none = PolygonalState::default();
    let first =
        pair.evaluate(&none, &motion(X, v, w), &SurfaceMotion::at_rest(Pose::identity()), &mut scratch);
    let world = Pose::new(&random.turn(), random.vector(3.0));
    let body = motion(world.compose(&X), world.R * v, world.R * w);
    let second = pair.evaluate(&none, &body, &SurfaceMotion::at_rest(world), &mut scratch);
    // Places are known to 1e-16 · 3 m, penetrations of a millimetre therefore to 1e-12.
    assert!((second.wrench_C.f - world.R * first.wrench_C.f).norm() < 1e-10 * first.normal_force);
    assert!((second.wrench_C.t - world.R * first.wrench_C.t).norm() < 1e-10 * first.normal_force);
    assert_eq!(first.polygons, second.polygons);
    assert!(first.dissipated_power > 0.0);
}

/// A rock slides over another in steps of a tenth of a micrometre. Depths and areas are continuous: the force changes by no more than the layer's
/// stiffness over the contact explains, plus, where a corner's nearest place passes an edge of the reference, that corner's
/// force times the change of its normal.
#[test]
fn force_is_continuous_along_small_motions() {
    let (mut random, mut scratch) = (Random(5), MeshScratch::default());
    let law = law(Friction::None);
    let pair = pair(&rock(8, 4), &rock(9, 3), law);
    let X = touching_pose(&pair, &mut random, &mut scratch);
    let step = random.vector(1.0).normalize() * 1e-7;
    let mut last = (PolygonalForce::default(), Vec::<(u32, f64, Vec3)>::new());
    let mut largest: f64 = 0.0;
    for k in 0..4000 {
        let force = still(&pair, moved(&X, &Vec3::zeros(), &(step * f64::from(k))), &mut scratch);
        // Each corner with its largest possible force: depth times the area around it.
        let mut corners: Vec<(u32, f64, Vec3)> = Vec::new();
        for &face in scratch.touching() {
            let f = &pair.mesh.faces()[face as usize];
            for (v, foot) in f.corners.iter().zip(scratch.feet(f)).filter(|(_, foot)| foot.s > -2e-7) {
                corners.push((*v, law.stiffness * f.area * foot.s.max(0.0), foot.outward));
            }
        }
        if k > 0 {
            let switch: f64 = corners
                .iter()
                .map(|(v, force, n)| {
                    let before = last.1.iter().find(|(w, _, _)| w == v);
                    before.map_or(0.0, |(_, _, m)| force * (n - m).norm())
                })
                .sum();
            let area = force.area.max(last.0.area);
            let explained = 4.0 * law.stiffness * area * 1e-7 + switch;
            let change = (force.wrench_C.f - last.0.wrench_C.f).norm();
            assert!(change <= explained, "step {k}: {change} against {explained}");
            largest = largest.max(change / force.normal_force);
            // Area is continuous as well: the touching border moves at most as s changes across its faces, which are not steep.
            assert!((force.area - last.0.area).abs() < 0.01 * area + 1e-9, "step {k}");
        }
        last = (force, corners);
    }
    assert!(largest > 0.0 && last.0.polygons > 0);
}

/// A rock that is swallowed whole is still felt: its faces are found from inside.
#[test]
fn swallowed_bodies_are_felt() {
    let small = sphere(0.02, 2);
    let pair = pair(&small, &Shape::Box { size: Vec3::repeat(0.2) }.triangulate(3), law(Friction::None));
    let force = still(&pair, Pose::translation(Vec3::new(0.06, 0.0, 0.0)), &mut MeshScratch::default());
    assert_eq!(force.polygons as usize, small.triangles.len());
    // Every point is nearest to the wall at x = 0.1, and pushed towards it.
    assert!(force.wrench_C.f.x > 0.0 && force.wrench_C.f.yz().norm() < 1e-9 * force.wrench_C.f.x);
    assert!(!force.in_range);
}

/// Faces may have laws of their own: twice the stiffness on half the faces.
#[test]
fn zones_have_their_own_laws() {
    let mesh = solid(&sphere(0.05, 3));
    let soft = law(Friction::None);
    let stiff = PairLaw { stiffness: 2.0 * soft.stiffness, ..soft };
    let reference = Reference::Mesh(solid(&Shape::Box { size: Vec3::repeat(0.2) }.triangulate(3)));
    let X = Pose::translation(Vec3::new(0.0, 0.0, 0.149));
    let force = |laws: FaceLaws| {
        let pair = MeshPair { laws, ..MeshPair::new(mesh.clone(), reference.clone(), soft) };
        still(&pair, X, &mut MeshScratch::default()).wrench_C.f.z
    };
    let zone: Vec<u16> = (0..mesh.faces().len()).map(|i| (i % 2) as u16).collect();
    let opposite: Vec<u16> = zone.iter().map(|z| 1 - z).collect();
    let laws = |zone: &[u16]| FaceLaws::by_zone(&mesh, vec![soft, stiff], zone);
    let (one, other) = (force(laws(&zone).unwrap()), force(laws(&opposite).unwrap()));
    let both = force(FaceLaws::uniform(soft));
    assert!((one + other - 3.0 * both).abs() < 1e-12 * both && (one - other).abs() > 1e-3 * both);
    assert_eq!(laws(&zone[1..]), None);
    assert_eq!(FaceLaws::by_zone(&mesh, vec![soft], &zone), None);
}

/// A rock drawn sideways a little hangs on its anchors; drawn further it slides with μ_slip·N, and the heat of a commit is its work less what springs hold.
#[test]
fn anchors_hold_then_slide() {
    let (stick, slip) = (0.6, 0.4);
    let friction = Friction::StickSlip { stick, slip, release_speed: 1e-4 };
    let mesh = rock(4, 4);
    let lowest = mesh.vertices.iter().map(|p| p.z).fold(0.0, f64::min);
    let pair = pair(&mesh, &Shape::Box { size: Vec3::new(0.4, 0.4, 0.05) }.triangulate(3), law(friction));
    let mut scratch = MeshScratch::default();
    let X = |x: f64| Pose::translation(Vec3::new(x, 0.0, 0.025 - lowest - 5e-4));
    let still = SurfaceMotion::at_rest(Pose::identity());
    let mut state = PolygonalState::default();
    pair.commit(&mut state, &SurfaceMotion::at_rest(X(0.0)), &still, &mut scratch);
    assert!(!state.faces.is_empty());
    let small = 1e-6;
    let held = pair.evaluate(&state, &SurfaceMotion::at_rest(X(small)), &still, &mut scratch);
    // The anchors' springs in parallel, c_T times the touching area; those that carry little already slide.
    let law = pair.laws.law(0);
    assert!(
        held.wrench_C.f.x < 0.0 && held.wrench_C.f.x > -law.shear_stiffness * held.area * small * 1.000001
    );
    let far = pair.evaluate(&state, &SurfaceMotion::at_rest(X(0.01)), &still, &mut scratch);
    assert!(
        far.sliding == far.polygons
            && (far.wrench_C.f.xy().norm() / (stick * far.normal_force) - 1.0).abs() < 0.02
    );
    let heat = pair.commit(&mut state, &SurfaceMotion::at_rest(X(0.01)), &still, &mut scratch).heat;
    let after = pair.evaluate(&state, &SurfaceMotion::at_rest(X(0.01)), &still, &mut scratch);
    // Moved without velocity, no work was booked as heat: what the springs now hold is missing.
    let normal = pair
        .evaluate(&PolygonalState::default(), &SurfaceMotion::at_rest(X(0.01)), &still, &mut scratch)
        .elastic_energy;
    let stored = after.elastic_energy - normal;
    assert!(stored > 0.0 && (heat / stored + 1.0).abs() < 1e-9, "{heat} {stored}");
    assert!((after.wrench_C.f.xy().norm() / (slip * after.normal_force) - 1.0).abs() < 0.02, "{after:?}");
}
