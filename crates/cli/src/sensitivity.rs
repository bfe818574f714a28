//! `touchdown sensitivity`: uncertain inputs moved one by one ⇒ a table, a verdict, and a file that reports show.

use crate::args::SensitivityArgs;
use crate::converge::{bar, file, threads, turned};
use crate::failure::Failure;
use crate::identity::VERSION;
use crate::output::{number, print, print_json, table};
use crate::progress::clock;
use std::time::Instant;
use touchdown_record::{Sensitivity, Swing};
use touchdown_study::Progress;
use touchdown_study::sensitivity::{Options, Range, SensitivityError, sensitivity as study};

impl From<SensitivityError> for Failure {
    fn from(error: SensitivityError) -> Self {
        match error {
            SensitivityError::Subject(error) => error.into(),
            error @ SensitivityError::NothingToMove { .. } => Failure::BadInput {
                what: error.to_string(),
                hint: Some(
                    "--vary KNOB=LOW..HIGH, as often as there are inputs; touchdown show lists knobs".into(),
                ),
            },
        }
    }
}

/// Makes a study and leaves its file.
pub fn sensitivity(args: &SensitivityArgs) -> Result<(), Failure> {
    let options = Options {
        quantity: args.quantity.clone(),
        ranges: args.vary.iter().map(|text| range(text)).collect::<Result<_, _>>()?,
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
    let made = made?;
    let name = file(&made.scenario, &made.quantity, turned(&args.sets, &made.resolved_blake3));
    let path = args.out.join(name);
    made.write(&path)?;
    if args.json {
        let value = serde_json::to_value(&made).map_err(|error| Failure::other(error.to_string()))?;
        return print_json(&value);
    }
    let rows = if args.quiet { String::new() } else { rows(&made) + "\n" };
    let doubt = "Each input moves by itself from these inputs; what they do to each other is not in it: touchdown campaign.";
    print(&format!(
        "{rows}{}\n{doubt}\n{} runs in {}; study: {}\n",
        made.verdict,
        1 + 2 * made.swings.len(),
        clock(started.elapsed().as_secs_f64()),
        path.display()
    ))
}

/// `KEY=LOW..HIGH`.
fn range(text: &str) -> Result<Range, Failure> {
    let parts = text.split_once('=').and_then(|(key, ends)| Some((key, ends.split_once("..")?)));
    match parts {
        Some((key, (low, high))) if [key, low, high].iter().all(|part| !part.trim().is_empty()) => {
            Ok(Range { key: key.trim().into(), ends: [low.trim().into(), high.trim().into()] })
        }
        _ => Err(Failure::BadInput {
            what: format!("--vary {text} names no range"),
            hint: Some("KNOB=LOW..HIGH, such as friction_angle_deg=22..28".into()),
        }),
    }
}

/// One row for each input.
fn rows(study: &Sensitivity) -> String {
    let unit = if study.unit == "1" { String::new() } else { format!(", {}", study.unit) };
    let value = format!("{}{unit}", study.quantity);
    let deviation = format!("deviation{unit}");
    let mut lines = table(&["input", "tried", &value, &deviation, "values"]);
    for Swing { input, tried, values, deviation, about, missing } in &study.swings {
        let shown = |value: Option<f64>| value.map_or_else(|| "none".to_string(), number);
        let values = [shown(values[0]), number(study.value), shown(values[1])].join("\n");
        let about = if missing.is_empty() { about.clone() } else { format!("{about}; {missing}") };
        lines.add_row([input.clone(), tried.join("\n"), values, number(*deviation), about]);
    }
    format!("{lines}\n")
}
