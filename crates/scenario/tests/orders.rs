//! Orders of the integrators: the step is halved, the error against the reference is fitted by a power of the step.

mod common;

use common::{Checks, largest_difference, run};
use touchdown_oracle as oracle;

struct Case {
    name: &'static str,
    /// Time of comparison, s.
    duration: f64,
    columns: &'static [&'static str],
    reference: fn(f64) -> Vec<f64>,
}

const PENDULUM: Case = Case {
    name: "pendulum",
    duration: 2.0,
    columns: &["point.bob.x_m", "point.bob.y_m"],
    reference: |t| {
        let s = oracle::pendulum::at(t);
        vec![s.x_m, s.y_m]
    },
};
const DOUBLE_PENDULUM: Case = Case {
    name: "double-pendulum",
    duration: 1.0,
    columns: &["point.bob.x_m", "point.bob.y_m"],
    reference: |t| {
        let s = oracle::double_pendulum::at(t);
        vec![s.x_m, s.y_m]
    },
};
const FOUR_BAR: Case = Case {
    name: "four-bar",
    duration: 1.0,
    columns: &["point.b0.x_m", "point.b0.y_m"],
    reference: |t| {
        let s = oracle::four_bar::at(t);
        vec![s.x_m, s.y_m]
    },
};
const ANDREWS: Case = Case {
    name: "andrews-squeezer",
    duration: 0.01,
    columns: &["joint.beta.position_rad", "joint.gamma.position_rad", "joint.epsilon.position_rad"],
    reference: |t| {
        let s = oracle::andrews_squeezer::at(t);
        vec![s.angles_rad[0], s.angles_rad[2], s.angles_rad[6]]
    },
};
const BRICARD: Case = Case {
    name: "bricard",
    duration: 1.0,
    columns: &["point.p3.x_m", "point.p3.y_m", "point.p3.z_m"],
    reference: |t| oracle::bricard::at(t).p3_m().to_vec(),
};
const GOVERNOR: Case = Case {
    name: "flyball-governor",
    duration: 0.5,
    columns: &["joint.slider.position_m", "joint.rod_right.position_rad"],
    reference: |t| {
        let s = oracle::flyball_governor::at(t);
        vec![s.slider_m, s.rod_rad]
    },
};

/// Errors at the end with `steps` steps, then twice as many, and so on.
fn errors(case: &Case, integrator: &str, steps: usize, halvings: u32) -> Vec<f64> {
    let wanted = (case.reference)(case.duration);
    let one = |k: u32| {
        let step = case.duration / (steps << k) as f64;
        let sets = [
            format!("integrator.name={integrator}"),
            format!("integrator.step={step} s"),
            format!("duration_s={}", case.duration),
            format!("record.series_every={} s", case.duration),
            format!("record.frames_every={} s", case.duration),
        ];
        let run = run(case.name, &sets.each_ref().map(String::as_str));
        let found: Vec<f64> = case.columns.iter().map(|c| run.end(c)).collect();
        largest_difference(&found, &wanted)
    };
    (0..=halvings).map(one).collect()
}

/// Slope of the straight line fitted to log error over log step.
fn order(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let points: Vec<(f64, f64)> = errors.iter().enumerate().map(|(k, e)| (-(k as f64), e.log2())).collect();
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    covariance / points.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum::<f64>()
}

const TOP: Case = Case {
    name: "spinning-top",
    duration: 10.0,
    columns: &["point.marker.x_m", "point.marker.y_m", "point.marker.z_m"],
    reference: |t| oracle::spinning_top::at(t).marker_m.to_vec(),
};
const CHAIN: Case = Case {
    name: "pendulum-chain",
    duration: 0.5,
    columns: &["point.rods/tip.x_m", "point.rods/tip.y_m"],
    reference: |t| {
        let s = oracle::pendulum_chain::at(oracle::pendulum_chain::LINKS, t);
        vec![s.x_m, s.y_m]
    },
};

/// Fits the order of an integrator for each case, started with this many steps and halved so often.
fn check_orders(integrator: &str, cases: &[(&Case, usize, u32)], range: (f64, f64)) {
    let mut checks = Checks::default();
    for (case, steps, halvings) in cases {
        let errors = errors(case, integrator, *steps, *halvings);
        let shown: Vec<String> = errors.iter().map(|e| format!("{e:.1e}")).collect();
        let label = format!("{} {integrator}, order from {steps} steps ({})", case.name, shown.join(", "));
        checks.between(&label, order(&errors), range.0, range.1);
    }
    checks.finish();
}

/// The explicit method is of order 8: with steps so long that the error stays above round-off, halving them takes at least seven
/// binary digits off it. (The stiff governor is not here: every step that is stable for it is already exact to round-off.)
#[test]
fn explicit_is_of_eighth_order() {
    let cases = [
        (&PENDULUM, 15, 2),
        (&DOUBLE_PENDULUM, 8, 3),
        (&FOUR_BAR, 10, 2),
        (&ANDREWS, 10, 2),
        (&BRICARD, 2, 3),
        (&TOP, 5, 3),
        (&CHAIN, 20, 3),
    ];
    check_orders("explicit", &cases, (7.0, f64::INFINITY));
}

/// The implicit method is of second order, with and without constraints, redundant and stiff ones included.
#[test]
fn implicit_is_of_second_order() {
    let cases = [
        (&PENDULUM, 50, 3),
        (&DOUBLE_PENDULUM, 50, 3),
        (&FOUR_BAR, 100, 3),
        (&ANDREWS, 50, 3),
        // Below 1e-7 the accuracy of its Newton iteration shows.
        (&BRICARD, 200, 2),
        (&GOVERNOR, 100, 3),
        (&TOP, 100, 3),
        (&CHAIN, 500, 3),
    ];
    check_orders("implicit", &cases, (1.8, 2.2));
}

/// The realtime method is of first order.
#[test]
fn realtime_is_of_first_order() {
    let cases = [
        (&PENDULUM, 800, 3),
        (&DOUBLE_PENDULUM, 400, 3),
        (&FOUR_BAR, 400, 3),
        (&ANDREWS, 400, 3),
        (&BRICARD, 6400, 2),
        (&GOVERNOR, 1600, 3),
        (&TOP, 400, 3),
        (&CHAIN, 2000, 2),
    ];
    check_orders("realtime", &cases, (0.8, 1.3));
}

/// Energy that does not add up over the largest kinetic energy, with a fixed step and with half of it.
fn energy_drifts(name: &str, integrator: &str, step_ms: f64) -> [f64; 2] {
    [1.0, 0.5].map(|part| {
        let set = format!("integrator={{name=\"{integrator}\", step=\"{} ms\"}}", part * step_ms);
        run(name, &[&set, "duration_s=2", "record.series_every=2 s"]).quantity("energy_drift_relative")
    })
}

/// With fixed steps the energy balance is as good as the method: halving the step halves (realtime) or quarters (implicit) what does not
/// add up; a fifth less leaves room for higher terms.
#[test]
fn energy_balance_converges_with_the_step() {
    let mut checks = Checks::default();
    for name in ["pendulum", "double-pendulum", "four-bar", "flyball-governor", "spinning-top"] {
        for (integrator, gain) in [("implicit", 4.0), ("realtime", 2.0)] {
            let [coarse, fine] = energy_drifts(name, integrator, 1.0);
            let label = format!("{name} {integrator}, energy drift {coarse:.1e}, gain of half the step");
            checks.between(&label, coarse / fine, 0.8 * gain, f64::INFINITY);
        }
    }
    checks.finish();
}

/// The same where a prescribed motion feeds energy in: its work is that of a multiplier, whose noise is round-off over the square of the
/// step, so that the steps are longer here.
#[test]
fn energy_balance_of_prescribed_motion_converges() {
    let mut checks = Checks::default();
    for (integrator, gain) in [("implicit", 4.0), ("realtime", 2.0)] {
        let [coarse, fine] = energy_drifts("slider-crank", integrator, 4.0);
        let label = format!("slider-crank {integrator}, energy drift {coarse:.1e}, gain of half the step");
        checks.between(&label, coarse / fine, 0.8 * gain, f64::INFINITY);
    }
    checks.finish();
}

/// Steps of 10 ms, a thirtieth of the time in which the bars fall, are small enough for Newton's method on a loop with a redundant
/// constraint.
#[test]
fn implicit_passes_redundant_constraints_with_long_steps() {
    for steps in [50, 100, 150] {
        let found = errors(&BRICARD, "implicit", steps, 0)[0];
        // Second order from the error of 2.6e-6 m at 5 ms, doubled.
        assert!(found < 2.0 * 2.6e-6 * (200.0 / steps as f64).powi(2), "{steps} steps: {found}");
    }
}
