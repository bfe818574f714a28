//! The schemas that editors read: those that the program prints, named by every shipped file, which conforms to them.

use crate::common::{good, temporary};
use crate::root;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Kinds of files, with the folders of those that are shipped.
const KINDS: [(&str, &[&str]); 6] = [
    (
        "scenario",
        &[
            "scenarios/docking",
            "scenarios/feet",
            "scenarios/flexible",
            "scenarios/mechanisms",
            "scenarios/polygonal",
            "scenarios/rover",
            "scenarios/soil",
            "scenarios/surface",
        ],
    ),
    ("machine", &["scenarios/machines"]),
    ("soil", &["scenarios/soils"]),
    ("study", &["studies/campaigns", "studies/docking"]),
    ("identify", &["studies/feet", "studies/soil"]),
    ("claims", &["validation"]),
];

/// Read by tests and pages of the program alone.
const WITHOUT: [&str; 1] = ["validation/limits.toml"];

#[test]
fn every_shipped_file_names_its_schema_and_keeps_it() {
    let dir = temporary();
    let mut read = 0;
    for (kind, folders) in KINDS {
        let kept = root().join(format!("docs/reference/{kind}.schema.json"));
        let text = std::fs::read_to_string(&kept).expect("the schema is there");
        assert!(
            text == good(dir.path(), &["schema", kind]),
            "docs/reference/{kind}.schema.json is stale; run: make reference"
        );
        let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
        for file in folders.iter().flat_map(|folder| files(folder)) {
            let text = std::fs::read_to_string(&file).expect("UTF-8");
            let named = text.lines().next().and_then(|line| line.strip_prefix("#:schema "));
            let place = named.map(|path| file.parent().expect("a folder").join(path).canonicalize());
            let place = place.and_then(Result::ok);
            assert_eq!(place.as_deref(), kept.canonicalize().ok().as_deref(), "{}", file.display());
            let value: Value = toml_edit::de::from_str(&text).expect("TOML");
            if let Err(wrong) = keeps(&value, &schema, &schema) {
                panic!("{}: {wrong}", file.display());
            }
            read += 1;
        }
    }
    assert!(read > 110, "only {read} files");
}

/// Files of a folder that are shipped for users.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder of files");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    let is_one = |path: &Path| {
        path.extension().is_some_and(|end| end == "toml") && !WITHOUT.iter().any(|w| path.ends_with(w))
    };
    paths.retain(|path| is_one(path));
    paths.sort();
    paths
}

/// Whether a value keeps a schema, as far as the schemas of this program go: types, keys, words, references and choices.
fn keeps(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    if let Some(to) = schema["$ref"].as_str() {
        let target = root.pointer(&to[1..]).ok_or_else(|| format!("{to} leads nowhere"))?;
        keeps(value, target, root)?;
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tried: Vec<_> = any.iter().map(|one| keeps(value, one, root)).collect();
        if !tried.iter().any(Result::is_ok) {
            return Err(tried.into_iter().filter_map(Result::err).collect::<Vec<_>>().join(" | "));
        }
    }
    for all in schema["allOf"].as_array().into_iter().flatten() {
        keeps(value, all, root)?;
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Err(format!("{value} is none of {}", schema["enum"]));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is(value, name)) {
        return Err(format!("{value} is no {types:?}"));
    }
    let at = |key: &str, why: String| format!("{key}: {why}");
    for (key, below) in value.as_object().into_iter().flatten() {
        match (schema["properties"].get(key), &schema["additionalProperties"]) {
            (Some(known), _) => keeps(below, known, root).map_err(|why| at(key, why))?,
            (None, Value::Bool(false)) => return Err(format!("{key} is not a key")),
            (None, others @ Value::Object(_)) => keeps(below, others, root).map_err(|why| at(key, why))?,
            _ => {}
        }
    }
    for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.as_object().is_some_and(|table| !table.contains_key(key)) {
            return Err(format!("{key} is missing"));
        }
    }
    if schema["items"].is_object() {
        value.as_array().into_iter().flatten().try_for_each(|item| keeps(item, &schema["items"], root))?;
    }
    Ok(())
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("no type {other}"),
    }
}

#[test]
fn a_wrong_file_does_not_keep_its_schema() {
    // A misspelt key, an unknown word, and a text in place of a number are found.
    let schema: Value =
        serde_json::from_str(&good(temporary().path(), &["schema", "study"])).expect("a schema is JSON");
    for (text, wrong) in [
        ("scenario = \"pendulum\"\ncasses = 3", "casses is not a key"),
        ("scenario = \"pendulum\"\nsampling = \"sobbol\"", "none of"),
        ("scenario = \"pendulum\"\ncases = \"many\"", "no [\"integer\"]"),
        ("cases = 3", "scenario is missing"),
    ] {
        let value: Value = toml_edit::de::from_str(text).expect("TOML");
        let said = keeps(&value, &schema, &schema).expect_err(text);
        assert!(said.contains(wrong), "{said}");
    }
}
