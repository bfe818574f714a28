//! Blocks: no creep, break-away, stick–slip, anchors that follow the reference body.

use super::*;
use std::f64::consts::PI;

const N: f64 = 9.81;
const RADIUS: f64 = 0.03;

/// A flat block pressed by N, its penetration held; tangential stiffness `c` N/m and damping `d` N s/m in all.
fn block(stick: f64, slip: f64, c: f64, d: f64) -> (RevolutionPair, f64) {
    let area = PI * RADIUS * RADIUS;
    let layer = Layer { shear_stiffness: c / area, shear_damping: d / area, ..Layer::given(1e5 / area) };
    let friction = Friction::StickSlip { stick, slip, release_speed: 1e-4 };
    let body = punch(RADIUS);
    let resolution = Resolution { segments: 6, sagitta: 1.0, spacing: 1.0 };
    (pair(&body, &resolution, plate(), law(&layer, 0.0, friction)), -N / 1e5)
}

fn sliding(x: f64, z: f64, v: f64) -> SurfaceMotion {
    SurfaceMotion { v_WS: Vec3::new(v, 0.0, 0.0), ..at(Vec3::new(x, 0.0, z)) }
}

/// Pulled slowly, the block holds up to μ_stick·N and no further; then it slides with μ_slip·N.
#[test]
fn breaks_away_at_the_stick_limit() {
    let (pair, z) = block(0.5, 0.3, 1e6, 0.0);
    let mut state = PolygonalState::default();
    let mut largest = 0.0f64;
    let step = 0.5 * N / 1e6 / 5000.0;
    for k in 0..20000 {
        let motion = sliding(f64::from(k) * step, z, 1e-6);
        let commit = pair.commit(&mut state, &motion, &origin());
        largest = largest.max(-commit.force.wrench_C.f.x);
    }
    assert!((largest / (0.5 * N) - 1.0).abs() < 1e-9, "{largest}");
    let after = pair.evaluate(&state, &sliding(20000.0 * step, z, 1e-6), &origin());
    assert!((-after.wrench_C.f.x / (0.3 * N) - 1.0).abs() < 1e-9);
    assert!(state.faces.iter().all(|face| face.grip == Grip::Breaking));
    // Its memory is plain data that comes back from a file.
    assert!(state.faces.windows(2).all(|pair| pair[0].face < pair[1].face));
}

/// Under 90 % of the break-away force the block comes to rest and stays there to the bit, however long it waits.
#[test]
fn holds_without_creep() {
    let (pair, z) = block(0.5, 0.3, 1e5, 200.0);
    let mut state = PolygonalState::default();
    pair.commit(&mut state, &sliding(0.0, z, 0.0), &origin());
    let (mut x, mut v, h, pull) = (0.0, 0.0, 1e-4, 0.9 * 0.5 * N);
    let mut at_rest = 0.0;
    for k in 0..400_000 {
        let force = pair.evaluate(&state, &sliding(x, z, v), &origin()).wrench_C.f.x;
        // The pull comes up within ten seconds, so that the block does not swing.
        v += h * (pull * (f64::from(k) / 100_000.0).min(1.0) + force);
        x += h * v;
        pair.commit(&mut state, &sliding(x, z, v), &origin());
        if k == 200_000 {
            at_rest = x;
        }
    }
    assert!((x / (pull / 1e5) - 1.0).abs() < 1e-9, "{x}");
    assert!((x - at_rest).abs() < 1e-17, "creeps by {}", x - at_rest);
}

/// Pulled by a spring at constant speed, the block stick–slips with T = 2D/(kV) + [π + 2 atan(kV/(ωD))]/ω, D = (μ_s − μ_k)N: 1.14887 s.
#[test]
fn stick_slip_period() {
    let (pair, z) = block(0.5, 0.3, 1e6, 600.0);
    let mut state = PolygonalState::default();
    let (mut x, mut v, h) = (0.0, 0.0, 1e-5);
    let (k, V) = (100.0f64, 0.05);
    let mut breaks = Vec::new();
    for step in 0..600_000 {
        let t = f64::from(step) * h;
        let force = pair.evaluate(&state, &sliding(x, z, v), &origin()).wrench_C.f.x;
        v += h * (force + k * (V * t - x));
        x += h * v;
        let stuck = state.faces.first().is_some_and(|face| face.grip == Grip::Stick);
        pair.commit(&mut state, &sliding(x, z, v), &origin());
        if stuck && state.faces[0].grip != Grip::Stick {
            breaks.push(t);
        }
    }
    let D: f64 = 0.2 * N;
    let omega = k.sqrt();
    let period = 2.0 * D / (k * V) + (PI + 2.0 * (k * V / (omega * D)).atan()) / omega;
    assert!((period - 1.14887).abs() < 1e-5);
    let mean = (breaks[breaks.len() - 1] - breaks[1]) / (breaks.len() - 2) as f64;
    println!("stick-slip: {mean} s of {period} s, {} periods", breaks.len());
    assert!((mean / period - 1.0).abs() < 1e-2, "{mean}");
    assert!(breaks.len() < 8, "chatters: {}", breaks.len());
}

/// Evaluating changes nothing, and anchors go with the reference body: both moved together, no force.
#[test]
fn anchors_follow_the_reference_body() {
    let (pair, z) = block(0.5, 0.3, 1e5, 0.0);
    let mut state = PolygonalState::default();
    let body = sliding(0.0, z, 0.0);
    pair.commit(&mut state, &body, &origin());
    let held = state.clone();
    let X = Pose::new(&rotation::exp(&Vec3::new(0.5, 0.2, -0.9)), Vec3::new(3.0, 1.0, -2.0));
    let together = pair.evaluate(&state, &still(X.compose(&body.X_WS)), &still(X));
    assert!((X.R.transpose() * together.wrench_C.f - Vec3::new(0.0, 0.0, N)).norm() < 1e-9);
    let apart = pair.evaluate(&state, &sliding(1e-5, z, 0.0), &origin());
    assert!((apart.wrench_C.f.x + 1.0).abs() < 1e-9, "c_T·x = 1 N, found {}", apart.wrench_C.f.x);
    assert_eq!(state, held);
    // Twisted by a small angle, faces at r resist with c_T ∫ r² dA, of the six chords.
    let twisted = pair.evaluate(&state, &moved(&body, &Vec3::new(0.0, 0.0, 1e-6), &Vec3::zeros()), &origin());
    assert!(twisted.wrench_C.t.z < 0.0);
}

/// What the puller puts in is stored or heat: over a cycle of pulling there and back the balance closes to first order of the step.
#[test]
fn energy_of_a_cycle() {
    let residual = |steps: u32| {
        let (pair, z) = block(0.5, 0.3, 1e5, 0.0);
        let mut state = PolygonalState::default();
        let (mut work, mut heat, mut before) = (0.0, 0.0, 0.0);
        let place = |k: u32| 4e-4 * (2.0 * PI * f64::from(k) / f64::from(steps)).sin();
        let h = 1.0 / f64::from(steps);
        let normal = fresh(&pair, &sliding(0.0, z, 0.0)).elastic_energy;
        for k in 0..=steps {
            let x = place(k);
            let v = if k == 0 { 0.0 } else { (x - place(k - 1)) / h };
            let commit = pair.commit(&mut state, &sliding(x, z, v), &origin());
            let force = -commit.force.wrench_C.f.x;
            if k > 0 {
                work += 0.5 * (force + before) * v * h;
                heat += commit.force.dissipated_power * h + commit.heat;
            }
            before = force;
        }
        let stored = pair.evaluate(&state, &sliding(place(steps), z, 0.0), &origin()).elastic_energy - normal;
        ((work - heat - stored) / work, heat)
    };
    let (coarse, fine) = (residual(2000), residual(8000));
    println!("cycle: residual {:.1e} and {:.1e} of {} J", coarse.0, fine.0, fine.1);
    assert!(fine.0.abs() < 2e-3 && fine.1 > 0.0);
}
