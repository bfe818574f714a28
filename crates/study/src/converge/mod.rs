//! Convergence: step, grid, mesh and domain of a scenario refined in turn and together, orders fitted, and the quantity given with
//! a numerical uncertainty and a plain verdict.
//!
//! Scenario ⇒ [`ladder`]s of settings ⇒ runs ⇒ [`fit`] of each ⇒ verdict ⇒ [`Stamp`]. See `docs/theory/convergence.md`.

pub mod fit;
pub mod ladder;
mod verdict;

use crate::runs::{self, Job, Progress, Value};
use crate::subject::{self, SubjectError};
use ladder::{Ladder, What, ladders};
use touchdown_math::Elementary;
use touchdown_record::Stamp;
use touchdown_scenario::{Scenario, load};

/// Tolerance if none is given: numerical error over the value.
const TOLERANCE: f64 = 0.05;
/// Refinements of all settings at once beyond the scenario's own.
const TOGETHER: usize = 2;
/// Levels of each setting that a study may have.
pub const LEVELS: std::ops::RangeInclusive<usize> = 3..=9;

/// How a study is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The quantity; that of the scenario's `[converge]` or its answer if none is named.
    pub quantity: Option<String>,
    /// Settings tried for each of step, grid and mesh.
    pub levels: usize,
    /// Numerical error over the value that is allowed.
    pub tolerance: Option<f64>,
    /// Runs at the same time.
    pub threads: usize,
    /// Version of the program, for the stamp.
    pub version: String,
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum ConvergeError {
    /// Scenario, quantity or a run.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// Neither step nor grid, mesh or domain.
    #[error("{scenario} has nothing to refine: {why}")]
    NothingToRefine {
        /// The scenario.
        scenario: String,
        /// Why.
        why: &'static str,
    },
}

/// One setting with the values it gave.
struct Refined {
    ladder: Ladder,
    /// (factor, shown setting, value), coarse to fine.
    tried: Vec<(f64, f64, f64)>,
    /// Settings that gave nothing, and why.
    missing: Vec<String>,
}

/// Makes a study. `progress` is called from several threads as runs end.
pub fn converge(
    name: &str,
    sets: &[String],
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Stamp, ConvergeError> {
    let scenario = load(name, sets).map_err(SubjectError::from)?;
    let quantity = subject::quantity(&scenario, options.quantity.as_deref())?;
    subject::check_known(&scenario, &quantity)?;
    let ladders = ladders(&scenario, options.levels.clamp(*LEVELS.start(), *LEVELS.end()));
    if ladders.is_empty() {
        let why = "it has no time step, no soil grid, no mesh, and [converge] names no domain";
        return Err(ConvergeError::NothingToRefine { scenario: scenario.name, why });
    }
    let jobs = jobs(sets, &ladders);
    let of = jobs.len() + 1;
    progress(Progress { done: 0, of });
    // The scenario's own settings first: if they fail, nothing else matters.
    let (own, unit) = subject::own_value(name, sets, &scenario, &quantity)?;
    progress(Progress { done: 1, of });
    let ended = |done: usize| progress(Progress { done: done + 1, of });
    let values = runs::carry_out((name, &quantity), &jobs, options.threads, &ended);
    let (refined, together) = collect(&ladders, &jobs, values, own)?;
    let subject = verdict::Subject {
        scale: scale(&scenario, &quantity),
        tolerance: options.tolerance.or(scenario.converge.tolerance).unwrap_or(TOLERANCE),
        own,
        unit,
        quantity,
    };
    Ok(verdict::stamp(&scenario, &options.version, &subject, &refined, together.as_ref()))
}

/// Every setting but the scenario's own, ladder by ladder, then all together.
fn jobs(sets: &[String], ladders: &[Ladder]) -> Vec<Job> {
    let with = |more: Vec<String>| sets.iter().cloned().chain(more).collect();
    let mut jobs = Vec::new();
    for ladder in ladders {
        let others = ladder.factors.iter().filter(|f| **f != 1.0);
        jobs.extend(others.map(|f| Job { sets: with(ladder.sets(*f)), cost: ladder.cost(*f) }));
    }
    if ladders.len() > 1 {
        for n in 1..=TOGETHER {
            let all = ladders.iter().flat_map(|ladder| ladder.turned(ladder.beyond(n))).collect();
            let cost = ladders.iter().map(|ladder| ladder.cost(ladder.beyond(n))).product();
            jobs.push(Job { sets: with(all), cost });
        }
    }
    jobs
}

/// Values back to their ladders. A setting coarser than the scenario's may fail, and is left out with a remark; a finer one may not.
fn collect(
    ladders: &[Ladder],
    jobs: &[Job],
    values: Vec<Value>,
    own: f64,
) -> Result<(Vec<Refined>, Option<Refined>), ConvergeError> {
    let mut rest = jobs.iter().zip(values);
    let mut refined = Vec::new();
    for ladder in ladders {
        let mut all = Refined { ladder: ladder.clone(), tried: Vec::new(), missing: Vec::new() };
        for factor in &ladder.factors {
            let shown = ladder.value(*factor);
            if *factor == 1.0 {
                all.tried.push((*factor, shown, own));
            } else if let Some((job, value)) = rest.next() {
                let coarser = *factor > 1.0 && ladder.what != What::Domain;
                all.take((*factor, shown), job, &value, coarser)?;
            }
        }
        refined.push(all);
    }
    let mut together = None;
    if ladders.len() > 1 {
        let ladder =
            Ladder { what: What::Together, keys: Vec::new(), factors: Vec::new(), orders: (0.5, 2.0) };
        let mut all = Refined { ladder, tried: vec![(1.0, 1.0, own)], missing: Vec::new() };
        for (n, (job, value)) in rest.enumerate() {
            let finer = 0.5f64.whole_power(n as i32 + 1);
            all.take((finer, finer), job, &value, false)?;
        }
        together = Some(all);
    }
    Ok((refined, together))
}

impl Refined {
    fn take(
        &mut self,
        (factor, shown): (f64, f64),
        job: &Job,
        value: &Value,
        coarser: bool,
    ) -> Result<(), ConvergeError> {
        match value {
            Value::Found(x) => self.tried.push((factor, shown, *x)),
            Value::Failed(reason) if !coarser => {
                let settings = job.sets.join(" ");
                return Err(SubjectError::Failed { settings, reason: reason.clone() }.into());
            }
            Value::Failed(reason) | Value::Refused(reason) => self.missing.push(reason.clone()),
        }
        Ok(())
    }
}

/// Least size that the tolerance refers to: that of `[converge]` for the quantity which it means, else the quantity's own.
fn scale(scenario: &Scenario, quantity: &str) -> f64 {
    let c = &scenario.converge;
    let meant =
        c.quantity.as_ref().or(scenario.report.answer.quantity.as_ref()).is_some_and(|name| name == quantity);
    let own = || scenario.description.quantities.iter().find(|q| q.name == quantity)?.scale;
    c.scale.filter(|_| meant).or_else(own).unwrap_or(0.0)
}
