//! `touchdown run`: scenario ⇒ world ⇒ run folder ⇒ answer.

use crate::args::{HowArgs, RunArgs};
use crate::failure::Failure;
use crate::folder::{self, Place};
use crate::located;
use crate::output::{print_json, print_styled};
use crate::progress::Watched;
use crate::report;
use crate::signals::Signals;
use crate::summary::{self, Finished, in_time};
use crate::view::{self, Shown};
use std::path::Path;
use touchdown_record::{Options, Recorder, RunInfo, Scene};
use touchdown_scenario::{Scenario, load};
use touchdown_sim::sink::{Check, Outcome};
use touchdown_sim::{RunError, Simulation};

/// Runs a scenario.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    use_threads(&args.how)?;
    let scenario = load(&args.scenario, &settings(args)?)?;
    let mut world = located::build_world(&scenario, args.how.memory_limit)?;
    let place = Place { out: args.out.as_deref(), force: args.force, csv: args.how.csv };
    let info = touchdown_session::info(&scenario, &world, args.how.threads(), command_line());
    let (recorder, dir) = folder::open(&place, &info, &world)?;
    let shown = Shown { page: args.view.then_some(args.port), foxglove: args.foxglove };
    let watchers = shown.is_wanted().then_some((&info, shown));
    carry_out(&scenario, &mut world, recorder, &Manner { dir: &dir, how: &args.how, watchers })
}

/// What is set: knobs, and the table of commands, whose path counts from here.
fn settings(args: &RunArgs) -> Result<Vec<String>, Failure> {
    let mut sets = args.sets.clone();
    if let Some(file) = &args.commands {
        let path =
            std::path::absolute(file).map_err(|e| Failure::other(format!("{}: {e}", file.display())))?;
        sets.push(format!("commands={}", serde_json::Value::from(path.display().to_string())));
    }
    Ok(sets)
}

/// How a world is run.
pub struct Manner<'a> {
    /// Where its results go.
    pub dir: &'a Path,
    /// Threads, output.
    pub how: &'a HowArgs,
    /// Who watches it meanwhile, if anybody, and what is reported to them.
    pub watchers: Option<(&'a RunInfo, Shown)>,
}

/// Runs a world to its end (or on to its end), closes the folder and prints the answer.
pub fn carry_out(
    scenario: &Scenario,
    world: &mut Simulation,
    recorder: Recorder,
    &Manner { dir, how, watchers }: &Manner<'_>,
) -> Result<(), Failure> {
    let time_at_start = world.state().t;
    // A study without time has no checkpoints: there the operating system ends the process.
    let signals = if in_time(scenario) { Some(Signals::take_over()?) } else { None };
    let mut watched = Watched::new(recorder, time_at_start, how.quiet || how.json, signals.clone());
    let mut servers = None;
    let result = match watchers {
        None => world.run(&mut watched),
        Some((info, shown)) => {
            let showing = view::run_shown(world, watched, (info, dir), shown)?;
            (watched, servers) = (showing.watched, Some(showing.servers));
            showing.result
        }
    };
    let (recorder, wall_time) = watched.finish();
    let mut outcome = match result {
        Ok(outcome) => outcome,
        Err(RunError::Sink(error)) => {
            let what = format!("recording failed at t = {:.6} s: {error}", world.state().t);
            // The disk has refused already; a summary that says so is worth a try.
            let _ = recorder.finish(&cut_short(world, &what), wall_time);
            let hint = format!("once that is corrected, touchdown resume {} continues", dir.display());
            return Err(Failure::Other { what, hint: Some(hint) });
        }
        Err(RunError::Interrupted { time }) => {
            recorder.suspend()?;
            let signal = signals.as_ref().and_then(Signals::came).unwrap_or_default();
            return Err(Failure::Interrupted { signal, time, dir: dir.display().to_string() });
        }
    };
    outcome.answer = Some(scenario.answer(&outcome));
    recorder.finish(&outcome, wall_time)?;
    let report = if how.no_report { None } else { report::at_end_of_run(dir) };
    let finished = Finished { scenario, outcome: &outcome, dir, wall_time, time_at_start, report };
    if how.json {
        print_json(&summary_json(dir)?)?;
    } else {
        let form = if how.quiet {
            summary::brief
        } else if how.verbose {
            summary::full
        } else {
            summary::short
        };
        print_styled(&form(&finished))?;
    }
    if let Some(signals) = signals {
        signals.hand_back();
    }
    if let Some(servers) = servers {
        servers.stay();
    }
    match outcome.stopped_because {
        Some(reason) => Err(Failure::Numerical { reason, kept: dir.display().to_string() }),
        None if how.strict => strict(&outcome.validity),
        None => Ok(()),
    }
}

/// Under `--strict` a failed check is a failure.
fn strict(checks: &[Check]) -> Result<(), Failure> {
    let failed: Vec<&str> =
        checks.iter().filter(|check| !check.holds()).map(|check| check.name.as_str()).collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Checks { failed: failed.join(", ") }) }
}

/// The summary of a folder, and where it lies.
pub fn summary_json(dir: &Path) -> Result<serde_json::Value, Failure> {
    let path = dir.join("summary.json");
    let doing =
        |error: &dyn std::fmt::Display| Failure::other(format!("reading {}: {error}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| doing(&error))?;
    let mut summary: serde_json::Value = serde_json::from_slice(&bytes).map_err(|error| doing(&error))?;
    summary["folder"] = dir.display().to_string().into();
    Ok(summary)
}

/// Runs a scenario on one thread into a folder of its own, without a word: a case of a campaign that is kept.
pub fn keep(name: &str, sets: &[String], dir: &Path) -> Result<(), Failure> {
    let scenario = load(name, sets)?;
    let mut world = located::build_world(&scenario, None)?;
    world.use_threads(1);
    let options = Options { overwrite: true, ..Options::default() };
    let info = touchdown_session::info(&scenario, &world, 1, command_line());
    let mut recorder = Recorder::create(dir, &info, world.columns(), &Scene::of(&world), &options)?;
    let started = std::time::Instant::now();
    let outcome =
        world.run(&mut recorder).map_err(|error| Failure::other(format!("{}: {error}", dir.display())))?;
    recorder.finish(&outcome, started.elapsed().as_secs_f64())?;
    report::at_end_of_run(dir);
    Ok(())
}

/// The outcome of a run that could not be recorded to its end.
fn cut_short(world: &Simulation, why: &str) -> Outcome {
    Outcome {
        finished: false,
        stopped_because: Some(why.into()),
        sim_time: world.state().t,
        steps: world.state().steps,
        state_blake3: None,
        answer: None,
        quantities: Vec::new(),
        words: Vec::new(),
        tables: Vec::new(),
        ledger: Vec::new(),
        validity: Vec::new(),
        warnings: Vec::new(),
    }
}

/// Sets the number of threads that parallel work may use.
pub fn use_threads(how: &HowArgs) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(how.threads());
    pool.build_global()
        .map_err(|error| Failure::other(format!("starting {} threads: {error}", how.threads())))
}

/// The command line, quoted where a shell would need it.
fn command_line() -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    let quote = |word: String| {
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().skip(1).map(|word| quote(word.to_string_lossy().into_owned()));
    std::iter::once("touchdown".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}
