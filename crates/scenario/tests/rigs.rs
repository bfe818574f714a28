//! The rigs in the loop: what their sensors read is what the soil does.

mod common;

use common::run;

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// At constant speed nothing accelerates along x: the force that holds the carriage back is the soil's force forwards, its drive's torque is
/// what the soil takes, and the soil carries the load. Only the realtime step's rounding and the slow rise and fall of the slide are left.
#[test]
fn the_carriage_feels_what_the_soil_gives() {
    let run = run("single-wheel", &["slip=0.4", "friction_angle_deg=30", "cohesion_pa=0"]);
    let (from, to) = (13.75, 19.75);
    let times = run.column("time_s");
    let in_window = |name: &str| -> Vec<f64> {
        let rows = times.iter().zip(run.column(name));
        rows.filter(|(t, _)| (from..=to).contains(*t)).map(|(_, x)| x).collect()
    };
    let pull = in_window("constraint.carriage.force_0");
    let soil = in_window("soil.wheel.force_x_n");
    let largest = pull.iter().zip(&soil).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // The multiplier is that of the step just made, the soil's force that of its end: they differ by a step's change, at most a newton.
    assert!(largest < 1.0, "{largest}");
    assert!((mean(&pull) - mean(&soil)).abs() < 0.02, "{} {}", mean(&pull), mean(&soil));
    assert!((run.quantity("drawbar_pull_n") - mean(&soil)).abs() < 0.02);
    let (drive, taken) = (mean(&in_window("constraint.wheel.force_0")), run.quantity("torque_n_m"));
    assert!((drive - taken).abs() < 1e-3 * taken, "{drive} {taken}");
    let load = mean(&in_window("soil.wheel.force_z_n"));
    assert!((load - 200.0).abs() < 0.2, "{load}");
    let slip = in_window("soil.wheel.slip_drive");
    assert!(slip.iter().all(|s| (s - 0.4).abs() < 1e-6));
    // Tractive efficiency: pull times speed over torque times wheel speed, so that it is (pull r/torque)(1 - slip).
    let efficiency = run.quantity("drawbar_pull_n") * 0.15 / taken * 0.6;
    assert!((run.quantity("tractive_efficiency") - efficiency).abs() < 0.01, "{efficiency}");
}

/// Between passes the wheel hangs clear of the soil, is let down into its rut without a blow, and meets the same load again.
#[test]
fn passes_lift_and_lower_the_wheel() {
    let run = run("single-wheel", &["passes=2"]);
    let (times, x) = (run.column("time_s"), run.column("joint.carriage.rate_m_per_s"));
    let (up, load) = (run.column("soil.wheel.force_z_n"), 200.0);
    // The carriage's coordinate runs backwards: a positive rate brings it back.
    let back: Vec<usize> = (0..times.len()).filter(|i| x[*i] > 0.05).collect();
    assert!(!back.is_empty() && back.iter().all(|i| up[*i] == 0.0));
    let after = times[*back.last().unwrap_or(&0)];
    let blow = times.iter().zip(&up).filter(|(t, _)| **t > after).map(|(_, f)| *f).fold(0.0, f64::max);
    assert!(blow < 2.0 * load, "{blow}");
    let last = up[up.len() - 200..].to_vec();
    assert!((mean(&last) - load).abs() < 0.02 * load, "{}", mean(&last));
}
