//! Convergence: step, grid, mesh and domain of a scenario refined in turn and together, orders fitted, and the quantity given with
//! a numerical uncertainty and a plain verdict.
//!
//! Scenario ⇒ [`ladder`]s of settings ⇒ runs ⇒ [`fit`] of each ⇒ verdict ⇒ [`Stamp`]. See `docs/theory/convergence.md`.

pub mod fit;
pub mod ladder;
mod runs;
mod verdict;
mod words;

use crate::case::CaseError;
use ladder::{Ladder, What, ladders};
use runs::{Job, Value};
use touchdown_math::Elementary;
use touchdown_record::Stamp;
use touchdown_scenario::{Scenario, ScenarioErrors, load};
use touchdown_sim::Simulation;

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

/// How far a study is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Runs that have ended.
    pub done: usize,
    /// Runs in all.
    pub of: usize,
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum ConvergeError {
    /// The scenario has mistakes.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// No quantity was named, and the scenario has no answer.
    #[error("no quantity was named, and {scenario} has no answer of its own")]
    Unnamed {
        /// The scenario.
        scenario: String,
    },
    /// The scenario has no such quantity.
    #[error("{scenario} has no quantity {name}")]
    NoQuantity {
        /// The scenario.
        scenario: String,
        /// What was asked for.
        name: String,
        /// The nearest name, or why it is missing.
        hint: String,
    },
    /// Neither step nor grid, mesh or domain.
    #[error("{scenario} has nothing to refine: {why}")]
    NothingToRefine {
        /// The scenario.
        scenario: String,
        /// Why.
        why: &'static str,
    },
    /// A run did not reach its end.
    #[error("{settings}: {reason}")]
    Failed {
        /// Settings of that run.
        settings: String,
        /// Time, step and joint.
        reason: String,
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
    let scenario = load(name, sets)?;
    let quantity = quantity(&scenario, options)?;
    check_known(&scenario, &quantity)?;
    let ladders = ladders(&scenario, options.levels.clamp(*LEVELS.start(), *LEVELS.end()));
    if ladders.is_empty() {
        let why = "it has no time step, no soil grid, no mesh, and [converge] names no domain";
        return Err(ConvergeError::NothingToRefine { scenario: scenario.name, why });
    }
    let jobs = jobs(sets, &ladders);
    let of = jobs.len() + 1;
    progress(Progress { done: 0, of });
    // The scenario's own settings first: if they fail, nothing else matters.
    let (own, unit) = own_value(name, sets, &scenario, &quantity)?;
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

/// The quantity in question.
fn quantity(scenario: &Scenario, options: &Options) -> Result<String, ConvergeError> {
    let own = || scenario.converge.quantity.clone().or_else(|| scenario.report.answer.quantity.clone());
    let unnamed = || ConvergeError::Unnamed { scenario: scenario.name.clone() };
    options.quantity.clone().or_else(own).ok_or_else(unnamed)
}

/// Whether a run in time will have the quantity; studies without time are quick, and say so after their first run.
fn check_known(scenario: &Scenario, quantity: &str) -> Result<(), ConvergeError> {
    if scenario.description.study.as_ref().is_some_and(|study| !study.takes_time()) {
        return Ok(());
    }
    let world = Simulation::build(&scenario.description).map_err(|errors| scenario.explain(&errors))?;
    let known = world.answers();
    if known.iter().any(|name| name == quantity) { Ok(()) } else { Err(unknown(scenario, quantity, &known)) }
}

/// Quantities that a hint lists.
const MOST_LISTED: usize = 6;

fn unknown(scenario: &Scenario, quantity: &str, known: &[String]) -> ConvergeError {
    let left_out = scenario.warnings.iter().find(|w| w.starts_with(&format!("{quantity} is omitted")));
    let far = |name: &&String| strsim::damerau_levenshtein(name, quantity);
    // A third of the letters wrong is a slip of the finger; more is another word.
    let near =
        known.iter().min_by_key(far).filter(|name| far(name) <= 1 + name.len().max(quantity.len()) / 3);
    let hint = match (left_out, near) {
        (Some(why), _) => why.clone(),
        (None, Some(near)) => format!("did you mean {near}?"),
        (None, None) if known.is_empty() => "it has none".into(),
        (None, None) => {
            let more = if known.len() > MOST_LISTED { ", …" } else { "" };
            let first: Vec<&str> = known.iter().take(MOST_LISTED).map(String::as_str).collect();
            format!("it has {}{more}; touchdown show {} lists them", first.join(", "), scenario.name)
        }
    };
    ConvergeError::NoQuantity { scenario: scenario.name.clone(), name: quantity.into(), hint }
}

/// The quantity at the scenario's own settings, and its unit.
fn own_value(
    name: &str,
    sets: &[String],
    scenario: &Scenario,
    quantity: &str,
) -> Result<(f64, String), ConvergeError> {
    let failed =
        |reason: String| ConvergeError::Failed { settings: "the scenario's own settings".into(), reason };
    let case = crate::validate::alone(|| crate::case::run_case(name, sets)).map_err(|error| match error {
        CaseError::Scenario(errors) => ConvergeError::Scenario(errors),
        CaseError::Run(error) => failed(error.to_string()),
    })?;
    if let Some(reason) = case.outcome.stopped_because {
        return Err(failed(reason));
    }
    let all: Vec<_> = case.outcome.quantities.into_iter().chain(case.outcome.ledger).collect();
    let Some(found) = all.iter().find(|value| value.name == quantity) else {
        let known: Vec<String> = all.into_iter().map(|value| value.name).collect();
        return Err(unknown(scenario, quantity, &known));
    };
    if found.value.is_finite() {
        Ok((found.value, found.unit.clone()))
    } else {
        let hint = "at the scenario's own settings it has no value; touchdown run says why".into();
        Err(ConvergeError::NoQuantity { scenario: scenario.name.clone(), name: quantity.into(), hint })
    }
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
            let all = ladders.iter().flat_map(|ladder| ladder.sets(ladder.beyond(n))).collect();
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
                return Err(ConvergeError::Failed { settings: job.sets.join(" "), reason: reason.clone() });
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
