use super::*;

fn camera(seed: u64) -> StereoCamera {
    StereoCamera {
        positions: [Vec3::new(-0.15, 0.25, 0.8), Vec3::new(0.15, 0.25, 0.8)],
        focal_px: 1200.0,
        image_px: [1024.0, 1024.0],
        noise_px: 0.3,
        rim_points: 40,
        rim_radius: 0.122,
        rate_hz: 2.0,
        delay_s: 0.2,
        noise: Noise::new(seed, 20),
    }
}

/// A rim 1.16 m in front of the cameras, off the axis and tilted by some degrees.
fn rim() -> Rim {
    Rim { centre: Vec3::new(0.010, 0.005, 1.96), axis: Vec3::new(0.05, -0.03, -1.0).normalize() }
}

/// Without noise the pose is exact, also far from the first guess.
#[test]
fn pose_is_exact_without_noise() {
    let perfect = StereoCamera { noise_px: 0.0, ..camera(0) };
    for axis in [Vec3::new(0.05, -0.03, -1.0), Vec3::new(-0.3, 0.2, -1.0), -Vec3::z()] {
        let truth = Rim { axis: axis.normalize(), ..rim() };
        let fix = perfect.measure(0, 0.0, &truth, None).unwrap();
        assert!((Vec3::from(fix.centre) - truth.centre).norm() < 1e-11, "{fix:?}");
        assert!((Vec3::from(fix.axis) - truth.axis).norm() < 1e-10);
    }
}

/// Errors are as large as predicted: over 1,000 seeds the normalised error squared has the mean 5 of χ² with five degrees of freedom, within three of its
/// standard deviations √(10/1000).
#[test]
fn errors_match_their_covariance() {
    let (truth, runs) = (rim(), 1000);
    let (mut mean, mut centre) = (0.0, 0.0);
    for seed in 0..runs {
        let fix = camera(seed).measure(seed, 0.0, &truth, None).unwrap();
        mean += fix.normalised_error(&truth).unwrap() / runs as f64;
        centre += (Vec3::from(fix.centre) - truth.centre).xy().norm_squared() / (2 * runs) as f64;
    }
    assert!((mean - 5.0).abs() < 3.0 * (10.0 / runs as f64).sqrt(), "{mean}");
    let fix = camera(1).measure(0, 0.0, &truth, None).unwrap();
    let predicted = (fix.covariance[0][0] + fix.covariance[1][1]) / 2.0;
    assert!((centre / predicted - 1.0).abs() < 0.15, "{} {}", centre.sqrt(), predicted.sqrt());
}

/// Turning the rim about its own axis changes nothing that can be seen: five components, not six. The measured points slide along the image of the circle, and
/// the pose without noise stays.
#[test]
fn roll_is_not_seen() {
    let perfect = StereoCamera { noise_px: 0.0, ..camera(0) };
    let poses: Vec<_> = [40, 41, 57]
        .map(|rim_points| {
            StereoCamera { rim_points, ..perfect.clone() }.measure(0, 0.0, &rim(), None).unwrap()
        })
        .into();
    for fix in &poses {
        assert!((Vec3::from(fix.centre) - Vec3::from(poses[0].centre)).norm() < 1e-11);
    }
}

/// Covariance of the throat, 0.35 m behind the rim, is that of many estimates of it.
#[test]
fn point_behind_the_rim_has_its_covariance() {
    let truth = rim();
    let throat = truth.centre - truth.axis * 0.35;
    let (mut square, runs) = (Vec3::zeros(), 1000);
    let mut predicted = Vec3::zeros();
    for seed in 0..runs {
        let fix = camera(seed).measure(7, 0.0, &truth, None).unwrap();
        let (p, P) = fix.point_on_axis(-0.35);
        square += (p - throat).component_mul(&(p - throat)) / runs as f64;
        predicted += P.diagonal() / runs as f64;
    }
    for k in 0..3 {
        // A variance from n samples is off by √(2/n) of itself, 4.5 %; four of these.
        assert!((square[k] / predicted[k] - 1.0).abs() < 0.18, "{k}: {} {}", square[k], predicted[k]);
    }
}

/// A rim that leaves the image of a camera gives no pose, and says how many points were seen.
#[test]
fn rim_out_of_sight_is_said() {
    let near = Rim { centre: Vec3::new(0.0, 0.0, 1.11), axis: -Vec3::z() };
    let failure = camera(0).measure(0, 0.0, &near, None).unwrap_err();
    let CameraFailure::TooFewPoints { first, second, wanted } = failure else { panic!("{failure}") };
    // The cameras sit too far aside to see much of a rim 0.31 m in front of them.
    assert!(first < LEAST && second < LEAST && wanted == 40, "{failure}");
    let behind = Rim { centre: Vec3::new(0.0, 0.0, -1.0), axis: Vec3::z() };
    assert!(camera(0).measure(0, 0.0, &behind, None).is_err());
}

/// Poses arrive at the rate of the camera, each after its delay, stamped with the time of its picture.
#[test]
fn poses_arrive_late() {
    let camera = camera(3);
    let mut state = camera.start();
    let mut arrivals = Vec::new();
    for k in 0..=100 {
        let t = 0.02 * k as f64;
        if camera.tick(&mut state, t, &rim()) {
            arrivals.push((t, state.fix().unwrap().time));
        }
    }
    let expected = [(0.2, 0.0), (0.7, 0.5), (1.2, 1.0), (1.7, 1.5)];
    assert_eq!(arrivals.len(), expected.len());
    for (found, expected) in arrivals.iter().zip(expected) {
        assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12, "{found:?}");
    }
}

/// Where five points of an arc are left to each camera, circles that are turned by 57° fit them as well. Such a pose is none, whatever its covariance says; as long as the rim is
/// in the picture, poses far from where the search began are right and stay.
#[test]
fn another_circle_through_a_short_arc_is_no_pose() {
    let noisy = StereoCamera { noise_px: 1.168, ..camera(5) };
    let near =
        Rim { centre: Vec3::new(0.0, 1e-4, 1.16567), axis: Vec3::new(0.0, -0.00567, -0.99998).normalize() };
    // The search begins where the rim was seen last, 0.11 m farther.
    let last = Rim { centre: Vec3::new(0.0, 0.0, 1.28), axis: -Vec3::z() };
    let off = |fix: &CameraFix| Vec3::from(fix.axis).dot(&near.axis).acos();
    let found: Vec<_> = (0..1000).map(|k| noisy.measure(k, 0.0, &near, Some(&last))).collect();
    assert!(found.iter().flatten().all(|fix| off(fix) < 5.0 * AXIS_SURE));
    let found: Vec<_> = (0..1000).map(|k| noisy.estimate(0.0, &noisy.look(k, &near), &last)).collect();
    let ambiguous = |f: &&CameraFailure| matches!(f, CameraFailure::Ambiguous { turned } if *turned > 0.5);
    assert!(found.iter().filter_map(|found| found.as_ref().err()).filter(ambiguous).count() > 0);
    // From straight ahead to a rim that leans by 17°.
    let leaning = Rim { axis: Vec3::new(-0.3, 0.0, -1.0).normalize(), ..rim() };
    let straight = Rim { axis: -Vec3::z(), ..rim() };
    for k in 0..100 {
        assert!(camera(6).measure(k, 0.0, &leaning, Some(&straight)).is_ok());
    }
}
