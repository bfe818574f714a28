//! Lifting bodies out of soil.

use super::*;

/// Presses a body in, then lifts it out slowly or fast; returns the least vertical force while it is lifted,
/// and the last nonzero one.
fn lift(surface: &SoilSurface, soil: SoilParameters, options: SoilOptions, speed: f64) -> f64 {
    let mut bench = Bench::new(0.01, soil, options, std::slice::from_ref(surface));
    let top = match surface.shape {
        SoilShape::Wheel { .. } => RADIUS,
        SoilShape::Mesh(_) => 0.01,
    };
    let h = 1e-3;
    let mut motion = rolling(0.3, Vec3::new(0.0013, 0.0031, top), 0.0, 0.0);
    for k in 0..=100 {
        motion.X_WS.p.z = top - 0.04 * f64::from(k) / 100.0;
        motion.v_WS = Vec3::new(0.0, 0.0, -0.4);
        assert!(bench.step(h, &[motion]).wrench_C.f.z >= 0.0);
    }
    let pressed = bench.look(&motion).wrench_C.f.z;
    assert!(pressed > 10.0);
    let (mut least, mut risen) = (f64::INFINITY, 0.0);
    while risen < 0.06 {
        risen += speed * h;
        motion.X_WS.p.z = top - 0.04 + risen;
        motion.v_WS = Vec3::new(0.0, 0.0, speed);
        least = least.min(bench.step(h, &[motion]).wrench_C.f.z);
    }
    assert_eq!(bench.look(&motion).wrench_C.f.z, 0.0);
    least
}

/// Soil without cohesion never pulls at a body that is lifted out of it, at any speed, with damping, deposits
/// and a sloping rim.
#[test]
fn cohesionless_soil_never_pulls() {
    for surface in [smooth_wheel(), carrying_wheel(), plate(0.1, 0.05)] {
        for options in [bare(), full(), SoilOptions { friction: FrictionLaw::Janosi, ..full() }] {
            for (stiffness, damping) in [(1e9, 0.0), (4e7, 3e4)] {
                let soil = SoilParameters { damping, ..ground(30.0, 0.0, stiffness) };
                // Steps of 0.1 µm resolve the rebound of some 10 µm; those of 1 mm leap over it.
                for speed in [1.0, 0.05] {
                    let least = lift(&surface, soil, options, speed);
                    assert!(least >= 0.0, "{least} N at {speed} m/s, {options:?}");
                }
            }
        }
    }
}

/// Within the rebound, too: lifted by a tenth of a micrometre per step, the force falls to nothing without
/// ever turning round.
#[test]
fn force_falls_to_nothing_within_the_rebound() {
    for surface in [smooth_wheel(), plate(0.1, 0.05)] {
        let mut bench = Bench::new(0.01, ground(30.0, 0.0, 1e9), bare(), std::slice::from_ref(&surface));
        let bottom = if matches!(surface.shape, SoilShape::Wheel { .. }) { RADIUS } else { 0.01 } - 0.04;
        let at = |z: f64, v: f64| sliding(Vec3::new(0.0013, 0.0031, z), Vec3::new(0.0, 0.0, v));
        let mut above = bench.step(1e-3, &[at(bottom, -0.1)]).wrench_C.f.z;
        for k in 1..200 {
            let force = bench.step(1e-3, &[at(bottom + 1e-7 * f64::from(k), 1e-4)]).wrench_C.f.z;
            assert!(force >= 0.0 && force <= above * (1.0 + 1e-12), "{force} N after {above} N at step {k}");
            above = force;
        }
        // 84 kPa/m^0.63 at 40 mm springs back 11 µm.
        assert_eq!(above, 0.0);
    }
}
