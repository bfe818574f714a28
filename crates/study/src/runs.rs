//! The runs of a study: the scenario at many settings, the quantity of each, over several threads; results do not depend on how many.

use crate::case::{CaseError, run_case};
use crate::validate::alone;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How far a study is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs that have ended.
    pub done: usize,
    /// Runs in all.
    pub of: usize,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Job {
    /// Settings `PATH=VALUE`.
    pub sets: Vec<String>,
    /// Estimated cost, in no unit.
    pub cost: f64,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// The quantity.
    Found(f64),
    /// The scenario cannot be built with these settings, or has no such quantity then.
    Refused(String),
    /// The numbers went wrong.
    Failed(String),
}

/// Carries all jobs out, the most expensive first. `ended` is called from the threads, with the number of runs that have ended.
pub fn carry_out(
    (scenario, quantity): (&str, &str),
    jobs: &[Job],
    threads: usize,
    ended: &(dyn Fn(usize) + Sync),
) -> Vec<Value> {
    let mut order: Vec<usize> = (0..jobs.len()).collect();
    order.sort_by(|a, b| jobs[*b].cost.total_cmp(&jobs[*a].cost));
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let values = Mutex::new(vec![Value::Refused("was not run".into()); jobs.len()]);
    let work = || {
        while let Some(k) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let value = alone(|| value(scenario, &jobs[*k].sets, quantity));
            if let Ok(mut values) = values.lock() {
                values[*k] = value;
            }
            ended(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.clamp(1, jobs.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    values.into_inner().unwrap_or_default()
}

/// One run and its quantity.
pub fn value(scenario: &str, sets: &[String], quantity: &str) -> Value {
    let case = match run_case(scenario, sets) {
        Ok(case) => case,
        Err(CaseError::Scenario(errors)) => {
            // Without the settings, which the study itself made, and without the hint.
            let why = errors.diagnostics.first().map(|d| format!("{} {}", d.path, d.what));
            return Value::Refused(why.unwrap_or_else(|| errors.to_string()));
        }
        Err(error) => return Value::Failed(error.to_string()),
    };
    if let Some(reason) = &case.outcome.stopped_because {
        return Value::Failed(reason.clone());
    }
    match case.value(quantity) {
        Some(x) if x.is_finite() => Value::Found(x),
        Some(_) => Value::Refused(format!("{quantity} has no value")),
        None => Value::Refused(format!("{quantity} is omitted")),
    }
}
