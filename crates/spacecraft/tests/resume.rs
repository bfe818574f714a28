//! A device that is saved, read back and gone on with does bit for bit what it would have done without.

use serde::{Serialize, de::DeserializeOwned};
use touchdown_geometry::revolution::{Section, Side};
use touchdown_math::{Pose, Quat, Vec3, Wrench, rotation};
use touchdown_spacecraft::attitude::{AttitudeSensors, Gyro, StarTracker};
use touchdown_spacecraft::camera::{Rim, StereoCamera};
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::range::LaserDistance;
use touchdown_spacecraft::relative::{RelativeFilter, RelativeState};
use touchdown_spacecraft::thruster::{ThrusterProperties, ThrusterSet};

/// Saved and read back.
fn reread<T: Serialize + DeserializeOwned>(state: &T) -> T {
    postcard::from_bytes(&postcard::to_allocvec(state).unwrap()).unwrap()
}

/// Runs 200 ticks twice, once with the state saved and read back after each: the same at the end.
fn check<T: Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned>(
    start: T,
    mut tick: impl FnMut(&mut T, f64),
) {
    let (mut straight, mut interrupted) = (start.clone(), start.clone());
    for k in 1..=200 {
        let t = 0.02 * f64::from(k);
        tick(&mut straight, t);
        tick(&mut interrupted, t);
        interrupted = reread(&interrupted);
        assert_eq!(straight, interrupted, "tick {k}");
    }
    assert_ne!(straight, start, "nothing happened");
}

fn attitude(t: f64) -> Quat {
    rotation::exp(&Vec3::new(0.01 * t, -0.02 * t, 0.3))
}

#[test]
fn attitude_determination_resumes() {
    let sensors = AttitudeSensors {
        gyro: Gyro { rate_hz: 50.0, angle_walk: 3e-6, bias: 5e-6, bias_walk: 1e-8 },
        tracker: StarTracker { rate_hz: 4.0, noise: [5e-5; 3] },
        gyro_noise: Noise::new(1, 1),
        tracker_noise: Noise::new(1, 2),
    };
    check(sensors.start(&attitude(0.0)), |state, t| {
        sensors.tick(state, t, &attitude(t));
    });
}

#[test]
fn thrusters_resume() {
    let properties = ThrusterProperties {
        thrust: 1.0,
        specific_impulse: 220.0,
        minimum_on_time: 0.002,
        rise_time: 0.001,
        misalignment: 0.01,
        period: 0.02,
    };
    let directions = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
    let set = ThrusterSet::new(&[Vec3::zeros(); 6], &directions, properties, Noise::new(2, 0)).unwrap();
    check(set.start(), |state, t| {
        let push = Vec3::new((3.0 * t).sin(), (5.0 * t).cos(), 0.02);
        set.command(state, t, &Wrench::new(Vec3::zeros(), push * 0.5));
    });
}

#[test]
fn camera_and_navigation_resume() {
    let camera = StereoCamera {
        positions: [Vec3::new(-0.15, 0.25, 0.8), Vec3::new(0.15, 0.25, 0.8)],
        focal_px: 1200.0,
        image_px: [1024.0, 1024.0],
        noise_px: 0.3,
        rim_points: 40,
        rim_radius: 0.122,
        rate_hz: 2.0,
        delay_s: 0.2,
        noise: Noise::new(4, 20),
    };
    let filter = RelativeFilter {
        acceleration: 1e-4,
        acceleration_along: 1e-4,
        angular_acceleration: 1e-4,
        velocity: 0.02,
        angular_rate: 0.02,
    };
    check((camera.start(), RelativeState::default()), |(state, relative), t| {
        let rim = Rim { centre: Vec3::new(0.01, 0.0, 1.96 - 0.01 * t), axis: -Vec3::z() };
        if camera.tick(state, t, &rim)
            && let Some(fix) = state.fix()
        {
            filter.update(relative, fix);
        }
    });
}

#[test]
fn distances_resume() {
    let sensors = LaserDistance {
        q: 0.088,
        radius: 0.005,
        azimuths: vec![0.0, 2.0, 4.0],
        range: 0.15,
        noise_m: 1e-4,
        rate_hz: 20.0,
        noise: Noise::new(3, 30),
    };
    let cone = Section::through(&[[0.0, 0.05], [0.2, 0.15]], Side::Cavity).unwrap();
    check(sensors.start(), |state, t| {
        sensors.tick(state, t, &cone, &Pose::translation(Vec3::new(0.0, 0.0, 0.01 * t)));
    });
}
