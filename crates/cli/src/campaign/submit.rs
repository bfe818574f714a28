//! `touchdown campaign submit`, `status`, `cancel`: shards on a scheduler.

use super::args::EngineName;
use crate::failure::Failure;
use crate::output::{count, print, print_json};
use std::fmt::Write;
use std::path::Path;
use touchdown_campaign::engine::{Job, Submitted, Task, engine, remember, submitted};
use touchdown_campaign::{Ended, Store, try_finish};

/// How a campaign is cut.
pub struct Parts<'a> {
    pub shards: u64,
    pub threads: u16,
    pub options: &'a [String],
    pub until_decided: bool,
}

fn absolute(path: &Path) -> Result<std::path::PathBuf, Failure> {
    std::fs::canonicalize(path).map_err(|e| Failure::other(format!("{}: {e}", path.display())))
}

/// Hands the shards to a scheduler.
pub fn submit(dir: &Path, name: EngineName, parts: &Parts, json: bool) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    let EngineName::Slurm = name;
    let engine = engine("slurm")?;
    let program =
        std::env::current_exe().map_err(|e| Failure::other(format!("finding this program: {e}")))?;
    let job = Job {
        program,
        dir: absolute(dir)?,
        shards: parts.shards.min(store.planned.plan.cases),
        threads: parts.threads,
        until_decided: parts.until_decided,
        options: parts.options.to_vec(),
    };
    let id = engine.submit(&job)?;
    remember(&store, Submitted { engine: engine.name().into(), id: id.clone(), shards: job.shards })?;
    if json {
        return print_json(&serde_json::json!({ "engine": engine.name(), "job": id, "shards": job.shards }));
    }
    print(&format!("{} job {id}: {}\n", engine.name(), count(job.shards as usize, "shard")))
}

/// Cases that are done, and what the scheduler says.
pub fn status(dir: &Path, json: bool) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    let ended = try_finish(&store);
    let finished = matches!(ended, Ok(Ended::Finished(_)));
    let done = store.count()?;
    let mut jobs: Vec<(Submitted, Result<Vec<Task>, String>)> = Vec::new();
    for job in submitted(&store)? {
        let tasks = if finished {
            Ok(Vec::new())
        } else {
            engine(&job.engine)?.poll(&job.id).map_err(|e| e.to_string())
        };
        jobs.push((job, tasks));
    }
    let planned = store.planned.plan.cases;
    if json {
        let list: Vec<_> = jobs
            .iter()
            .map(|(job, tasks)| serde_json::json!({ "job": job, "tasks": tasks.as_ref().ok(), "error": tasks.as_ref().err() }))
            .collect();
        let value = serde_json::json!({ "cases_done": done, "cases": planned, "finished": finished, "error": ended.err().map(|e| e.to_string()), "jobs": list });
        return print_json(&value);
    }
    let mut text = format!("{done} of {planned} cases{}\n", if finished { ", finished" } else { "" });
    if let Err(why) = &ended {
        let _ = writeln!(text, "the result could not be assembled: {why}");
    }
    for (job, tasks) in &jobs {
        match tasks {
            Ok(tasks) if tasks.is_empty() => {
                let _ = writeln!(text, "{} job {}: ended", job.engine, job.id);
            }
            Ok(tasks) => {
                let mut states: Vec<(&str, usize)> = Vec::new();
                for task in tasks {
                    match states.iter_mut().find(|(state, _)| *state == task.state) {
                        Some((_, n)) => *n += 1,
                        None => states.push((&task.state, 1)),
                    }
                }
                let states: Vec<String> = states.iter().map(|(s, n)| format!("{n} {s}")).collect();
                let _ = writeln!(text, "{} job {}: {}", job.engine, job.id, states.join(", "));
            }
            Err(why) => {
                let _ = writeln!(text, "{} job {}: {why}", job.engine, job.id);
            }
        }
    }
    let all_ended = jobs.iter().all(|(_, tasks)| tasks.as_ref().is_ok_and(|t| t.iter().all(|t| t.ended)));
    if !finished && !jobs.is_empty() && all_ended {
        let _ = writeln!(
            text,
            "{} are missing and no shard is at work; {} gives the reason, touchdown campaign submit runs them",
            count((planned - done) as usize, "case"),
            dir.join("logs").display()
        );
    }
    print(&text)
}

/// Cancels all jobs.
pub fn cancel(dir: &Path, json: bool) -> Result<(), Failure> {
    let store = Store::open(dir)?;
    let jobs = submitted(&store)?;
    for job in &jobs {
        engine(&job.engine)?.cancel(&job.id)?;
    }
    let (done, planned) = (store.count()?, store.planned.plan.cases);
    if json {
        return print_json(
            &serde_json::json!({ "jobs_cancelled": jobs, "cases_done": done, "cases": planned }),
        );
    }
    print(&format!("{} cancelled; {done} of {planned} cases are done\n", count(jobs.len(), "job")))
}
