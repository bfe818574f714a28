//! `touchdown sweep`: a grid over a few knobs, run, shown as a table and drawn on a page. A small campaign without a study file.

use super::args::{RunArgs, SweepArgs};
use super::run::carry_out;
use crate::failure::Failure;
use crate::identity;
use crate::output::{number, print, print_json, table};
use serde_json::{Map, Value, json};
use std::path::Path;
use touchdown_campaign::{Row, Status, Store, make, read_study_text};

/// Rows of the table at most; all of them are in the result.
const MOST_ROWS: usize = 200;

/// Runs the sweep.
pub fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    let text = study_text(args)?;
    let study = read_study_text("sweep", &text, Path::new("."))?;
    let store = Store::create(&args.out, make(&study, identity::VERSION, identity::build())?)?;
    let run = RunArgs {
        dir: args.out.clone(),
        threads: args.threads,
        shard: None,
        until_decided: false,
        accept_changes: false,
        json: false,
        quiet: args.quiet || args.json,
    };
    carry_out(&store, &run)?;
    let report = super::write_report(&store)?;
    let result = args.out.join("cases.parquet");
    if args.json {
        let cases = cases(&store, &shown(&store))?;
        return print_json(&json!({ "results": result, "plot": report, "cases": cases }));
    }
    let rows = if args.quiet { String::new() } else { rows(&store)? };
    print(&format!("{rows}results: {}\nplot: {}\n", result.display(), report.display()))
}

/// The study that the command line asks for.
fn study_text(args: &SweepArgs) -> Result<String, Failure> {
    let quoted = |text: &str| Value::from(text).to_string();
    let sets: Vec<String> = args.sets.iter().map(|s| quoted(s)).collect();
    let mut text =
        format!("scenario = {}\nsampling = \"grid\"\nset = [{}]\n", quoted(&args.scenario), sets.join(", "));
    if let Some(name) = &args.quantity {
        text += &format!("answer = {}\n", quoted(name));
    }
    text += "[vary]\n";
    for vary in &args.vary {
        let wrong = || Failure::BadInput {
            what: format!("--vary {vary} cannot be read"),
            hint: Some("KNOB=a,b,c or KNOB=from..to:points or KNOB=log:from..to:points".into()),
        };
        let (knob, values) = vary.split_once('=').ok_or_else(wrong)?;
        let (log, values) = values.strip_prefix("log:").map_or((false, values), |rest| (true, rest));
        let form = match values.split_once("..") {
            Some((from, rest)) => {
                let (to, points) = rest.split_once(':').ok_or_else(wrong)?;
                let [from, to] = [from, to].map(|x| x.trim().parse::<f64>().ok().filter(|x| x.is_finite()));
                let points: u64 = points.trim().parse().map_err(|_| wrong())?;
                let (from, to) = from.zip(to).ok_or_else(wrong)?;
                format!(
                    "{{ {} = [{from:?}, {to:?}], points = {points} }}",
                    if log { "log" } else { "linear" }
                )
            }
            None => {
                let words: Vec<&str> = values.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
                let all_numbers = words.iter().all(|w| w.parse::<f64>().is_ok_and(f64::is_finite));
                let plain = |w: &&str| {
                    if all_numbers { format!("{:?}", w.parse::<f64>().unwrap_or(0.0)) } else { quoted(w) }
                };
                format!("{{ values = [{}] }}", words.iter().map(plain).collect::<Vec<_>>().join(", "))
            }
        };
        text += &format!("{} = {form}\n", quoted(knob.trim()));
    }
    Ok(text)
}

/// Which quantities are shown: the answer (the one asked for, or the scenario's), or the first four.
fn shown(store: &Store) -> Vec<usize> {
    let plan = &store.planned.plan;
    let answer = plan.quantities.iter().position(|q| plan.answer.as_ref() == Some(&q.name));
    answer.map_or_else(|| (0..plan.quantities.len().min(4)).collect(), |k| vec![k])
}

/// The cases for programs: settings, quantities and how each ended.
fn cases(store: &Store, shown: &[usize]) -> Result<Value, Failure> {
    let plan = &store.planned.plan;
    let names = store.planned.input_names();
    let case = |row: &Row| -> Value {
        let settings = store.planned.inputs(row.index).into_iter().map(|v| match v.number() {
            Some(x) => Value::from(x),
            None => v.written("").into(),
        });
        let settings: Map<String, Value> = names.iter().map(|n| n.to_string()).zip(settings).collect();
        let quantities: Map<String, Value> =
            shown.iter().map(|k| (plan.quantities[*k].name.clone(), row.quantities[*k].into())).collect();
        json!({ "inputs": settings, "quantities": quantities, "status": row.status.name(), "reason": row.reason })
    };
    Ok(store.rows()?.iter().map(case).collect())
}

/// The table: inputs and the quantity asked for.
fn rows(store: &Store) -> Result<String, Failure> {
    let plan = &store.planned.plan;
    let shown = shown(store);
    let mut headings: Vec<String> = store.planned.input_names().iter().map(|n| n.to_string()).collect();
    headings.extend(shown.iter().map(|k| plan.quantities[*k].name.clone()));
    headings.push("status".into());
    let mut lines = table(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    let all = store.rows()?;
    for row in all.iter().take(MOST_ROWS) {
        let mut cells: Vec<String> = store
            .planned
            .inputs(row.index)
            .iter()
            .map(|v| v.number().map_or(v.written(""), number))
            .collect();
        cells.extend(shown.iter().map(|k| number(row.quantities[*k])));
        cells.push(if row.status == Status::Ok {
            "ok".into()
        } else {
            format!("{}: {}", row.status.name(), row.reason)
        });
        lines.add_row(cells);
    }
    let more =
        if all.len() > MOST_ROWS { format!("and {} more\n", all.len() - MOST_ROWS) } else { String::new() };
    Ok(format!("{lines}\n{more}"))
}
