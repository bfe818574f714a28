//! Orders, tolerances and dense output against closed forms.
//! The orbit and its closed form are in `mod`.
//! Bands around an order are half a power, as wide as the next term of the error makes them on these steps.

use super::*;
use std::f64::consts::TAU;

/// Halving a fixed step divides the error of an orbit by 2⁸.
#[test]
fn fixed_steps_converge_with_order_eight() {
    let points: Vec<(f64, f64)> = [40.0, 56.0, 80.0, 113.0]
        .iter()
        .map(|steps| {
            let mut y = kepler_at(0.0);
            let reports = integrate(&mut kepler(), Control::Fixed(TAU / steps), &mut y, TAU);
            assert_eq!(reports.len() as f64, *steps);
            assert!(reports.iter().all(|r| r.evaluations == 12 && r.rejected == 0));
            (1.0 / steps, distance(&y, &kepler_at(TAU)))
        })
        .collect();
    let slope = log_slope(&points);
    assert!((7.5..=8.5).contains(&slope), "order {slope}, {points:?}");
}

/// With a slope that depends on time, y' = y cos t with the solution exp(sin t), the order is eight as well.
#[test]
fn stage_times_keep_the_order() {
    let points: Vec<(f64, f64)> = [5.0, 7.0, 10.0, 14.0]
        .iter()
        .map(|steps| {
            let mut y = [1.0];
            let mut ode = smooth(1, |t: f64, y, dy| dy[0] = y[0] * t.cos());
            integrate(&mut ode, Control::Fixed(4.0 / steps), &mut y, 4.0);
            (4.0 / steps, (y[0] - 4.0_f64.sin().exp()).abs())
        })
        .collect();
    let slope = log_slope(&points);
    assert!((7.5..=8.5).contains(&slope), "order {slope}, {points:?}");
}

/// Inside a step the interpolant is of order 7: its error over one step falls as h⁸.
#[test]
fn dense_output_converges_with_order_seven() {
    let points: Vec<(f64, f64)> = [0.4, 0.3, 0.2, 0.15, 0.1]
        .iter()
        .map(|&h| {
            let (mut ode, mut t, mut y, mut out) = (kepler(), 0.0, kepler_at(0.0), [0.0; 4]);
            let (mut explicit, mut memory) = begin(&mut ode, Control::Fixed(h), t, &y, h);
            explicit.step(&mut ode, &mut memory, &mut t, &mut y, h).unwrap();
            let mut worst = 0.0_f64;
            for i in 1..16 {
                let s = h * f64::from(i) / 16.0;
                explicit.interpolate(&mut ode, s, &mut out).unwrap();
                worst = worst.max(distance(&out, &kepler_at(s)));
            }
            (h, worst)
        })
        .collect();
    let slope = log_slope(&points);
    assert!(slope >= 7.5, "order {slope}, {points:?}");
}

/// The global error is proportional to the tolerance.
#[test]
fn error_follows_the_tolerance() {
    let points: Vec<(f64, f64)> = [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11]
        .iter()
        .map(|&tolerance| {
            let mut y = kepler_at(0.0);
            integrate(&mut kepler(), adaptive(tolerance), &mut y, TAU);
            (tolerance, distance(&y, &kepler_at(TAU)))
        })
        .collect();
    let slope = log_slope(&points);
    assert!((0.8..=1.2).contains(&slope), "power {slope}, {points:?}");
    // A change of the semi-major axis moves the phase by 3π times as much over a period; some ten steps add up.
    assert!(points.iter().all(|(tolerance, error)| *error < 100.0 * tolerance), "{points:?}");
}

/// The interpolant returns the projected end point bit for bit, and its slope is continuous from step to step.
#[test]
fn dense_output_joins_the_projected_ends() {
    let spin = |_: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[-y[1], y[0]]);
    let onto_circle = |y: &mut [f64]| {
        let r = y[0].hypot(y[1]);
        y.iter_mut().for_each(|v| *v /= r);
    };
    let g = |_: f64, _: &[f64], _: &mut [f64]| ();
    let mut ode = Problem { scales: vec![1.0; 2], count: 0, f: spin, p: onto_circle, g };
    let (mut t, mut y, mut out) = (0.0, [1.0, 0.0], [0.0; 2]);
    let tolerance = 1e-5;
    let (mut explicit, mut memory) = begin(&mut ode, adaptive(tolerance), t, &y, 10.0);
    while t < 10.0 {
        let before = y;
        let report = explicit.step(&mut ode, &mut memory, &mut t, &mut y, 10.0).unwrap();
        assert!((y[0].hypot(y[1]) - 1.0).abs() < 4.0 * f64::EPSILON);
        explicit.interpolate(&mut ode, report.t_old, &mut out).unwrap();
        assert_eq!(out, before);
        explicit.interpolate(&mut ode, report.t_new, &mut out).unwrap();
        assert_eq!(out, y);
        // One-sided difference of length d: its error is d/2 times the curvature 1, and rounding over d.
        let d = 1e-6 * (report.t_new - report.t_old);
        for (at, end, sign) in [(report.t_old + d, before, 1.0), (report.t_new - d, y, -1.0)] {
            explicit.interpolate(&mut ode, at, &mut out).unwrap();
            let slope = [sign * (out[0] - end[0]) / d, sign * (out[1] - end[1]) / d];
            assert!(distance(&slope, &[-end[1], end[0]]) < d + 1e-15 / d, "{slope:?} at {end:?}");
        }
    }
}

/// Outside the last step, or before any, there is no dense output.
#[test]
fn dense_output_refuses_to_extrapolate() {
    let (mut ode, mut t, mut y, mut out) = (kepler(), 0.0, kepler_at(0.0), [0.0; 4]);
    let (mut explicit, mut memory) = begin(&mut ode, Control::Fixed(0.1), t, &y, 1.0);
    let refused = |r| matches!(r, Err(ExplicitError::OutsideStep { .. }));
    assert!(refused(explicit.interpolate(&mut ode, 0.0, &mut out)));
    explicit.step(&mut ode, &mut memory, &mut t, &mut y, 1.0).unwrap();
    assert!(refused(explicit.interpolate(&mut ode, -1e-9, &mut out)));
    assert!(refused(explicit.interpolate(&mut ode, 0.1 + 1e-9, &mut out)));
    assert!(refused(explicit.interpolate(&mut ode, f64::NAN, &mut out)));
}

/// A component with infinite scale has no say in the step size, whatever it does.
#[test]
fn infinite_scale_leaves_the_error_test() {
    let f = |t: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[y[1], -y[0], (1e3 * t).sin()]);
    let steps = |scale: f64, absolute: f64| {
        let (p, g) = (|_: &mut [f64]| (), |_: f64, _: &[f64], _: &mut [f64]| ());
        let mut ode = Problem { scales: vec![1.0, 1.0, scale], count: 0, f, p, g };
        let control = Control::Adaptive { relative: 1e-8, absolute, longest: f64::INFINITY };
        integrate(&mut ode, control, &mut [1.0, 0.0, 0.0], 10.0).len()
    };
    let mut plain = smooth(2, |_, y, dy| dy.copy_from_slice(&[y[1], -y[0]]));
    let alone = integrate(&mut plain, adaptive(1e-8), &mut [1.0, 0.0], 10.0).len();
    assert_eq!(steps(f64::INFINITY, 1e-8), alone);
    assert!(steps(f64::INFINITY, 0.0) > 0);
    assert!(steps(1.0, 1e-8) > 10 * alone);
}
