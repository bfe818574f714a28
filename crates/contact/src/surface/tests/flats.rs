//! Faces and edges of meshes on peaks and ridges: closed forms, continuity and energy.

use super::*;
use touchdown_geometry::{Shape, TriangleMesh};

const K: f64 = 1e5;
const ROUND: f64 = 0.01;

fn spring() -> SurfaceLaw {
    SurfaceLaw {
        normal: NormalLaw::Linear { stiffness: K, damping: 0.0 },
        friction: FrictionLaw::Frictionless,
    }
}

fn slab() -> TriangleMesh {
    Shape::Box { size: Vec3::new(1.0, 1.0, 0.2) }.triangulate(8)
}

fn on(one: Form) -> SurfacePair {
    let options = PairOptions { threshold: 0.05, most: 8 };
    SurfacePair::new(one, Form::Mesh { mesh: slab(), radius: ROUND }, spring(), options)
        .expect("a valid pair")
}

/// A hill 0.15 m high and 0.4 m wide, as a map.
fn bump() -> HeightSurface {
    let nodes = 81;
    let z = |k: usize| {
        let (x, y) = (-2.0 + 0.05 * (k % nodes) as f64, -2.0 + 0.05 * (k / nodes) as f64);
        0.15 * (-(x * x + y * y) / (2.0 * 0.2 * 0.2)).exp()
    };
    let raster = Raster::new([-2.0, -2.0], 0.05, nodes, nodes, (0..nodes * nodes).map(z).collect());
    HeightSurface::new(HeightForm::Map { raster: raster.expect("a valid map"), smoothness: Smoothness::C2 })
}

fn at(X: Pose) -> [SurfaceMotion; 2] {
    [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())]
}

fn force(pair: &SurfacePair, state: &SmoothState, sides: &[SurfaceMotion; 2]) -> SmoothForce {
    pair.evaluate(sides, state, 0.0, &[], 0.0, None, &mut PairScratch::default())
}

/// A bump of 15 cm under the face of a box carries it at its peak, wherever below the face it is: k s, with
/// its lever.
#[test]
fn a_face_rests_on_a_bump() {
    let ground = bump();
    let top = ground.jet(0.0, 0.0).expect("on the map").z;
    let pair = on(Form::Height(ground));
    for (x, y) in [(0.0, 0.0), (0.1, 0.3), (-0.27, 0.13), (0.2, 0.2)] {
        let sides = at(Pose::translation(Vec3::new(x, y, top + 0.1 + ROUND - 1e-3)));
        let f = force(&pair, &pair.start(&sides, &mut PairScratch::default()), &sides);
        assert_eq!(f.count, 1, "{x} {y}: {:?}", f.contacts());
        let lever = Vec3::new(-x, -y, 0.0).cross(&(Vec3::z() * (K * 1e-3)));
        assert!((f.wrenches[1].f - Vec3::z() * (K * 1e-3)).norm() < 1e-6, "{:?}", f.wrenches[1].f);
        assert!((f.wrenches[1].t - lever).norm() < 1e-6, "{:?}", f.wrenches[1].t);
    }
}

/// Both directions: a ball lies under a face and beside an edge of a box at the geometric distance.
#[test]
fn a_ball_touches_faces_and_edges() {
    let pair = on(ball(0.3));
    // From the centre of the ball: the face 0.1 m below the middle; the edge at (−0.5, −0.1) seen from above.
    let up = 0.1 + ROUND + 0.3 - 1e-3;
    for (X, gap) in [
        (Pose::translation(Vec3::new(0.2, -0.1, up)), -1e-3),
        (Pose::translation(Vec3::new(0.7, 0.1, 0.3)), (0.2f64 * 0.2 + 0.2 * 0.2).sqrt() - 0.3 - ROUND),
    ] {
        let sides = at(X);
        let state = pair.start(&sides, &mut PairScratch::default());
        let gaps: Vec<f64> = state.slots.iter().flatten().map(|c| c.gap).collect();
        assert!(gaps.len() == 1 && (gaps[0] - gap).abs() < 1e-12, "{gaps:?} {gap}");
    }
}

/// An edge that crosses a ridge askew and tilted touches where the two lines are nearest: |(b − a)·n| − R −
/// ρ, n across both.
#[test]
fn an_edge_crosses_a_ridge() {
    let ridge =
        HeightForm::Cylinder { centre: [0.0, 0.0, 0.0], axis: [0.0, 1.0], radius: 0.5, hollow: false };
    let pair = on(Form::Height(HeightSurface::new(ridge)));
    let about = |axis: Vec3, angle: f64| rotation::exp(&(axis * angle));
    let turn = about(Vec3::z(), 0.3) * about(Vec3::y(), 0.2) * about(Vec3::x(), 0.5);
    let X = Pose::new(&turn, Vec3::new(0.05, 0.1, 0.0));
    // The lowest edge of the box.
    let [a, b] = [-0.5, 0.5].map(|x| X.R * Vec3::new(x, -0.5, -0.1));
    let across = (b - a).cross(&Vec3::y());
    let n = across.normalize() * across.z.signum();
    let lift = 0.5 + ROUND - 2e-3 - n.dot(&(a + X.p));
    let X = Pose { p: X.p + n * lift, ..X };
    let sides = at(X);
    let state = pair.start(&sides, &mut PairScratch::default());
    let gaps: Vec<f64> = state.slots.iter().flatten().map(|c| c.gap).collect();
    assert!(gaps.iter().any(|gap| (gap + 2e-3).abs() < 1e-12), "{gaps:?}");
    assert!(gaps.iter().all(|gap| *gap > -2e-3 - 1e-12), "{gaps:?}");
}

/// A box slides level over a bump, across the diagonal of its face and out over its border: the force has no
/// jump, and the work along the way is what the spring stores.
#[test]
fn a_bump_slides_along_face_and_edge() {
    let ground = bump();
    let top = ground.jet(0.0, 0.0).expect("on the map").z;
    let pair = on(Form::Height(ground));
    let mut scratch = PairScratch::default();
    let step = 1e-3;
    let place = |k: usize| at(Pose::translation(Vec3::new(step * k as f64, 0.15, top + 0.1 + ROUND - 2e-3)));
    let mut state = pair.start(&place(0), &mut scratch);
    let first = force(&pair, &state, &place(0));
    let (mut before, mut work) = (first.wrenches[1].f, 0.0);
    let (mut apart, mut jump) = (false, 0f64);
    for k in 1..700 {
        let sides = place(k);
        pair.commit(&sides, 0.0, &mut state, &mut [], &mut scratch);
        let f = force(&pair, &state, &sides);
        let now = f.wrenches[1].f;
        if step * (k as f64) < 0.499 {
            assert!((now - Vec3::z() * (K * 2e-3)).norm() < 1e-6, "{k}: {now:?}");
        }
        jump = jump.max((now - before).norm());
        work += 0.5 * step * (now.x + before.x);
        // U + work done by the box: the spring returns its stored energy. The trapezoidal rule errs by step²
        // over the width in which the force vanishes, 10 mm, of the whole.
        assert!((f.elastic_energy + work - first.elastic_energy).abs() < 1e-2 * first.elastic_energy, "{k}");
        apart |= f.elastic_energy == 0.0;
        before = now;
    }
    // The peak, of radius 0.27 m, and the edge part over √(2 · 0.28 m · 2 mm) = 33 mm; a step of 1 mm takes K
    // · 33 mm / 0.28 m of the force at most, a sixteenth.
    assert!(jump < 0.08 * K * 2e-3, "{jump}");
    assert!(apart && state.crowded == 0, "{state:?}");
}
