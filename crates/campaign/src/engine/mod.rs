//! Schedulers that run shards on other machines. A shard is a plain command, so that any scheduler can run it; results go to a shared folder.

mod slurm;

pub use slurm::Slurm;

use crate::error::CampaignError;
use crate::store::Store;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What is handed to a scheduler.
#[derive(Clone, Debug)]
pub struct Job {
    /// The command `touchdown`, where the machines find it.
    pub program: PathBuf,
    /// Folder of the campaign, as all machines see it.
    pub dir: PathBuf,
    /// Number of shards.
    pub shards: u64,
    /// Threads of each.
    pub threads: u16,
    /// Whether it stops when everything is decided.
    pub until_decided: bool,
    /// Further words for the scheduler.
    pub options: Vec<String>,
}

/// A shard as the scheduler sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Task {
    /// The scheduler's name of it.
    pub id: String,
    /// Its state, in the scheduler's word.
    pub state: String,
    /// Why it waits, or how it ended.
    pub reason: String,
    /// Whether it has ended, well or not.
    pub ended: bool,
}

/// A scheduler.
pub trait Engine {
    /// Its name, as `--engine` has it.
    fn name(&self) -> &'static str;
    /// Hands over a job; returns the scheduler's name of it.
    fn submit(&self, job: &Job) -> Result<String, CampaignError>;
    /// Shards of a job, as far as the scheduler remembers them.
    fn poll(&self, id: &str) -> Result<Vec<Task>, CampaignError>;
    /// Takes a job back.
    fn cancel(&self, id: &str) -> Result<(), CampaignError>;
}

/// The engine of a name.
pub fn engine(name: &str) -> Result<Box<dyn Engine>, CampaignError> {
    match name {
        "slurm" => Ok(Box::new(Slurm)),
        other => Err(CampaignError::Engine(format!("there is no engine {other} (allowed: slurm)"))),
    }
}

/// A job that was handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    /// The engine.
    pub engine: String,
    /// The scheduler's name of the job.
    pub id: String,
    /// Number of shards.
    pub shards: u64,
}

/// Jobs that were handed over, in order.
const JOBS: &str = "jobs.json";

/// Jobs of a campaign.
pub fn submitted(store: &Store) -> Result<Vec<Submitted>, CampaignError> {
    let path = store.root().path_of(JOBS);
    let Some(bytes) = store.root().read(JOBS)? else { return Ok(Vec::new()) };
    serde_json::from_slice(&bytes).map_err(|e| CampaignError::Store { path, why: e.to_string() })
}

/// Remembers a job.
pub fn remember(store: &Store, job: Submitted) -> Result<(), CampaignError> {
    let mut all = submitted(store)?;
    all.push(job);
    let text = serde_json::to_string_pretty(&all).map_err(|e| CampaignError::Other(e.to_string()))?;
    Ok(store.root().write(JOBS, (text + "\n").as_bytes())?)
}
