//! The ball against published digits, closed forms and its own balance.

use super::*;

fn level(_: f64, _: f64) -> Surface {
    Surface { z: 0.0, gradient: [0.0; 2], hessian: [0.0; 3] }
}

fn example(friction: Friction) -> Ball {
    Ball { friction, impulses: vec![], ..Ball::in_bowl() }
}

#[test]
fn a_run_with_viscous_friction_has_the_digits_of_another_program() {
    // Computed apart with Runge–Kutta's method at 1e-5 s across the touches, which moves them by some 1e-5 s at 3 m/s: one unit of the last
    // digit.
    let ball = Ball { lever: Lever::BallPoint, ..example(Friction::Viscous { damping: 20.0 }) };
    let samples = ball.at(&[0.5, 1.0, 2.0], bowl);
    let expected = [[0.9464, -0.0032, 0.4752], [0.0025, -0.0526, 0.2321], [-0.8313, 0.0780, 0.4022]];
    for (sample, expected) in samples.iter().zip(expected) {
        (0..3).for_each(|k| assert!((sample.position_m[k] - expected[k]).abs() < 1e-4, "{sample:?}"));
    }
    for (k, v) in [-1.889, -0.0994, 1.957].into_iter().enumerate() {
        assert!((samples[0].velocity_m_per_s[k] - v).abs() < 1e-3, "{samples:?}");
    }
    for (k, w) in [0.704, 0.579, 3.491].into_iter().enumerate() {
        assert!((samples[2].spin_rad_per_s[k] - w).abs() < 1e-3, "{samples:?}");
    }
}

#[test]
fn a_ball_bounces_like_the_oscillator_it_is() {
    // On level ground without spin: after the touch a mass on a spring-damper until its force vanishes, then free flight.
    use crate::oscillator::{Drop, Oscillator};
    let ball = Ball {
        start_m: [0.3, -0.2, 0.75],
        spin_rad_per_s: [0.0; 3],
        ..example(Friction::Regularised { coefficient: 0.5, transition: 0.01 })
    };
    let oscillator = Oscillator { mass_kg: 1.0, stiffness_n_per_m: 1e4, damping_ns_per_m: 30.0 };
    let drop = Drop { oscillator, height_m: 0.5, gravity: 9.81 };
    let times: Vec<f64> = (0..20).map(|k| drop.touchdown() + 1e-3 * f64::from(k)).collect();
    for (t, sample) in times.iter().zip(ball.at(&times, level)) {
        let exact = drop.at(*t);
        assert!(exact.force_n > 0.0 || *t == times[0]);
        assert!((sample.position_m[2] - (0.25 - exact.compression_m)).abs() < 1e-12, "{t}");
        assert_eq!(sample.position_m[..2], [0.3, -0.2]);
    }
}

#[test]
fn energy_only_falls_but_for_the_impulse() {
    // E = T + V + k s²/2 never grows in contact; free flight keeps it; the impulse p adds p·(v + p/(2m)).
    let mut ball = example(Friction::Regularised { coefficient: 0.3, transition: 0.01 });
    ball.impulses = vec![(2.2, [0.0, 3.0, 0.0])];
    let energy = |s: &Sample| {
        let (v, w) = (&s.velocity_m_per_s, &s.spin_rad_per_s);
        let spin = 0.5 * 0.4 * 0.0625 * dot(w, w);
        0.5 * dot(v, v) + spin + 9.81 * s.position_m[2] + 0.5e4 * s.gap_m.min(0.0).powi(2)
    };
    let times: Vec<f64> = (0..600).map(|k| 0.005 * f64::from(k)).chain([2.2 - 1e-9]).collect();
    let samples = ball.at(&times, bowl);
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
    for pair in order.windows(2) {
        let (before, after) = (&samples[pair[0]], &samples[pair[1]]);
        let fed = if times[pair[0]] == 2.2 - 1e-9 { 3.0 * before.velocity_m_per_s[1] + 4.5 } else { 0.0 };
        let change = energy(after) - energy(before) - fed;
        // The impulse's row lies 1 ns after the one before: gravity and friction do less than that much times 1e3 W.
        assert!(change < 1e-6 * f64::from(u8::from(fed != 0.0)) + 1e-11, "{change} at {}", times[pair[1]]);
        if before.gap_m > 0.0 && after.gap_m > 0.0 && before.touches == after.touches && fed == 0.0 {
            assert!(change.abs() < 1e-11);
        }
    }
    assert!(samples[599].touches > 5);
}

#[test]
fn a_rolling_ball_on_waves_keeps_its_contact_and_the_closest_point_is_one() {
    // The closest point's tangents are perpendicular to the line to the centre.
    for sample in Ball::on_waves().at(&[0.0, 0.1, 0.3, 1.0], waves) {
        assert_eq!(sample.touches, 1);
        let at = waves(sample.contact_m[0], sample.contact_m[1]);
        let to = [0, 1, 2].map(|k| sample.position_m[k] - sample.contact_m[k]);
        assert!((to[0] + at.gradient[0] * to[2]).abs() < 1e-15);
        assert!((to[1] + at.gradient[1] * to[2]).abs() < 1e-15);
    }
}

#[test]
fn derivatives_of_the_waves_are_those_of_their_height() {
    // Central differences of width 1e-4: errors of 1e-9.
    let e = 1e-4;
    for (x, y) in [(0.3, -0.7), (2.0, 1.1), (-1.4, 3.0)] {
        let (at, f) = (waves(x, y), |dx: f64, dy: f64| waves(x + dx, y + dy));
        let slope = |a: Surface, b: Surface| (b.z - a.z) / (2.0 * e);
        assert!((slope(f(-e, 0.0), f(e, 0.0)) - at.gradient[0]).abs() < 1e-8);
        assert!((slope(f(0.0, -e), f(0.0, e)) - at.gradient[1]).abs() < 1e-8);
        for (k, (i, d)) in [(0, (e, 0.0)), (0, (0.0, e)), (1, (0.0, e))].into_iter().enumerate() {
            let (a, b) = (f(-d.0, -d.1), f(d.0, d.1));
            assert!(((b.gradient[i] - a.gradient[i]) / (2.0 * e) - at.hessian[k]).abs() < 1e-8);
        }
    }
}
