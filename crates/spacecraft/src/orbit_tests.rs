use super::*;
use touchdown_oracle::{clohessy_wiltshire as cw, kepler};

/// Mean motion of the geostationary orbit, rad/s.
const RATE: f64 = 7.292_115_9e-5;

fn orbit(model: RelativeGravity) -> Orbit {
    Orbit::around(EARTH_MU, RATE, model)
}

/// Integrates ρ̈ = a(ρ, t) by the classical Runge–Kutta method: its error is about (n h)⁴ of the motion, below 1e-11 here.
fn fly(orbit: &Orbit, rho: Vec3, v: Vec3, end: f64) -> (Vec3, Vec3) {
    let steps = (end / 20.0).ceil().max(64.0);
    let h = end / steps;
    let (mut x, mut v) = (rho, v);
    for k in 0..steps as usize {
        let t = k as f64 * h;
        let a1 = orbit.acceleration(&x, t);
        let a2 = orbit.acceleration(&(x + v * (0.5 * h)), t + 0.5 * h);
        let a3 = orbit.acceleration(&(x + v * (0.5 * h) + a1 * (0.25 * h * h)), t + 0.5 * h);
        let a4 = orbit.acceleration(&(x + v * h + a2 * (0.5 * h * h)), t + h);
        x += v * h + (a1 + a2 + a3) * (h * h / 6.0);
        v += (a1 + (a2 + a3) * 2.0 + a4) * (h / 6.0);
    }
    (x, v)
}

/// In axes that do not turn, the acceleration makes the motion of Clohessy and Wiltshire in those that do: 300 s and one orbit.
#[test]
fn relative_motion_is_that_of_clohessy_and_wiltshire() {
    let orbit = orbit(RelativeGravity::ClohessyWiltshire);
    let period = std::f64::consts::TAU / RATE;
    let cases = [
        ([10.0, 0.0, 0.0], [0.0, 0.0, 0.0], 300.0, [10.007_178_33, -0.000_104_69, 0.0], 1e-8),
        ([10.0, 0.0, 0.0], [0.0, 0.0, 0.0], period, [10.0, -376.991_118, 0.0], 1e-6),
        ([0.0, 0.0, 0.0], [0.0, 0.01, 0.0], 300.0, [0.065_626_4, 2.999_042_9, 0.0], 1e-7),
        ([3.0, -2.0, 5.0], [1e-3, -2e-3, 4e-4], 40_000.0, [f64::NAN; 3], 0.0),
    ];
    for (position_m, velocity_m_per_s, t, printed, digits) in cases {
        let exact = cw::at(RATE, &cw::Relative { position_m, velocity_m_per_s }, t);
        let (rho, v) = orbit.from_turning(&position_m.into(), &velocity_m_per_s.into(), 0.0);
        let (rho, v) = fly(&orbit, rho, v, t);
        let (rho, v) = orbit.to_turning(&rho, &v, t);
        for i in 0..3 {
            let size = 1.0 + exact.position_m[i].abs();
            assert!((rho[i] - exact.position_m[i]).abs() < 1e-9 * size, "{i}: {rho} {exact:?}");
            assert!((v[i] - exact.velocity_m_per_s[i]).abs() < 1e-9 * RATE * size);
            assert!(digits == 0.0 || (rho[i] - printed[i]).abs() <= digits, "{i}: {} {}", rho[i], printed[i]);
        }
    }
}

/// The exact law makes two orbits of Kepler whose difference it is; one is circular, the other not.
#[test]
fn two_bodies_follow_kepler() {
    // Length and time of order one keep the difference of two orbits exact to rounding.
    let (mu, rate) = (1.0, 1.0);
    let orbit = Orbit::around(mu, rate, RelativeGravity::TwoBody);
    assert!((orbit.radius - 1.0).abs() < 1e-15);
    let (rho, v) = (Vec3::new(0.05, -0.02, 0.03), Vec3::new(-0.01, 0.04, 0.02));
    let end = 4.0;
    let chaser = kepler::at(
        mu,
        &kepler::Orbit { position_m: [1.0 + rho.x, rho.y, rho.z], velocity_m_per_s: [v.x, 1.0 + v.y, v.z] },
        end,
    )
    .unwrap();
    let expected = Vec3::from(chaser.position_m) - orbit.radial(end);
    let error = |steps: usize| {
        let h = end / steps as f64;
        let (mut x, mut u) = (rho, v);
        // Leapfrog: second order, so that the order can be measured.
        for k in 0..steps {
            u += orbit.acceleration(&x, k as f64 * h) * (0.5 * h);
            x += u * h;
            u += orbit.acceleration(&x, (k + 1) as f64 * h) * (0.5 * h);
        }
        (x - expected).norm()
    };
    let (coarse, fine) = (error(1000), error(2000));
    assert!(fine < 1e-6 && (coarse / fine - 4.0).abs() < 0.02, "{coarse} {fine}");
}

/// The two laws differ by 3/2·n²ρ²/r₀ in the radial direction at leading order: the difference falls with ρ².
#[test]
fn linear_law_is_the_limit_of_the_exact_one() {
    let (linear, exact) = (orbit(RelativeGravity::ClohessyWiltshire), orbit(RelativeGravity::TwoBody));
    for size in [1.0, 10.0, 1000.0] {
        let rho = Vec3::new(size, 0.0, 0.0);
        let difference = (exact.acceleration(&rho, 0.0) - linear.acceleration(&rho, 0.0)).x;
        // −μ/(r₀ + x)² + μ/r₀² = n²(2x − 3x²/r₀ + …)
        let leading = -3.0 * RATE * RATE * size * size / exact.radius;
        // Rounding of the acceleration itself, 2n²·size, is all that is lost: nothing of r₀ = 4e7 m.
        let rounding = 8.0 * f64::EPSILON * 2.0 * RATE * RATE * size;
        let next = 5.0 * size / exact.radius * leading.abs();
        assert!((difference - leading).abs() <= rounding + next, "{size}: {difference} {leading}");
    }
}

/// Acceleration is minus the gradient of the potential, the gradient its derivative, and ∂/∂t of the potential is what a free body gains.
#[test]
fn derivatives_agree() {
    for model in [RelativeGravity::Free, RelativeGravity::ClohessyWiltshire, RelativeGravity::TwoBody] {
        let orbit = Orbit::around(1.0, 1.0, model);
        let (rho, t, d) = (Vec3::new(0.3, -0.2, 0.4), 0.7, 1e-5);
        for i in 0..3 {
            let step = Vec3::ith(i, d);
            let slope = (orbit.potential(&(rho + step), t) - orbit.potential(&(rho - step), t)) / (2.0 * d);
            assert!((slope + orbit.acceleration(&rho, t)[i]).abs() < 1e-9, "{model:?}");
            let column =
                (orbit.acceleration(&(rho + step), t) - orbit.acceleration(&(rho - step), t)) / (2.0 * d);
            assert!((column - orbit.gradient(&rho, t).column(i)).norm() < 1e-8, "{model:?}");
        }
        let rate = (orbit.potential(&rho, t + d) - orbit.potential(&rho, t - d)) / (2.0 * d);
        assert!((rate - orbit.potential_rate(&rho, t)).abs() < 1e-9);
    }
}

/// A dumbbell of two points feels the moment of the differences of gravity at its ends, and none when it points to the Earth.
#[test]
fn gradient_torque_is_that_of_a_dumbbell() {
    let orbit = orbit(RelativeGravity::ClohessyWiltshire);
    let (m, t) = (3.0, 900.0);
    let arm = Vec3::new(0.8, 1.1, -0.6);
    let inertia = (Mat3::identity() * arm.norm_squared() - arm * arm.transpose()) * (2.0 * m);
    let moment = arm.cross(&orbit.acceleration(&arm, t)) * (2.0 * m);
    let torque = orbit.gravity_gradient_torque(&inertia, t);
    assert!((torque - moment).norm() < 1e-14 * moment.norm().max(1e-6), "{torque} {moment}");
    let along = orbit.radial(t);
    let inertia = (Mat3::identity() - along * along.transpose()) * m;
    assert!(orbit.gravity_gradient_torque(&inertia, t).norm() < 1e-24);
}

/// Positions and velocities turn there and back.
#[test]
fn turning_frame_round_trip() {
    let orbit = orbit(RelativeGravity::ClohessyWiltshire);
    let (rho, v) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.1, 0.2, 0.05));
    let (rho_H, v_H) = orbit.to_turning(&rho, &v, 5000.0);
    let (back, v_back) = orbit.from_turning(&rho_H, &v_H, 5000.0);
    assert!((back - rho).norm() < 1e-15 * 10.0 && (v_back - v).norm() < 1e-16 * 10.0);
}

/// Light pushes a black area along its rays with its projection, and a mirror facing the Sun twice as hard; both faces alike.
#[test]
fn light_pushes() {
    let sun = Vec3::new(0.6, 0.0, 0.8);
    let light = SolarPressure { pressure: SolarPressure::AT_EARTH, sun_W: sun.into() };
    let black = light.force(5.0, &Vec3::z(), &Reflection::default());
    assert!((black + sun * (light.pressure * 5.0 * 0.8)).norm() < 1e-20);
    assert_eq!(black, light.force(5.0, &-Vec3::z(), &Reflection::default()));
    let mirror = light.force(5.0, &sun, &Reflection { specular: 1.0, diffuse: 0.0 });
    assert!((mirror + sun * (2.0 * light.pressure * 5.0)).norm() < 1e-20);
}
