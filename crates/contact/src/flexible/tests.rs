//! Power, derivatives and rest of a point on the ground.

use super::*;
use touchdown_geometry::surface::HeightJet;
use touchdown_math::Vec3;

fn laws() -> Vec<SurfaceLaw> {
    let normals = [
        NormalLaw::Linear { stiffness: 1000.0, damping: 100.0 },
        NormalLaw::HuntCrossley { stiffness: 2e4, exponent: 1.5, damping: 0.8 },
    ];
    let frictions = [
        FrictionLaw::Frictionless,
        FrictionLaw::Regularised { coefficient: 0.6, speed: 0.01 },
        FrictionLaw::StickSlip { stick: 0.7, slip: 0.5, speed: 0.1, stiffness: 900.0, damping: 20.0 },
    ];
    normals.iter().flat_map(|n| frictions.map(|friction| SurfaceLaw { normal: *n, friction })).collect()
}

/// z = 0.1 sin 3x + 0.2 x y.
fn hill(p: &Vec3) -> Gap {
    let (x, y) = (p.x, p.y);
    let (s, c) = (3.0 * x).sin_cos();
    let jet = HeightJet {
        z: 0.1 * s + 0.2 * x * y,
        gradient: [0.3 * c + 0.2 * y, 0.2 * x],
        hessian: [-0.9 * s, 0.2, 0.0],
    };
    Gap::over_surface(p, &jet)
}

fn slope(p: &Vec3) -> Gap {
    Gap::over_plane(p, &Vec3::new(0.0, 0.0, 0.01), &Vec3::new(0.28, 0.0, 0.96))
}

/// The gradient of the distance is its derivative, and the bend that of the gradient (central differences).
#[test]
fn gradients_are_derivatives() {
    let p = Vec3::new(0.3, -0.2, hill_height(0.3, -0.2));
    for (ground, p, bend) in
        [(hill as fn(&Vec3) -> Gap, p + Vec3::z() * 0.02, 0.1), (hill, p, 1e-7), (slope, p, 1e-9)]
    {
        let at = ground(&p);
        for k in 0..3 {
            let mut step = Vec3::zeros();
            step[k] = 1e-6;
            let (after, before) = (ground(&(p + step)), ground(&(p - step)));
            assert!(((after.value - before.value) / 2e-6 - at.gradient[k]).abs() < 1e-9);
            let change = (after.gradient - before.gradient) / 2e-6;
            assert!((change - at.bend.column(k)).norm() < bend, "{change} {}", at.bend.column(k));
        }
    }
}

fn hill_height(x: f64, y: f64) -> f64 {
    0.1 * (3.0 * x).sin() + 0.2 * x * y
}

/// Power of the force is what is stored less what becomes heat, at every point of a path over a hill, in and out of contact; nothing pulls.
#[test]
fn power_is_stored_or_heat() {
    let path =
        |t: f64| Vec3::new(0.3 * t, 0.1 * t * t, hill_height(0.3 * t, 0.1 * t * t) + 0.01 * (5.0 * t).cos());
    for law in laws() {
        let (mut z, h) = (Vec3::zeros(), 1e-5);
        let mut touched = [false; 2];
        let at = |t: f64, z: &Vec3| {
            let motion = PointMotion { p_W: path(t), v_W: (path(t + 1e-7) - path(t - 1e-7)) / 2e-7 };
            let gap = hill(&motion.p_W);
            (calc_force(&law, &gap, &motion, (z, 0.0), None).0, motion, gap)
        };
        let mut work = 0.0;
        let (mut largest, energy_start) = (0.0, at(0.0, &z).0.energy);
        for k in 0..100_000 {
            let t = h * f64::from(k);
            let (force, motion, gap) = at(t, &z);
            assert!(force.normal_force >= 0.0 && force.dissipated_power >= 0.0);
            touched[usize::from(gap.value < 0.0)] = true;
            let power = force.force.dot(&motion.v_W) + force.dissipated_power;
            work += h * power;
            largest = f64::max(largest, force.energy);
            z += force.state_rate * h;
        }
        let change = at(1.0, &z).0.energy - energy_start;
        // Euler's rule on a path of one second: h times the change of the power.
        assert!((work + change).abs() < 2e-3 * largest, "{law:?}: {work} {change}");
        assert_eq!(touched, [true, true]);
    }
}

/// The weighted derivative is that of the force in an implicit step (central differences along a move with v = w_v/w_q times it).
#[test]
fn tangents_are_derivatives() {
    let h = 0.01;
    let (wq, wv) = (1.0, 1.0 / h);
    for law in laws() {
        for ground in [hill as fn(&Vec3) -> Gap, slope] {
            for v in [Vec3::new(0.002, 0.001, -0.03), Vec3::new(0.4, -0.2, 0.01)] {
                let mut p = Vec3::new(0.21, 0.1, 0.0);
                p.z = hill_height(p.x, p.y);
                p -= Vec3::z() * (ground(&p).value / ground(&p).gradient.z + 0.008);
                let n = ground(&p).gradient.normalize();
                let base = Vec3::new(1e-3, -5e-4, 0.0);
                let base = base - n * n.dot(&base);
                let force = |shift: &Vec3, weights| {
                    let motion = PointMotion { p_W: p + shift, v_W: v + shift * (wv / wq) };
                    calc_force(&law, &ground(&motion.p_W), &motion, (&base, h), weights)
                };
                let slope = force(&Vec3::zeros(), Some((wq, wv))).1;
                for k in 0..3 {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-8;
                    let change = (force(&step, None).0.force - force(&(-step), None).0.force) / 2e-8;
                    // Left out: velocities and bristles turned by the curvature, of the order h·v·curvature of the whole.
                    let size = slope.norm();
                    assert!(
                        (change - slope.column(k)).norm() <= 0.01 * size,
                        "{law:?} {change} {}",
                        slope.column(k)
                    );
                }
            }
        }
    }
}

/// A point mass on a slope below the angle of friction comes to rest and stays: the bristle carries it, and it does not creep.
#[test]
fn a_point_rests_on_a_slope() {
    let law = laws()[2];
    let (mass, g, h) = (0.5, Vec3::new(0.0, 0.0, -3.71), 1e-3);
    let (mut p, mut v, mut z) = (Vec3::new(0.0, 0.0, 0.01), Vec3::zeros(), Vec3::zeros());
    let mut after_five = p;
    for k in 0..10_000 {
        let motion = PointMotion { p_W: p, v_W: v };
        let f = calc_force(&law, &slope(&p), &motion, (&z, 0.0), None).0;
        v += (f.force / mass + g) * h;
        p += v * h;
        z += f.state_rate * h;
        if k == 5000 {
            after_five = p;
        }
    }
    assert!((p - after_five).norm() < 1e-12 && v.norm() < 1e-12, "{} {}", p - after_five, v);
    // The bristle holds m g sin α.
    let held = 900.0 * z.norm();
    assert!((held - mass * 3.71 * 0.28).abs() < 1e-9, "{held}");
}
