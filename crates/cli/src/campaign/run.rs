//! `touchdown campaign run`: a shard, or all of it, until it is done; kept runs and the report at the end.

use super::args::RunArgs;
use super::assess::{in_words, judged};
use super::progress::Shown;
use crate::failure::Failure;
use crate::output::print;
use crate::signals::Signals;
use crate::{identity, run as single};
use std::path::Path;
use touchdown_campaign::{CampaignError, Ended, RunOptions, Store, kept};

/// Runs, or continues.
pub fn run(args: &RunArgs) -> Result<(), Failure> {
    let store = Store::open(&args.dir)?;
    let ended = carry_out(&store, args)?;
    match ended {
        Ended::Finished(cases) => finish(&store, args, cases),
        Ended::ShardDone if args.json => print(&format!("{}\n", serde_json::json!({ "finished": false }))),
        Ended::ShardDone => print(&format!(
            "this shard is done; others are not: touchdown campaign status {}\n",
            args.dir.display()
        )),
    }
}

/// Runs the cases; a signal stops it with everything on disk.
pub fn carry_out(store: &Store, args: &RunArgs) -> Result<Ended, Failure> {
    let signals = Signals::take_over()?;
    let mut shown = Shown::new(args.json, args.quiet);
    let build = identity::build();
    let stop = || signals.came().is_some();
    let options = RunOptions {
        threads: args.threads(),
        shard: args.shard.unwrap_or((0, 1)),
        until_decided: args.until_decided,
        accept_changes: args.accept_changes,
        program: (identity::VERSION, &build.source),
        stop: &stop,
    };
    let ended = touchdown_campaign::run(store, &options, &mut |p| shown.show(p));
    shown.finish();
    match ended {
        Err(CampaignError::Interrupted { done, of }) if signals.came().is_some() => Err(Failure::Stopped {
            signal: signals.came().unwrap_or_default(),
            what: format!("interrupted: {done} of {of} cases are on disk"),
            hint: format!("touchdown campaign run {} continues", args.dir.display()),
        }),
        other => {
            signals.hand_back();
            Ok(other?)
        }
    }
}

fn finish(store: &Store, args: &RunArgs, cases: u64) -> Result<(), Failure> {
    keep_runs(store, args)?;
    let report = match super::write_report(store) {
        // Another shard writes it.
        Err(_) if args.shard.is_some() => args.dir.join("report.html"),
        other => other?,
    };
    let assessed = touchdown_campaign::assess(store)?;
    if args.json {
        let value = serde_json::json!({ "finished": true, "cases": cases, "assessment": assessed });
        return print(&format!("{value}\n"));
    }
    let text =
        if args.quiet || assessed.requirements.is_empty() { String::new() } else { in_words(&assessed) };
    let result = args.dir.join("cases.parquet");
    print(&format!("{text}{cases} cases: {}\nreport: {}\n", result.display(), report.display()))?;
    if args.shard.is_some() { Ok(()) } else { judged(&assessed, false) }
}

/// Runs the cases whose whole folder is kept again, now that they are known.
fn keep_runs(store: &Store, args: &RunArgs) -> Result<(), Failure> {
    let dir = args.dir.join("runs");
    for index in kept(store)? {
        let out = dir.join(format!("case-{index:06}"));
        if out.join("summary.json").exists() {
            continue;
        }
        make_dir(&dir)?;
        single::keep(&store.planned.plan.scenario, &store.planned.sets(index), &out)?;
    }
    Ok(())
}

fn make_dir(dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(dir).map_err(|e| Failure::other(format!("creating {}: {e}", dir.display())))
}
