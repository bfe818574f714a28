//! Lines and circles of contact: cylinders and tori that lie, stand and lean.

use super::*;

fn plane() -> Form {
    Form::Height(HeightSurface::new(HeightForm::Plane { height: 0.0, gradient: [0.0; 2] }))
}

const CYLINDER: BodySurface = BodySurface::Cylinder { radius: 0.1, half_length: 0.2 };
const TORUS: BodySurface = BodySurface::Torus { radius: 0.3, tube: 0.05 };
const K: f64 = 1e5;

fn spring() -> SurfaceLaw {
    SurfaceLaw {
        normal: NormalLaw::Linear { stiffness: K, damping: 0.0 },
        friction: FrictionLaw::Frictionless,
    }
}

fn wide(one: Form, two: Form, law: SurfaceLaw) -> SurfacePair {
    SurfacePair::new(one, two, law, PairOptions { threshold: 0.1, most: 8 }).expect("a valid pair")
}

/// The body over the plane at a tilt about y (0: axis upright), its lowest point at the depth `s`.
fn over_plane(body: &BodySurface, tilt: f64, s: f64) -> [SurfaceMotion; 2] {
    let (sin, cos) = tilt.sin_cos();
    let low = match body {
        BodySurface::Cylinder { radius, half_length } => radius * sin.abs() + half_length * cos.abs(),
        BodySurface::Torus { radius, tube } => radius * sin.abs() + tube,
        _ => 0.0,
    };
    let X = Pose::new(&rotation::exp(&(Vec3::y() * tilt)), Vec3::new(0.3, -0.2, low - s));
    [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())]
}

fn force(pair: &SurfacePair, sides: &[SurfaceMotion; 2]) -> SmoothForce {
    let mut scratch = PairScratch::default();
    let state = pair.start(sides, &mut scratch);
    pair.evaluate(sides, &state, 0.0, &[0.0; STATES * MOST], 0.0, None, &mut scratch)
}

/// A cylinder pressed into a plane is pushed up at every tilt, from standing on its end to lying on its side.
#[test]
fn a_cylinder_touches_at_every_tilt() {
    let pair = wide(plane(), Form::Body(CYLINDER), spring());
    for (degrees, points) in [(0.0, 4.0), (45.0, 1.0), (80.0, 1.0), (89.0, 1.0), (90.0, 2.0)] {
        let f = force(&pair, &over_plane(&CYLINDER, f64::to_radians(degrees), 1e-3));
        // Each place carries k s; the rounding of an edge is a millionth of its radius.
        assert!((f.wrenches[1].f.z - points * K * 1e-3).abs() < 0.1, "{degrees}: {}", f.wrenches[1].f.z);
        assert_eq!(f.out_of_range, 0);
    }
}

/// A torus that lies flat is pushed up by the whole ring, without a moment; upright or leaning it touches in
/// a point, with the same law.
#[test]
fn a_torus_touches_flat_and_upright() {
    let pair = wide(plane(), Form::Body(TORUS), spring());
    for (degrees, points) in [(0.0, 4.0), (30.0, 1.0), (90.0, 1.0)] {
        let f = force(&pair, &over_plane(&TORUS, f64::to_radians(degrees), 1e-3));
        assert!((f.wrenches[1].f.z - points * K * 1e-3).abs() < 1e-9, "{degrees}: {}", f.wrenches[1].f.z);
        if degrees == 0.0 {
            assert!(f.wrenches[1].t.norm() < 1e-12);
        }
    }
}

/// Force and moment are continuous where a body leans into or out of contact along its line or circle, in
/// whatever direction: steps of tilt of 1e-10 rad change them by no more than stiffness times motion, far
/// below 1e-6 of the load.
#[test]
fn force_is_continuous_through_alignment() {
    for (body, aligned) in [(TORUS, 0.0), (CYLINDER, 0.0), (CYLINDER, 90.0)] {
        let pair = wide(plane(), Form::Body(body), spring());
        let base = over_plane(&body, f64::to_radians(aligned), 1e-3);
        let load = force(&pair, &base).wrenches[1];
        for k in 0..24 {
            let (sin, cos) = (0.2618 * f64::from(k)).sin_cos();
            let mut leant = base;
            let turn = rotation::exp(&(Vec3::new(cos, sin, 0.0) * 1e-10)).to_rotation_matrix().into_inner();
            leant[1].X_WS.R = turn * base[1].X_WS.R;
            let f = force(&pair, &leant).wrenches[1];
            assert!((f.f - load.f).norm() < 1e-6 * load.f.norm(), "{body:?} {k}: {}", (f.f - load.f).norm());
            assert!((f.t - load.t).norm() < 1e-6 * load.f.norm() * 0.3, "{body:?} {k}");
        }
    }
}

/// What a body stores falls by the work of its force, along any small motion through every kind of touch:
/// force and moment are the gradient of the energy.
#[test]
fn force_is_the_gradient_of_the_energy() {
    let mut r = Random(5);
    for body in [CYLINDER, TORUS] {
        let pair = wide(plane(), Form::Body(body), spring());
        for k in 0..90 {
            // Flat or upright to within a few times the lean at which points let go, and anywhere.
            let base = [0.0, 0.5 * std::f64::consts::PI, 1.0][k % 3];
            let sides = over_plane(&body, base + 0.01 * r.next(), 1e-3);
            let spin = rotation::exp(&(Vec3::z() * 3.0 * r.next())).to_rotation_matrix().into_inner();
            let mut sides = sides;
            sides[1].X_WS.R *= spin;
            let mut scratch = PairScratch::default();
            let state = pair.start(&sides, &mut scratch);
            let (v, w) = (r.vector(1.0), r.vector(3.0));
            sides[1] = moving(sides[1].X_WS, v, w);
            let mut energy = |t: f64| {
                let at = [sides[0], later(&sides[1], t)];
                pair.evaluate(&at, &state, 0.0, &[], 0.0, None, &mut scratch).elastic_energy
            };
            let h = 1e-7;
            let rate = (energy(h) - energy(-h)) / (2.0 * h);
            let f = pair.evaluate(&sides, &state, 0.0, &[], 0.0, None, &mut scratch).wrenches[1];
            let power = f.f.dot(&v) + f.t.dot(&w);
            // Second differences: k h v² is about 0.1 W beside some 100 W; the rest is what three points do
            // not share evenly.
            assert!((power + rate).abs() < 1e-3 * (K * 1e-3), "{body:?} {k}: {power} {rate}");
        }
    }
}

/// The wrench follows a small tilt or shift according to its derivative, with one point and with all points
/// of a ring in contact.
#[test]
fn tangents_of_rings_are_derivatives() {
    let cases = [
        (CYLINDER, 0.0),
        (CYLINDER, 0.7),
        (CYLINDER, 0.5 * std::f64::consts::PI),
        (TORUS, 0.0),
        (TORUS, 0.4),
    ];
    for (body, tilt) in cases {
        let pair = wide(plane(), Form::Body(body), linear_law(REGULARISED));
        let mut sides = over_plane(&body, tilt, 1e-3);
        sides[1] = moving(sides[1].X_WS, Vec3::new(0.02, -0.01, -0.005), Vec3::new(0.1, 0.05, -0.2));
        let state = pair.start(&sides, &mut PairScratch::default());
        super::tangents::check(&pair, &sides, &state, &[0.0; 24], 0.0, 1e-3);
    }
}

/// Two equal cylinders side by side carry each other along their line: shifted, aligned, leaning a little;
/// crossed they touch in one point.
#[test]
fn two_cylinders_touch_along_a_line() {
    let pair = wide(Form::Body(CYLINDER), Form::Body(CYLINDER), spring());
    let lying = |shift: f64, turn: f64, s: f64| {
        let X = Pose::new(&rotation::exp(&(Vec3::x() * turn)), Vec3::new(0.2 - s, 0.0, shift));
        [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())]
    };
    for shift in [0.0, 1e-9, 1e-3, 0.1] {
        let f = force(&pair, &lying(shift, 0.0, 1e-3)).wrenches[1].f;
        assert!((f.x - 2.0 * K * 1e-3).abs() < 0.1 && f.yz().norm() < 1e-3, "{shift}: {f}");
    }
    let (aligned, leant) = (force(&pair, &lying(0.0, 0.0, 1e-3)), force(&pair, &lying(0.0, 1e-10, 1e-3)));
    assert!((aligned.wrenches[1].f - leant.wrenches[1].f).norm() < 1e-6 * 200.0);
    let f = force(&pair, &lying(0.0, 0.5 * std::f64::consts::PI, 1e-3)).wrenches[1].f;
    assert!((f.x - K * 1e-3).abs() < 1e-6, "{f}");
}

/// A cylinder stands on the end of another, and a ball on the end, on the rim and beside it.
#[test]
fn ends_and_rims_carry() {
    let at = |p: Vec3| {
        let X = Pose::translation(p);
        [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())]
    };
    let stack = wide(
        Form::Body(CYLINDER),
        Form::Body(BodySurface::Cylinder { radius: 0.06, half_length: 0.1 }),
        spring(),
    );
    let f = force(&stack, &at(Vec3::new(0.02, 0.01, 0.299))).wrenches[1].f;
    assert!((f.z - 4.0 * K * 1e-3).abs() < 0.1 && f.xy().norm() < 1e-6, "{f}");
    let pair = wide(Form::Body(CYLINDER), ball(0.05), spring());
    let f = force(&pair, &at(Vec3::new(0.03, 0.0, 0.249))).wrenches[1].f;
    assert!((f - Vec3::z() * K * 1e-3).norm() < 1e-8, "{f}");
    let diagonal = Vec3::new(1.0, 0.0, 1.0).normalize();
    let f = force(&pair, &at(Vec3::new(0.1, 0.0, 0.2) + diagonal * 0.049)).wrenches[1].f;
    assert!((f - diagonal * K * 1e-3).norm() < 1e-8, "{f}");
    let f = force(&pair, &at(Vec3::new(0.149, 0.0, 0.1))).wrenches[1].f;
    assert!((f - Vec3::x() * K * 1e-3).norm() < 1e-8, "{f}");
}

/// A ball that sits in the hole of a ring is carried all around.
#[test]
fn a_ball_sits_in_a_ring() {
    let pair = wide(Form::Body(TORUS), ball(0.4), spring());
    let height = (0.45f64.powi(2) - 0.3f64.powi(2)).sqrt() - 1e-3;
    let X = Pose::translation(Vec3::new(0.0, 0.0, height));
    let sides = [SurfaceMotion::at_rest(Pose::identity()), moving(X, Vec3::zeros(), Vec3::zeros())];
    let f = force(&pair, &sides).wrenches[1].f;
    assert!(f.z > 100.0 && f.xy().norm() < 1e-6 * f.z, "{f}");
}
