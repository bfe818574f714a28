//! Whole bodies against closed figures of the published law.

use super::*;
use touchdown_geometry::Shape;
use touchdown_math::rotation;

/// The planar law of Li, Zhang & Goldman (2013), generic coefficients: traction over ζ d on a plate tilted by β that moves at the angle γ below the horizontal, [x, z].
fn planar(b: f64, g: f64) -> [f64; 2] {
    let z = 0.206
        + 0.169 * (2.0 * b).cos()
        + 0.212 * (2.0 * b + g).sin()
        + 0.358 * g.sin()
        + 0.055 * (g - 2.0 * b).sin();
    let x = -0.124 * (2.0 * b + g).cos()
        + 0.253 * g.cos()
        + 0.007 * (g - 2.0 * b).cos()
        + 0.088 * (2.0 * b).sin();
    [x, z]
}

/// Level and upright plates are linear in depth in every direction of motion: twice the depth, twice the force.
#[test]
fn plates_are_linear_in_depth() {
    let upright = rotation::about_axis(&Vec3::y(), -std::f64::consts::FRAC_PI_2);
    for R in [Mat3::identity(), upright] {
        for v in [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.07, 0.0, -0.07), Vec3::new(0.0, 0.0, -0.1)] {
            let body = plate(0.02, 4, linear());
            let at = |depth: f64| steady(&body, &motion(Vec3::z() * -depth, R, v)).wrench_S.f;
            let (one, two) = (at(0.05), at(0.1));
            // All of the plate is below ground: the mean depth is that of its middle.
            assert!((two - one * 2.0).norm() <= 1e-9 * two.norm(), "{one:?} {two:?}");
        }
    }
}

/// A level plate, rough, that dives at all angles: forces along and against the motion are those of the planar law within a third of ζ d, which is what the two fits differ by
/// (root mean square over all tilts; see `soil::direction`).
#[test]
fn a_diving_plate_is_near_the_planar_law() {
    let soil = IntrusionSoil { friction_angle: 1.3, ..linear() };
    let body = plate(0.02, 2, soil);
    let (mut square, mut own) = (0.0, 0.0);
    for k in 1..=18 {
        let g = f64::from(5 * k).to_radians();
        let v = Vec3::new(g.cos(), 0.0, -g.sin()) * 0.1;
        let force =
            steady(&body, &motion(Vec3::z() * -0.05, Mat3::identity(), v)).wrench_S.f / (ZETA * 0.05 * 4e-4);
        let [x, z] = planar(0.0, g);
        square += (force.x + x).powi(2) + (force.z - z).powi(2);
        own += x * x + z * z;
    }
    assert!((square / own).sqrt() < 1.0 / 3.0, "{}", (square / own).sqrt());
}

/// A cylinder across its motion: drag and lift of the mesh are those of the law summed over its round side, to the second order of the angle between its faces, and grow linearly with depth. Lift is
/// upwards: it is pushed out of the ground.
#[test]
fn a_cylinder_is_dragged_and_lifted() {
    let (radius, length, depth) = (0.02, 0.4, 0.1);
    let soil = linear();
    let lies = rotation::about_axis(&Vec3::x(), std::f64::consts::FRAC_PI_2);
    let along = Vec3::x();
    let at = |segments: u32, depth: f64| {
        let mesh = Shape::Cylinder { radius, length }.triangulate(segments);
        let mut body = Intruder::new(&mesh, soil);
        // Its round side alone: the ends are not in the sum.
        body.elements.retain(|element| element.n_S.z.abs() < 0.5);
        steady(&body, &motion(Vec3::z() * -depth, lies, along * 0.1)).wrench_S.f
    };
    let mut expected = Vec3::zeros();
    let parts = 20_000;
    for k in 0..parts {
        let a = std::f64::consts::TAU * (f64::from(k) + 0.5) / f64::from(parts);
        let n = Vec3::new(a.cos(), 0.0, a.sin());
        let place =
            super::super::anchor::Place { depth: depth - radius * a.sin(), n, up: Vec3::z(), v: along };
        let area = radius * length * std::f64::consts::TAU / f64::from(parts);
        expected += super::super::anchor::yield_traction(&soil, &place, &along) * area;
    }
    let error = |segments| (at(segments, depth) - expected).norm() / expected.norm();
    let (coarse, fine) = (error(24), error(96));
    assert!(fine < 5e-3 && fine < 0.4 * coarse, "{coarse} {fine}");
    assert!(expected.x < 0.0 && expected.z > 0.0, "{expected:?}");
    let (one, two) = (at(96, depth), at(96, 2.0 * depth));
    // The arms of top and bottom differ by the diameter: linear in the depth of the axis but for their share.
    let three = at(96, 3.0 * depth);
    assert!(((three - two) - (two - one)).norm() < 1e-9 * two.norm());
}

/// A sphere that sinks straight down: the mesh meets the law summed over its lower half.
#[test]
fn a_sphere_penetrates() {
    let (radius, depth) = (0.03, 0.05);
    let soil = linear();
    let body = Intruder::new(&Shape::Sphere { radius }.triangulate(64), soil);
    let found = steady(&body, &motion(Vec3::z() * -depth, Mat3::identity(), Vec3::z() * -0.1)).wrench_S.f;
    let (mut expected, parts) = (0.0, 2000);
    for k in 0..parts {
        let a = 0.5 * std::f64::consts::PI * (f64::from(k) + 0.5) / f64::from(parts);
        let n = Vec3::new(a.sin(), 0.0, -a.cos());
        let place =
            super::super::anchor::Place { depth: depth + radius * a.cos(), n, up: Vec3::z(), v: -Vec3::z() };
        let ring =
            std::f64::consts::TAU * radius * a.sin() * radius * 0.5 * std::f64::consts::PI / f64::from(parts);
        expected += super::super::anchor::yield_traction(&soil, &place, &-Vec3::z()).z * ring;
    }
    // Faces of 64 around: chords take (π/64)²/2 = 0.12 % of each direction; faces at the equator are in or out as a whole.
    assert!((found.z - expected).abs() < 0.01 * expected, "{} {expected}", found.z);
    assert!(found.xy().norm() < 1e-9 * expected);
}

/// A body above ground meets nothing, and forgets what held it.
#[test]
fn above_ground_there_is_nothing() {
    let body = plate(0.1, 2, linear());
    let base = vec![1e-6; body.states()];
    let (mut states, mut rates) = (base.clone(), base.clone());
    let above = motion(Vec3::z() * 0.01, Mat3::identity(), Vec3::x());
    let force = body.evaluate(&above, &level, (&base, 1e-3), (&mut states, &mut rates), None);
    assert_eq!((force.wrench_S.f, force.elastic_energy, force.dissipated_power), (Vec3::zeros(), 0.0, 0.0));
    assert!(states.iter().all(|e| *e == 0.0) && force.depth == -0.01);
}
