//! The law of one element: yield, anchor, dissipation, derivatives.

use super::super::anchor::{Place, hold, yield_traction};
use super::*;
use touchdown_math::rotation;

/// Directions in space, evenly enough.
fn directions() -> impl Iterator<Item = Vec3> + Clone {
    (0..200).map(|k| {
        let z = 1.0 - 2.0 * (f64::from(k) + 0.5) / 200.0;
        let a = 2.399_963_229_728_653 * f64::from(k);
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * a.cos(), r * a.sin(), z)
    })
}

/// A plate that is pushed down meets ζ d, whatever its speed, and with another exponent Bekker's K dⁿ; pulled up it meets nothing.
#[test]
fn plates_meet_the_pressure_of_plates() {
    for (exponent, depth) in [(1.0, 0.02), (1.0, 0.04), (0.8, 0.03), (1.3, 0.05)] {
        let soil = IntrusionSoil { exponent, ..linear() };
        let body = plate(0.1, 1, soil);
        for speed in [0.01, 0.3] {
            let down = steady(&body, &motion(Vec3::z() * -depth, Mat3::identity(), Vec3::z() * -speed));
            let expected = ZETA * depth.powf(exponent) * 0.01;
            assert!(
                (down.wrench_S.f.z - expected).abs() < 1e-9 * expected,
                "{} {expected}",
                down.wrench_S.f.z
            );
        }
        let up = steady(&body, &motion(Vec3::z() * -depth, Mat3::identity(), Vec3::z() * 0.1));
        assert_eq!(up.wrench_S.f, Vec3::zeros());
    }
}

/// Soil never drives and never pulls: for all orientations and directions the yield traction opposes the motion, presses, and rubs by at most tan δ of that.
#[test]
fn yield_opposes_motion() {
    let soil = linear();
    for n in directions().step_by(3) {
        for v in directions() {
            let place = Place { depth: 0.05, n, up: Vec3::z(), v };
            let y = yield_traction(&soil, &place, &v);
            let pressing = -y.dot(&n);
            let rubbing = (y + n * pressing).norm();
            assert!(y.dot(&v) <= 1e-9, "{n:?} {v:?}");
            // What was taken off because it would drive can leave a traction along the face.
            assert!(pressing >= -0.005 * soil.pressure(0.05), "{pressing}");
            assert!(rubbing <= soil.friction_angle.tan() * pressing.max(0.0) + 0.01 * soil.pressure(0.05));
        }
    }
}

/// Along any path — straight, back, round corners — each step turns work into heat or stores it: heat is never negative, and after a closed cycle more went in than came out.
#[test]
fn every_element_dissipates() {
    let soil = linear();
    let h = 1e-3;
    for n in directions().step_by(7) {
        let (mut e, mut work, mut worst) = (Vec3::zeros(), 0.0, 0.0_f64);
        for (k, v) in directions().enumerate() {
            // There and back again, with speeds over three decades.
            let speed = 10f64.powi(-(k as i32 % 4)) * 0.3;
            for v in [v * speed, -v * speed] {
                let place = Place { depth: 0.05, n, up: Vec3::z(), v };
                let held = hold(&soil, &place, &e, h);
                let heat = -held.traction.dot(&v) - soil.elastic_stiffness * held.e.dot(&held.rate);
                let scale = soil.pressure(0.05) * speed;
                worst = worst.max(-heat / scale);
                work -= held.traction.dot(&v) * h;
                e = held.e;
            }
        }
        assert!(worst <= 1e-9, "{n:?}: {worst}");
        assert!(work >= -1e-12, "{n:?}: {work}");
    }
}

/// Below yield an element is a spring: a load that is put on and held for 60 s in steps of a millisecond, with a jitter of 1 µm/s about it, does not creep.
#[test]
fn a_held_load_does_not_creep() {
    let soil = linear();
    let place = |v: Vec3| Place { depth: 0.03, n: -Vec3::z(), up: Vec3::z(), v };
    let mut e = Vec3::z() * (-0.6 * soil.pressure(0.03) / soil.elastic_stiffness);
    let first = e;
    for k in 0..60_000 {
        let a = 1.3 * f64::from(k);
        let v = Vec3::new(a.sin(), (1.7 * a).cos(), (2.3 * a).sin()) * 1e-6;
        let held = hold(&soil, &place(v), &e, 1e-3);
        // What was moved is what the anchor took up: nothing slid.
        assert!((held.e - e - v * 1e-3).norm() < 1e-18);
        e = held.e;
    }
    assert!((e - first).norm() < 1e-7);
}

/// Faces on slopes: turning ground, face and motion together turns the force.
#[test]
fn sloping_ground_turns_the_law() {
    let soil = linear();
    let R = rotation::about_axis(&Vec3::new(0.6, 0.8, 0.0), 0.4);
    for n in directions().step_by(11) {
        for v in directions().step_by(5) {
            let flat = yield_traction(&soil, &Place { depth: 0.05, n, up: Vec3::z(), v }, &v);
            let place = Place { depth: 0.05, n: R * n, up: R * Vec3::z(), v: R * v };
            let sloping = yield_traction(&soil, &place, &(R * v));
            assert!((sloping - R * flat).norm() < 1e-9 * soil.pressure(0.05), "{n:?} {v:?}");
        }
    }
}

/// While elastic, and with depth at yield, the derivatives are those of differences.
#[test]
fn tangents_follow_differences() {
    let soil = IntrusionSoil { relaxation: 0.0, ..linear() };
    let body = plate(0.1, 3, soil);
    let h = 1e-3;
    let base: Vec<f64> = (0..9).flat_map(|_| [0.0, 0.0, -2e-7]).collect();
    let force = |m: &SurfaceMotion, base: &[f64]| {
        let (mut states, mut rates) = (base.to_vec(), base.to_vec());
        body.evaluate(m, &level, (base, h), (&mut states, &mut rates), None).wrench_S
    };
    let at = motion(Vec3::z() * -0.03, Mat3::identity(), Vec3::new(2e-5, 0.0, 1e-5));
    let (mut states, mut rates, mut tangent) = (base.clone(), base.clone(), IntrusionTangent::zero());
    body.evaluate(&at, &level, (&base, h), (&mut states, &mut rates), Some(&mut tangent));
    for k in 0..3 {
        let step = 1e-7;
        let moved = |s: f64| {
            let (mut a, mut b) = (at, at);
            a.v_WS[k] += s;
            b.w_WS[k] += s;
            [a, b]
        };
        let ([va, wa], [vb, wb]) = (moved(step), moved(-step));
        for (column, (plus, minus)) in [(3 + k, (va, vb)), (k, (wa, wb))] {
            let (f, g) = (force(&plus, &base), force(&minus, &base));
            let slope = [(f.t - g.t) / (2.0 * step), (f.f - g.f) / (2.0 * step)];
            for row in 0..6 {
                let (found, expected) = (tangent.D[(row, column)], slope[row / 3][row % 3]);
                assert!(
                    (found - expected).abs() < 1e-5 * tangent.D.norm(),
                    "{row} {column}: {found} {expected}"
                );
            }
        }
    }
    let down = motion(Vec3::z() * -0.03, Mat3::identity(), Vec3::z() * -0.1);
    let mut tangent = IntrusionTangent::zero();
    body.evaluate(&down, &level, (&base, h), (&mut states, &mut rates), Some(&mut tangent));
    let lower = motion(Vec3::z() * -0.0301, Mat3::identity(), Vec3::z() * -0.1);
    let slope = (force(&lower, &base).f.z - force(&down, &base).f.z) / -1e-4;
    assert!((tangent.K[(5, 5)] - slope).abs() < 1e-3 * slope.abs(), "{} {slope}", tangent.K[(5, 5)]);
}
