//! What `touchdown.campaign` stands on: plans, shards, verdicts and pages of campaigns, with Python's lock released and Ctrl-C looked at.

use crate::errors;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use touchdown::campaign::{self, CampaignError, Ended, Progress, RunOptions, Store};
use touchdown_session::identity;

/// How long the engine runs between two looks at signals.
const EVERY: Duration = Duration::from_millis(40);

/// Makes the plan of a study in a folder; returns how many cases it has.
#[pyfunction]
pub fn campaign_plan(py: Python<'_>, name: &str, text: &str, folder: PathBuf, out: PathBuf) -> PyResult<u64> {
    let plan = || -> Result<u64, CampaignError> {
        let study = campaign::read_study_text(name, text, &folder)?;
        let store = Store::create(&out, campaign::make(&study, identity::VERSION, identity::build())?)?;
        Ok(store.planned.plan.cases)
    };
    py.detach(plan).map_err(errors::of_campaign)
}

/// How many cases the plan in a folder has.
#[pyfunction]
pub fn campaign_cases(out: PathBuf) -> PyResult<u64> {
    Store::open(&out).map(|store| store.planned.plan.cases).map_err(errors::of_campaign)
}

/// Runs a shard, or goes on with it; whether the whole campaign is finished. `progress` is called with cases that are done and cases of the shard.
#[pyfunction]
#[pyo3(signature = (out, threads, shard, until_decided, accept_changes, progress))]
pub fn campaign_run(
    py: Python<'_>,
    out: PathBuf,
    threads: usize,
    shard: (u64, u64),
    until_decided: bool,
    accept_changes: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<bool> {
    let store = Store::open(&out).map_err(errors::of_campaign)?;
    let build = identity::build();
    let halt = AtomicBool::new(false);
    let stop = || halt.load(Ordering::SeqCst);
    let program = (identity::VERSION, build.source.as_str());
    let options = RunOptions { threads, shard, until_decided, accept_changes, program, stop: &stop };
    let (ended, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            let (store, options) = (&store, &options);
            let worker = scope.spawn(move || {
                // The receiver is gone only if this function was left.
                campaign::run(store, options, &mut |p| send.send(p).unwrap_or_default())
            });
            let raised = watch(&receive, progress.as_ref(), &halt);
            (worker.join(), raised)
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    match ended {
        Ok(Ok(ended)) => Ok(matches!(ended, Ended::Finished(_))),
        Ok(Err(error)) => Err(errors::of_campaign(error)),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// Looks at signals and shows progress until the run ends; what was raised stops it.
fn watch(receive: &Receiver<Progress>, show: Option<&Py<PyAny>>, halt: &AtomicBool) -> Option<PyErr> {
    let mut raised = None;
    loop {
        let latest = match receive.recv_timeout(EVERY) {
            Ok(first) => receive.try_iter().last().or(Some(first)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return raised,
        };
        if raised.is_none() {
            let look = |py: Python<'_>| {
                py.check_signals()?;
                match (show, latest) {
                    (Some(show), Some(p)) => show.call1(py, (p.done, p.of)).map(|_| ()),
                    _ => Ok(()),
                }
            };
            raised = Python::attach(look).err();
            halt.store(raised.is_some(), Ordering::SeqCst);
        }
    }
}

/// Verdicts, bounds and cases without an answer, as `touchdown campaign assess --json` prints them.
#[pyfunction]
pub fn campaign_assess(py: Python<'_>, out: PathBuf) -> PyResult<String> {
    let assess = || -> Result<serde_json::Value, CampaignError> {
        let assessed = campaign::assess(&Store::open(&out)?)?;
        let mut value = serde_json::to_value(&assessed).map_err(|e| CampaignError::Other(e.to_string()))?;
        value["verdict"] = assessed.verdict().name().into();
        Ok(value)
    };
    py.detach(assess).map(|value| value.to_string()).map_err(errors::of_campaign)
}

/// Cases whose whole run is kept: number, scenario and settings.
#[pyfunction]
pub fn campaign_kept(py: Python<'_>, out: PathBuf) -> PyResult<Vec<(u64, String, Vec<String>)>> {
    let kept = || -> Result<Vec<(u64, String, Vec<String>)>, CampaignError> {
        let store = Store::open(&out)?;
        let planned = &store.planned;
        let one = |index| (index, planned.plan.scenario.clone(), planned.sets(index));
        Ok(campaign::kept(&store)?.into_iter().map(one).collect())
    };
    py.detach(kept).map_err(errors::of_campaign)
}

/// Writes the page.
#[pyfunction]
pub fn campaign_report(py: Python<'_>, out: PathBuf) -> PyResult<PathBuf> {
    py.detach(|| campaign::report::write(&Store::open(&out)?)).map_err(errors::of_campaign)
}
