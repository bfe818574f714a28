//! The runner: checks that nothing has changed, works on a shard (`shard`, its threads in `workers`), puts the result together when all cases are there.

use crate::assess::Tracker;
use crate::error::CampaignError;
use crate::make::inputs;
use crate::plan::Planned;
use crate::shard::Shard;
use crate::store::{Store, UNTIL_DECIDED};
use touchdown_record::RecordError;

/// How to run.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Cases at the same time.
    pub threads: usize,
    /// Which part of how many.
    pub shard: (u64, u64),
    /// Stop as soon as all requirements are decided.
    pub until_decided: bool,
    /// Go on although the program or an input is not the one of the plan.
    pub accept_changes: bool,
    /// Which program this is, as the plan says it: its version and the hash of its sources.
    pub program: (&'a str, &'a str),
    /// Asked between cases, and after every step of them.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Cases of the shard that are done.
    pub done: u64,
    /// Cases of the shard.
    pub of: u64,
    /// Cases done by this process.
    pub here: u64,
    /// Requirements that are decided, and how many there are.
    pub decided: (usize, usize),
    /// Wall-clock time since the start, s.
    pub wall: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The whole campaign is finished: this many cases.
    Finished(u64),
    /// This shard is done, others are not.
    ShardDone,
}

/// Runs a shard of a campaign, or goes on with it.
pub fn run(
    store: &Store,
    options: &RunOptions,
    show: &mut dyn FnMut(Progress),
) -> Result<Ended, CampaignError> {
    check_unchanged(&store.planned, options)?;
    if options.until_decided && !store.until_decided() {
        let written = store.root().write(UNTIL_DECIDED, b"touchdown campaign\n");
        // Shards that start at the same time write the same.
        written.or_else(|error| if store.until_decided() { Ok(()) } else { Err(error) })?;
    }
    if let Some(finished) = store.finished()? {
        return Ok(Ended::Finished(finished.cases));
    }
    let (i, n) = options.shard;
    let range = store.planned.shard(i, n);
    let place = store.shard(i)?;
    let lock = Store::lock(&place)?;
    let mut shard = Shard::open(store, place, range)?;
    let until_decided = store.until_decided();
    shard.work(options, until_decided, show)?;
    drop(lock);
    try_finish(store)
}

/// Puts the result together if every case that it needs is there.
pub fn try_finish(store: &Store) -> Result<Ended, CampaignError> {
    if let Some(finished) = store.finished()? {
        return Ok(Ended::Finished(finished.cases));
    }
    let cases = store.planned.plan.cases;
    let mut tracker = Tracker::new(&store.planned.plan);
    let stopping = store.until_decided();
    let mut stop = None;
    let prefix = store.prefix(&mut |row| {
        tracker.add(&row);
        if stopping && stop.is_none() {
            stop = tracker.stops_at();
        }
    })?;
    match stop.or((prefix == cases).then_some(cases)) {
        Some(cases) => match store.finish(cases) {
            // Another shard ended at the same time and puts it together.
            Err(CampaignError::Record(RecordError::Busy { .. })) => Ok(Ended::ShardDone),
            other => Ok(Ended::Finished(other?.cases)),
        },
        None => Ok(Ended::ShardDone),
    }
}

/// Program, scenario and its files must be those of the plan.
fn check_unchanged(planned: &Planned, options: &RunOptions) -> Result<(), CampaignError> {
    if options.accept_changes {
        return Ok(());
    }
    let plan = &planned.plan;
    let (version, source) = options.program;
    if plan.version != version || plan.build.source != source {
        let what = format!(
            "the program (planned with {} {}, now {version} {source})",
            plan.version, plan.build.source
        );
        return Err(CampaignError::Changed { what });
    }
    let now = inputs(&plan.scenario, &plan.set, &plan.vary, plan.table.as_ref())?;
    for input in &plan.inputs {
        match now.iter().find(|found| found.name == input.name) {
            Some(found) if found.blake3 == input.blake3 => {}
            Some(_) => {
                return Err(CampaignError::Changed { what: format!("{} has other content", input.name) });
            }
            None => {
                return Err(CampaignError::Changed { what: format!("{} is not read any more", input.name) });
            }
        }
    }
    Ok(())
}
