//! Content of a run folder, read as far as possible, with a note on everything that is missing or damaged.

use super::studies;
use crate::error::RecordError;
use crate::files::{self, Folder};
use crate::manifest::{Build, Manifest};
use crate::sensitivity::Sensitivity;
use crate::series::{self, Series};
use crate::stamp::Stamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::path::Path;

/// The content that was found.
pub(super) struct Findings {
    /// Texts and lists are empty where the file has none.
    pub manifest: Manifest,
    /// `Null` where there is none.
    pub summary: Value,
    /// Columns of the series without their values.
    pub columns: Series,
    /// Convergence studies of the same inputs.
    pub stamps: Vec<Stamp>,
    /// Sensitivity studies of the same inputs.
    pub sensitivities: Vec<Sensitivity>,
    /// What is missing or damaged, in words.
    pub missing: Vec<String>,
}

/// Reads a run folder; refuses only one that holds nothing of a run.
pub(super) fn gather(dir: &Path) -> Result<Findings, RecordError> {
    let folder = Folder::new(dir);
    folder.check_holds_run()?;
    let mut missing = Vec::new();
    let summary = summary(&folder, &mut missing);
    let manifest = manifest(&folder, &summary, &mut missing);
    check_resolved(&folder, &manifest, &mut missing);
    let (columns, _) = series::salvage(dir, &|_| false);
    let stamps = studies::find(dir, &manifest.resolved_blake3);
    let sensitivities = studies::find(dir, &manifest.resolved_blake3);
    Ok(Findings { manifest, summary, columns, stamps, sensitivities, missing })
}

fn json(path: &Path) -> Result<Value, String> {
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "is missing".to_string(),
        _ => format!("cannot be read ({error})"),
    })?;
    serde_json::from_slice(&bytes).map_err(|error| format!("is damaged ({error})"))
}

fn summary(folder: &Folder, missing: &mut Vec<String>) -> Value {
    json(&folder.summary())
        .and_then(|value| if value.is_object() { Ok(value) } else { Err("is damaged (no table)".into()) })
        .unwrap_or_else(|why| {
            missing.push(format!(
                "summary.json {why}: there are no quantities, no ledger and no checks. The run is still in progress, or it was killed; `touchdown resume` continues it."
            ));
            Value::Null
        })
}

fn manifest(folder: &Folder, summary: &Value, missing: &mut Vec<String>) -> Manifest {
    let value = json(&folder.manifest()).unwrap_or_else(|why| {
        missing.push(format!(
            "manifest.json {why}: the question, the inputs with their hashes and the command are not known."
        ));
        Value::Null
    });
    let mut manifest: Manifest = serde_json::from_value(value.clone()).unwrap_or_else(|error| {
        if !value.is_null() {
            missing.push(format!("manifest.json is incomplete ({error}): what can be read of it is shown."));
        }
        in_pieces(&value)
    });
    if manifest.scenario.is_empty() {
        manifest.scenario = super::value::text(&summary["scenario"]);
    }
    if manifest.scenario.is_empty() {
        let name = std::fs::canonicalize(folder.root()).ok();
        let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        manifest.scenario = name.unwrap_or_else(|| "unknown".into());
    }
    if manifest.version.is_empty() {
        manifest.version = super::value::text(&summary["version"]);
    }
    manifest
}

/// Reads each entry separately; an unreadable one is empty.
fn in_pieces(value: &Value) -> Manifest {
    fn piece<T: DeserializeOwned + Default>(value: &Value, key: &str) -> T {
        serde_json::from_value(value[key].clone()).unwrap_or_default()
    }
    let build: Result<Build, _> = serde_json::from_value(value["build"].clone());
    Manifest {
        format: piece(value, "format"),
        scenario: piece(value, "scenario"),
        title: piece(value, "title"),
        version: piece(value, "version"),
        build: build.unwrap_or_default(),
        run_blake3: piece(value, "run_blake3"),
        accepted: piece(value, "accepted"),
        command: piece(value, "command"),
        began: piece(value, "began"),
        knobs: piece(value, "knobs"),
        settings: piece(value, "settings"),
        resolved_blake3: piece(value, "resolved_blake3"),
        inputs: piece(value, "inputs"),
        seed: piece(value, "seed"),
        threads: piece(value, "threads"),
        warnings: piece(value, "warnings"),
        assumed: piece(value, "assumed"),
        maps: piece(value, "maps"),
        report: piece(value, "report"),
        duration_s: piece(value, "duration_s"),
        frames_every_s: piece(value, "frames_every_s"),
        columns: piece(value, "columns"),
        bodies: piece(value, "bodies"),
        contacts: piece(value, "contacts"),
    }
}

/// The scenario in the folder must be the one that ran.
fn check_resolved(folder: &Folder, manifest: &Manifest, missing: &mut Vec<String>) {
    match files::read(&folder.resolved()) {
        Err(_) => {
            missing.push("resolved.toml is missing: the inputs cannot be checked against their hash.".into())
        }
        Ok(_) if manifest.resolved_blake3.is_empty() => {}
        Ok(bytes) if blake3::hash(&bytes).to_hex().to_string() == manifest.resolved_blake3 => {}
        Ok(_) => missing.push(
            "resolved.toml is not the scenario that ran: its hash differs from the one in the manifest."
                .into(),
        ),
    }
}
