//! What a run tells at its end: the question, the answer, the quantities, the ledger, and what to know before trusting them.

use crate::output::{count, number, table, with_unit};
use comfy_table::CellAlignment;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use touchdown_scenario::Scenario;
use touchdown_session::import_warnings;
use touchdown_sim::description::Study;
use touchdown_sim::sink::{Cell, Check, NamedValue, Outcome, Table, TableColumn};

/// A run that has ended.
pub struct Told<'a> {
    /// What was asked.
    pub scenario: &'a Scenario,
    /// What came out.
    pub outcome: &'a Outcome,
    /// Where the results are.
    pub dir: &'a Path,
    /// Wall-clock time it took, s.
    pub wall_time: f64,
    /// Simulated time at which this process took it up, s.
    pub time_at_start: f64,
    /// The page for people, if one was made.
    pub report: Option<PathBuf>,
}

/// The answer and where the results are.
pub fn brief(told: &Told) -> String {
    let answer = answer(told).map_or(String::new(), |line| format!("{line}\n"));
    format!("{answer}{}", places(told))
}

/// Where to look.
fn places(told: &Told) -> String {
    let report = told.report.as_ref().map_or(String::new(), |path| format!("report: {}\n", path.display()));
    format!("{report}results: {}\n", told.dir.display())
}

/// Everything a person wants to see.
pub fn full(told: &Told) -> String {
    let (scenario, outcome) = (told.scenario, told.outcome);
    let mut text = format!("{}\n", scenario.title);
    let mut line = |label: &str, content: Option<&str>| {
        if let Some(content) = content {
            let _ = writeln!(text, "{label:<12}{content}");
        }
    };
    line("reproduces", scenario.reproduces.as_deref());
    line("asked", scenario.question.as_deref());
    line("answer", answer(told).as_deref());
    for map in &scenario.maps {
        line("map", Some(&format!("{}: {}", map.file, map.audit.in_short())));
    }
    text += "\n";
    text += &values("quantity", &outcome.quantities);
    outcome.tables.iter().for_each(|t| text += &study_table(t));
    text += &values("ledger", &outcome.ledger);
    text += &validity(&outcome.validity);
    // Checks that do not hold are told above; their warnings are for readers of summary.json.
    let said = |warning: &&String| !warning.starts_with("validity: ");
    for warning in import_warnings(scenario).iter().chain(outcome.warnings.iter().filter(said)) {
        let _ = writeln!(text, "warning: {warning}");
    }
    if !scenario.assumed.is_empty() {
        let tables = count(scenario.assumed.len(), "table");
        let _ = writeln!(
            text,
            "{tables} of the inputs hold assumed values, listed with their reasons in manifest.json"
        );
    }
    text + &speed(told) + &places(told)
}

/// The quantity that answers the question: the one that the scenario names, or the first of a study.
fn answer(told: &Told) -> Option<String> {
    let quantities = &told.outcome.quantities;
    let found = match &told.scenario.report.answer {
        Some(name) => quantities.iter().find(|quantity| quantity.name == *name)?,
        None if told.scenario.description.study.is_some() => quantities.first()?,
        None => return None,
    };
    let until = if told.outcome.finished { "" } else { " (the run did not reach its end)" };
    // A quantity may never have happened; a warning says why.
    let value = if found.value.is_nan() { "no value".into() } else { with_unit(found.value, &found.unit) };
    Some(format!("{} = {value}: {}{until}", found.name, found.about))
}

fn values(heading: &str, list: &[NamedValue]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let mut rows = table(&[heading, "value", "unit", "meaning"]);
    for value in list {
        rows.add_row([&value.name, &number(value.value), &value.unit, &value.about]);
    }
    if let Some(column) = rows.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!("{rows}\n\n")
}

/// A table of a study.
fn study_table(told: &Table) -> String {
    let heading =
        |c: &TableColumn| if c.unit == "1" { c.name.clone() } else { format!("{}, {}", c.name, c.unit) };
    let headings: Vec<String> = told.columns.iter().map(heading).collect();
    let mut rows = table(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for row in &told.rows {
        rows.add_row(row.iter().map(|cell| match cell {
            Cell::Number(x) => number(*x),
            Cell::Text(text) => text.clone(),
        }));
    }
    for (k, column) in rows.column_iter_mut().enumerate() {
        let words = told.rows.iter().any(|row| matches!(row.get(k), Some(Cell::Text(_))));
        column.set_cell_alignment(if words { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!("{}\n{rows}\n\n", told.title)
}

/// How many checks hold, and those that do not.
fn validity(checks: &[Check]) -> String {
    if checks.is_empty() {
        return String::new();
    }
    let holding = checks.iter().filter(|check| check.holds()).count();
    let mut text = format!("validity: {holding} of {} hold\n", count(checks.len(), "check"));
    for check in checks.iter().filter(|check| !check.holds()) {
        let (value, limit) = (with_unit(check.value, &check.unit), with_unit(check.limit, &check.unit));
        let side = if check.at_most { "at most" } else { "at least" };
        let _ = writeln!(text, "  {}: {value}, trusted with {side} {limit}: {}", check.name, check.about);
    }
    text
}

/// Whether a scenario is stepped through time.
pub fn in_time(scenario: &Scenario) -> bool {
    matches!(
        scenario.description.study,
        None | Some(Study::Gradability(_) | Study::Spacings(_) | Study::Static)
    )
}

fn speed(told: &Told) -> String {
    if !in_time(told.scenario) {
        return format!("{} in {:.3} s\n", count(told.outcome.steps as usize, "case"), told.wall_time);
    }
    let simulated = told.outcome.sim_time - told.time_at_start;
    let speed = simulated / told.wall_time.max(1e-9);
    let (from, steps) = (told.time_at_start, told.outcome.steps);
    let resumed = if from > 0.0 { format!(" from t = {} s", number(from)) } else { String::new() };
    format!(
        "{} s simulated{resumed} in {:.3} s, {} x real time, {steps} steps in all\n",
        number(simulated),
        told.wall_time,
        number((speed * 100.0).round() / 100.0),
    )
}
