//! Event location against closed forms, and its behaviour where events crowd.
//! The location tolerance is 1e-12 s (times t above 1 s).
//! Tests of accuracy allow the few times by which an error in one event moves the next.

use super::*;
use std::f64::consts::{FRAC_PI_2, PI};

const GRAVITY: f64 = 9.81;

/// A ball in free fall above the ground, y = (height, speed).
fn ball() -> impl Ode<Error = Infallible> {
    watched(2, |_, y, dy| dy.copy_from_slice(&[y[1], -GRAVITY]), 1, |_, y, g| g[0] = y[0])
}

/// Runs to `t_end`, calls `hit` at each event, and returns their times and indices and the number of steps.
fn run<O: Ode<Error = Infallible>>(
    ode: &mut O,
    control: Control,
    y: &mut [f64],
    t_end: f64,
    mut hit: impl FnMut(&mut [f64]),
) -> (Vec<(f64, usize)>, usize) {
    let (mut explicit, mut memory) = begin(ode, control, 0.0, y, t_end);
    let (mut t, mut events, mut steps) = (0.0, Vec::new(), 0);
    while t < t_end {
        let report = explicit.step(ode, &mut memory, &mut t, y, t_end).unwrap();
        steps += 1;
        if let Some(index) = report.event {
            assert!(explicit.crossed()[index]);
            events.push((t, index));
            hit(y);
        }
    }
    (events, steps)
}

/// A ball dropped from 1 m that keeps 80 % of its speed bounces at the times of free flight, once each, with either control.
#[test]
fn ball_bounces_on_time() {
    let restitution = 0.8;
    let fall = (2.0 / GRAVITY).sqrt();
    for control in [adaptive(1e-10), Control::Fixed(0.07)] {
        let (events, _) = run(&mut ball(), control, &mut [1.0, 0.0], 3.0, |y| y[1] *= -restitution);
        let (mut expected, mut flight, mut at) = (Vec::new(), 2.0 * fall, fall);
        while at < 3.0 {
            expected.push(at);
            flight *= restitution;
            at += flight;
        }
        assert_eq!(events.len(), expected.len(), "{events:?}");
        for ((t, _), expected) in events.iter().zip(&expected) {
            assert!((t - expected).abs() < 1e-11, "{t} instead of {expected}");
        }
    }
}

/// A ball thrown up from the ground starts at a zero that is no event, and hits it once after 2 v/g.
#[test]
fn zero_at_the_start_is_no_event() {
    let (events, _) = run(&mut ball(), adaptive(1e-10), &mut [0.0, 5.0], 1.5, |_| ());
    assert_eq!(events.len(), 1);
    assert!((events[0].0 - 10.0 / GRAVITY).abs() < 2e-12);
}

/// The cosine crosses zero at odd multiples of π/2, and the step ends where its sign has changed.
#[test]
fn oscillator_crosses_at_odd_quarters() {
    let mut ode = watched(2, |_, y, dy| dy.copy_from_slice(&[y[1], -y[0]]), 1, |_, y, g| g[0] = y[0]);
    let mut signs = Vec::new();
    let (events, _) = run(&mut ode, adaptive(1e-13), &mut [1.0, 0.0], 30.0, |y| signs.push(y[0]));
    assert_eq!(events.len(), 10);
    for (k, ((t, _), value)) in events.iter().zip(&signs).enumerate() {
        let expected = FRAC_PI_2 + PI * k as f64;
        // Phase error of the solution: the tolerance times the number of steps, here some hundred.
        assert!((t - expected).abs() < 1e-11 + 1e-12 * t, "{t} instead of {expected}");
        assert!(if k % 2 == 0 { *value <= 0.0 } else { *value >= 0.0 }, "{value} at {t}");
    }
}

/// Of several events in one step the earliest cuts it, and the others follow in their order; equal ones cross together.
#[test]
fn events_come_in_order_of_time() {
    let times = [0.7, 0.31, 0.9, 0.31, 0.300001];
    let mut ode = watched(
        1,
        |_, _, dy| dy[0] = 1.0,
        5,
        |_, y, g| {
            for (g, at) in g.iter_mut().zip(times) {
                *g = (y[0] - at).exp_m1();
            }
        },
    );
    let (events, _) = run(&mut ode, Control::Fixed(2.0), &mut [0.0], 2.0, |_| ());
    let indices: Vec<usize> = events.iter().map(|e| e.1).collect();
    assert_eq!(indices, [4, 1, 0, 2]);
    assert!(events.iter().all(|(t, i)| (t - times[*i]).abs() < 2e-12), "{events:?}");
}

/// A ball on a one-sided spring leaves it after (2/ω)(π − atan(vω/g)); cut at the contact, the tolerance holds and costs less.
#[test]
fn kink_at_contact_does_not_spoil_the_step() {
    let omega = 300.0;
    let force = move |_: f64, y: &[f64], dy: &mut [f64]| {
        dy.copy_from_slice(&[y[1], -GRAVITY - omega * omega * y[0].min(0.0)]);
    };
    let fall = (2.0 / GRAVITY).sqrt();
    let contact = 2.0 / omega * (PI - (GRAVITY * fall * omega / GRAVITY).atan());
    let tolerance = 1e-10;
    let mut with = watched(2, force, 1, |_, y, g| g[0] = y[0]);
    let (events, steps) = run(&mut with, adaptive(tolerance), &mut [1.0, 0.0], 0.6, |_| ());
    assert_eq!(events.len(), 2);
    assert!((events[0].0 - fall).abs() < 10.0 * tolerance);
    assert!((events[1].0 - fall - contact).abs() < 10.0 * tolerance);
    let work = |reports: &[Report]| reports.iter().map(|r| r.evaluations).sum::<u32>();
    let (mut y, mut y_without) = ([1.0, 0.0], [1.0, 0.0]);
    let evaluations = work(&integrate(&mut with, adaptive(tolerance), &mut y, 0.6));
    let without = work(&integrate(&mut smooth(2, force), adaptive(tolerance), &mut y_without, 0.6));
    assert!(evaluations < without, "{evaluations} with, {without} without, {steps} steps");
    let free = 0.6 - fall - contact;
    let height = GRAVITY * fall * free - 0.5 * GRAVITY * free * free;
    assert!((y[0] - height).abs() < 100.0 * tolerance, "{} instead of {height}", y[0]);
}

/// A switch that drives the state back to its own threshold chatters, yet time advances: the jump of 2 passes the error test
/// at steps of the order of the tolerance, and events do not shorten them further.
#[test]
fn chattering_does_not_stop_time() {
    let mut ode = watched(1, |_, y, dy| dy[0] = 0.3 - y[0].signum(), 1, |_, y, g| g[0] = y[0]);
    let (mut y, tolerance) = ([0.1], 1e-3);
    let (_, steps) = run(&mut ode, adaptive(tolerance), &mut y, 1.0, |_| ());
    assert!((steps as f64) < 1.0 / tolerance, "{steps} steps");
    assert!(y[0].abs() < 10.0 * tolerance, "{}", y[0]);
}

/// A ball that keeps a tenth of its speed bounces infinitely often before 0.2 s; the run passes that point all the same.
#[test]
fn accumulating_bounces_do_not_stop_time() {
    let bounce = |y: &mut [f64]| y[1] = 0.1 * y[1].abs();
    let (events, steps) = run(&mut ball(), adaptive(1e-6), &mut [0.1, 0.0], 1.0, bounce);
    // Each flight is a tenth of the one before: after eleven they are below the window of 6.4e-11 s.
    assert!(events.len() <= 14 && steps < 100, "{} events, {steps} steps", events.len());
}
