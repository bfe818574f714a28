//! Restart, landing, stiffness and failing evaluations.
//! What is checked is behaviour: equal bits, exact times, the right error, nothing changed by a failed step.
//! Bounds on work follow from the stability interval of the method and the bounds in `control`.

use super::*;

/// Stopped anywhere and resumed with a fresh integrator, a run with events and cuts ends with the same bits.
#[test]
fn restart_continues_bit_for_bit() {
    let problem = || {
        let f = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy.copy_from_slice(&[y[1], -9.81 - 1e4 * y[0].min(0.0), -y[2].sin() * y[0]]);
        };
        watched(3, f, 2, |_, y, g| g.copy_from_slice(&[y[0], y[2] - 0.9]))
    };
    let (mut ode, t_end) = (problem(), 2.0);
    let (mut t, mut y) = (0.0, [0.4, 0.1, 1.0]);
    let (mut explicit, mut memory) = begin(&mut ode, adaptive(1e-9), t, &y, t_end);
    let mut trace = vec![(t, y, memory.clone())];
    let limit = |t: f64| ((t * 8.0).floor() + 1.0) / 8.0;
    let mut out = [0.0; 3];
    while t < t_end {
        let t_limit = limit(t);
        explicit.step(&mut ode, &mut memory, &mut t, &mut y, t_limit).unwrap();
        explicit.interpolate(&mut ode, t - 1e-7, &mut out).ok();
        trace.push((t, y, memory.clone()));
    }
    assert!(trace.len() > 40);
    for (t, y, memory) in &trace[..trace.len() - 1] {
        let (mut t, mut y, mut memory, mut ode) = (*t, *y, memory.clone(), problem());
        let mut fresh = Explicit::new(3, 2, adaptive(1e-9));
        while t < t_end {
            let t_limit = limit(t);
            fresh.step(&mut ode, &mut memory, &mut t, &mut y, t_limit).unwrap();
        }
        let last = &trace[trace.len() - 1];
        assert_eq!(
            (t.to_bits(), y.map(f64::to_bits), &memory),
            (last.0.to_bits(), last.1.map(f64::to_bits), &last.2)
        );
    }
}

/// Steps land on every output time exactly, and being cut there does not shorten the steps after it.
#[test]
fn landing_is_exact_and_keeps_the_step() {
    let (mut ode, mut t, mut y) = (kepler(), 0.0, kepler_at(0.0));
    let control = Control::Adaptive { relative: 1e-3, absolute: 1e-3, longest: 0.5 };
    let (mut explicit, mut memory) = begin(&mut ode, control, t, &y, 6.0);
    for i in 1..=600 {
        let limit = f64::from(i) * 0.01;
        let mut steps = 0;
        while t < limit {
            explicit.step(&mut ode, &mut memory, &mut t, &mut y, limit).unwrap();
            steps += 1;
        }
        assert_eq!(t.to_bits(), limit.to_bits());
        assert!(i < 30 || steps == 1, "{steps} steps to {limit}");
        assert!(i < 30 || memory.next_step() > 0.1, "{}", memory.next_step());
    }
    assert!(memory.next_step() <= 0.5);
}

/// A fixed step that ends a rounding error before the limit is stretched onto it instead of leaving a sliver.
#[test]
fn fixed_steps_leave_no_sliver() {
    let mut y = kepler_at(0.0);
    let reports = integrate(&mut kepler(), Control::Fixed(0.1), &mut y, 1.0);
    assert_eq!(reports.len(), 10);
    assert_eq!(reports[9].t_new.to_bits(), 1.0_f64.to_bits());
}

/// A decay far faster than the motion bounds the step by stability, not by blowing up: λ h stays near 6.
#[test]
fn stiff_decay_stays_bounded() {
    let lambda = 1e4;
    let mut ode = smooth(1, |t: f64, y, dy| dy[0] = -lambda * (y[0] - t.cos()));
    let mut y = [2.0];
    let tolerance = 1e-6;
    let reports = integrate(&mut ode, adaptive(tolerance), &mut y, 1.0);
    // Particular solution λ (λ cos t + sin t) / (1 + λ²); the transient is e^(−λ).
    let exact = lambda * (lambda * 1.0_f64.cos() + 1.0_f64.sin()) / (1.0 + lambda * lambda);
    assert!((y[0] - exact).abs() < 10.0 * tolerance, "{} instead of {exact}", y[0]);
    let trials: u32 = reports.iter().map(|r| 1 + r.rejected).sum();
    assert!(f64::from(trials) < lambda / 3.0, "{trials} trials");
}

/// The square-root problem was evaluated outside its domain.
#[derive(Clone, Debug, PartialEq)]
struct Outside;

/// y' = −√(y − floor), y ≥ floor: stages of a long step leave the domain, the solution (which reaches the floor with zero
/// slope) does not. `always` fails after t = 0 wherever it is; `nan` takes the root of a negative number instead of failing.
struct Root {
    floor: f64,
    always: bool,
    nan: bool,
}

impl Ode for Root {
    type Error = Outside;
    fn dim(&self) -> usize {
        1
    }
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), Outside> {
        if (self.always && t > 0.0) || (!self.nan && y[0] < self.floor) {
            return Err(Outside);
        }
        dy[0] = -(y[0] - self.floor).sqrt();
        Ok(())
    }
    fn project(&mut self, _: f64, _: &mut [f64]) -> Result<(), Outside> {
        Ok(())
    }
    fn scales(&self) -> &[f64] {
        &[1.0]
    }
}

/// Stages that leave the domain, by an error or by a value that is not a number, shorten the step and the run goes on.
#[test]
fn stages_outside_the_domain_shorten_the_step() {
    for nan in [false, true] {
        let mut ode = Root { floor: 1.0, always: false, nan };
        // Closed form y = 1 + (1 − t/2)² from y = 2.
        let (mut t, mut y, mut rejected) = (0.0, [2.0], 0);
        let (mut explicit, mut memory) = begin(&mut ode, adaptive(1e-8), t, &y, 2.0);
        memory.growth.h = 10.0;
        while t < 1.9 {
            rejected += explicit.step(&mut ode, &mut memory, &mut t, &mut y, 20.0).unwrap().rejected;
        }
        assert!(rejected > 0);
        assert!((y[0] - 1.0 - (1.0 - 0.5 * t).powi(2)).abs() < 1e-7, "{} at {t}", y[0]);
    }
}

/// An evaluation that fails at any length returns the problem's own error, and leaves time, state and memory alone.
#[test]
fn lasting_failures_are_reported_and_change_nothing() {
    let mut ode = Root { floor: 1.0, always: false, nan: false };
    let (mut t, mut y, mut out) = (0.0, [2.0], [0.0]);
    for control in [adaptive(1e-8), Control::Fixed(0.1)] {
        let (mut explicit, mut memory) = begin(&mut ode, control, t, &y, 2.0);
        ode.always = true;
        let before = memory.clone();
        let result = explicit.step(&mut ode, &mut memory, &mut t, &mut y, 1.0);
        assert_eq!(result, Err(ExplicitError::Rhs(Outside)));
        assert_eq!((t, y, &memory), (0.0, [2.0], &before));
        let refused = explicit.interpolate(&mut ode, 0.0, &mut out);
        assert!(matches!(refused, Err(ExplicitError::OutsideStep { .. })));
        ode.always = false;
    }
}

/// A slope that is not a number at the beginning names its component and time at once; so does an end point out of range.
#[test]
fn values_that_are_not_finite_are_named() {
    let mut bad = smooth(2, |t: f64, _, dy| dy.copy_from_slice(&[1.0, if t < 0.5 { 0.0 } else { f64::NAN }]));
    let (mut t, mut y) = (0.0, [0.0; 2]);
    let (mut explicit, mut memory) = begin(&mut bad, Control::Fixed(0.25), t, &y, 1.0);
    explicit.step(&mut bad, &mut memory, &mut t, &mut y, 1.0).unwrap();
    let result = explicit.step(&mut bad, &mut memory, &mut t, &mut y, 1.0);
    assert_eq!(result, Err(ExplicitError::NotFinite { t: 0.5, index: 1 }));
    let result = explicit.start(&mut bad, 0.7, &y, 1.0);
    assert!(result.is_ok(), "a fixed step needs no evaluation");
    let mut adaptive = Explicit::new(2, 0, adaptive(1e-6));
    assert_eq!(adaptive.start(&mut bad, 0.7, &y, 1.0), Err(ExplicitError::NotFinite { t: 0.7, index: 1 }));
}

/// A solution that ends in finite time (y' = y², pole at t = 1) ends with an error near the pole, not with an endless loop.
#[test]
fn pole_ends_with_an_error() {
    let mut ode = smooth(1, |_, y, dy| dy[0] = y[0] * y[0]);
    let (mut t, mut y) = (0.0, [1.0]);
    let (mut explicit, mut memory) = begin(&mut ode, adaptive(1e-8), t, &y, 2.0);
    let error = loop {
        if let Err(error) = explicit.step(&mut ode, &mut memory, &mut t, &mut y, 2.0) {
            break error;
        }
    };
    assert!(matches!(error, ExplicitError::StepTooSmall { .. } | ExplicitError::NotFinite { .. }), "{error}");
    assert!((t - 1.0).abs() < 1e-6, "{t}");
}

/// Time runs forwards: a limit at or before the beginning, or none at all, is refused.
#[test]
fn limit_must_lie_ahead() {
    let (mut ode, mut t, mut y) = (kepler(), 1.0, kepler_at(1.0));
    let (mut explicit, mut memory) = begin(&mut ode, adaptive(1e-8), t, &y, 1.0);
    for limit in [1.0, 0.5, f64::NAN] {
        let result = explicit.step(&mut ode, &mut memory, &mut t, &mut y, limit);
        assert!(matches!(result, Err(ExplicitError::LimitNotAhead { .. })));
    }
}
