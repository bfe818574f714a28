//! One case: settings ⇒ scenario ⇒ simulation on one thread ⇒ a row. It does not depend on what ran before or in parallel.

use crate::error::CampaignError;
use crate::plan::{Named, Planned};
use serde::{Deserialize, Serialize};
use touchdown_scenario::{MemoryLimit, Prepared, ScenarioErrors, load};
use touchdown_sim::Simulation;
use touchdown_sim::description::Study as StudyOfWorld;
use touchdown_sim::sink::{Column, Frame, NamedValue, Outcome, Progress, Sink, SinkError};

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// It reached its end within all ranges of validity.
    Ok,
    /// It reached its end but left the range of a model or a method.
    LeftValidity,
    /// It failed numerically.
    Failed,
    /// Its inputs do not make a scenario.
    Refused,
}

impl Status {
    /// As the result has it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::LeftValidity => "left-validity",
            Status::Failed => "failed",
            Status::Refused => "refused",
        }
    }

    /// From its name.
    pub fn named(name: &str) -> Option<Status> {
        [Status::Ok, Status::LeftValidity, Status::Failed, Status::Refused]
            .into_iter()
            .find(|s| s.name() == name)
    }
}

/// What a case answers; its inputs follow from plan and index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which case.
    pub index: u64,
    /// Quantities of the plan; not a number where there is none.
    pub quantities: Vec<f64>,
    /// Checks of the plan, whether they hold; none where there is none.
    pub checks: Vec<Option<bool>>,
    /// How it ended.
    pub status: Status,
    /// Why, if not well.
    pub reason: String,
}

/// What is known of a scenario's answers before its cases are run.
pub(crate) struct Answers {
    pub all: Vec<Named>,
    /// Names of those that are quantities, not entries of the ledger.
    pub own: Vec<String>,
    pub checks: Vec<Named>,
    pub columns: Vec<Named>,
}

/// Finds out what a scenario answers: from the built simulation, or from a run where a study has no time.
pub(crate) fn probe(name: &str, sets: &[String]) -> Result<Answers, CampaignError> {
    let scenario = load(name, sets)?;
    let mut world = Simulation::build(&scenario.description).map_err(|errors| scenario.explain(&errors))?;
    scenario.check_columns(world.columns())?;
    world.use_threads(1);
    let columns = world.columns().iter().map(|c: &Column| named(&c.name, c.unit, &c.about)).collect();
    let in_time = matches!(scenario.description.study, None | Some(StudyOfWorld::Gradability(_)));
    let outcome = if in_time {
        world.outcome()
    } else {
        world.run(&mut Quiet::default()).map_err(|e| CampaignError::Other(e.to_string()))?
    };
    let value = |v: &NamedValue| named(&v.name, &v.unit, &v.about);
    // Figures of the ledger may be among the quantities, too; a name is one column.
    let own: Vec<Named> = outcome.quantities.iter().map(value).collect();
    let ledger = outcome.ledger.iter().filter(|v| own.iter().all(|n| n.name != v.name)).map(value);
    Ok(Answers {
        own: outcome.quantities.iter().map(|v| v.name.clone()).collect(),
        all: own.iter().cloned().chain(ledger).collect(),
        checks: outcome.validity.iter().map(|c| named(&c.name, &c.unit, &c.about)).collect(),
        columns,
    })
}

fn named(name: &str, unit: &str, about: &str) -> Named {
    Named { name: name.into(), unit: unit.into(), about: about.into() }
}

/// What a case needs beside its plan.
pub struct Surroundings<'a> {
    /// A checkpoint of this case that an earlier process left.
    pub saved: Option<Vec<u8>>,
    /// Takes a checkpoint of this case.
    pub save: &'a mut dyn FnMut(&[u8]) -> Result<(), SinkError>,
    /// Whether to stop at the next step, with a checkpoint.
    pub stop: &'a dyn Fn() -> bool,
}

/// Runs a case of a plan, whose scenario was prepared; `None` if it was asked to stop.
pub fn run_case(
    (planned, prepared): (&Planned, &Prepared),
    index: u64,
    around: Surroundings<'_>,
) -> Result<Option<Row>, CampaignError> {
    let plan = &planned.plan;
    let refused = |errors: ScenarioErrors| Row {
        index,
        quantities: vec![f64::NAN; plan.quantities.len()],
        checks: vec![None; plan.checks.len()],
        status: Status::Refused,
        reason: first_line(&errors),
    };
    let scenario = match prepared.variant(&planned.sets(index)) {
        Ok(scenario) => scenario,
        Err(errors) => return Ok(Some(refused(errors))),
    };
    scenario.check_size(&MemoryLimit::of_free())?;
    let mut world = match Simulation::build(scenario.description()) {
        Ok(world) => world,
        Err(errors) => return Ok(Some(refused(scenario.explain(&errors)))),
    };
    world.use_threads(1);
    if let Some(state) = &around.saved {
        // A checkpoint that does not fit costs time, never the result.
        if world.resume(state).is_err() {
            world = Simulation::build(scenario.description()).map_err(|errors| scenario.explain(&errors))?;
            world.use_threads(1);
        }
    }
    let ends: Vec<usize> = plan.columns.iter().filter_map(|c| world.column(c).ok()).collect();
    let mut sink = Quiet { around: Some(around), last: Vec::new(), wants_rows: !ends.is_empty() };
    let outcome = match world.run(&mut sink) {
        Ok(outcome) => outcome,
        Err(touchdown_sim::RunError::Interrupted { .. }) => return Ok(None),
        Err(error) => return Err(CampaignError::Other(format!("case {index}: {error}"))),
    };
    let last = ends.iter().map(|k| sink.last.get(*k).copied().unwrap_or(f64::NAN));
    Ok(Some(row(planned, index, &outcome, last)))
}

fn row(planned: &Planned, index: u64, outcome: &Outcome, last: impl Iterator<Item = f64>) -> Row {
    let plan = &planned.plan;
    let all = || outcome.quantities.iter().chain(&outcome.ledger);
    let value = |n: &Named| all().find(|v| v.name == n.name).map_or(f64::NAN, |v| v.value);
    let from_outcome = plan.quantities.len() - plan.columns.len();
    // One not-a-number only: the store keeps none of its bits, and hashes of rows are of bits.
    let plain = |x: f64| if x.is_nan() { f64::NAN } else { x };
    let quantities = plan.quantities[..from_outcome].iter().map(value).chain(last).map(plain).collect();
    let checks = plan
        .checks
        .iter()
        .map(|n| outcome.validity.iter().find(|c| c.name == n.name).map(|c| c.holds()))
        .collect();
    let left: Vec<&str> = outcome.validity.iter().filter(|c| !c.holds()).map(|c| c.name.as_str()).collect();
    let (status, reason) = match (&outcome.stopped_because, left.is_empty()) {
        (Some(why), _) => (Status::Failed, why.clone()),
        (None, false) => (Status::LeftValidity, format!("outside the range of {}", left.join(", "))),
        (None, true) => (Status::Ok, String::new()),
    };
    Row { index, quantities, checks, status, reason }
}

fn first_line(errors: &ScenarioErrors) -> String {
    errors.to_string().lines().next().unwrap_or_default().to_string()
}

/// A sink that keeps nothing but the last row, and checkpoints.
#[derive(Default)]
struct Quiet<'a> {
    around: Option<Surroundings<'a>>,
    last: Vec<f64>,
    wants_rows: bool,
}

impl Sink for Quiet<'_> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        if self.wants_rows {
            self.last.clear();
            self.last.extend_from_slice(row);
        }
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, state: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        match &mut self.around {
            Some(around) => (around.save)(state),
            None => Ok(()),
        }
    }
    fn progress(&mut self, _: Progress) {}
    fn is_stop_requested(&self) -> bool {
        self.around.as_ref().is_some_and(|around| (around.stop)())
    }
}
