//! A truncated cone in a conical nozzle: convergence, energy, symmetry, and which body is the reference.

use super::*;

const HALF: f64 = 15.0;
const TIP: f64 = 0.03;
const LENGTH: f64 = 0.05;
const THROAT: f64 = 0.02;
const EXIT: f64 = 0.08;

fn tan() -> f64 {
    HALF.to_radians().tan()
}

fn nozzle() -> Section {
    Section::through(&[[0.0, THROAT], [(EXIT - THROAT) / tan(), EXIT]], Side::Cavity).unwrap()
}

pub fn peg_section() -> Section {
    Section::through(&[[0.0, TIP], [LENGTH, TIP + LENGTH * tan()]], Side::Solid).unwrap()
}

/// Pose of the peg, its tip at first coaxial touch, then moved and turned about itself.
pub fn pose(offset: [f64; 2], push: f64, tilt: [f64; 2]) -> SurfaceMotion {
    let touch = (TIP - THROAT) / tan();
    turned(Vec3::new(tilt[0], tilt[1], 0.0), Vec3::new(offset[0], offset[1], touch - push))
}

pub fn peg(segments: u32) -> RevolutionPair {
    let body = peg_section();
    pair(&body, &body.resolution(segments), nozzle(), smooth(&Layer::given(1e9)))
}

pub fn off_axis() -> SurfaceMotion {
    pose([7e-4, -4e-4], 2e-3, [0.3f64.to_radians(), -0.2f64.to_radians()])
}

/// Pushed in straight, every point is push·sin α deep: F_z = c·A·s·sin α, with the area of the cone's surface, whatever the mesh.
#[test]
fn straight_push_is_exact() {
    let (sin, area) = (HALF.to_radians().sin(), peg_section().area());
    let force = fresh(&peg(24), &pose([0.0; 2], 1e-3, [0.0; 2]));
    let s = 1e-3 * sin;
    assert!((force.penetration_max - s).abs() < 1e-15);
    assert!((force.wrench_C.f.z / (1e9 * area * s * sin) - 1.0).abs() < 1e-12);
    assert!((force.area / area - 1.0).abs() < 1e-12);
}

/// The wrench is minus the gradient of the stored energy, for both areas; and nothing turns the peg about the nozzle's axis.
#[test]
fn wrench_is_minus_the_gradient_of_the_energy() {
    for area_of in [AreaOf::Body, AreaOf::Reference] {
        let mut pair = peg(96);
        pair.area_of = area_of;
        let motion = off_axis();
        let force = fresh(&pair, &motion);
        assert!(force.polygons < pair.faces.faces().len() as u32, "a border is wanted");
        let energy = |turn: Vec3, shift: Vec3| fresh(&pair, &moved(&motion, &turn, &shift)).elastic_energy;
        let (h, arm) = (1e-7, TIP);
        let scale = force.wrench_C.f.norm();
        for c in 0..3 {
            let e = Vec3::ith(c, h);
            let f = -(energy(Vec3::zeros(), e) - energy(Vec3::zeros(), -e)) / (2.0 * h);
            assert!(
                (f - force.wrench_C.f[c]).abs() < 1e-6 * scale,
                "{area_of:?} f{c}: {f} {}",
                force.wrench_C.f[c]
            );
            let e = Vec3::ith(c, h / arm);
            let t = -(energy(e, Vec3::zeros()) - energy(-e, Vec3::zeros())) / (2.0 * h / arm);
            assert!(
                (t - force.wrench_C.t[c]).abs() < 1e-6 * scale * arm,
                "{area_of:?} t{c}: {t} {}",
                force.wrench_C.t[c]
            );
        }
        let about_axis = force.torque_about(&motion.X_WS.p, &Vec3::zeros()).z;
        assert!(about_axis.abs() < 1e-12 * scale * arm, "{about_axis}");
    }
}

/// Force and torque converge with the square of the mesh.
#[test]
fn wrench_converges() {
    let at = |n: u32| fresh(&peg(n), &off_axis()).wrench_C;
    let fine = at(1536);
    let error = |n: u32| {
        let w = at(n);
        ((w.f - fine.f).norm() / fine.f.norm(), (w.t - fine.t).norm() / fine.t.norm())
    };
    let (coarse, medium, default) = (error(48), error(192), error(DEFAULT_SEGMENTS));
    println!(
        "peg in cone: 48: {coarse:?}, 192: {medium:?}, default: {default:?}, force {:?} torque {:?}",
        fine.f, fine.t
    );
    assert!(default.0 < 1e-4 && default.1 < 1e-3);
    assert!((coarse.0 / medium.0).log2() / 2.0 > 1.6 && (coarse.1 / medium.1).log2() / 2.0 > 1.6);
}

/// Swapping the reference changes the force by no more than the shapes explain, 2 s/r.
#[test]
fn swapping_the_reference_changes_little() {
    for (offset, push, tilt) in [([0.0; 2], 1e-3, [0.0; 2]), ([7e-4, -4e-4], 2e-3, [5e-3, -3e-3])] {
        let motion = pose(offset, push, tilt);
        let one = fresh(&peg(DEFAULT_SEGMENTS), &motion);
        let walls = nozzle();
        let resolution = Resolution { segments: DEFAULT_SEGMENTS, sagitta: 1.0, spacing: 1e-4 };
        let swapped = pair(&walls, &resolution, peg_section(), smooth(&Layer::given(1e9)));
        let other = swapped.evaluate(&PolygonalState::default(), &origin(), &motion);
        let change = (one.wrench_C.f + other.wrench_C.f).norm() / one.wrench_C.f.norm();
        let allowed = 2.0 * one.penetration_max / TIP;
        println!("swap: {change:.2e} of {allowed:.2e}");
        assert!(change <= allowed, "{change} {allowed}");
    }
}

/// A rotated world rotates the wrench; the reference body may move instead.
#[test]
fn the_world_may_turn() {
    let pair = peg(48);
    let body = off_axis();
    let first = fresh(&pair, &body);
    let X = Pose::new(&rotation::exp(&Vec3::new(0.3, -1.2, 0.7)), Vec3::new(1.0, -2.0, 0.5));
    let second = pair.evaluate(&PolygonalState::default(), &still(X.compose(&body.X_WS)), &still(X));
    assert!((X.R * first.wrench_C.f - second.wrench_C.f).norm() < 1e-9 * first.wrench_C.f.norm());
    assert!((X.R * first.wrench_C.t - second.wrench_C.t).norm() < 1e-9 * first.wrench_C.t.norm());
    assert!((X.point(&first.p_WQ) - second.p_WQ).norm() < 1e-12);
}

/// What lies beyond the free end does not touch: a tilted peg that is longer than its nozzle is as deep in it, and presses as hard, as one that ends at the exit, whose
/// corners lie there. The corners of the long peg are half as deep again. The two ends differ by the line across the exit, which leaves the peg's rings by its tilt of
/// 0.4°: a length of 0.6 mm over the 30 mm along which the depth rises.
#[test]
fn what_lies_beyond_a_free_end_is_not_deep() {
    let short = Section::through(&[[0.0, THROAT], [0.06, THROAT + 0.06 * tan()]], Side::Cavity).unwrap();
    let motion = off_axis();
    let reach = 0.06 - motion.X_WS.p.z;
    let before = Section::through(&[[0.0, TIP], [reach, TIP + reach * tan()]], Side::Solid).unwrap();
    let [long, ending] = [peg_section(), before].map(|body| {
        let one = pair(&body, &body.resolution(48), short.clone(), smooth(&Layer::given(1e9)));
        let force = fresh(&one, &motion);
        let slow = one.evaluate_with_tangent(&PolygonalState::default(), &motion, &origin()).0;
        assert_eq!(force.penetration_max, slow.penetration_max);
        assert_eq!(force.pressure_max, 1e9 * force.penetration_max);
        force.penetration_max
    });
    assert!((long / ending - 1.0).abs() < 0.02, "{long} {ending}");
}

/// A peg longer than its nozzle touches up to the exit, in the middle of its faces: the area is that of the cone before the exit, the wrench is
/// still minus the gradient of the energy, and the force is continuous as rings pass the exit.
#[test]
fn a_free_end_cuts_faces() {
    let short = Section::through(&[[0.0, THROAT], [0.06, THROAT + 0.06 * tan()]], Side::Cavity).unwrap();
    let body = peg_section();
    let one = pair(&body, &body.resolution(48), short, smooth(&Layer::given(1e9)));
    let straight = pose([0.0; 2], 1e-3, [0.0; 2]);
    let force = fresh(&one, &straight);
    // The line across the exit meets the peg's surface s·sin α before the exit's plane.
    let s = 1e-3 * HALF.to_radians().sin();
    let reach = 0.06 - s * HALF.to_radians().sin() - straight.X_WS.p.z;
    let before = Section::through(&[[0.0, TIP], [reach, TIP + reach * tan()]], Side::Solid).unwrap();
    assert!((force.area / before.area() - 1.0).abs() < 1e-3, "{} {}", force.area, before.area());
    for (area_of, motion) in
        [AreaOf::Body, AreaOf::Reference].into_iter().flat_map(|a| [(a, straight), (a, off_axis())])
    {
        let mut one = one.clone();
        one.area_of = area_of;
        let force = fresh(&one, &motion);
        let (quick, slow) =
            (force, one.evaluate_with_tangent(&PolygonalState::default(), &motion, &origin()).0);
        assert!((quick.wrench_C.f - slow.wrench_C.f).norm() < 1e-9 * slow.wrench_C.f.norm());
        let h = 1e-8;
        for c in 0..3 {
            let energy = |sign: f64| {
                fresh(&one, &moved(&motion, &Vec3::zeros(), &Vec3::ith(c, sign * h))).elastic_energy
            };
            let f = -(energy(1.0) - energy(-1.0)) / (2.0 * h);
            assert!(
                (f - force.wrench_C.f[c]).abs() < 1e-6 * force.wrench_C.f.norm(),
                "{area_of:?} {c}: {f} {}",
                force.wrench_C.f[c]
            );
            let energy = |sign: f64| {
                fresh(&one, &moved(&motion, &Vec3::ith(c, sign * h / TIP), &Vec3::zeros())).elastic_energy
            };
            let t = -(energy(1.0) - energy(-1.0)) / (2.0 * h / TIP);
            assert!(
                (t - force.wrench_C.t[c]).abs() < 1e-6 * force.wrench_C.f.norm() * TIP,
                "{area_of:?} {c}: {t} {}",
                force.wrench_C.t[c]
            );
        }
        assert!(
            force.torque_about(&motion.X_WS.p, &Vec3::zeros()).z.abs()
                < 1e-10 * force.wrench_C.f.norm() * TIP
        );
    }
    // Pushed in by a whole ring of faces: no jump where rings pass the exit.
    let at = |k: u32| fresh(&one, &pose([3e-4, 0.0], 1e-3 + 1e-6 * f64::from(k), [0.0; 2])).wrench_C.f;
    let steps: Vec<f64> = (0..7000).map(|k| (at(k + 1) - at(k)).norm()).collect();
    // The stiffness itself grows as the peg goes in, with a bend where a ring passes. Faces that were not cut would jump by a hundred times a step.
    let change = steps.windows(2).map(|pair| pair[0].max(pair[1]) / pair[0].min(pair[1])).fold(0.0, f64::max);
    println!("free end: {} to {} N/µm, by at most {change} at a time", steps[0], steps[steps.len() - 1]);
    assert!(change < 1.5, "{change}");
}
