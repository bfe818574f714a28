//! `touchdown show`: question, source, knobs and answers of a scenario; or a machine, or a soil.

use crate::failure::Failure;
use crate::located;
use crate::output::{number, print, print_json, table};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use touchdown_scenario::{Entry, EntryKind, Scenario, Soil, catalogue, load, soils};
use touchdown_sim::Simulation;
use touchdown_sim::description::{Input, Quantity};
use touchdown_sim::sink::Column;

/// Prints what is worth knowing about a scenario, a machine or a soil.
pub fn show(name: &str, json: bool, sets: &[String]) -> Result<(), Failure> {
    if let Some(soil) = soils().iter().find(|soil| soil.name == name) {
        return if json { print_json(&soil_listing(soil)) } else { print(&soil_page(soil)) };
    }
    let built_in = catalogue().iter().find(|entry| entry.name == name);
    if let Some(machine) = built_in.filter(|entry| entry.kind == EntryKind::Machine) {
        let listing = || json!({ "machine": machine.name, "title": machine.title, "use": machine.path });
        return if json { print_json(&listing()) } else { print(&machine_page(machine)) };
    }
    let scenario = load(name, sets)?;
    let world = located::build_world(&scenario, None)?;
    if json {
        return print_json(&listing(&scenario, &world));
    }
    print(&scenario_page(&scenario, &world, built_in.map(header).unwrap_or_default()))
}

/// A soil for programs, SI.
fn soil_listing(soil: &Soil) -> Value {
    let values = soil.values.iter().map(|v| {
        let value = json!({ "value": v.value, "unit": v.unit, "given": v.given, "about": v.about });
        (v.key.to_string(), value)
    });
    let spread = soil.spread.iter().map(|s| {
        let value = json!({ "sd": s.sd, "range": s.range, "source": s.source, "assumed": s.assumed });
        (s.key.clone(), value)
    });
    json!({
        "soil": soil.name, "title": soil.title, "source": soil.source, "assumed": soil.assumed, "law": soil.law,
        "values": values.collect::<Map<_, _>>(), "spread": spread.collect::<Map<_, _>>(),
    })
}

/// The comment at the top of a built-in file.
fn header(entry: &Entry) -> String {
    let lines = entry.text.lines().take_while(|line| line.starts_with('#')).filter(|l| !l.starts_with("#:"));
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
        "{}: {}\nsource    {}\nassumed   {}\npressure  {law}\n\n{rows}\n{}in a scenario: [terrain] soil = \"{}\"\n",
        soil.name,
        soil.title,
        soil.source,
        soil.assumed,
        scatter(soil),
        soil.name
    )
}

/// How far the numbers of a soil scatter, in SI.
fn scatter(soil: &Soil) -> String {
    if soil.spread.is_empty() {
        return String::new();
    }
    let mut rows = table(&["scatter of", "standard deviation", "range", "from"]);
    for spread in &soil.spread {
        let sd = spread.sd.map(number).unwrap_or_default();
        let range = spread.range.map(|[low, high]| format!("{} to {}", number(low), number(high)));
        let from = match spread.source.as_str() {
            "" => format!("assumed: {}", spread.assumed),
            source => source.to_string(),
        };
        rows.add_row([spread.key.clone(), sd, range.unwrap_or_default(), from]);
    }
    format!("{rows}\n")
}

fn scenario_page(scenario: &Scenario, world: &Simulation, header: String) -> String {
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
    let tables = [
        knobs(scenario),
        inputs(world),
        signals(world),
        quantities(scenario),
        columns(world),
        assumed(scenario),
    ];
    text + "\n" + &tables.concat()
}

/// What can be commanded while it runs.
fn inputs(world: &Simulation) -> String {
    if world.inputs().is_empty() {
        return String::new();
    }
    let mut rows = table(&["input", "at the start", "unit", "from", "to"]);
    for (k, input) in world.inputs().iter().enumerate() {
        let bound = |x: f64| if x.abs() < f64::MAX { number(x) } else { "-".into() };
        let [lower, upper] = [input.lower, input.upper].map(bound);
        rows.add_row([input.name.clone(), number(world.input_value(k)), input.unit.into(), lower, upper]);
    }
    format!(
        "{rows}\ncommand them: touchdown run NAME --commands FILE.csv, with a column time_s and one for each input\n\n"
    )
}

/// Names by all but their last word, with how many there are.
fn groups<'a>(title: &str, names: impl Iterator<Item = &'a String>) -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in names {
        let group = name.rsplit_once('.').map_or(name.as_str(), |(group, _)| group);
        match groups.last_mut() {
            Some((last, count)) if *last == group => *count += 1,
            _ => groups.push((group, 1)),
        }
    }
    let mut rows = table(&[title, "number"]);
    for (group, count) in groups {
        rows.add_row([group.into(), count.to_string()]);
    }
    rows.to_string()
}

/// What devices write on their bus, by device; all of it with --json.
fn signals(world: &Simulation) -> String {
    match world.signals() {
        [] => String::new(),
        signals => format!(
            "{}\nall {} signals, which a [controller.NAME] can read: touchdown show NAME --json\n\n",
            groups("signals", signals.iter()),
            signals.len()
        ),
    }
}

/// Columns of the series by what they belong to; all of them with --json.
fn columns(world: &Simulation) -> String {
    let rows = groups("columns", world.columns().iter().map(|column| &column.name));
    format!(
        "{rows}\nall {} columns with unit, frame and meaning: touchdown show NAME --json\n\n",
        world.columns().len()
    )
}

/// Knobs, inputs, signals, columns and quantities for programs.
fn listing(scenario: &Scenario, world: &Simulation) -> Value {
    let knob = |k: &touchdown_scenario::Parameter| json!({ "name": k.name, "path": k.path, "default": k.default, "value": k.value, "unit": k.unit, "about": k.about });
    let input = |(k, input): (usize, &Input)| {
        let bound = |x: f64| (x.abs() < f64::MAX).then_some(x);
        json!({
            "name": input.name, "unit": input.unit, "value": world.input_value(k),
            "lower": bound(input.lower), "upper": bound(input.upper),
        })
    };
    let column = |c: &Column| json!({ "name": c.name, "unit": c.unit, "frame": c.frame, "about": c.about });
    let quantity = |q: &Quantity| json!({ "name": q.name, "column": q.column, "about": q.about });
    json!({
        "name": scenario.name,
        "title": scenario.title,
        "question": scenario.question,
        "reproduces": scenario.reproduces,
        "knobs": scenario.parameters.iter().map(knob).collect::<Vec<Value>>(),
        "inputs": world.inputs().iter().enumerate().map(input).collect::<Vec<Value>>(),
        "signals": world.signals(),
        "columns": world.columns().iter().map(column).collect::<Vec<Value>>(),
        "quantities": scenario.description.quantities.iter().map(quantity).collect::<Vec<Value>>(),
        "answer": scenario.report.answer.quantity,
    })
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
    let answer =
        scenario.report.answer.quantity.as_ref().map(|name| format!("answer: {name}\n")).unwrap_or_default();
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
