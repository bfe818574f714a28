//! Claims ⇒ runs: each is made once, by any free thread, and everything that rows need is read at its end.

use super::claim::{Claim, Reading, Term};
use super::judge::judge;
use super::library::{Topic, all_settings};
use super::measured::{self, Compared};
use super::read::{Measured, read};
use super::report::{Report, RunNote};
use super::text::with_unit;
use crate::{Case, run_case};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_scenario::load;
use touchdown_sim::description::{Ground, WorldDescription};

/// What is to be run for some claims.
#[derive(Clone, Debug)]
pub struct Plan {
    asked: Option<String>,
    topics: Vec<Topic>,
    runs: Vec<Planned>,
}

/// A run, and what is read from it.
#[derive(Clone, Debug)]
struct Planned {
    scenario: String,
    set: Vec<String>,
    readings: Vec<Reading>,
}

/// What a run gave: a value for each of its readings.
struct Done {
    note: RunNote,
    values: Vec<Result<Measured, String>>,
}

/// How far a validation is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Runs that have ended.
    pub done: usize,
    /// All runs.
    pub of: usize,
    /// The one that just ended.
    pub scenario: String,
}

impl Plan {
    /// What the claims need; `asked` is the name by which they were chosen.
    pub fn new(topics: Vec<Topic>, asked: Option<&str>) -> Self {
        let mut plan = Plan { asked: asked.map(str::to_string), topics: Vec::new(), runs: Vec::new() };
        for placed in topics.iter().flat_map(|topic| &topic.claims) {
            let claim = &placed.claim;
            for set in all_settings(claim) {
                for term in terms(claim) {
                    plan.note(&claim.scenario, &set, term);
                }
            }
        }
        for set in topics.iter().flat_map(|topic| &topic.measured) {
            for (settings, readings) in measured::planned(set) {
                for reading in readings {
                    plan.note(&set.scenario, &settings, &Term::Reading(reading));
                }
            }
        }
        plan.topics = topics;
        plan
    }

    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    fn note(&mut self, scenario: &str, set: &[String], term: &Term) {
        match term {
            Term::Number(_) => {}
            Term::Sum(terms) => terms.iter().for_each(|term| self.note(scenario, set, term)),
            Term::Reading(reading) => {
                let (set, reading) = split(set, reading);
                let found = self.runs.iter_mut().find(|run| run.scenario == scenario && run.set == set);
                match found {
                    Some(run) if run.readings.contains(&reading) => {}
                    Some(run) => run.readings.push(reading),
                    None => {
                        self.runs.push(Planned { scenario: scenario.into(), set, readings: vec![reading] })
                    }
                }
            }
        }
    }

    /// Runs everything on this many threads and judges the claims. `progress` is called from them as runs end.
    pub fn carry_out(&self, threads: usize, progress: &(dyn Fn(Progress) + Sync)) -> Report {
        // The longest first, so that no thread is left with a long one at the end.
        let mut order: Vec<usize> = (0..self.runs.len()).collect();
        let costs: Vec<f64> = self.runs.iter().map(cost).collect();
        order.sort_by(|a, b| costs[*b].total_cmp(&costs[*a]));
        let (next, ended) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results: Mutex<Vec<Option<Done>>> = Mutex::new(self.runs.iter().map(|_| None).collect());
        let work = || {
            while let Some(k) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                let done = alone(|| self.runs[*k].carry_out());
                if let Ok(mut results) = results.lock() {
                    results[*k] = Some(done);
                }
                let done = ended.fetch_add(1, Ordering::Relaxed) + 1;
                progress(Progress { done, of: order.len(), scenario: self.runs[*k].scenario.clone() });
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.clamp(1, self.runs.len().max(1)) {
                scope.spawn(work);
            }
            work();
        });
        self.report(&results.into_inner().unwrap_or_default())
    }

    fn report(&self, done: &[Option<Done>]) -> Report {
        let look_up = |scenario: &str, set: &[String], reading: &Reading| {
            let (set, reading) = split(set, reading);
            let at = self.runs.iter().position(|run| run.scenario == scenario && run.set == set);
            let run = at.and_then(|k| Some((&self.runs[k], done.get(k)?.as_ref()?)));
            let (planned, done) = run.ok_or("was not run")?;
            if let Some(reason) = &done.note.stopped_because {
                return Err(reason.clone());
            }
            let at = planned.readings.iter().position(|known| *known == reading);
            at.map_or(Err("was not read".into()), |k| done.values[k].clone())
        };
        let (mut rows, mut compared): (Vec<_>, Vec<Compared>) = (Vec::new(), Vec::new());
        for topic in &self.topics {
            for placed in &topic.claims {
                let scenario = &placed.claim.scenario;
                rows.extend(judge(&topic.name, placed, &|set, reading| look_up(scenario, set, reading)));
            }
            for set in &topic.measured {
                let found = measured::compare(set, &look_up);
                rows.extend(measured::goals(set, &found));
                compared.push(found);
            }
        }
        let runs = done.iter().flatten().map(|done| done.note.clone()).collect();
        let (version, asked) = (env!("CARGO_PKG_VERSION").into(), self.asked.clone());
        Report { version, asked, rows, measured: compared, runs }
    }
}

impl Planned {
    fn carry_out(&self) -> Done {
        let note = |stopped_because: Option<String>, out_of_range: Vec<String>| RunNote {
            scenario: self.scenario.clone(),
            set: self.set.clone(),
            stopped_because,
            out_of_range,
        };
        match run_case(&self.scenario, &self.set) {
            Err(error) => Done { note: note(Some(error.to_string()), Vec::new()), values: Vec::new() },
            Ok(case) => {
                let values = self.readings.iter().map(|reading| read(&case, reading)).collect();
                Done { note: note(case.outcome.stopped_because.clone(), out_of_range(&case)), values }
            }
        }
    }
}

/// Ranges of validity that a run left.
fn out_of_range(case: &Case) -> Vec<String> {
    let left = case.outcome.validity.iter().filter(|check| !check.holds());
    left.map(|check| {
        let (value, limit) = (with_unit(check.value, &check.unit), with_unit(check.limit, &check.unit));
        let side = if check.at_most { "at most" } else { "at least" };
        format!("{}: {value}, {side} {limit}", check.name)
    })
    .collect()
}

/// The numbers that a claim asks for.
fn terms(claim: &Claim) -> impl Iterator<Item = &Term> {
    let of_parts =
        claim.rows.iter().flat_map(|part| part.target.iter().chain(&part.value).chain(&part.minus));
    [&claim.value].into_iter().chain(&claim.minus).chain(&claim.over).chain(&claim.target).chain(of_parts)
}

/// The settings of the run that a reading is about, and the reading by itself.
fn split(set: &[String], reading: &Reading) -> (Vec<String>, Reading) {
    let set = set.iter().chain(&reading.set).cloned().collect();
    (set, Reading { set: Vec::new(), ..reading.clone() })
}

/// Runs on the calling thread alone: other runs have the other cores.
pub(crate) fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

/// A guess of how long a run takes, in no unit: simulated time, weighted by what costs most in it.
fn cost(run: &Planned) -> f64 {
    load(&run.scenario, &run.set).map_or(0.0, |scenario| cost_of(&scenario.description))
}

fn cost_of(description: &WorldDescription) -> f64 {
    let spacing = match &description.ground {
        Some(Ground::Soil(soil)) => soil.spacing,
        _ => 1.0,
    };
    // A slope is a run of its own, of which most end early.
    if description.study.as_ref().is_none_or(|study| study.takes_time()) {
        description.duration * (1.0 + description.soil_bodies.len() as f64 * 1e-3 / (spacing * spacing))
    } else {
        1.0
    }
}
