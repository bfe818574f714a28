//! Falling bodies: energy comes back without damping, and restitution is that of Eq. (1) with it.

use super::*;
use std::f64::consts::PI;

/// One bounce along z by velocity Verlet with the damping force of the half step: time in contact, deepest place, speed after.
fn bounce(pair: &RevolutionPair, mass: f64, speed: f64, lowest: f64, h: f64) -> (f64, f64, f64) {
    let force = |z: f64, v: f64| {
        let motion = SurfaceMotion { v_WS: Vec3::new(0.0, 0.0, v), ..at(Vec3::new(0.0, 0.0, z)) };
        fresh(pair, &motion).wrench_C.f.z
    };
    let (mut z, mut v, mut t, mut deepest) = (lowest, -speed, 0.0, 0.0f64);
    // Classic Runge–Kutta; the bounce ends when the body is where it began.
    while z <= lowest && t < 1.0 {
        let rate = |z: f64, v: f64| (v, force(z, v) / mass);
        let (a, p) = rate(z, v);
        let (b, q) = rate(z + 0.5 * h * a, v + 0.5 * h * p);
        let (c, r) = rate(z + 0.5 * h * b, v + 0.5 * h * q);
        let (d, s) = rate(z + h * c, v + h * r);
        let (z_old, v_old) = (z, v);
        z += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        v += h / 6.0 * (p + 2.0 * q + 2.0 * r + s);
        t += h;
        deepest = deepest.max(lowest - z);
        if z > lowest {
            // Back to the moment of parting, force-free from there.
            let share = (lowest - z_old) / (z - z_old);
            t -= h * (1.0 - share);
            v = v_old + share * (v - v_old);
        }
    }
    (t, deepest, v)
}

/// A sphere of 0.5 kg at 0.1 m/s on F = π k R d²: d_max = (3mv²/(2πkR))^⅓, contact for 2 d_max/v · 1.402182, and its energy back.
#[test]
fn energy_comes_back() {
    let R = 0.05;
    let k = rubber().stiffness;
    let body = cap(R);
    let resolution = Resolution { segments: 24, sagitta: 1.0, spacing: 1.2e-4 };
    let pair = pair(&body, &resolution, plate(), smooth(&rubber()));
    let (time, deepest, speed) = bounce(&pair, 0.5, 0.1, R, 2e-5);
    let d_max = (3.0 * 0.5 * 0.01 / (2.0 * PI * k * R)).cbrt();
    assert!((d_max / 0.445925e-3 - 1.0).abs() < 1e-5);
    println!("impact: {deepest} m of {d_max} m, {time} s, returns {}", speed / 0.1);
    assert!((deepest / d_max - 1.0).abs() < 1e-3);
    assert!((time / (2.0 * d_max / 0.1 * 1.402182) - 1.0).abs() < 1e-3);
    assert!(((speed / 0.1).powi(2) - 1.0).abs() < 1e-4, "{speed}");
}

/// m = 1 kg, k = 1e5 N/m, d = 50 N s/m at 0.5 m/s: 0.7795 to the letter and 0.7893 clamped without ramp, 0.7884 and 0.7933 with one of 0.1 mm.
#[test]
fn restitution() {
    let body = punch(0.03);
    let area = PI * 0.03 * 0.03;
    let layer = Layer { damping: 50.0 / area, ..Layer::given(1e5 / area) };
    for (ramp, separation, expected) in [
        (0.0, Separation::Literal, 0.7795),
        (0.0, Separation::Clamped, 0.7893),
        (1e-4, Separation::Literal, 0.7884),
        (1e-4, Separation::Clamped, 0.7933),
    ] {
        let law = PairLaw { separation, ..law(&layer, ramp, Friction::None) };
        let pair = pair(&body, &Resolution { segments: 8, sagitta: 1.0, spacing: 1.0 }, plate(), law);
        let (_, _, speed) = bounce(&pair, 1.0, 0.5, 0.0, 1e-6);
        println!("restitution: {} of {expected}", speed / 0.5);
        assert!((speed / 0.5 - expected).abs() < 6e-5, "{} {expected}", speed / 0.5);
    }
}
