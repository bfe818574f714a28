//! `summary.json`: the results for scripts. Written last; its presence means that the run has ended, successfully or not.
//!
//! Numbers that are not finite become `null`, so that the file is always valid JSON.

use crate::claim::StudyFolder;
use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{self, CSV, Folder, MANIFEST, SOIL, SUMMARY, Stream};
use crate::manifest::Manifest;
use crate::sealed;
use serde_json::{Map, Value, json};
use touchdown_sim::sink::{Answer, Cell, Check, NamedValue, NamedWord, Outcome, Table};

/// The summary of a run.
pub(crate) fn summary(manifest: &Manifest, outcome: &Outcome, wall_time: f64) -> Value {
    let mut summary = json!({
        "scenario": manifest.scenario,
        "version": manifest.version,
        "finished": outcome.finished,
        "sim_time_s": outcome.sim_time,
        "wall_time_s": wall_time,
        "steps": outcome.steps,
        "quantities": answers(outcome),
        "tables": outcome.tables.iter().map(study_table).collect::<Vec<Value>>(),
        "ledger": table(&outcome.ledger),
        "validity": checks(&outcome.validity),
        "warnings": warnings(manifest, outcome),
    });
    if let Some(Answer { quantity, value, unit, verdict, text }) = &outcome.answer {
        let verdict = verdict.name();
        summary["answer"] =
            json!({ "quantity": quantity, "value": value, "unit": unit, "verdict": verdict, "text": text });
    }
    if let Some(hash) = &outcome.state_blake3 {
        summary["state_blake3"] = json!(hash);
    }
    if let Some(reason) = &outcome.stopped_because {
        summary["stopped_because"] = json!(reason);
    }
    summary
}

/// Writes `summary.json` of a study that is not a run (an identification): the same structure, without time,
/// steps and ledger.
pub fn write_answers(
    folder: &StudyFolder,
    (name, version): (&str, &str),
    quantities: &[NamedValue],
    tables: &[Table],
    warnings: &[String],
) -> Result<(), RecordError> {
    let summary = json!({
        "scenario": name,
        "version": version,
        "finished": true,
        "quantities": table(quantities),
        "tables": tables.iter().map(study_table).collect::<Vec<Value>>(),
        "warnings": warnings,
    });
    write(folder.place(), &summary)
}

/// Quantities of a run, including those that are words: their value is a text, without unit.
fn answers(outcome: &Outcome) -> Map<String, Value> {
    let word = |w: &NamedWord| (w.name.clone(), json!({ "value": w.word, "unit": "", "about": w.about }));
    table(&outcome.quantities).into_iter().chain(outcome.words.iter().map(word)).collect()
}

fn table(values: &[NamedValue]) -> Map<String, Value> {
    values
        .iter()
        .map(|v| (v.name.clone(), json!({ "value": v.value, "unit": v.unit, "about": v.about })))
        .collect()
}

/// A table of a study: headings with units, and rows of numbers and texts.
fn study_table(table: &Table) -> Value {
    let cell = |cell: &Cell| match cell {
        Cell::Number(x) => json!(x),
        Cell::Text(text) => json!(text),
    };
    let columns = table.columns.iter().map(|c| json!({ "name": c.name, "unit": c.unit }));
    let rows = table.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<Value>>());
    json!({
        "title": table.title,
        "about": table.about,
        "columns": columns.collect::<Vec<Value>>(),
        "rows": rows.collect::<Vec<_>>(),
    })
}

/// Ranges of validity: the value in the run, the permitted range, and whether it holds.
fn checks(list: &[Check]) -> Map<String, Value> {
    list.iter()
        .map(|check| {
            let entry = json!({
                "value": check.value,
                "limit": check.limit,
                "at_most": check.at_most,
                "holds": check.holds(),
                "unit": check.unit,
                "about": check.about,
            });
            (check.name.clone(), entry)
        })
        .collect()
}

/// Warnings at the start, then those of the run; each once.
fn warnings(manifest: &Manifest, outcome: &Outcome) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for warning in manifest.warnings.iter().chain(&outcome.warnings) {
        if !all.contains(warning) {
            all.push(warning.clone());
        }
    }
    all
}

/// Hashes of the files that belong to the summary.
pub(crate) fn hashes(place: &Place) -> Result<Map<String, Value>, RecordError> {
    let mut hashes = Map::new();
    let names = [MANIFEST.into(), Stream::Series.merged(), Stream::Frames.merged(), CSV.into(), SOIL.into()];
    for name in names.into_iter().filter(|name: &String| place.has(name)) {
        let hash = files::hash(&place.path_of(&name))?;
        hashes.insert(name, json!(hash.to_hex().as_str()));
    }
    Ok(hashes)
}

/// Writes `summary.json`.
pub(crate) fn write(place: &Place, summary: &Value) -> Result<(), RecordError> {
    place.write(SUMMARY, &sealed::json(summary, || format!("writing {}", place.path_of(SUMMARY).display()))?)
}

/// Whether the folder holds a run that reached its end.
pub(crate) fn says_finished(folder: &Folder) -> bool {
    let summary: Option<Value> =
        files::read(&folder.summary()).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    summary.is_some_and(|summary| summary["finished"] == true)
}
