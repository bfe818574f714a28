use super::*;
use crate::random::Noise;

const FILTER: RelativeFilter = RelativeFilter {
    acceleration: 1e-5,
    acceleration_along: 1e-5,
    angular_acceleration: 1e-5,
    velocity: 0.02,
    angular_rate: 0.02,
};
const SIGMA: [f64; 5] = [5e-5, 7e-5, 3e-4, 2e-3, 2e-3];

fn fix(time: f64, truth: &[f64; 5], noise: &[f64; 5]) -> CameraFix {
    let x: [f64; 5] = std::array::from_fn(|i| truth[i] + SIGMA[i] * noise[i]);
    let mut covariance = [[0.0; 5]; 5];
    for i in 0..5 {
        covariance[i][i] = SIGMA[i] * SIGMA[i];
    }
    let axis = [x[3], x[4], -(1.0 - x[3] * x[3] - x[4] * x[4]).sqrt()];
    CameraFix { time, centre: [x[0], x[1], x[2]], axis, covariance, points: 80, residual_px: 0.3 }
}

/// A client that drifts under the stated accelerations: the normalised error squared of values and rates over 500 seeds has the mean 10 of χ² with ten degrees of
/// freedom, within four of its standard deviations √(20/500).
#[test]
fn errors_match_their_covariance() {
    let runs = 500;
    let mut mean = 0.0;
    for seed in 0..runs {
        let (pixels, drift) = (Noise::new(seed, 0), Noise::new(seed, 1));
        let start: [f64; 5] = drift.normals(0, 100);
        let mut x = [0.01, 0.005, 1.96, 0.02, -0.01];
        let mut v: [f64; 5] = std::array::from_fn(|i| 0.02 * start[i]);
        v[3..].iter_mut().for_each(|r| *r *= 0.1);
        let mut state = RelativeState::default();
        let filter = RelativeFilter { angular_rate: 0.002, ..FILTER };
        let dt = 0.5f64;
        for k in 0..40u64 {
            filter.update(&mut state, &fix(dt * k as f64, &x, &pixels.normals(k, 0)));
            if k == 39 {
                break;
            }
            // Two numbers with the covariance of an integrated white acceleration.
            let [a, b]: [[f64; 5]; 2] = [drift.normals(k + 1, 0), drift.normals(k + 1, 5)];
            for i in 0..5 {
                let q = filter.density(i) * dt.sqrt();
                x[i] += dt * v[i] + q * dt * (0.5 * a[i] + b[i] / 12f64.sqrt());
                v[i] += q * a[i];
            }
        }
        mean += state.normalised_error(&x, &v).unwrap() / runs as f64;
    }
    assert!((mean - 10.0).abs() < 4.0 * (20.0 / runs as f64).sqrt(), "{mean}");
}

/// Delay is made up for: a steady drift is read out where the client is now, not where it was.
#[test]
fn delay_is_made_up_for() {
    let mut state = RelativeState::default();
    assert!(FILTER.at(&state, 1.0).is_none());
    let place = |t: f64| [0.001 * t, 0.0, 1.96 - 0.002 * t, 1e-4 * t, 0.0];
    for k in 0..60 {
        let t = 0.5 * k as f64;
        assert!(FILTER.update(&mut state, &fix(t, &place(t), &[0.0; 5])));
        assert!(!FILTER.update(&mut state, &fix(t, &place(t), &[0.0; 5])), "the same picture twice");
    }
    let now = FILTER.at(&state, 29.7).unwrap();
    let truth = place(29.7);
    assert!((now.centre - Vec3::new(truth[0], truth[1], truth[2])).norm() < 1e-6, "{now:?}");
    assert!((now.velocity - Vec3::new(0.001, 0.0, -0.002)).norm() < 1e-6);
    assert!((now.axis_rate - 1e-4).abs() < 1e-5 && (now.age - 0.2).abs() < 1e-12);
}

/// What the boom feels moves the satellites: nothing is as nothing, forces across turn them, forces along part them; a filter that begins anew does not know its rates.
#[test]
fn forces_make_the_expectation_unsure() {
    assert_eq!(RelativeFilter::under(0.0, 0.0), RelativeFilter::FREE);
    let (along, across) = (RelativeFilter::under(2.0, 0.0), RelativeFilter::under(0.0, 0.5));
    assert_eq!(along.angular_acceleration, RelativeFilter::FREE.angular_acceleration);
    assert_eq!(across.acceleration_along, RelativeFilter::FREE.acceleration_along);
    // 2 N for half a second between pictures: Δv = 2 N · 0.5 s · (1/1400 + 1/1700) / kg = 1.30 mm/s, which the noise has as its standard deviation.
    let change = along.acceleration_along * 0.5f64.sqrt();
    assert!((change - 1.30e-3).abs() < 0.05e-3, "{change}");
    let most = RelativeFilter::under(1e3, 1e3);
    assert_eq!(most.angular_acceleration, RelativeFilter::HELD.angular_acceleration);
    let mut state = RelativeState::default();
    let here = [0.0, 0.0, 1.96, 0.0, 0.0];
    RelativeFilter::FREE.update(&mut state, &fix(0.0, &here, &[0.0; 5]));
    let [place, speed] = RelativeFilter::FREE.at(&state, 0.0).unwrap().along_sigma;
    assert!((place - SIGMA[2]).abs() < 1e-12 && speed == RelativeFilter::FREE.velocity, "{place} {speed}");
}

/// A pose from nowhere changes nothing; a client that really is elsewhere is found again.
#[test]
fn a_pose_far_off_is_passed_over() {
    let mut state = RelativeState::default();
    let (here, there) = ([0.0, 0.0, 1.96, 0.0, 0.0], [0.0, 0.0, 1.96, 0.1, 0.0]);
    (0..20).for_each(|k| _ = FILTER.update(&mut state, &fix(0.5 * k as f64, &here, &[0.0; 5])));
    assert!(!FILTER.update(&mut state, &fix(10.0, &there, &[0.0; 5])));
    assert!(FILTER.update(&mut state, &fix(10.5, &here, &[0.0; 5])));
    let now = FILTER.at(&state, 10.5).unwrap();
    assert!(now.axis_rate < 1e-12 && now.axis_rate_sigma < 2e-3, "{now:?}");
    let used: Vec<bool> =
        (0..8).map(|k| FILTER.update(&mut state, &fix(11.0 + 0.5 * k as f64, &there, &[0.0; 5]))).collect();
    assert_eq!(used, [false, false, false, false, false, true, true, true]);
    assert!((FILTER.at(&state, 14.5).unwrap().axis.x - 0.1).abs() < 1e-3);
}
