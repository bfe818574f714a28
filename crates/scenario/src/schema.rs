//! The table of keys for editors: a JSON Schema. `reference` writes it for readers.

use crate::read::written_forms;
use crate::table::{AttachKeys, COMMON, Field, KeyKind, Keys, MACHINE, Need, Range, SCENARIO, SOIL, Section};
use crate::unit::Dim;
use serde_json::{Map, Value, json};

/// JSON Schema (draft 2020-12) of scenario files.
pub fn json_schema() -> Value {
    schema_of(SCENARIO, "touchdown scenario")
}

/// JSON Schema of files of a soil.
pub fn soil_schema() -> Value {
    schema_of(SOIL, "touchdown soil")
}

/// JSON Schema of files of a machine.
pub fn machine_schema() -> Value {
    schema_of(MACHINE, "touchdown machine")
}

fn schema_of(root: &'static Section, title: &str) -> Value {
    let mut defs = Map::new();
    for section in reached_from(root) {
        defs.insert(identifier(section), section_schema(section));
    }
    defs.insert("signal".into(), signal_schema());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$ref": reference(root),
        "$defs": defs,
    })
}

/// Every section that can occur in a scenario, each once, the scenario first.
pub fn sections() -> Vec<&'static Section> {
    reached_from(SCENARIO)
}

/// A section and those that can occur in it, each once.
fn reached_from(root: &'static Section) -> Vec<&'static Section> {
    let mut list: Vec<&'static Section> = vec![root, AttachKeys::SECTION];
    let mut at = 0;
    while at < list.len() {
        for below in list[at].fields().filter_map(|f| f.kind.section()) {
            if !list.iter().any(|s| s.name == below.name) {
                list.push(below);
            }
        }
        at += 1;
    }
    list
}

fn identifier(section: &Section) -> String {
    section.name.replace(' ', "_")
}

fn reference(section: &Section) -> String {
    format!("#/$defs/{}", identifier(section))
}

fn section_schema(section: &'static Section) -> Value {
    let mut properties = Map::new();
    for field in section.fields().chain(COMMON) {
        let forms = written_forms(field);
        for (form, dim) in forms.iter().zip(std::iter::once(None).chain(suffixed(field).map(Some))) {
            let mut schema = kind_schema(&field.kind, dim);
            schema["description"] = json!(field.about);
            if let Need::Default(text) = field.need {
                schema["description"] = json!(format!("{} (default: {text})", field.about));
            }
            properties.insert(form.clone(), schema);
        }
    }
    // Required keys are not marked: `use` can supply them, which a schema cannot express. `touchdown check`
    // verifies them.
    json!({
        "type": "object",
        "description": section.about,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn suffixed(field: &'static Field) -> impl Iterator<Item = &'static Dim> {
    field.kind.dims().iter().copied().filter(|d| !d.suffix.is_empty())
}

/// A value under the key without unit (`dim` is `None`) or under one that names its unit.
fn kind_schema(kind: &'static KeyKind, dim: Option<&'static Dim>) -> Value {
    match kind {
        KeyKind::Text => json!({ "type": "string" }),
        KeyKind::Texts => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        KeyKind::Flag => json!({ "enum": [true, false, "on", "off"] }),
        KeyKind::Count { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        KeyKind::Choice(words) => json!({ "enum": words }),
        KeyKind::Number(dims, range) => number_schema(dims, *range, dim),
        KeyKind::Numbers { dims, range, lengths } => {
            let item = number_schema(dims, *range, dim);
            let list = json!({
                "type": "array",
                "items": item,
                "minItems": lengths.iter().min(),
                "maxItems": lengths.iter().max(),
            });
            if lengths.contains(&1) { json!({ "anyOf": [item, list] }) } else { list }
        }
        KeyKind::Places(dims) => {
            let item = number_schema(dims, crate::table::ANY, dim);
            let place = json!({ "type": "array", "items": item, "minItems": 2, "maxItems": 2 });
            json!({ "type": "array", "items": place, "minItems": 1 })
        }
        KeyKind::Axis => {
            json!({ "type": "array", "items": { "type": "number" }, "minItems": 3, "maxItems": 3 })
        }
        KeyKind::Signal(dims) => json!({ "anyOf": [
            number_schema(dims, crate::table::ANY, dim),
            { "$ref": "#/$defs/signal" },
        ] }),
        KeyKind::Attach => attach_schema(),
        KeyKind::AttachPair => {
            json!({ "type": "array", "items": attach_schema(), "minItems": 2, "maxItems": 2 })
        }
        KeyKind::Table(section) => json!({ "$ref": reference(section) }),
        KeyKind::Map(section) => {
            json!({ "type": "object", "additionalProperties": { "$ref": reference(section) } })
        }
        KeyKind::OneOf(kinds) => {
            let suits = |k: &&'static KeyKind| dim.is_none() || !k.dims().is_empty();
            let any: Vec<Value> = kinds.iter().filter(suits).map(|k| kind_schema(k, dim)).collect();
            json!({ "anyOf": any })
        }
    }
}

fn attach_schema() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "$ref": reference(AttachKeys::SECTION) }] })
}

fn number_schema(dims: &'static [&'static Dim], range: Range, dim: Option<&'static Dim>) -> Value {
    let plain = dim.is_some() || dims.iter().all(|d| d.suffix.is_empty());
    if !plain {
        let examples: Vec<&str> = dims.iter().map(|d| d.examples).collect();
        // A quantity that can be without a unit, such as the spread of a modulus.
        let written = if dims.iter().any(|d| d.suffix.is_empty()) {
            json!(["string", "number"])
        } else {
            json!("string")
        };
        return json!({ "type": written, "pattern": "^\\s*[+-]?[0-9.]", "$comment": format!("units: {}", examples.join(", ")) });
    }
    let lowest = if range.open { "exclusiveMinimum" } else { "minimum" };
    json!({ "type": "number", lowest: range.min, "maximum": range.max })
}

/// Functions of time; their numbers have the unit of their key.
fn signal_schema() -> Value {
    let value = json!({ "type": ["number", "string"] });
    let rows = json!({ "type": "array", "items": { "type": "array", "items": value, "minItems": 2, "maxItems": 2 } });
    json!({
        "type": "object",
        "description": "a function of time: one of ramp (with from and to), table, smooth, travel, sine, line",
        "properties": {
            "ramp": { "type": "array", "items": value, "minItems": 2, "maxItems": 2 },
            "from": value, "to": value, "from_s": { "type": "number" }, "to_s": { "type": "number" },
            "table": rows,
            "smooth": rows,
            "travel": rows,
            "sine": {
                "type": "object",
                "required": ["amplitude"],
                "properties": {
                    "amplitude": value, "offset": value, "frequency": value, "phase": value,
                    "frequency_hz": { "type": "number" }, "phase_rad": { "type": "number" },
                },
                "additionalProperties": false,
            },
            "line": {
                "type": "object",
                "required": ["start", "rate"],
                "properties": { "start": value, "rate": value },
                "additionalProperties": false,
            },
        },
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(node: &toml_edit::Item, schema: &Value, root: &Value, path: &str) {
        let schema = match schema.get("$ref").and_then(Value::as_str) {
            Some(to) => root.pointer(&to[1..]).unwrap(),
            None => schema,
        };
        let Some(table) = node.as_table_like() else { return };
        if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
            let object = any.iter().find(|s| s.get("$ref").is_some());
            return object.map_or((), |s| walk(node, s, root, path));
        }
        for (key, below) in table.iter() {
            let named = schema.get("additionalProperties").filter(|a| a.is_object());
            let next = schema.pointer(&format!("/properties/{key}")).or(named);
            let next = next.unwrap_or_else(|| panic!("{path}.{key} is not in the schema"));
            walk(below, next, root, &format!("{path}.{key}"));
        }
    }

    /// The schemas for editors contain every key that the built-in scenarios, machines and soils use.
    #[test]
    fn the_schemas_cover_the_built_in_files() {
        use crate::EntryKind;
        for (kind, schema) in [
            (EntryKind::Scenario, json_schema()),
            (EntryKind::Machine, machine_schema()),
            (EntryKind::Soil, soil_schema()),
        ] {
            let entries: Vec<_> = crate::catalogue().iter().filter(|e| e.kind == kind).collect();
            assert!(entries.len() >= 5, "{kind:?}");
            for entry in entries {
                let document = toml_edit::Document::parse(entry.text).unwrap();
                walk(document.as_item(), &schema, &schema, &entry.name);
            }
        }
    }
}
