//! Slurm: shards are the tasks of a job array, requeued when a node is lost.

use super::{Engine, Job, Task};
use crate::error::CampaignError;
use std::process::Command;

/// Slurm, through its commands `sbatch`, `squeue`, `sacct` (where accounting is configured) and `scancel`.
#[derive(Clone, Copy, Debug)]
pub struct Slurm;

impl Engine for Slurm {
    fn name(&self) -> &'static str {
        "slurm"
    }

    fn submit(&self, job: &Job) -> Result<String, CampaignError> {
        let logs = job.dir.join("logs");
        std::fs::create_dir_all(&logs)
            .map_err(|e| CampaignError::Engine(format!("creating {}: {e}", logs.display())))?;
        let name = job.dir.file_name().map_or("touchdown".into(), |n| n.to_string_lossy().into_owned());
        let mut command = Command::new("sbatch");
        command
            .args(["--parsable", "--requeue", "--open-mode=append"])
            .arg(format!("--array=0-{}", job.shards - 1))
            .arg(format!("--cpus-per-task={}", job.threads))
            .arg(format!("--job-name={name}"))
            .arg(format!("--output={}/shard-%a.log", logs.display()))
            .args(&job.options)
            .arg("--wrap")
            .arg(script(job));
        let out = run(&mut command, "sbatch")?;
        // With several clusters the name of the cluster follows.
        let id = out.trim().split(';').next().unwrap_or_default().to_string();
        let is_number = !id.is_empty() && id.chars().all(|c| c.is_ascii_digit());
        if is_number {
            Ok(id)
        } else {
            Err(CampaignError::Engine(format!("sbatch answered {:?}", out.trim())))
        }
    }

    fn poll(&self, id: &str) -> Result<Vec<Task>, CampaignError> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--states=all", "--format=%i|%T|%r", "--jobs", id]);
        let queued: Vec<Task> = match run(&mut command, "squeue") {
            Ok(text) => text.lines().filter_map(task).collect(),
            // A job that has ended long ago is not known any more.
            Err(CampaignError::Engine(why)) if why.contains("Invalid job id") => Vec::new(),
            Err(error) => return Err(error),
        };
        if !queued.is_empty() {
            return Ok(queued);
        }
        // Accounting remembers longer, where there is any.
        let mut command = Command::new("sacct");
        command.args([
            "--noheader",
            "--parsable2",
            "--allocations",
            "--format=JobID,State,ExitCode",
            "--jobs",
            id,
        ]);
        let text = run(&mut command, "sacct").unwrap_or_default();
        Ok(text.lines().filter_map(task).collect())
    }

    fn cancel(&self, id: &str) -> Result<(), CampaignError> {
        run(Command::new("scancel").arg(id), "scancel").map(|_| ())
    }
}

/// The command of a shard; its number comes from the array.
fn script(job: &Job) -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let [program, dir] = [&job.program, &job.dir].map(|p| quote(&p.to_string_lossy()));
    let until = if job.until_decided { " --until-decided" } else { "" };
    format!(
        "exec {program} campaign run {dir} --shard \"$SLURM_ARRAY_TASK_ID\"/{} --threads {} --quiet{until}",
        job.shards, job.threads
    )
}

/// States of tasks that run or will (`squeue`, JOB STATE CODES); all others are ends.
const ALIVE: [&str; 13] = [
    "PENDING",
    "RUNNING",
    "SUSPENDED",
    "COMPLETING",
    "CONFIGURING",
    "REQUEUED",
    "REQUEUE_HOLD",
    "REQUEUE_FED",
    "RESIZING",
    "SIGNALING",
    "STAGE_OUT",
    "STOPPED",
    "SPECIAL_EXIT",
];

fn task(line: &str) -> Option<Task> {
    let mut words = line.trim().splitn(3, '|').map(str::to_string);
    let (id, state) = (words.next()?, words.next()?);
    let ended = !ALIVE.contains(&state.as_str());
    Some(Task { id, state, reason: words.next().unwrap_or_default(), ended })
}

fn run(command: &mut Command, name: &str) -> Result<String, CampaignError> {
    let done = command.output().map_err(|e| {
        let hint = if e.kind() == std::io::ErrorKind::NotFound {
            "; Slurm's commands must be on the PATH"
        } else {
            ""
        };
        CampaignError::Engine(format!("{name}: {e}{hint}"))
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if done.status.success() {
        return Ok(text(&done.stdout));
    }
    Err(CampaignError::Engine(format!("{name}: {}", text(&done.stderr).trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_a_plain_command_that_survives_odd_names() {
        let job = Job {
            program: "/opt/touch down".into(),
            dir: "/data/it's".into(),
            shards: 4,
            threads: 2,
            until_decided: true,
            options: Vec::new(),
        };
        let expected = "exec '/opt/touch down' campaign run '/data/it'\\''s' --shard \"$SLURM_ARRAY_TASK_ID\"/4 --threads 2 --quiet --until-decided";
        assert_eq!(script(&job), expected);
        let line = task("17_3|PENDING|Resources").unwrap();
        assert_eq!(
            (line.id.as_str(), line.state.as_str(), line.reason.as_str(), line.ended),
            ("17_3", "PENDING", "Resources", false)
        );
        assert!(task("17_4|CANCELLED by 0|0:15").unwrap().ended);
    }
}
