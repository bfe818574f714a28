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

#[test]
fn explore() {
    for n in [20,25,40,50,70,80,100,130,150,200,250,300,400,500,800,1000,2000,4000] {
        for dur in [1.0, 10.0] {
        let r = std::panic::catch_unwind(|| errors(&Case{duration:dur, ..BRICARD}, "implicit", n * dur as usize, 0));
        println!("bricard implicit h={} T={dur}: {:?}", 1.0/n as f64, r.ok());
        }
    }
    for n in [20,25,40,50,70,80,100,130,150,200,250,300,400,500,800,1000,2000,4000] {
        let r = std::panic::catch_unwind(|| errors(&Case{duration:10.0, ..FOUR_BAR}, "implicit", n * 10, 0));
        println!("four-bar implicit h={}: {:?}", 1.0/n as f64, r.ok());
    }
    for case in [&GOVERNOR] {
        for (integrator, n) in [("explicit", 10000), ("implicit", 100), ("realtime", 200)] {
            let e = errors(case, integrator, n, 5);
            let s: Vec<String> = e.iter().map(|e| format!("{e:.2e}")).collect();
            let r: Vec<String> = e.windows(2).map(|w| format!("{:.2}", (w[0] / w[1]).log2())).collect();
            println!("{} {integrator} n={n}: {s:?} {r:?} {:.3}", case.name, order(&e));
        }
    }
    let mut c = Checks::default();
    c.below("", 0.0, 1.0);
    c.finish();
}
