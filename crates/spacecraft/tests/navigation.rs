//! Camera and relative navigation on the geometry of a docking: errors are as large as predicted, from the first picture to the last.

use touchdown_math::Vec3;
use touchdown_spacecraft::camera::{CameraFailure, Rim, StereoCamera};
use touchdown_spacecraft::random::Noise;
use touchdown_spacecraft::relative::{RelativeFilter, RelativeState};

const RUNS: u64 = 1000;
/// Time between pictures, s.
const PERIOD: f64 = 0.5;
/// More noise than the camera of the docking has: the linear covariance must hold there, too.
const NOISE_PX: f64 = 1.0;

fn camera(seed: u64) -> StereoCamera {
    StereoCamera {
        positions: [Vec3::new(-0.15, 0.25, 0.8), Vec3::new(0.15, 0.25, 0.8)],
        focal_px: 1200.0,
        image_px: [1024.0, 1024.0],
        noise_px: NOISE_PX,
        rim_points: 40,
        rim_radius: 0.122,
        rate_hz: 1.0 / PERIOD,
        delay_s: 0.2,
        noise: Noise::new(seed, 20),
    }
}

fn rim(values: &[f64; 5]) -> Rim {
    let [x, y, z, ax, ay] = *values;
    Rim { centre: Vec3::new(x, y, z), axis: Vec3::new(ax, ay, -(1.0 - ax * ax - ay * ay).sqrt()) }
}

/// Values and rates of the rim at a picture.
#[derive(Clone, Copy)]
struct Truth {
    values: [f64; 5],
    rates: [f64; 5],
}

/// A window of the stored docking: 0 before the first touch, 1 while the crown locks, 2 at the end of the retraction, where the rim leaves the picture and no pose is taken.
fn stored(window: usize) -> Vec<Truth> {
    let text = include_str!("data/docking_truth.csv");
    let rows = text
        .lines()
        .skip(2)
        .map(|line| line.split(',').map(|x| x.parse::<f64>().unwrap()).collect::<Vec<_>>());
    rows.filter(|row| row[0] == window as f64)
        .map(|row| Truth { values: row[2..7].try_into().unwrap(), rates: row[7..12].try_into().unwrap() })
        .collect()
}

/// Means over all seeds of the normalised innovation and error squared, for each picture, and how many seeds had a pose there.
struct Consistency {
    innovation: Vec<f64>,
    error: Vec<f64>,
    seen: Vec<u64>,
}

/// Runs the filter over truths that may differ from seed to seed.
fn consistency(filter: &RelativeFilter, truths: impl Fn(u64) -> Vec<Truth>) -> Consistency {
    let pictures = truths(0).len();
    let mut out =
        Consistency { innovation: vec![0.0; pictures], error: vec![0.0; pictures], seen: vec![0; pictures] };
    for seed in 0..RUNS {
        let (camera, mut state, mut last) = (camera(seed), RelativeState::default(), None);
        for (k, truth) in truths(seed).iter().enumerate() {
            let (t, rim) = (PERIOD * k as f64, rim(&truth.values));
            let Ok(fix) = camera.measure(k as u64, t, &rim, last.as_ref()) else { continue };
            last = Some(fix.seen().rim);
            if !filter.update(&mut state, &fix) || state.innovation.is_none() {
                continue;
            }
            out.seen[k] += 1;
            out.innovation[k] += state.innovation.unwrap();
            out.error[k] += state.normalised_error(&truth.values, &truth.rates).unwrap();
        }
    }
    for k in 0..pictures {
        out.innovation[k] /= out.seen[k] as f64;
        out.error[k] /= out.seen[k] as f64;
    }
    out
}

/// Bounds that the mean of `count` numbers of χ² keeps with 95 %.
fn bounds(freedom: f64, count: u64) -> [f64; 2] {
    let half = 1.96 * (2.0 * freedom / count as f64).sqrt();
    [freedom - half, freedom + half]
}

/// Pictures whose mean lies outside of its bounds, of those with enough seeds.
fn outside(
    means: &[f64],
    seen: &[u64],
    freedom: f64,
    is_out: impl Fn(f64, [f64; 2]) -> bool,
) -> (usize, usize) {
    let counted = means.iter().zip(seen).filter(|(_, seen)| **seen >= RUNS / 2);
    let out = counted.clone().filter(|(mean, seen)| is_out(**mean, bounds(freedom, **seen))).count();
    (out, counted.count())
}

/// Two-sided: a rim that starts as in the stored docking and is moved by the accelerations that the filter allows for. Over 1,000 seeds the mean of the normalised innovation
/// squared (five degrees of freedom) and error squared (ten) of each picture lies in its bounds of 95 %. Of 60 pictures 3 may lie outside in the mean, by chance up to
/// 3 + 3·√(60·0.05·0.95) = 8.
#[test]
fn innovations_and_errors_are_as_large_as_predicted() {
    let filter = RelativeFilter { velocity: 2e-3, angular_rate: 1e-3, ..RelativeFilter::FREE };
    let (mut out, mut counted) = ([0; 2], 0);
    for (window, at) in [(0, 0), (1, 8), (1, 30)] {
        let start = stored(window)[at];
        let found = consistency(&filter, |seed| drifting(&filter, &start, seed));
        let is_out = |mean: f64, [low, high]: [f64; 2]| !(low..=high).contains(&mean);
        let (innovation, all) = outside(&found.innovation, &found.seen, 5.0, is_out);
        let (error, _) = outside(&found.error, &found.seen, 10.0, is_out);
        println!("window {window}: {innovation} and {error} of {all} outside");
        (out[0], out[1], counted) = (out[0] + innovation, out[1] + error, counted + all);
    }
    assert!(counted >= 55, "{counted}");
    assert!(out[0] <= 8 && out[1] <= 8, "{out:?} of {counted}");
}

/// One-sided: on the stored docking itself, whose motion is no random process, the filter is nowhere surer than it may be: the means lie below the upper bound of 95 %. By
/// chance 2.5 % of the pictures of a filter that is exactly right would not.
#[test]
fn the_filter_is_never_too_sure_of_a_docking() {
    for (window, filter) in [(0, RelativeFilter::FREE), (1, RelativeFilter::HELD)] {
        let truth = stored(window);
        let found = consistency(&filter, |_| truth.clone());
        let is_out = |mean: f64, [_, high]: [f64; 2]| mean > high;
        let (innovation, all) = outside(&found.innovation, &found.seen, 5.0, is_out);
        let (error, _) = outside(&found.error, &found.seen, 10.0, is_out);
        println!("window {window}: {innovation} and {error} of {all} above; {:.1?}", found.innovation);
        println!("    {:.1?}", found.error);
        println!("    {:?}", found.seen);
        assert!(
            innovation * 20 <= all && error * 20 <= all,
            "window {window}: {innovation} and {error} of {all}"
        );
    }
}

/// A pose whose axis would be known too badly is none, and says why: at the brackets only a short arc of the rim is in the picture.
#[test]
fn a_short_arc_gives_no_pose() {
    let far = camera(1).measure(0, 0.0, &rim(&stored(0)[0].values), None);
    assert!(far.is_ok(), "{far:?}");
    let near = camera(1).measure(0, 0.0, &rim(&stored(2).last().unwrap().values), None);
    assert!(
        matches!(near, Err(CameraFailure::Unsure { .. } | CameraFailure::TooFewPoints { .. })),
        "{near:?}"
    );
}

/// The rim from a start on, with white accelerations of the filter's size, drawn anew for each seed.
fn drifting(filter: &RelativeFilter, start: &Truth, seed: u64) -> Vec<Truth> {
    let noise = Noise::new(seed, 1);
    let first: [f64; 5] = noise.normals(0, 100);
    let mut now = *start;
    let sigma = |i: usize| if i < 3 { filter.velocity } else { filter.angular_rate };
    now.rates = std::array::from_fn(|i| sigma(i) * first[i]);
    let mut out = vec![now];
    for k in 1..20u64 {
        // Two numbers with the covariance of an integrated white acceleration.
        let [a, b]: [[f64; 5]; 2] = [noise.normals(k, 0), noise.normals(k, 5)];
        for i in 0..5 {
            let density = if i < 3 { filter.acceleration } else { filter.angular_acceleration };
            let q = density * PERIOD.sqrt();
            now.values[i] += PERIOD * now.rates[i] + q * PERIOD * (0.5 * a[i] + b[i] / 12f64.sqrt());
            now.rates[i] += q * a[i];
        }
        out.push(now);
    }
    out
}
