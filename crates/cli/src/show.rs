//! `touchdown show`: what a scenario asks, where it comes from, which knobs it has and what it will answer; or a machine, or a soil.

use crate::failure::Failure;
use crate::output::{number, print, table};
use std::fmt::Write;
use touchdown_scenario::{Entry, EntryKind, Scenario, Soil, catalogue, load, soils};

/// Prints what is worth knowing about a scenario, a machine or a soil.
pub fn show(name: &str) -> Result<(), Failure> {
    if let Some(soil) = soils().iter().find(|soil| soil.name == name) {
        return print(&soil_page(soil));
    }
    let built_in = catalogue().iter().find(|entry| entry.name == name);
    match built_in {
        Some(machine) if machine.kind == EntryKind::Machine => print(&machine_page(machine)),
        _ => {
            let scenario = load(name, &[])?;
            print(&scenario_page(&scenario, built_in.map(header).unwrap_or_default()))
        }
    }
}

/// The comment at the top of a built-in file.
fn header(entry: &Entry) -> String {
    let lines = entry.text.lines().take_while(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim().to_string() + "\n").collect()
}

fn machine_page(entry: &Entry) -> String {
    format!("{}\n\n{}\nin a scenario: [machine.NAME] use = \"{}\"\n", entry.title, header(entry), entry.path)
}

fn soil_page(soil: &Soil) -> String {
    let law = match soil.law.as_str() {
        "reece" => "Reece: p = (k1 + k2 b)(z/b)^n",
        _ => "Bekker: p = (kc/b + kphi) z^n",
    };
    let mut rows = table(&["value", "", "unit", "meaning"]);
    for value in &soil.values {
        let (key, amount) = (value.key, value.value);
        let shown = match key {
            "friction_angle" => format!("{} ({} deg)", number(amount), number(amount.to_degrees())),
            _ => number(amount),
        };
        let note = if value.given { "" } else { " [default]" };
        rows.add_row([key.to_string(), shown, value.unit.into(), format!("{}{note}", value.about)]);
    }
    format!(
        "{}: {}\nsource    {}\nassumed   {}\npressure  {law}\n\n{rows}\nin a scenario: [terrain] soil = \"{}\"\n",
        soil.name, soil.title, soil.source, soil.assumed, soil.name
    )
}

fn scenario_page(scenario: &Scenario, header: String) -> String {
    let mut text = format!("{}: {}\n", scenario.name, scenario.title);
    if let Some(question) = &scenario.question {
        let _ = writeln!(text, "asks        {question}");
    }
    if let Some(source) = &scenario.reproduces {
        let _ = writeln!(text, "reproduces  {source}");
    }
    if !header.is_empty() {
        let _ = write!(text, "\n{header}");
    }
    text + "\n" + &knobs(scenario) + &quantities(scenario) + &assumed(scenario)
}

fn knobs(scenario: &Scenario) -> String {
    let mut rows = table(&["knob", "default", "unit", "meaning"]);
    for knob in &scenario.parameters {
        rows.add_row([&knob.name, &knob.default, &knob.unit, &knob.about]);
    }
    format!("{rows}\nturn one: touchdown run {} --set KNOB=VALUE\n\n", scenario.name)
}

fn quantities(scenario: &Scenario) -> String {
    if scenario.description.quantities.is_empty() {
        return String::new();
    }
    let mut rows = table(&["quantity", "meaning", "column"]);
    for quantity in &scenario.description.quantities {
        rows.add_row([&quantity.name, &quantity.about, &quantity.column]);
    }
    let answer = scenario.report.answer.as_ref().map(|name| format!("answer: {name}\n")).unwrap_or_default();
    format!("{rows}\n{answer}\n")
}

fn assumed(scenario: &Scenario) -> String {
    if scenario.assumed.is_empty() {
        return String::new();
    }
    let mut rows = table(&["assumed in", "what and why"]);
    for touchdown_scenario::Assumed { path, reason, .. } in &scenario.assumed {
        rows.add_row([path, reason]);
    }
    format!("{rows}\n")
}
