//! `touchdown converge`: a scenario refined in every direction ⇒ a table, a verdict, and a stamp that reports show.

use crate::args::ConvergeArgs;
use crate::failure::Failure;
use crate::identity::VERSION;
use crate::output::{number, print, print_json, table};
use crate::progress::clock;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};
use touchdown_record::{Refinement, Stamp};
use touchdown_study::converge::{ConvergeError, Options, converge as study};
use touchdown_study::{Progress, SubjectError};

impl From<ConvergeError> for Failure {
    fn from(error: ConvergeError) -> Self {
        match error {
            ConvergeError::Subject(error) => error.into(),
            error @ ConvergeError::NothingToRefine { .. } => {
                Failure::BadInput { what: error.to_string(), hint: None }
            }
        }
    }
}

impl From<SubjectError> for Failure {
    fn from(error: SubjectError) -> Self {
        let what = error.to_string();
        match error {
            SubjectError::Scenario(errors) => errors.into(),
            SubjectError::NoQuantity { hint, .. } => Failure::BadInput { what, hint: Some(hint) },
            SubjectError::Unnamed { .. } => {
                Failure::BadInput { what, hint: Some("--quantity NAME; touchdown run shows them".into()) }
            }
            SubjectError::Failed { .. } => Failure::Numerical { reason: what, kept: String::new() },
        }
    }
}

/// Makes a study and leaves its stamp.
pub fn converge(args: &ConvergeArgs) -> Result<(), Failure> {
    let options = Options {
        quantity: args.quantity.clone(),
        levels: usize::from(args.levels),
        tolerance: args.tolerance,
        threads: threads(args.threads),
        version: VERSION.into(),
    };
    let started = Instant::now();
    let bar = bar(args.quiet || args.json);
    let show = |Progress { done, of }: Progress| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    };
    let made = study(&args.scenario, &args.sets, &options, &show);
    bar.finish_and_clear();
    let stamp = made?;
    let file =
        args.out.join(file(&stamp.scenario, &stamp.quantity, turned(&args.sets, &stamp.resolved_blake3)));
    stamp.write(&file)?;
    if args.json {
        let value = serde_json::to_value(&stamp).map_err(|error| Failure::other(error.to_string()))?;
        return print_json(&value);
    }
    let runs: usize = stamp.refinements.iter().map(|r| r.values.len().saturating_sub(1)).sum();
    let rows = if args.quiet { String::new() } else { rows(&stamp) + "\n" };
    let doubt = "The interval is about the numbers alone, 95 % by experience with such fits; it says nothing about the model.";
    let flag = if stamp.trusted { "fine enough" } else { "not fine enough" };
    print(&format!(
        "{rows}{flag}: {}\n{doubt}\n{} runs in {}; stamp: {}\n",
        stamp.verdict,
        runs + 1,
        clock(started.elapsed().as_secs_f64()),
        file.display()
    ))
}

/// Runs at the same time, unless the command line says how many.
pub fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get()), usize::from)
}

/// A bar that counts runs.
pub fn bar(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(1), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} runs, {elapsed}") {
        bar.set_style(style);
    }
    // The longest run may take a minute: the clock shows that something happens.
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Part of the inputs' hash where settings changed them: the study of a changed scenario does not replace that of the scenario as it is.
pub fn turned<'a>(sets: &[String], resolved_blake3: &'a str) -> Option<&'a str> {
    if sets.is_empty() { None } else { resolved_blake3.get(..8) }
}

/// Name of the file that a study leaves.
pub fn file(scenario: &str, quantity: &str, turned: Option<&str>) -> String {
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
    };
    let turned = turned.map_or_else(String::new, |hash| format!("-{hash}"));
    format!("{}-{}{turned}.json", plain(scenario), plain(quantity))
}

/// One row for each setting tried.
fn rows(stamp: &Stamp) -> String {
    let unit = if stamp.unit == "1" { String::new() } else { format!(", {}", stamp.unit) };
    let value = format!("{}{unit}", stamp.quantity);
    let mut lines = table(&["refined", "setting", &value, "order", "finding"]);
    for Refinement { what, key, settings, values, order, finding, .. } in &stamp.refinements {
        let of = if key.is_empty() { what.clone() } else { format!("{what}: {key}") };
        let list = |all: &[f64]| all.iter().map(|x| number(*x)).collect::<Vec<_>>().join("\n");
        let order = order.map_or_else(|| "–".to_string(), |p| format!("{p:.2}"));
        lines.add_row([&of, &list(settings), &list(values), &order, finding]);
    }
    format!("{lines}\n")
}
