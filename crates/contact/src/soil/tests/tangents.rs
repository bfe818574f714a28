//! Derivatives of the wrench against central differences.
//!
//! By velocity they are exact. By pose they leave out how the ends of the contact move, how the slopes of the underside turn and curve, and how
//! the nodes move through the body's frame: exact for a plate pressed further along its normal, near for a wheel.

use super::*;
use touchdown_math::{Mat6, Quat};

/// The motion displaced (columns of K) or with changed velocity (columns of D) by a small step in direction k: 0–2 angular, 3–5 linear.
fn displaced(motion: &SurfaceMotion, k: usize, step: f64) -> SurfaceMotion {
    let mut moved = *motion;
    if k < 3 {
        let turn = Quat::from_scaled_axis(Vec3::ith(k, step)).to_rotation_matrix();
        moved.X_WS.R = turn.matrix() * motion.X_WS.R;
    } else {
        moved.X_WS.p[k - 3] += step;
    }
    moved
}

fn accelerated(motion: &SurfaceMotion, k: usize, step: f64) -> SurfaceMotion {
    let mut moved = *motion;
    if k < 3 {
        moved.w_WS[k] += step
    } else {
        moved.v_WS[k - 3] += step
    }
    moved
}

fn wrench(bench: &mut Bench, motion: &SurfaceMotion) -> [f64; 6] {
    let w = bench.evaluate(motion, 0.01, None).wrench_C;
    [w.t.x, w.t.y, w.t.z, w.f.x, w.f.y, w.f.z]
}

type Change = fn(&SurfaceMotion, usize, f64) -> SurfaceMotion;

/// Column k by central differences.
fn column(bench: &mut Bench, motion: &SurfaceMotion, change: Change, k: usize, step: f64) -> [f64; 6] {
    let (up, down) = (wrench(bench, &change(motion, k, step)), wrench(bench, &change(motion, k, -step)));
    std::array::from_fn(|i| (up[i] - down[i]) / (2.0 * step))
}

fn tangent(bench: &mut Bench, motion: &SurfaceMotion, q: f64, v: f64) -> Mat6 {
    let mut K = Mat6::zeros();
    bench.evaluate(motion, 0.01, Some((TangentWeights { q, v }, &mut K)));
    K
}

/// A wheel or plate that sinks, slides and turns a little on virgin soil with damping.
fn cases(friction: FrictionLaw) -> [(Bench, SurfaceMotion); 2] {
    let soil = SoilParameters { damping: 2e4, ..sand() };
    let bench =
        |surface: SoilSurface| Bench::new(0.005, soil, SoilOptions { friction, ..bare() }, &[surface]);
    let (v, w) = (Vec3::new(0.02, 0.01, -0.003), Vec3::new(0.01, 0.5, 0.02));
    let at = |p: Vec3| SurfaceMotion { X_WS: Pose { R: turned(0.2), p }, v_WS: v, w_WS: w };
    let small = SurfaceMotion { w_WS: 0.1 * w, ..at(Vec3::new(0.0013, 0.0031, 0.01 - 0.03)) };
    [(bench(smooth_wheel()), at(Vec3::new(0.0013, 0.0031, RADIUS - 0.03))), (bench(plate(0.1, 0.08)), small)]
}

/// ∂W/∂velocity: pressure by damping, friction by sliding, all of it. Central differences of smooth functions are off by a step squared.
#[test]
fn derivatives_by_velocity_are_exact() {
    for (mut bench, motion) in cases(FrictionLaw::Coulomb { speed: 0.01 }) {
        let D = tangent(&mut bench, &motion, 0.0, 1.0);
        for k in 0..6 {
            let found = column(&mut bench, &motion, accelerated, k, 1e-6);
            let size = found.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            for i in 0..6 {
                assert!((D[(i, k)] - found[i]).abs() < 1e-5 * size, "D[{i},{k}]: {} {}", D[(i, k)], found[i]);
            }
        }
    }
}

/// Laws that remember: exact at rest, and in sliding as far as the anchor lies along the motion.
#[test]
fn derivatives_of_anchors_are_exact_at_rest() {
    for law in [FrictionLaw::Janosi, FrictionLaw::Anchored] {
        for (mut bench, mut motion) in cases(law) {
            (motion.v_WS, motion.w_WS) = (Vec3::zeros(), Vec3::zeros());
            let D = tangent(&mut bench, &motion, 0.0, 1.0);
            let found: [[f64; 6]; 6] =
                std::array::from_fn(|k| column(&mut bench, &motion, accelerated, k, 1e-7));
            // Of a fresh contact Janosi mobilises nothing to first order: columns without damping are zero, and are measured by the others.
            let size = found.iter().flatten().fold(0.0f64, |a, x| a.max(x.abs()));
            for (k, found) in found.iter().enumerate() {
                for i in 0..6 {
                    // |v| has a kink at rest: the central difference drops its part, the next is a step over the anchor's length.
                    let error = (D[(i, k)] - found[i]).abs();
                    assert!(error < 1e-4 * size, "{law:?} D[{i},{k}]: {} {}", D[(i, k)], found[i]);
                }
            }
        }
    }
}

/// ∂W/∂pose of a plate at rest, pressed further along its normal: exact.
#[test]
fn stiffness_of_a_plate_is_exact_along_its_normal() {
    let [_, (mut bench, mut motion)] = cases(FrictionLaw::Coulomb { speed: 0.01 });
    (motion.v_WS, motion.w_WS) = (Vec3::zeros(), Vec3::zeros());
    let K = tangent(&mut bench, &motion, 1.0, 0.0);
    let found = column(&mut bench, &motion, displaced, 5, 1e-7);
    for i in 0..6 {
        assert!((K[(i, 5)] - found[i]).abs() < 1e-6 * found[5].abs(), "{} {}", K[(i, 5)], found[i]);
    }
}

/// ∂W/∂pose of a wheel at rest: within what the moving ends and the curvature make of it. Vertical by vertical, which decides whether implicit steps
/// converge, is within a tenth.
#[test]
fn stiffness_of_a_wheel_is_near() {
    let [(mut bench, mut motion), _] = cases(FrictionLaw::Coulomb { speed: 0.01 });
    (motion.v_WS, motion.w_WS) = (Vec3::zeros(), Vec3::zeros());
    let K = tangent(&mut bench, &motion, 1.0, 0.0);
    for k in 0..6 {
        let found = column(&mut bench, &motion, displaced, k, 1e-4);
        println!("column {k}: {:.0?} by differences {:.0?}", K.column(k).as_slice(), found);
    }
    let found = column(&mut bench, &motion, displaced, 5, 1e-4);
    println!("vertical stiffness {:.0} N/m, by differences {:.0} N/m", K[(5, 5)], found[5]);
    assert!((K[(5, 5)] / found[5] - 1.0).abs() < 0.1);
}
