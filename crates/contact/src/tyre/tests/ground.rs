//! Curved ground: the contact point against brute force, energy over a path, tangents with the turning of the
//! plane, the plane as a special case.

use super::*;
use crate::tyre::ground::{Footing, NoGround};
use proptest::strategy::ValueTree;
use touchdown_geometry::surface::{HeightForm, HeightSurface, Smoothness};
use touchdown_geometry::{Missing, Procedural, Raster, Relief};

const R: f64 = BrushParameters::SAMARINI.radius;

/// Heights sampled over ±3 m.
fn map(spacing: f64, smoothness: Smoothness, height: impl Fn(f64, f64) -> f64) -> HeightSurface {
    let half = (3.0 / spacing).round() as i32;
    let at = |j: i32| (-half..=half).map(move |i| (f64::from(i) * spacing, f64::from(j) * spacing));
    let heights = (-half..=half).flat_map(at).map(|(x, y)| height(x, y)).collect();
    let nodes = 2 * half as usize + 1;
    let raster = Raster::new([-f64::from(half) * spacing; 2], spacing, nodes, nodes, heights);
    HeightSurface::new(HeightForm::Map { raster: raster.expect("a sound map"), smoothness })
}

/// A bowl, a ridge, a saddle, waves with hollows narrower than the wheel, longer ones, and hills: less steep,
/// with the wheel's lean, than a wall.
fn surfaces() -> Vec<HeightSurface> {
    let paraboloid =
        |a: f64, b: f64| HeightSurface::new(HeightForm::Paraboloid { height: 0.3, coefficients: [a, b] });
    let hills = Relief::Procedural(Procedural::new(3, 0.0, 0.7, 0.05, 3).expect("sound hills"));
    vec![
        paraboloid(0.2, 0.2),
        paraboloid(-0.8, 0.0),
        paraboloid(1.0, -0.7),
        map(0.02, Smoothness::C2, |x, y| 0.02 * (20.0 * x + 3.0 * y).sin()),
        map(0.05, Smoothness::C1, |x, y| 0.03 * (7.0 * x).sin() * (5.0 * y).cos()),
        map(0.1, Smoothness::C2, |x, y| hills.height(x, y).unwrap_or(0.0)),
    ]
}

/// A wheel over a surface, at a height that presses it in or holds it off by a little: lean to 25°, any
/// heading.
fn over(surface: &HeightSurface, [x, y, yaw, lean, lift]: [f64; 5], v: Vec3, w: Vec3) -> WheelMotion {
    let axis = Vec3::new(-yaw.sin() * lean.cos(), yaw.cos() * lean.cos(), lean.sin());
    let z = surface.jet(x, y).expect("on the map").z + R + lift;
    WheelMotion { p_WC: Vec3::new(x, y, z), axis_W: axis, v_WC: v, w_WB: w }
}

fn place() -> impl Strategy<Value = [f64; 5]> {
    [-1.0..1.0f64, -1.0..1.0f64, -3.0..3.0f64, -0.45..0.45f64, -0.04..0.01f64]
}

/// The shortest spoke among 801, each point of the curve found by halves.
fn shortest_by_force(surface: &HeightSurface, m: &WheelMotion) -> f64 {
    let forward = m.axis_W.cross(&Vec3::z()).normalize();
    let up = forward.cross(&m.axis_W);
    let above = |s: f64, w: f64| {
        let p = m.p_WC + forward * s + up * w;
        p.z - surface.jet(p.x, p.y).expect("on the map").z
    };
    let length = |k: i32| {
        let s = R * f64::from(k) / 400.0;
        let (mut low, mut high) = (-3.0 * R, R);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if above(s, middle) > 0.0 { high = middle } else { low = middle }
        }
        s.hypot(low)
    };
    (-400..=400).map(length).fold(f64::INFINITY, f64::min)
}

/// The contact point is on the surface and in the wheel's plane, its spoke is at right angles to the curve,
/// and none is shorter.
#[test]
fn contact_point_is_the_nearest_of_the_curve() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut touching, mut second) = (0, 0);
    for surface in &surfaces() {
        for _ in 0..60 {
            let at = place().new_tree(&mut runner).expect("never rejects").current();
            let m = over(surface, at, Vec3::zeros(), Vec3::zeros());
            let footing = Footing::find(surface, &mut None, R, &m).expect("on the map");
            let GroundPlane { point, normal } = footing.plane;
            let spoke = m.p_WC - point;
            let brute = shortest_by_force(surface, &m);
            if brute > R {
                assert!(tyre().calc_gap(&m, &footing.plane) >= -1e-15);
                continue;
            }
            touching += 1;
            second += usize::from(footing.second > 0.0);
            // On the curve, as follows, and not longer than any: it is the shortest.
            assert!(spoke.norm() <= brute + 1e-14, "{} {brute}", spoke.norm());
            let jet = surface.jet(point.x, point.y).expect("on the map");
            assert!((jet.z - point.z).abs() < 1e-15 && (jet.normal() - normal).norm() < 1e-12);
            assert!(spoke.dot(&m.axis_W).abs() < 1e-15, "{}", spoke.dot(&m.axis_W));
            let e_x = m.axis_W.cross(&normal).normalize();
            assert!(spoke.dot(&e_x).abs() < 1e-14, "{:e} {at:?}", spoke.dot(&e_x));
            assert!((tyre().calc_force(&m, &footing.plane, &[0.0; 2]).p_WQ - point).norm() < 1e-14);
        }
    }
    assert!(touching > 200 && second > 0, "{touching} {second}");
}

/// In a hollow z = ax² that is narrower than the wheel, it rests on two places at once, x² = (2ac − 1)/2a²
/// for a centre at c above the bottom; one of them carries it, the other is reported.
#[test]
fn second_place_in_a_narrow_hollow() {
    let (a, c) = (6.0, 0.14);
    let hollow = HeightSurface::new(HeightForm::Paraboloid { height: 0.0, coefficients: [a, 0.0] });
    let m = WheelMotion { p_WC: Vec3::z() * c, ..rolling(0.0, 0.0, 0.0) };
    let footing = Footing::find(&hollow, &mut None, R, &m).expect("everywhere");
    let x = ((2.0 * a * c - 1.0) / (2.0 * a * a)).sqrt();
    let length = x.hypot(c - a * x * x);
    assert!(length < R && (footing.plane.point.x.abs() - x).abs() < 1e-15);
    assert!(
        (footing.second - (R - length)).abs() < 1e-15
            && (m.p_WC - footing.plane.point).norm() - length < 1e-15
    );
    // Wide enough, there is one place, at the bottom.
    let m = WheelMotion { p_WC: Vec3::z() * 0.08, ..m };
    let footing = Footing::find(&hollow, &mut None, R, &m).expect("everywhere");
    assert!(
        footing.plane.point.x.abs() < 1e-15
            && footing.second == 0.0
            && (footing.curvature(&m) + 2.0 * a).abs() < 1e-12
    );
}

/// A patch that was kept from somewhere else changes nothing.
#[test]
fn kept_patches_do_not_matter() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let surface = &surfaces()[5];
    let mut kept = None;
    for _ in 0..200 {
        let at = place().new_tree(&mut runner).expect("never rejects").current();
        let m = over(surface, at, Vec3::zeros(), Vec3::zeros());
        assert_eq!(Footing::find(surface, &mut kept, R, &m), Footing::find(surface, &mut None, R, &m));
    }
}

/// Off the map and in a hole there is no ground, and the place is reported.
#[test]
fn missing_ground_is_reported() {
    let surface = map(0.1, Smoothness::C2, |x, y| if x.hypot(y) < 0.15 { f64::NAN } else { 0.0 });
    let at = |x: f64| {
        let m = WheelMotion { p_WC: Vec3::new(x, 0.0, R), ..rolling(0.0, 0.0, 0.0) };
        Footing::find(&surface, &mut None, R, &m)
    };
    assert!(at(1.0).is_ok() && at(2.8).is_ok());
    assert!(matches!(at(2.9), Err(NoGround { why: Missing::OffMap, at: [x, _] }) if x > 3.0));
    assert!(matches!(at(0.2), Err(NoGround { why: Missing::Hole, .. })));
}

proptest! {
    /// A plane given as a surface, by its formula or as a map, is the plane: the same force to round-off.
    #[test]
    fn plane_surfaces_are_planes(
        at in place(), slopes in [-0.5..0.5f64, -0.5..0.5f64], v in vector(0.3), w in vector(1.0),
    ) {
        let plane = HeightSurface::new(HeightForm::Plane { height: 0.1, gradient: slopes });
        let m = over(&plane, at, v, w);
        let jet = plane.jet(0.0, 0.0).expect("everywhere");
        let fixed = GroundPlane { point: Vec3::new(0.0, 0.0, jet.z), normal: jet.normal() };
        let (a, tangent, _) = tyre().calc_force_implicit(&m, &fixed, &[0.004, 0.001], 1e-3);
        for surface in [plane, map(0.1, Smoothness::C2, |x, y| 0.1 + slopes[0] * x + slopes[1] * y)] {
            let footing = Footing::find(&surface, &mut None, R, &m).expect("on the map");
            let (b, turned, _) = tyre().calc_force_on(&m, &footing, &[0.004, 0.001], 1e-3);
            // Places to 1e-15 m, times stiffness, damping per time and slopes of the slip laws.
            prop_assert!((a.wrench_C.f - b.wrench_C.f).norm() < 1e-8 * (1.0 + a.wrench_C.f.norm()));
            prop_assert!((a.wrench_C.t - b.wrench_C.t).norm() < 1e-8 * (1.0 + a.wrench_C.t.norm()));
            prop_assert!((a.p_WQ - b.p_WQ).norm() < 1e-12 || a.deformation == 0.0);
            prop_assert!((tangent.K - turned.K).norm() < 1e-6 * (1.0 + tangent.K.norm()));
        }
    }

    /// The published rate of deformation is that of the moving wheel: the plane's turning does not change it.
    /// With it, power on the wheel, rate of stored energy and heat add up to nothing.
    #[test]
    fn deformation_rate_is_that_of_the_motion(
        which in 0..6usize, at in place(), v in vector(0.3), w in vector(1.0),
    ) {
        let surface = &surfaces()[which];
        let m = over(surface, at, v, w);
        let deformation = |t: f64| {
            let axis_W = rotation::exp(&(m.w_WB * t)) * m.axis_W;
            let m = WheelMotion { p_WC: m.p_WC + m.v_WC * t, axis_W, ..m };
            let footing = Footing::find(surface, &mut None, R, &m).expect("on the map");
            (tyre().calc_force(&m, &footing.plane, &[0.0; 2]), footing)
        };
        let (now, footing) = deformation(0.0);
        let power = now.wrench_C.t.dot(&m.w_WB) + now.wrench_C.f.dot(&m.v_WC);
        let size = now.dissipated_power + now.wrench_C.f.norm() + 1.0;
        let sum = power + energy::stored_rate(&now, &[0.0; 2]) + now.dissipated_power;
        prop_assert!(sum.abs() < 1e-12 * size, "{} of {}", sum, size);
        let dt = 1e-5;
        let [(before, was), (after, is)] = [deformation(-dt), deformation(dt)];
        // Leave out lift-off, and a jump of the contact point, where δ has a kink.
        let jumps = (was.plane.point - is.plane.point).norm() > 1e-3;
        prop_assume!(before.deformation > 0.0 && after.deformation > 0.0 && !jumps && footing.curvature(&m) > -0.8 / R);
        let rate = (after.deformation - before.deformation) / (2.0 * dt);
        // 1e-16 m over 2e-5 s, and dt² times the third derivative of δ: speeds of up to 1 m/s over bends of
        // some 10 1/m.
        prop_assert!((rate - now.deformation_rate).abs() < 1e-6, "{} {}", rate, now.deformation_rate);
    }
}

/// A wheel is led through a bowl and over a saddle, pressed in, leaning, turning and slipping: what its
/// wrench takes from the guide is stored or lost, to the error of a rule of fourth order, which halving the
/// step divides by sixteen.
#[test]
fn energy_balances_along_a_path_over_curved_ground() {
    // Friction that never lets the footprint slide as a whole, and a spin that always leads: the laws' kinks
    // would hide the order.
    let grip = BrushParameters { friction_min: 10.0, friction_max: 10.0, ..BrushParameters::SAMARINI };
    let tyre = BrushTyre::new(grip).expect("sound parameters");
    let saddle = HeightForm::Paraboloid { height: 0.0, coefficients: [0.6, -0.5] };
    for surface in &[surfaces()[0].clone(), HeightSurface::new(saddle)] {
        let state_at = |t: f64| {
            let (x, y) = (0.4 * t - 0.2, 0.1 * (2.0 * t).sin());
            let z = surface.jet(x, y).expect("everywhere").z + R - 0.02 - 0.005 * (3.0 * t).cos();
            let (yaw, lean) = (0.3 * t, 0.2 * (1.5 * t).sin());
            let axis = Vec3::new(-yaw.sin() * lean.cos(), yaw.cos() * lean.cos(), lean.sin());
            (Vec3::new(x, y, z), axis)
        };
        // Velocities of the path by differences that are exact to 1e-10.
        let motion = |t: f64| {
            let h = 1e-3;
            let at = [-2.0, -1.0, 1.0, 2.0].map(|k: f64| state_at(t + k * h));
            let rate = |f: &dyn Fn(&(Vec3, Vec3)) -> Vec3| {
                ((f(&at[2]) - f(&at[1])) * 8.0 - (f(&at[3]) - f(&at[0]))) / (12.0 * h)
            };
            let (p_WC, axis_W) = state_at(t);
            let (v_WC, axis_rate) = (rate(&|s| s.0), rate(&|s| s.1));
            WheelMotion { p_WC, axis_W, v_WC, w_WB: axis_W.cross(&axis_rate) + axis_W * 6.0 }
        };
        let force = |t: f64, e: &[f64; 2]| {
            let m = motion(t);
            let footing = Footing::find(surface, &mut None, R, &m).expect("on the map");
            (tyre.calc_force(&m, &footing.plane, e), m)
        };
        // y = [e_x, e_y, work on the wheel + heat].
        let slope = |t: f64, y: &[f64; 3]| {
            let (f, m) = force(t, &[y[0], y[1]]);
            let power = f.wrench_C.t.dot(&m.w_WB) + f.wrench_C.f.dot(&m.v_WC);
            [f.state_rate[0], f.state_rate[1], power + f.dissipated_power]
        };
        let residual = |steps: usize| {
            let h = 1.0 / steps as f64;
            let mut y = [0.004, 0.001, 0.0];
            let first = force(0.0, &[y[0], y[1]]).0.elastic_energy;
            for k in 0..steps {
                let t = k as f64 * h;
                let ahead = |s: &[f64; 3], by: f64| std::array::from_fn(|i| y[i] + by * s[i]);
                let a = slope(t, &y);
                let b = slope(t + 0.5 * h, &ahead(&a, 0.5 * h));
                let c = slope(t + 0.5 * h, &ahead(&b, 0.5 * h));
                let d = slope(t + h, &ahead(&c, h));
                for i in 0..3 {
                    y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
                }
            }
            let (last, _) = force(1.0, &[y[0], y[1]]);
            assert!(last.normal_force > 50.0 && last.dissipated_power > 1.0);
            (y[2] + last.elastic_energy - first).abs()
        };
        let [coarse, fine] = [residual(2000), residual(4000)];
        println!("{coarse:e} {fine:e}");
        // Some joules are exchanged.
        assert!(fine < 1e-7 && (coarse < 1e-9 || coarse / fine > 10.0), "{coarse:e} {fine:e}");
    }
}

/// Derivatives of the wrench, the turning of the plane among them, against differences; leaving the turning
/// out would be seen.
#[test]
fn tangents_include_the_turning_of_the_plane() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut compared, mut seen) = (0, 0);
    // Maps of class C¹ have jumps of curvature, which the differences would see.
    for surface in
        surfaces().iter().filter(|s| !matches!(s.form(), HeightForm::Map { smoothness: Smoothness::C1, .. }))
    {
        for _ in 0..150 {
            let strategy = (place(), vector(0.02), vector(0.3));
            let (at, v, w) = strategy.new_tree(&mut runner).expect("never rejects").current();
            let yaw = at[2];
            let rolling = Vec3::new(yaw.cos(), yaw.sin(), 0.0) * 0.3;
            let mut m = over(surface, at, rolling + v, w);
            m.w_WB += m.axis_W * 2.6;
            let wrench = |m: &WheelMotion| {
                let footing = Footing::find(surface, &mut None, R, m).expect("on the map");
                let f = tyre().calc_force_at(m, &footing.plane, &[0.004, 0.001], 1e-3).0;
                (nalgebra::Vector6::from_iterator(f.wrench_C.t.iter().chain(f.wrench_C.f.iter()).copied()), f)
            };
            let footing = Footing::find(surface, &mut None, R, &m).expect("on the map");
            let (f, tangent, _) = tyre().calc_force_on(&m, &footing, &[0.004, 0.001], 1e-3);
            let (_, fixed, _) = tyre().calc_force_implicit(&m, &footing.plane, &[0.004, 0.001], 1e-3);
            if f.normal_force == 0.0
                || f.friction_used > 0.99
                || footing.curvature(&m) < -0.8 / R
                || footing.second > 0.0
            {
                continue;
            }
            for which in 0..6 {
                let d = [1e-6, 1e-7][which / 3];
                let moved = |by: f64| {
                    let mut step = Vec3::zeros();
                    step[which % 3] = by;
                    let mut m = m;
                    if which < 3 {
                        m.axis_W = rotation::exp(&step) * m.axis_W
                    } else {
                        m.p_WC += step
                    }
                    wrench(&m).0
                };
                let [low, middle, high] = [moved(-d), moved(0.0), moved(d)];
                let slope = (high - low) / (2.0 * d);
                // A kink within reach, or round-off where the column is small.
                if ((high - middle * 2.0 + low) / d).norm() > 1e-2 * slope.norm() + 1.0 {
                    continue;
                }
                let column = tangent.K.column(which);
                let error = (column - slope).norm();
                compared += 1;
                seen +=
                    usize::from((fixed.K.column(which) - slope).norm() > 10.0 * error + 1e-2 * slope.norm());
                assert!(error < 2e-4 * slope.norm() + 0.05, "{which}: {column} {slope} {at:?}");
            }
        }
    }
    assert!(compared > 800 && seen > 400, "{compared} {seen}");
}
