//! `touchdown resume`: goes on with an interrupted run and ends with the same bytes as if it had never stopped.
//!
//! The folder is all that is needed: the manifest says what ran, `resolved.toml` is the scenario, the checkpoint the state.

use crate::args::ResumeArgs;
use crate::failure::Failure;
use crate::located;
use crate::output::{print, say};
use crate::run::{self, Manner};
use std::path::{Path, PathBuf};
use touchdown_record::{InputFile, Manifest, Options, RecordError, Recorder, RunInfo, Scene};
use touchdown_scenario::{Scenario, load_str};
use touchdown_sim::World;

/// Goes on with the run of a folder.
pub fn resume(args: &ResumeArgs) -> Result<(), Failure> {
    run::use_threads(&args.how)?;
    let dir = args.dir.as_path();
    let (manifest, scenario) = read_folder(dir)?;
    let mut world = located::build_world(&scenario, args.how.memory_limit)?;
    let options = Options { csv: args.how.csv, ..Options::default() };
    let recorder = match Recorder::resume(dir, world.columns(), &Scene::of(&world), &options) {
        Ok((recorder, state)) => {
            let restored = world.resume(&state);
            restored.map_err(|error| Failure::other(format!("{}: {error}", dir.display())))?;
            recorder
        }
        Err(RecordError::Finished { .. }) => {
            return print(&format!("{}: the run has reached its end already\n", dir.display()));
        }
        Err(RecordError::NoCheckpoint { .. }) => {
            say(&format!("note: {}: no usable checkpoint; starting from the beginning", dir.display()));
            start_anew(dir, manifest, &scenario, &world, &options)?
        }
        Err(other) => return Err(other.into()),
    };
    run::carry_out(&scenario, &mut world, recorder, &Manner { dir, how: &args.how, page: None })
}

/// What ran, from the folder alone.
fn read_folder(dir: &Path) -> Result<(Manifest, Scenario), Failure> {
    let manifest = Manifest::read(dir).map_err(|error| Failure::Other {
        what: error.to_string(),
        hint: Some(format!("is {} the folder of a run?", dir.display())),
    })?;
    let path = dir.join("resolved.toml");
    let name = path.display().to_string();
    let text =
        std::fs::read_to_string(&path).map_err(|error| Failure::other(format!("reading {name}: {error}")))?;
    if InputFile::of(&name, text.as_bytes()).blake3 != manifest.resolved_blake3 {
        return Err(Failure::Other {
            what: format!("{name} is not the one that the run started with"),
            hint: Some(format!("touchdown run {name} starts a new run with it")),
        });
    }
    if manifest.version != env!("CARGO_PKG_VERSION") {
        let ours = env!("CARGO_PKG_VERSION");
        say(&format!(
            "note: the run was started by version {}, this is {ours}: bits may differ",
            manifest.version
        ));
    }
    let mut scenario = load_str(&name, &text, &home(dir, &manifest), &[])?;
    scenario.name.clone_from(&manifest.scenario);
    Ok((manifest, scenario))
}

/// Where files that the scenario names (meshes) are looked for: beside the file it was read from, while that exists.
fn home(dir: &Path, manifest: &Manifest) -> PathBuf {
    let first = manifest.inputs.first().map(|input| PathBuf::from(&input.name)).filter(|path| path.is_file());
    first.and_then(|path| path.parent().map(Path::to_path_buf)).unwrap_or_else(|| dir.to_path_buf())
}

/// Killed before the first checkpoint: the same run from its beginning, in the same folder.
fn start_anew(
    dir: &Path,
    manifest: Manifest,
    scenario: &Scenario,
    world: &World,
    options: &Options,
) -> Result<Recorder, Failure> {
    let text = std::fs::read_to_string(dir.join("resolved.toml"));
    let info = RunInfo {
        scenario: manifest.scenario,
        title: manifest.title,
        version: env!("CARGO_PKG_VERSION").into(),
        // The bytes of the folder, not those of writing them again: the hash stays.
        resolved_toml: text.unwrap_or_else(|_| scenario.resolved_toml.clone()),
        inputs: manifest.inputs,
        seed: manifest.seed,
        threads: manifest.threads,
        command: manifest.command,
        warnings: manifest.warnings,
        assumed: manifest.assumed,
        maps: manifest.maps,
        report: manifest.report,
    };
    let options = Options { overwrite: true, ..options.clone() };
    Ok(Recorder::create(dir, &info, world.columns(), &Scene::of(world), &options)?)
}
