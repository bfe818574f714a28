//! `touchdown list` and `touchdown schema`: what is built in, and the keys of scenario files.

use crate::args::{Described, Listed};
use crate::failure::Failure;
use crate::output::{number, print, print_json, table};
use serde_json::{Value, json};
use touchdown_scenario::{
    EntryKind, Soil, catalogue, json_schema, machine_schema, reference_markdown, reference_text, soil_schema,
    soils,
};

/// Prints the built-in scenarios, machines and soils, a line each.
pub fn list(what: Option<Listed>, json: bool) -> Result<(), Failure> {
    if json {
        return print_json(&listing(what));
    }
    let mut text = String::new();
    for (listed, kind, heading) in [
        (Listed::Scenarios, EntryKind::Scenario, "scenario"),
        (Listed::Machines, EntryKind::Machine, "machine"),
    ] {
        if what.is_some_and(|asked| asked != listed) {
            continue;
        }
        let mut rows = table(&[heading, "topic", "what it is"]);
        for entry in catalogue().iter().filter(|entry| entry.kind == kind) {
            rows.add_row([&entry.name, &entry.topic, &entry.title]);
        }
        text += &format!("{rows}\n\n");
    }
    if what.is_none_or(|asked| asked == Listed::Soils) {
        text += &format!("{}\n\n", soil_table());
    }
    print(&(text + "touchdown show NAME describes one, touchdown run SCENARIO runs it\n"))
}

/// The same for programs.
fn listing(what: Option<Listed>) -> Value {
    let entries = |kind: EntryKind| -> Value {
        let of_kind = catalogue().iter().filter(|entry| entry.kind == kind);
        of_kind.map(|e| json!({ "name": e.name, "topic": e.topic, "title": e.title })).collect()
    };
    let soil = |soil: &Soil| json!({ "name": soil.name, "title": soil.title, "source": soil.source });
    let parts = [
        (Listed::Scenarios, "scenarios", entries(EntryKind::Scenario)),
        (Listed::Machines, "machines", entries(EntryKind::Machine)),
        (Listed::Soils, "soils", soils().iter().map(soil).collect()),
    ];
    let asked = parts.into_iter().filter(|(listed, ..)| what.is_none_or(|asked| asked == *listed));
    Value::Object(asked.map(|(_, name, list)| (name.to_string(), list)).collect())
}

/// Soils with the numbers that tell them apart, SI; Reece's k1 and k2 stand in the columns of kc and kphi.
fn soil_table() -> String {
    let mut rows = table(&["soil", "n", "kc", "kphi", "c Pa", "phi deg", "what it is"]);
    for soil in soils() {
        let value = |key: &str| soil.values.iter().find(|v| v.key == key).map_or(f64::NAN, |v| v.value);
        rows.add_row([
            soil.name.clone(),
            number(value("exponent")),
            number(value("cohesive_modulus")),
            number(value("frictional_modulus")),
            number(value("cohesion")),
            number(value("friction_angle").to_degrees()),
            soil.title.clone(),
        ]);
    }
    rows.to_string()
}

/// Prints the JSON Schema of a kind of file, or that of scenarios as lines or as a page.
pub fn schema(what: Described, as_lines: bool, as_page: bool) -> Result<(), Failure> {
    if as_lines {
        return print(&reference_text());
    }
    if as_page {
        return print(&reference_markdown());
    }
    let made = match what {
        Described::Scenario => json_schema(),
        Described::Machine => machine_schema(),
        Described::Soil => soil_schema(),
        Described::Study => return print(touchdown_campaign::STUDY_SCHEMA),
        Described::Identify => return print(touchdown_study::IDENTIFY_SCHEMA),
        Described::Claims => return print(touchdown_study::CLAIMS_SCHEMA),
    };
    print_json(&made)
}
