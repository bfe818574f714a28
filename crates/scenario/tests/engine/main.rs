//! Features of the engine that the mechanisms do not show, each in a small scenario against a closed form.

#[path = "../common/mod.rs"]
mod common;

mod constraints;
mod drives;
mod forces;
mod impulses;
mod joints;
mod restart;
mod statics;

use common::{Checks, Run, largest_difference, run_text};

/// Head of every scenario here: duration and gravity, rows every 10 ms.
pub fn scenario(duration: f64, gravity: [f64; 3], body: &str) -> String {
    format!(
        "title = \"closed form\"\nduration_s = {duration}\ngravity_m_per_s2 = {gravity:?}\nintegrator = \"explicit\"\n\
         record = {{ series_every = \"10 ms\", frames_every = \"1 s\", reactions = true }}\n{body}"
    )
}

/// No gravity.
pub const NONE: [f64; 3] = [0.0; 3];
/// Gravity along −z, m/s².
pub const DOWN: [f64; 3] = [0.0, 0.0, -9.81];
/// Agreement of `explicit` at its default tolerance of 1e-10 with a closed form of order one, over some hundred steps.
pub const CLOSE: f64 = 1e-7;

/// Runs with `explicit` and checks that energy balances and constraints hold.
pub fn run_checked(label: &str, text: &str, checks: &mut Checks) -> Run {
    let run = run_text(text, &[]);
    checks.below(&format!("{label}, energy drift"), run.quantity("energy_drift_relative"), 1e-8);
    checks.below(&format!("{label}, constraint residual"), run.quantity("constraint_residual_max"), 1e-10);
    run
}

/// The other integrators find the same motion, as closely as their order says: with steps of 2 ms and 1 ms the finer run is wrong by the
/// difference over 2^p − 1; twice that leaves room for higher terms.
pub fn others_agree(label: &str, text: &str, columns: &[&str], explicit: &Run, checks: &mut Checks) {
    agree_with_orders([2, 1], label, text, (columns, explicit), checks);
}

/// As `others_agree` where a force jumps: every method with fixed steps is of first order there.
pub fn others_agree_at_jumps(label: &str, text: &str, columns: &[&str], explicit: &Run, checks: &mut Checks) {
    agree_with_orders([1, 1], label, text, (columns, explicit), checks);
}

fn agree_with_orders(
    orders: [i32; 2],
    label: &str,
    text: &str,
    (columns, explicit): (&[&str], &Run),
    checks: &mut Checks,
) {
    for (integrator, order) in ["implicit", "realtime"].iter().zip(orders) {
        let values = |run: &Run| -> Vec<f64> { columns.iter().flat_map(|c| run.column(c)).collect() };
        let [coarse, fine] = [2, 1].map(|ms| {
            let set = format!("integrator={{name=\"{integrator}\", step=\"{ms} ms\"}}");
            values(&run_text(text, &[&set]))
        });
        let predicted = largest_difference(&coarse, &fine) / (2f64.powi(order) - 1.0);
        let error = largest_difference(&fine, &values(explicit));
        checks.below(&format!("{label}, {integrator} against explicit"), error, (2.0 * predicted).max(CLOSE));
    }
}
