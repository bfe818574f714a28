//! Tests of `explicit`: the problems with known solutions, and the loops that run them.
//! The files beside this one check coefficients, accuracy, events, and behaviour in trouble.
//! Every tolerance is either rounding, the tolerance asked of the integrator, or an order of convergence.

mod accuracy;
mod coefficients;
mod events;
mod robustness;

use super::*;
use std::convert::Infallible;

/// A problem made of closures that cannot fail.
struct Problem<F, P, G> {
    scales: Vec<f64>,
    count: usize,
    f: F,
    p: P,
    g: G,
}

impl<F, P, G> Ode for Problem<F, P, G>
where
    F: FnMut(f64, &[f64], &mut [f64]),
    P: FnMut(&mut [f64]),
    G: FnMut(f64, &[f64], &mut [f64]),
{
    type Error = Infallible;
    fn dim(&self) -> usize {
        self.scales.len()
    }
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Infallible> {
        (self.f)(t, y, dy);
        Ok(())
    }
    fn project(&mut self, _: f64, y: &mut [f64]) -> Result<(), Infallible> {
        (self.p)(y);
        Ok(())
    }
    fn scales(&self) -> &[f64] {
        &self.scales
    }
    fn event_count(&self) -> usize {
        self.count
    }
    fn events(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), Infallible> {
        (self.g)(t, y, out);
        Ok(())
    }
}

/// A problem without manifold and events.
fn smooth(dim: usize, f: impl FnMut(f64, &[f64], &mut [f64])) -> impl Ode<Error = Infallible> {
    Problem {
        scales: vec![1.0; dim],
        count: 0,
        f,
        p: |_: &mut [f64]| (),
        g: |_: f64, _: &[f64], _: &mut [f64]| (),
    }
}

/// A problem with `count` event functions.
fn watched(
    dim: usize,
    f: impl FnMut(f64, &[f64], &mut [f64]),
    count: usize,
    g: impl FnMut(f64, &[f64], &mut [f64]),
) -> impl Ode<Error = Infallible> {
    Problem { scales: vec![1.0; dim], count, f, p: |_: &mut [f64]| (), g }
}

/// Adaptive control with the same relative and absolute tolerance.
fn adaptive(tolerance: f64) -> Control {
    Control::Adaptive { relative: tolerance, absolute: tolerance, longest: f64::INFINITY }
}

/// An integrator for `ode`, and its memory at the beginning.
fn begin<O: Ode>(ode: &mut O, control: Control, t: f64, y: &[f64], duration: f64) -> (Explicit, Memory)
where
    O::Error: std::fmt::Debug,
{
    let mut explicit = Explicit::new(ode.dim(), ode.event_count(), control);
    let memory = explicit.start(ode, t, y, duration).unwrap();
    (explicit, memory)
}

/// Integrates from 0 to `t_end`; returns the reports.
fn integrate<O: Ode>(ode: &mut O, control: Control, y: &mut [f64], t_end: f64) -> Vec<Report>
where
    O::Error: std::fmt::Debug,
{
    let (mut explicit, mut memory) = begin(ode, control, 0.0, y, t_end);
    let (mut t, mut reports) = (0.0, Vec::new());
    while t < t_end {
        reports.push(explicit.step(ode, &mut memory, &mut t, y, t_end).unwrap());
    }
    reports
}

/// Eccentricity of the test orbit; semi-major axis and gravitational parameter are 1, so the period is 2π.
const ECCENTRICITY: f64 = 0.2;

/// The planar two-body problem, y = (x, z, vx, vz).
fn kepler() -> impl Ode<Error = Infallible> {
    smooth(4, |_, y, dy| {
        let r3 = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
        dy.copy_from_slice(&[y[2], y[3], -y[0] / r3, -y[1] / r3]);
    })
}

/// Closed form of the orbit, from pericentre at t = 0: Kepler's equation by Newton, then the ellipse.
fn kepler_at(t: f64) -> [f64; 4] {
    let e = ECCENTRICITY;
    let mut u = t;
    for _ in 0..30 {
        u -= (u - e * u.sin() - t) / (1.0 - e * u.cos());
    }
    let (b, rate) = ((1.0 - e * e).sqrt(), 1.0 / (1.0 - e * u.cos()));
    [u.cos() - e, b * u.sin(), -u.sin() * rate, b * u.cos() * rate]
}

/// Largest difference of components.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Slope of the straight line through (ln x, ln y), by least squares.
fn log_slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |m, p| (m.0 + p.0.ln() / n, m.1 + p.1.ln() / n));
    let sxy: f64 = points.iter().map(|p| (p.0.ln() - mx) * (p.1.ln() - my)).sum();
    let sxx: f64 = points.iter().map(|p| (p.0.ln() - mx).powi(2)).sum();
    sxy / sxx
}
