//! `touchdown resume`: continues an interrupted run and ends with the same bytes as an uninterrupted one.
//!
//! The folder is all that is needed: the manifest says what ran, `resolved.toml` is the scenario, `inputs` holds its files, the checkpoint the state.

use crate::args::ResumeArgs;
use crate::failure::Failure;
use crate::identity;
use crate::located;
use crate::output::{print, say};
use crate::report;
use crate::run::{self, Manner};
use std::path::{Path, PathBuf};
use touchdown_record::{Change, Disk, Manifest, Options, RecordError, Recorder, Resumption, Scene};
use touchdown_scenario::{Scenario, load_str};

/// Goes on with the run of a folder.
pub fn resume(args: &ResumeArgs) -> Result<(), Failure> {
    run::use_threads(&args.how)?;
    let dir = args.dir.as_path();
    let build = (identity::VERSION, &identity::build());
    let mut resumption = match Resumption::open(dir, build, args.accept_changes, &Disk::default()) {
        Err(RecordError::Finished { .. }) => return finish(dir, args.how.no_report),
        other => other.map_err(|error| refused(dir, error))?,
    };
    let scenario = scenario(dir, &mut resumption)?;
    let mut world = located::build_world(&scenario, args.how.memory_limit)?;
    resumption.manifest.accepted.iter().for_each(report_change);
    let options = Options { csv: args.how.csv, ..Options::default() };
    let resumed = Recorder::resume(resumption, world.columns(), &Scene::of(&world), &options);
    let resumed = resumed.map_err(|error| refused(dir, error))?;
    for note in &resumed.notes {
        say(&format!("note: {}: {note}", dir.display()));
    }
    match &resumed.state {
        Some(state) => {
            world.resume(state).map_err(|error| Failure::other(format!("{}: {error}", dir.display())))?
        }
        None => say(&format!("note: {}: no usable checkpoint; starting from the beginning", dir.display())),
    }
    run::carry_out(&scenario, &mut world, resumed.recorder, &Manner { dir, how: &args.how, watchers: None })
}

/// The run has ended; only its report may be missing.
fn finish(dir: &Path, no_report: bool) -> Result<(), Failure> {
    let made = if no_report || dir.join("report.html").exists() { None } else { report::at_end_of_run(dir) };
    let made = made.map_or(String::new(), |path| format!("report: {}\n", path.display()));
    print(&format!("{}: the run has reached its end already\n{made}", dir.display()))
}

/// The scenario of the folder, made from the same files as then.
fn scenario(dir: &Path, resumption: &mut Resumption) -> Result<Scenario, Failure> {
    let name = dir.join("resolved.toml").display().to_string();
    let mut scenario = load_str(&name, &resumption.resolved, &home(dir, &resumption.manifest), &[])?;
    scenario.name.clone_from(&resumption.manifest.scenario);
    // The first is resolved.toml, which was compared already.
    let read = scenario.inputs.get(1..).unwrap_or_default();
    resumption.compare_read(read).map_err(|error| refused(dir, error))?;
    Ok(scenario)
}

/// Where files that the scenario names are looked for: in the folder's copies; where one was too large to be copied, beside the scenario.
fn home(dir: &Path, manifest: &Manifest) -> PathBuf {
    let first = manifest.inputs.first().filter(|_| manifest.inputs.iter().any(|i| !i.not_copied.is_empty()));
    let beside = first.and_then(|input| Path::new(&input.path).parent());
    beside.unwrap_or(dir).to_path_buf()
}

fn report_change(change: &Change) {
    say(&format!("note: accepted, and recorded in the manifest: {change}"));
}

/// A run that cannot go on is the caller's to mend, except where the disk refuses.
fn refused(dir: &Path, error: RecordError) -> Failure {
    let dir = dir.display();
    let hint = match &error {
        RecordError::Io { .. } => return error.into(),
        RecordError::Changed { .. } => format!(
            "restore the files, or resume with the program that began it (`touchdown --version --json`); a changed file that is moved away is replaced by its copy in {dir}/inputs; --accept-changes goes on with what is there now and records it"
        ),
        RecordError::Busy { .. } => "wait for it to end".into(),
        _ => format!(
            "touchdown verify {dir} says what is damaged; touchdown run {dir}/resolved.toml starts it again in another folder"
        ),
    };
    Failure::BadInput { what: error.to_string(), hint: Some(hint) }
}
