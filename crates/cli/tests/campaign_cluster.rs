//! `campaign submit`, `status` and `cancel` against commands that answer as Slurm's do; a Slurm of its own is in `scripts/cluster_test.sh`.

mod common;

use common::{good, json, temporary};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const STUDY: &str = "scenario = \"pendulum\"\ncases = 40\nsampling = \"sobol\"\n[vary]\nduration_s = { uniform = [0.5, 1.0] }\n";

/// A command that notes its words and answers with a text.
fn command(bin: &Path, name: &str, answer: &str) {
    let path = bin.join(name);
    std::fs::write(&path, format!("#!/bin/sh\necho {name} \"$@\" >> {}/calls\n{answer}\n", bin.display()))
        .expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("made executable");
}

/// Runs touchdown with these commands first on the path.
fn with(bin: &Path, dir: &Path, args: &[&str]) -> (i32, String, String) {
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let program = env!("CARGO_BIN_EXE_touchdown");
    let done = Command::new(program).args(args).current_dir(dir).env("PATH", path).output().expect("started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code().unwrap_or(-1), text(&done.stdout), text(&done.stderr))
}

#[test]
fn a_job_array_is_submitted_followed_and_cancelled() {
    let folder = temporary();
    let (dir, bin) = (folder.path(), folder.path().join("bin"));
    std::fs::create_dir(&bin).expect("made");
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    good(dir, &["campaign", "plan", "study.toml", "--out", "c"]);
    command(&bin, "sbatch", "echo '17;cluster'");
    command(&bin, "squeue", "echo '17_0|RUNNING|None'; echo '17_1|PENDING|Resources'");
    command(&bin, "scancel", "");
    let submit = ["campaign", "submit", "c", "--shards", "64", "--option=--partition=short"];
    let (code, printed, _) = with(&bin, dir, &submit);
    assert_eq!((code, printed.as_str()), (0, "slurm job 17: 40 shards\n"), "no more shards than cases");
    assert_eq!(json(&dir.join("c"), "jobs.json")[0]["id"], "17");
    let calls = std::fs::read_to_string(bin.join("calls")).expect("noted");
    for word in
        ["--array=0-39", "--requeue", "--partition=short", "campaign run", "\"$SLURM_ARRAY_TASK_ID\"/40"]
    {
        assert!(calls.contains(word), "no {word} in {calls}");
    }
    let (_, printed, _) = with(&bin, dir, &["campaign", "status", "c"]);
    assert!(printed.contains("0 of 40 cases") && printed.contains("1 RUNNING, 1 PENDING"), "{printed}");
    // The queue has forgotten the job; accounting has not, and no shard works on what is missing.
    command(&bin, "squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
    command(&bin, "sacct", "echo '17_0|COMPLETED|0:0'; echo '17_1|NODE_FAIL|0:9'");
    let (_, printed, _) = with(&bin, dir, &["campaign", "status", "c"]);
    assert!(
        printed.contains("1 COMPLETED, 1 NODE_FAIL") && printed.contains("40 cases are missing"),
        "{printed}"
    );
    // Without accounting it is reported that the job has ended.
    command(&bin, "sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1");
    let (code, printed, _) = with(&bin, dir, &["campaign", "status", "c"]);
    assert!(code == 0 && printed.contains("slurm job 17: ended"), "{printed}");
    let (code, printed, _) = with(&bin, dir, &["campaign", "cancel", "c"]);
    assert_eq!((code, printed.as_str()), (0, "1 job cancelled; 0 of 40 cases are done\n"));
    let calls = std::fs::read_to_string(bin.join("calls")).expect("noted");
    assert!(calls.ends_with("scancel 17\n"), "{calls}");
}

#[test]
fn a_scheduler_that_refuses_is_quoted_and_nothing_is_remembered() {
    let folder = temporary();
    let (dir, bin) = (folder.path(), folder.path().join("bin"));
    std::fs::create_dir(&bin).expect("made");
    std::fs::write(dir.join("study.toml"), STUDY).expect("written");
    good(dir, &["campaign", "plan", "study.toml", "--out", "c"]);
    command(&bin, "sbatch", "echo 'sbatch: error: invalid partition specified: shrot' >&2; exit 1");
    let (code, _, said) = with(&bin, dir, &["campaign", "submit", "c"]);
    assert!(code != 0 && said.contains("invalid partition specified: shrot"), "{said}");
    assert!(!dir.join("c/jobs.json").exists());
}
