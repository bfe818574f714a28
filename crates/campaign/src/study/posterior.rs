//! `[posterior]`: estimates, intervals and correlations of an identification become correlated normal distributions.

use super::items::{Keys, Spans, shown};
use super::mistakes::{Mistakes, meant};
use crate::marginal::{Correlated, Marginal, Vary, cholesky};
use serde_json::Value;
use std::path::Path;
use toml_edit::Item;
use touchdown_scenario::unit::DIMENSIONS;
use touchdown_scenario::{LARGEST_TABLE, read_text};

/// A knob, the parameter that it is, and the range to which its distribution is cut.
struct Wanted {
    knob: String,
    parameter: String,
    within: Option<[f64; 2]>,
}

pub(super) fn read(
    item: &Item,
    folder: &Path,
    (vary, groups): (&mut Vec<Vary>, &mut Vec<Correlated>),
    spans: &mut Spans,
    mistakes: &mut Mistakes,
) {
    let Some(table) = item.as_table_like() else {
        mistakes.at(item.span(), "posterior", "must be a table").found = Some(shown(item));
        return;
    };
    let mut keys = Keys::new(table, "posterior", mistakes);
    let from = keys.text("from");
    let knobs = keys.take("knobs").map_or(Vec::new(), |item| wanted(item, keys.mistakes));
    keys.finish();
    let span = item.span();
    let (Some(from), false) = (from, knobs.is_empty()) else {
        mistakes.at(span, "posterior", "needs from and knobs").hint =
            Some("from = \"runs/identify-NAME\", knobs = { KNOB = \"PARAMETER\" }".into());
        return;
    };
    let path = folder.join(&from).join("summary.json");
    let read = read_text(&path, LARGEST_TABLE).map_err(|e| e.to_string());
    let summary = match read.and_then(|text| serde_json::from_str(&text).map_err(|e| e.to_string())) {
        Ok(summary) => summary,
        Err(why) => {
            mistakes.at(span, "posterior.from", format!("{}: {why}", path.display()));
            return;
        }
    };
    let start = vary.len();
    for Wanted { knob, parameter, within } in &knobs {
        let path = format!("posterior.knobs.{knob}");
        if vary.iter().any(|v| v.name == *knob) {
            mistakes.at(span.clone(), &path, "varies by itself, too");
        }
        let Some((normal, unit)) = estimate(&summary, parameter) else {
            let mistake =
                mistakes.at(span.clone(), &path, format!("{from} has no identifiable parameter {parameter}"));
            mistake.hint = Some(meant(parameter, &parameters(&summary)));
            continue;
        };
        spans.insert(format!("vary.{knob}"), span.clone().unwrap_or(0..0));
        let one = Vary { name: knob.clone(), unit, how: Marginal::Normal(normal), within: *within };
        match super::vary::sense(&one) {
            Some(why) => drop(mistakes.at(span.clone(), &path, why)),
            None => vary.push(one),
        }
    }
    let names: Vec<&str> = knobs.iter().map(|w| w.parameter.as_str()).collect();
    match cholesky(&correlations(&summary, &names)) {
        Some(factor) if vary.len() == start + knobs.len() => {
            groups.push(Correlated { members: (start..vary.len()).collect(), factor });
        }
        Some(_) => {}
        None => {
            mistakes.at(span, "posterior", "its correlations are not those of a distribution").hint =
                Some("leave out parameters of which only a combination is known".into());
        }
    }
}

/// `KNOB = "PARAMETER"`, or `KNOB = { parameter = "PARAMETER", within = [LOW, HIGH] }`.
fn wanted(item: &Item, mistakes: &mut Mistakes) -> Vec<Wanted> {
    let Some(table) = item.as_table_like() else { return Vec::new() };
    let mut all = Vec::new();
    for (knob, item) in table.iter() {
        let path = format!("posterior.knobs.{knob}");
        let (parameter, within) = match (item.as_str(), item.as_table_like()) {
            (Some(parameter), _) => (Some(parameter.to_string()), None),
            (None, Some(table)) => {
                let mut keys = Keys::new(table, &path, mistakes);
                let found = (keys.text("parameter"), keys.numbers::<2>("within"));
                keys.finish();
                found
            }
            (None, None) => (None, None),
        };
        match parameter {
            Some(parameter) => all.push(Wanted { knob: knob.into(), parameter, within }),
            None => {
                let mistake = mistakes.at(item.span(), &path, "must name a parameter of the identification");
                mistake.hint =
                    Some(format!("{knob} = \"k\", or {knob} = {{ parameter = \"k\", within = [0, 1e5] }}"));
            }
        }
    }
    all
}

/// Mean and standard deviation of a parameter and their unit. The normal distribution has the interval of the identification, which follows Student's t where there are few rows:
/// its deviation is then larger than that of the estimate.
fn estimate(summary: &Value, parameter: &str) -> Option<([f64; 2], String)> {
    let all = summary["quantities"].as_object()?;
    let own = all.get(parameter)?;
    let percent =
        all.keys().find_map(|k| k.strip_prefix(&format!("{parameter}_ci"))?.strip_suffix("_low"))?;
    let end = |which: &str| all.get(&format!("{parameter}_ci{percent}_{which}"))?["value"].as_f64();
    let z = crate::normal::normal_quantile(0.5 + percent.parse::<f64>().ok()? / 200.0);
    let deviation = (end("high")? - end("low")?) / (2.0 * z);
    // A unit that no key can have (a modulus over a power of a length) is that of the knob's own numbers.
    let unit = own["unit"].as_str().filter(|unit| is_unit(unit)).unwrap_or_default();
    (deviation > 0.0).then_some(([own["value"].as_f64()?, deviation], unit.into()))
}

fn is_unit(text: &str) -> bool {
    !text.is_empty() && (DIMENSIONS.iter().any(|d| d.unit == text) || ["deg", "deg/s"].contains(&text))
}

/// Parameters that the identification estimates.
fn parameters(summary: &Value) -> Vec<&str> {
    let quantities = summary["quantities"].as_object();
    let estimated = |name: &&String| estimate(summary, name).is_some();
    quantities.into_iter().flat_map(|all| all.keys()).filter(estimated).map(String::as_str).collect()
}

/// Correlations of parameters. Those of different stages are in no table together: a stage treats the estimates of the one before as exact.
fn correlations(summary: &Value, names: &[&str]) -> Vec<Vec<f64>> {
    let tables = || summary["tables"].as_array().into_iter().flatten();
    let entry = |a: &str, b: &str| {
        tables().find_map(|table| {
            let column = table["columns"].as_array()?.iter().position(|c| c["name"] == b)?;
            table["rows"].as_array()?.iter().find(|row| row[0] == a)?[column].as_f64()
        })
    };
    let row = |a: &&str| {
        names.iter().map(|b| if a == b { 1.0 } else { entry(a, b).unwrap_or(0.0) }).collect::<Vec<f64>>()
    };
    names.iter().map(row).collect()
}
