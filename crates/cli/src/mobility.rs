//! `touchdown mobility`: runs of a rover on slopes ⇒ what it does on every slope at every heading, with intervals; with an elevation map ([`map`]) ⇒
//! layers, route, full runs and page; and questions to the responses.

pub mod args;
mod map;

use crate::campaign::args::{EngineName, RunArgs};
use crate::campaign::run::carry_out;
use crate::campaign::submit::{Parts, submit};
use crate::failure::Failure;
use crate::identity;
use crate::output::{count, number, print, print_json, table};
use args::{MobilityArgs, MobilityCommand, QueryArgs, ResponseArgs};
use std::fmt::Write;
use std::path::Path;
use touchdown_campaign::{Store, engine::submitted};
use touchdown_mobility::response::{Asked, Next, Program, SURROGATE, Saved, SoilReport, Stage, StageError};
use touchdown_mobility::{QueryError, query};
use touchdown_record::{Disk, Place};

/// Shards of a campaign at a scheduler, at most.
const SHARDS: u64 = 64;

impl From<StageError> for Failure {
    fn from(error: StageError) -> Self {
        match error {
            StageError::Refused(refusal) => Failure::BadInput { what: refusal.what, hint: refusal.hint },
            StageError::Campaign(error) => error.into(),
            StageError::Record(error) => error.into(),
        }
    }
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Failure::BadInput { what: error.to_string(), hint: None }
    }
}

/// Makes a map, or asks one.
pub fn mobility(args: MobilityArgs) -> Result<(), Failure> {
    match (&args.command, args.responses.out.clone(), args.map.map.clone()) {
        (Some(MobilityCommand::Query(args)), ..) => answer(args),
        (None, Some(out), Some(dem)) => map::map(args, &dem, &out),
        (None, Some(out), None) => {
            // Slopes of all kinds count alike where there is no map.
            let Some(saved) = responses(&args.responses, &out, &|_, _| 1.0)? else { return Ok(()) };
            show(&saved, &args.responses, &out)
        }
        (None, None, _) => Err(Failure::other("mobility needs --out DIR, or query")),
    }
}

/// Runs what is missing; the responses of all soils, or nothing while a scheduler has runs. `weights` says how much area of a soil has a slope (degrees).
fn responses(
    args: &ResponseArgs,
    out: &Path,
    weights: &dyn Fn(&str, f64) -> f64,
) -> Result<Option<Saved>, Failure> {
    let soils = args.soils.len().max(1) as u64;
    let asked = Asked {
        rover: args.rover.clone(),
        gravity: args.gravity.clone(),
        soils: args.soils.clone(),
        soil_spread: args.soil_spread,
        slope_max_deg: args.slope_max_deg,
        roughness_max_m: args.roughness_max,
        roughness_m: args.roughness,
        cases: args.cases.div_ceil(soils),
        seed: args.seed,
        held_out: args.holdout.div_ceil(soils),
    };
    let program = Program { version: identity::VERSION.into(), build: identity::build() };
    let stage = Stage::open(out, asked, program)?;
    loop {
        match stage.next(weights)? {
            Next::Done(saved) => return Ok(Some(*saved)),
            Next::Run(store) => match args.engine {
                None => carry_on(&store, args)?,
                Some(engine) => {
                    hand_over(&store, engine, args)?;
                    return Ok(None);
                }
            },
        }
    }
}

/// Runs a campaign to its end on this machine.
fn carry_on(store: &Store, args: &ResponseArgs) -> Result<(), Failure> {
    let run = RunArgs {
        dir: store.root().path().to_path_buf(),
        threads: args.threads,
        shard: None,
        until_decided: false,
        accept_changes: false,
        json: false,
        quiet: args.quiet || args.json,
    };
    match carry_out(store, &run) {
        Err(Failure::Stopped { signal, what, .. }) => {
            Err(Failure::Stopped { signal, what, hint: "the same command continues".into() })
        }
        other => other.map(|_| ()),
    }
}

/// Hands a campaign to a scheduler, once.
fn hand_over(store: &Store, engine: EngineName, args: &ResponseArgs) -> Result<(), Failure> {
    let dir = store.root().path();
    if submitted(store)?.is_empty() {
        let parts = Parts { shards: SHARDS, threads: 1, options: &[], until_decided: false };
        submit(dir, engine, &parts, args.json)?;
    }
    if args.json {
        return Ok(());
    }
    print(&format!(
        "runs are at the scheduler: touchdown campaign status {}\nthe same command goes on when they have ended\n",
        dir.display()
    ))
}

/// What was found, for people or programs.
fn show(saved: &Saved, args: &ResponseArgs, out: &Path) -> Result<(), Failure> {
    let (file, cases) = (out.join(SURROGATE), out.join("response.parquet"));
    if args.json {
        return print_json(&serde_json::json!({
            "asked": saved.asked, "soils": saved.soils, "surrogate": file, "cases": cases,
        }));
    }
    let mut text = String::new();
    if !args.quiet {
        saved.soils.iter().for_each(|soil| text += &in_words(soil));
    }
    print(&format!("{text}cases: {}\nsurrogate: {}\n", cases.display(), file.display()))
}

fn in_words(soil: &SoilReport) -> String {
    let (cross, table) = (&soil.cross_validation, &soil.table);
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    let or_none = |x: Option<f64>, unit: &str| x.map_or("none".into(), |x| format!("{}{unit}", number(x)));
    let mut text = format!(
        "{}: {}, {} stuck, {} outside the range of a model\n",
        soil.soil,
        count(soil.cases, "case"),
        soil.stuck,
        soil.left_validity
    );
    let _ = writeln!(
        text,
        "  left out one at a time: slip ± {}, drift ± {}, energy ± {}, stuck or not right in {}",
        percent(cross.slip),
        or_none(cross.drift_deg, "°"),
        or_none(cross.energy_j_per_m, " J/m"),
        percent(cross.stuck_right)
    );
    let _ = writeln!(
        text,
        "  table between its nodes: slip ± {} (at most {}), drift ± {}°, energy ± {}",
        percent(table.slip[0]),
        percent(table.slip[1]),
        number(table.drift_deg[0]),
        percent(table.energy[0])
    );
    if let Some(held) = &soil.held_out {
        let share = |x: Option<f64>| x.map_or("none".into(), percent);
        let _ = writeln!(
            text,
            "  {}: intervals of 90 % hold {} of the slips, {} of the drifts, {} of the energies; stuck or not right in {} of {} away from the boundary",
            count(held.cases, "held-out case"),
            percent(held.slip_held),
            share(held.drift_held),
            share(held.energy_held),
            share(held.stuck_right_away),
            held.away
        );
        let _ = writeln!(
            text,
            "  mean width of the intervals of the slip: {}; of a model that knows the slope alone: {}",
            number(held.slip_width),
            or_none(held.slip_width_slope_only, "")
        );
    }
    text
}

/// Answers a question.
fn answer(args: &QueryArgs) -> Result<(), Failure> {
    let place = Place::open(&args.dir, &Disk::default())?;
    let wrong = |what: String| Failure::BadInput { what, hint: None };
    let saved = Saved::read(&place).map_err(wrong)?.ok_or_else(|| Failure::BadInput {
        what: format!("{} has no {SURROGATE}", args.dir.display()),
        hint: Some("touchdown mobility --out DIR makes it when its runs have ended".into()),
    })?;
    let found = query(&saved, args.soil.as_deref(), args.slope_deg, args.heading_deg)?;
    if args.json {
        let value = serde_json::to_value(&found).map_err(|e| Failure::other(e.to_string()))?;
        return print_json(&value);
    }
    let percent = |x: f64| format!("{:.1} %", 100.0 * x);
    let [low, high] = found.slip_interval.map(percent);
    let response = &found.response;
    let mut rows = table(&[
        &format!("{}, {}° at {}°", found.soil, number(found.slope_deg), number(found.heading_deg)),
        "",
    ]);
    for (what, value) in [
        ("slip", format!("{} (90 %: {low} to {high})", percent(response.slip))),
        ("drift down the slope", format!("{:.1}°", response.drift_deg)),
        ("energy", format!("{:.0} J/m", response.energy_j_per_m)),
        ("probability of getting stuck", percent(response.p_stuck)),
        ("probability of tipping over", percent(response.p_tip)),
        ("within the range of the models", percent(response.valid)),
    ] {
        rows.add_row([what, &value]);
    }
    let beyond = "steeper than any run: the values are those of the steepest slope with runs\n";
    print(&format!("{rows}\n{}", if found.covered { "" } else { beyond }))
}
