//! Sensitivity: each uncertain input of a scenario moved down and up by itself, and how far a quantity follows.
//!
//! Scenario ⇒ inputs (the scatter of its soils, or what the caller names) ⇒ two runs each ⇒ [`Sensitivity`]. Local and one at a
//! time: effects of inputs on each other are not seen (a campaign with Sobol' indices sees them). See `docs/theory/sensitivity.md`.

use crate::runs::{self, Job, Progress, Value};
use crate::subject::{self, SubjectError};
use crate::words::{plus_minus, quantity as shown};
use touchdown_record::{InputFile, Sensitivity, Swing};
use touchdown_scenario::{Scattered, Scenario, load};

/// How a study is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The quantity; that of the scenario's `[converge]` or its answer if none is named.
    pub quantity: Option<String>,
    /// Inputs to move, with their ends; the scatter of the scenario's soils if none is named.
    pub ranges: Vec<Range>,
    /// Runs at the same time.
    pub threads: usize,
    /// Version of the program, for the study's file.
    pub version: String,
}

/// An input named by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// A knob, or a dotted path.
    pub key: String,
    /// Its lower and upper value, as they are written.
    pub ends: [String; 2],
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum SensitivityError {
    /// Scenario, quantity or its own run.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// Nothing is known to scatter, and no input was named.
    #[error("{scenario} takes no soil from the library, and no input was named")]
    NothingToMove {
        /// The scenario.
        scenario: String,
    },
}

/// Makes a study. `progress` is called from several threads as runs end.
pub fn sensitivity(
    name: &str,
    sets: &[String],
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Sensitivity, SensitivityError> {
    let scenario = load(name, sets).map_err(SubjectError::from)?;
    let quantity = subject::quantity(&scenario, options.quantity.as_deref())?;
    subject::check_known(&scenario, &quantity)?;
    let inputs = inputs(&scenario, options);
    if inputs.is_empty() {
        return Err(SensitivityError::NothingToMove { scenario: scenario.name });
    }
    let with = |more: &[String]| sets.iter().chain(more).cloned().collect::<Vec<_>>();
    for input in inputs.iter().filter(|_| !options.ranges.is_empty()) {
        for more in &input.settings {
            load(name, &with(more)).map_err(SubjectError::from)?;
        }
    }
    let jobs: Vec<Job> =
        inputs.iter().flat_map(|i| &i.settings).map(|more| Job { sets: with(more), cost: 1.0 }).collect();
    let of = jobs.len() + 1;
    progress(Progress { done: 0, of });
    // The scenario's own inputs first: if they fail, nothing else matters.
    let (own, unit) = subject::own_value(name, sets, &scenario, &quantity)?;
    progress(Progress { done: 1, of });
    let ended = |done: usize| progress(Progress { done: done + 1, of });
    let values = runs::carry_out((name, &quantity), &jobs, options.threads, &ended);
    let mut swings: Vec<Swing> = inputs
        .into_iter()
        .zip(values.chunks_exact(2))
        .map(|(input, values)| swing(input, values, own))
        .collect();
    swings.sort_by(|a, b| b.deviation.total_cmp(&a.deviation));
    let together = swings.iter().map(|s| s.deviation * s.deviation).sum::<f64>().sqrt();
    let verdict = verdict((&quantity, own, &unit), &swings, together);
    let resolved_blake3 = InputFile::of("resolved.toml", scenario.resolved_toml.as_bytes()).blake3;
    let version = options.version.clone();
    Ok(Sensitivity {
        scenario: scenario.name,
        resolved_blake3,
        version,
        quantity,
        unit,
        value: own,
        swings,
        together,
        verdict,
    })
}

/// What is moved: what the caller names, or else what is known to scatter.
fn inputs(scenario: &Scenario, options: &Options) -> Vec<Scattered> {
    if options.ranges.is_empty() {
        return scenario.scattered();
    }
    let own = |key: &str| {
        let knob = scenario.parameters.iter().find(|p| p.name == key);
        knob.map_or_else(|| "as it is".to_string(), |p| p.value.clone())
    };
    let input = |range: &Range| Scattered {
        name: range.key.clone(),
        values: [range.ends[0].clone(), own(&range.key), range.ends[1].clone()],
        settings: range.ends.clone().map(|end| vec![format!("{}={end}", range.key)]),
        weight: Scattered::UNIFORM,
        about: "ends of the range that was asked for".into(),
    };
    options.ranges.iter().map(input).collect()
}

fn swing(input: Scattered, values: &[Value], own: f64) -> Swing {
    let found = [found(&values[0]), found(&values[1])];
    let change = match found {
        [Some(low), Some(high)] => (high - low) / 2.0,
        // One end alone: the other side is taken to be alike.
        [Some(one), None] | [None, Some(one)] => one - own,
        [None, None] => 0.0,
    };
    let reasons = values.iter().filter_map(|value| match value {
        Value::Found(_) => None,
        Value::Refused(why) | Value::Failed(why) => Some(why.clone()),
    });
    let missing = reasons.collect::<Vec<_>>().join("; ");
    Swing {
        input: input.name,
        tried: input.values,
        values: found,
        deviation: (input.weight * change).abs(),
        about: input.about,
        missing,
    }
}

fn found(value: &Value) -> Option<f64> {
    if let Value::Found(x) = value { Some(*x) } else { None }
}

/// What matters, in a sentence.
fn verdict((quantity, own, unit): (&str, f64, &str), swings: &[Swing], together: f64) -> String {
    let missing = swings.iter().filter(|swing| swing.values.contains(&None)).count();
    let most = &swings[0];
    let mut text = format!(
        "{quantity} = {}, one standard deviation (inputs independent, their effects added)",
        plus_minus(own, together, unit)
    );
    if most.deviation > 0.0 {
        text += &format!("; {} moves it most, by ± {}", most.input, shown(most.deviation, unit));
    } else {
        text += "; none of the inputs moves it";
    }
    match missing {
        0 => {}
        1 => text += "; one input has no value at one of its ends at least",
        n => text += &format!("; {n} inputs have no value at one of their ends at least"),
    }
    text
}
