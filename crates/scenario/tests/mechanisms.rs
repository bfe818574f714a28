//! The verification mechanisms against their references in `touchdown-oracle`, with every integrator.
//!
//! `explicit` at its default tolerance must agree to 1e-6 at all listed times; `implicit` and `realtime` with fixed steps must be as
//! close as their order says, by Richardson's estimate from two steps.

mod common;

use common::{Checks, Run, largest_difference, run};
use std::sync::LazyLock;
use touchdown_oracle as oracle;

/// Agreement of `explicit` with the reference, m or rad.
const AGREEMENT: f64 = 1e-6;
/// Largest constraint residual, m or rad.
const CLOSED: f64 = 1e-10;
/// Largest energy residual over the largest kinetic energy.
const ENERGY: f64 = 1e-8;

/// What is compared: columns of the series at times, and the reference for them.
struct Case {
    name: &'static str,
    times: &'static [f64],
    columns: &'static [&'static str],
    reference: fn(&[f64]) -> Vec<Vec<f64>>,
    /// Steps of `implicit` and `realtime`, ms; each is halved once.
    steps_ms: (f64, f64),
    /// Time up to which those two are compared, s: as far as the step's error stays in its asymptotic range.
    fixed_until: f64,
}

const CASES: [Case; 9] = [
    Case {
        name: "pendulum",
        times: &[1.0, 2.0, 5.0, 9.99, 10.0],
        columns: &["point.bob.x_m", "point.bob.y_m", "joint.hinge.position_rad"],
        reference: |t| {
            t.iter().map(|t| oracle::pendulum::at(*t)).map(|s| vec![s.x_m, s.y_m, s.angle_rad]).collect()
        },
        steps_ms: (2.0, 0.5),
        fixed_until: 10.0,
    },
    Case {
        name: "double-pendulum",
        times: &[0.5, 1.0, 1.5, 2.0],
        columns: &["point.bob.x_m", "point.bob.y_m", "joint.inner.position_rad", "joint.outer.position_rad"],
        reference: |t| {
            let all = oracle::double_pendulum::trajectory(t);
            all.iter().map(|s| vec![s.x_m, s.y_m, s.angle_1_rad, s.angle_2_rad]).collect()
        },
        steps_ms: (1.0, 0.25),
        fixed_until: 2.0,
    },
    Case {
        name: "slider-crank",
        times: &[1.0, 2.0, 3.5, 5.0, 7.0, 10.0],
        columns: &["point.slider.x_m", "joint.crank.position_rad", "joint.pin.position_rad"],
        reference: |t| {
            let all = t.iter().map(|t| oracle::slider_crank::at(*t));
            all.map(|s| vec![s.x_m, s.crank_rad, s.rod_rad - s.crank_rad]).collect()
        },
        steps_ms: (10.0, 10.0),
        fixed_until: 10.0,
    },
    Case {
        name: "four-bar",
        times: &[1.0, 2.0, 4.0, 5.0, 10.0],
        columns: &["point.b0.x_m", "point.b0.y_m", "joint.a_0.position_rad"],
        reference: |t| {
            t.iter().map(|t| oracle::four_bar::at(*t)).map(|s| vec![s.x_m, s.y_m, -s.angle_rad]).collect()
        },
        steps_ms: (1.0, 0.5),
        // Each pass through a singular position adds an error that depends on where the step falls: compare after the first.
        fixed_until: 1.0,
    },
    Case {
        name: "andrews-squeezer",
        times: &[0.005, 0.01, 0.02, 0.03],
        columns: &[
            "joint.beta.position_rad",
            "joint.theta.position_rad",
            "joint.gamma.position_rad",
            "joint.phi.position_rad",
            "joint.delta.position_rad",
            "joint.omega.position_rad",
            "joint.epsilon.position_rad",
        ],
        reference: |t| {
            oracle::andrews_squeezer::trajectory(t).iter().map(|s| s.angles_rad.to_vec()).collect()
        },
        steps_ms: (0.01, 0.002),
        fixed_until: 0.03,
    },
    Case {
        name: "bricard",
        times: &[0.5, 1.0, 2.0, 3.0, 5.0, 10.0],
        columns: &[
            "point.p3.x_m",
            "point.p3.y_m",
            "point.p3.z_m",
            "joint.p0.position_rad",
            "joint.p1.position_rad",
            "joint.p2.position_rad",
            "joint.p3.position_rad",
            "joint.p4.position_rad",
        ],
        reference: |t| {
            let all = oracle::bricard::trajectory(t);
            all.iter().map(|s| s.p3_m().iter().chain(&s.angles_rad[..5]).copied().collect()).collect()
        },
        steps_ms: (4.0, 0.5),
        fixed_until: 10.0,
    },
    Case {
        name: "flyball-governor",
        times: &[0.5, 1.0, 2.0, 5.0, 10.0],
        columns: &[
            "joint.slider.position_m",
            "joint.spin.rate_rad_per_s",
            "joint.spin.position_rad",
            "joint.rod_right.position_rad",
            "joint.rod_left.position_rad",
        ],
        reference: |t| {
            let all = oracle::flyball_governor::trajectory(t);
            all.iter()
                .map(|s| vec![s.slider_m, s.spin_rad_per_s, s.spin_angle_rad, s.rod_rad, -s.rod_rad])
                .collect()
        },
        steps_ms: (1.0, 0.5),
        fixed_until: 10.0,
    },
    Case {
        name: "spinning-top",
        times: &[5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
        columns: &["point.marker.x_m", "point.marker.y_m", "point.marker.z_m"],
        reference: |t| oracle::spinning_top::trajectory(t).iter().map(|s| s.marker_m.to_vec()).collect(),
        steps_ms: (2.0, 1.0),
        fixed_until: 20.0,
    },
    Case {
        name: "pendulum-chain",
        times: &CHAIN_TIMES,
        columns: &["point.rods/tip.x_m", "point.rods/tip.y_m", "joint.rods/1.position_rad"],
        reference: |t| {
            assert_eq!(t, CHAIN_TIMES);
            CHAIN.clone()
        },
        steps_ms: (0.5, 0.25),
        fixed_until: 2.0,
    },
];

const CHAIN_TIMES: [f64; 4] = [0.5, 1.0, 1.5, 2.0];

/// The reference of the chain takes seconds: its fifty angles are solved with a dense matrix. Once is enough.
static CHAIN: LazyLock<Vec<Vec<f64>>> = LazyLock::new(|| {
    let all = oracle::pendulum_chain::trajectory(oracle::pendulum_chain::LINKS, &CHAIN_TIMES);
    all.iter().map(|s| vec![s.x_m, s.y_m, s.angles_rad[0]]).collect()
});

fn read(case: &Case, run: &Run, times: &[f64]) -> Vec<f64> {
    times.iter().flat_map(|t| case.columns.iter().map(|c| run.at(c, *t))).collect()
}

/// Each mechanism moves as its reference says, stays on its constraints, and its energy balances.
#[test]
fn explicit_agrees_with_the_references() {
    let mut checks = Checks::default();
    for case in &CASES {
        let run = run(case.name, &[]);
        let reference = (case.reference)(case.times);
        for (t, wanted) in case.times.iter().zip(&reference) {
            let found = read(case, &run, &[*t]);
            checks.below(
                &format!("{} explicit, error at {t} s", case.name),
                largest_difference(&found, wanted),
                AGREEMENT,
            );
        }
        checks.below(
            &format!("{} explicit, constraint residual", case.name),
            run.quantity("constraint_residual_max"),
            CLOSED,
        );
        checks.below(
            &format!("{} explicit, energy drift", case.name),
            run.quantity("energy_drift_relative"),
            ENERGY,
        );
    }
    checks.finish();
}

/// With fixed steps the error is what the order predicts: of order p, the run with half the step is wrong by the difference of the
/// two runs over 2^p − 1; twice that leaves room for the terms of higher order.
fn fixed_steps(integrator: &str, order: i32, step_ms: fn(&Case) -> f64, closed: f64) {
    let mut checks = Checks::default();
    for case in &CASES {
        let times: Vec<f64> = case.times.iter().copied().filter(|t| *t <= case.fixed_until).collect();
        let duration = format!("duration_s={}", times.last().unwrap_or(&0.0));
        let name = format!("integrator.name={integrator}");
        let runs = [1.0, 0.5].map(|part| {
            let step = format!("integrator.step={} ms", part * step_ms(case));
            run(case.name, &[&name, &step, &duration])
        });
        let [coarse, fine] = [0, 1].map(|k| read(case, &runs[k], &times));
        let wanted: Vec<f64> = (case.reference)(&times).concat();
        let predicted = largest_difference(&coarse, &fine) / (2f64.powi(order) - 1.0);
        let label = format!("{} {integrator}, {} ms", case.name, 0.5 * step_ms(case));
        // Where the constraints give the motion, nothing but their round-off remains.
        checks.below(
            &format!("{label}: error"),
            largest_difference(&fine, &wanted),
            (2.0 * predicted).max(closed),
        );
        checks.below(
            &format!("{label}: constraint residual"),
            runs[1].quantity("constraint_residual_max"),
            closed,
        );
    }
    checks.finish();
}

/// `implicit` is of second order and holds the constraints to round-off.
#[test]
fn implicit_errors_are_of_second_order() {
    fixed_steps("implicit", 2, |c| c.steps_ms.0, CLOSED);
}

/// `realtime` is of first order.
#[test]
fn realtime_errors_are_of_first_order() {
    fixed_steps("realtime", 1, |c| c.steps_ms.1, CLOSED);
}
