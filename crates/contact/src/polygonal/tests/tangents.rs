//! Derivatives against central differences.

use super::*;
use touchdown_math::Mat6;

/// Differences of the wrench by pose and by velocity.
fn differences(
    pair: &RevolutionPair,
    state: &PolygonalState,
    body: &SurfaceMotion,
    reference: &SurfaceMotion,
) -> (Mat6, Mat6) {
    let (mut K, mut D) = (Mat6::zeros(), Mat6::zeros());
    let h = 1e-7;
    for c in 0..6 {
        let (turn, shift) =
            if c < 3 { (Vec3::ith(c, h), Vec3::zeros()) } else { (Vec3::zeros(), Vec3::ith(c - 3, h)) };
        let by_pose = |sign: f64| {
            pair.evaluate(state, &moved(body, &(turn * sign), &(shift * sign)), reference).wrench_C
        };
        let by_velocity = |sign: f64| {
            let motion =
                SurfaceMotion { v_WS: body.v_WS + shift * sign, w_WS: body.w_WS + turn * sign, ..*body };
            pair.evaluate(state, &motion, reference).wrench_C
        };
        for (out, [high, low]) in
            [(&mut K, [by_pose(1.0), by_pose(-1.0)]), (&mut D, [by_velocity(1.0), by_velocity(-1.0)])]
        {
            let change = (high - low) * (0.5 / h);
            for r in 0..3 {
                out[(r, c)] = change.t[r];
                out[(r + 3, c)] = change.f[r];
            }
        }
    }
    (K, D)
}

fn check(
    name: &str,
    pair: &RevolutionPair,
    state: &PolygonalState,
    body: &SurfaceMotion,
    reference: &SurfaceMotion,
    tolerance: f64,
) {
    let (_, tangent) = pair.evaluate_with_tangent(state, body, reference);
    let (K, D) = differences(pair, state, body, reference);
    let (e, f) = ((tangent.K - K).norm() / K.norm(), (tangent.D - D).norm() / D.norm().max(1e-300));
    println!("{name}: K {e:.1e}, D {f:.1e}");
    assert!(e < tolerance, "{name} K {e}\n{}\n{K}", tangent.K);
    assert!(D.norm() == 0.0 || f < tolerance, "{name} D {f}\n{}\n{D}", tangent.D);
}

fn moving(motion: SurfaceMotion) -> SurfaceMotion {
    SurfaceMotion { v_WS: Vec3::new(0.01, -0.004, -0.02), w_WS: Vec3::new(0.2, -0.1, 0.5), ..motion }
}

/// Normal force with damping on a cone, for a body and a reference body that both move.
#[test]
fn normal_force() {
    let mut pair = peg::peg(64);
    check("elastic", &pair, &PolygonalState::default(), &peg::off_axis(), &origin(), 1e-6);
    let layer = Layer { damping: 1e6, ..Layer::given(1e9) };
    pair = pair_with(law(&layer, 1e-4, Friction::None));
    let reference =
        SurfaceMotion { v_WS: Vec3::new(0.003, 0.001, 0.0), w_WS: Vec3::new(-0.3, 0.1, 0.2), ..origin() };
    check("damped", &pair, &PolygonalState::default(), &moving(peg::off_axis()), &reference, 1e-6);
}

fn pair_with(law: PairLaw) -> RevolutionPair {
    let pair = peg::peg(64);
    RevolutionPair::new(pair.faces, pair.reference.section, law).unwrap()
}

/// On an arc the normal turns along the section too.
#[test]
fn curved_reference() {
    let torus = Section::new(&Path::from([0.0, 0.03]).arc([0.01, 0.02], [0.02, 0.03]), Side::Cavity).unwrap();
    let body = cap(0.05);
    let one = pair(&body, &body.resolution(96), torus, smooth(&rubber()));
    check(
        "throat",
        &one,
        &PolygonalState::default(),
        &turned(Vec3::new(0.1, 0.2, 0.0), Vec3::new(3e-4, 1e-4, 0.0615)),
        &origin(),
        1e-5,
    );
}

/// Area measured on a flat reference body.
#[test]
fn reference_area() {
    let body = cap(0.05);
    let mut one = pair(&body, &body.resolution(96), plate(), smooth(&rubber()));
    one.area_of = AreaOf::Reference;
    check(
        "plate's area",
        &one,
        &PolygonalState::default(),
        &turned(Vec3::new(0.1, 0.05, 0.3), Vec3::new(0.0, 0.0, 0.049)),
        &origin(),
        1e-5,
    );
}

/// Friction on a plate: sticking, at the limit, smooth.
#[test]
fn friction() {
    let layer = Layer { shear_damping: 1e5, damping: 1e5, ..rubber() };
    let body = punch(0.03);
    let resolution = Resolution { segments: 12, sagitta: 1.0, spacing: 0.01 };
    let start = turned(Vec3::new(0.01, 0.005, 0.2), Vec3::new(0.0, 0.0, -6e-4));
    for (name, friction, shift) in [
        ("stick", Friction::StickSlip { stick: 0.5, slip: 0.3, release_speed: 1e-3 }, 2e-5),
        ("slip", Friction::StickSlip { stick: 0.5, slip: 0.3, release_speed: 1e-3 }, 2e-3),
        ("smooth", Friction::Regularised { coefficient: 0.4, speed: 0.02 }, 0.0),
    ] {
        let one = pair(&body, &resolution, plate(), law(&layer, 1e-4, friction));
        let mut state = PolygonalState::default();
        one.commit(&mut state, &start, &origin());
        let motion = moved(&start, &Vec3::new(0.0, 0.0, 0.1 * shift), &Vec3::new(shift, 0.5 * shift, 0.0));
        // The anchored area of border faces changes where the disc's rim leaves the plate: here none does.
        check(name, &one, &state, &moving(motion), &origin(), 1e-5);
    }
}
