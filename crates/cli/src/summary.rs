//! What a run prints at its end: the answer alone (`-q`), the short form, or all quantities, ledger and checks (`-v`).

use crate::output::{Tone, count, number, plain, table, toned, with_unit, wrapped};
use comfy_table::CellAlignment;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use touchdown_scenario::Scenario;
use touchdown_session::import_warnings;
use touchdown_sim::sink::{Answer, Cell, Check, NamedValue, Outcome, Table, TableColumn, Verdict};

/// A run that has ended.
pub struct Finished<'a> {
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

/// Width of the short output, characters.
const WIDTH: usize = 80;
/// Where the texts of the short output begin.
const INDENT: usize = 10;
/// Quantities of the short output.
const FEW: usize = 5;
/// Warnings of the short output.
const FEW_WARNINGS: usize = 2;

/// The answer with its failed checks, and where the results are.
pub fn brief(finished: &Finished) -> String {
    format!("{}\n{}", plain(&answer(finished).text), plain(&places(finished)))
}

/// The question, the answer, the checks, the quantities that matter most, and where the rest is.
pub fn short(finished: &Finished) -> String {
    let (scenario, outcome) = (finished.scenario, finished.outcome);
    let mut text = format!("{}\n", toned(&scenario.title, Tone::Strong));
    if let Some(question) = &scenario.question {
        text += &labelled("asked", &plain(question), None);
    }
    let answer = answer(finished);
    let tone = match answer.verdict {
        Verdict::Yes => Tone::Good,
        Verdict::No | Verdict::Undecided => Tone::Bad,
        Verdict::Number => Tone::Strong,
    };
    text += &labelled("answer", &plain(&answer.text), Some(tone));
    text += &checks_line(&outcome.validity);
    let few = few(finished);
    let width = few.iter().map(|q| q.name.chars().count()).max().unwrap_or(0);
    for q in &few {
        let value = if q.value.is_nan() { "no value".into() } else { with_unit(rounded(q.value), &q.unit) };
        let start = format!("  {:<width$}  {value:<16}", q.name);
        let room = WIDTH.saturating_sub(start.chars().count() + 1);
        let _ = writeln!(text, "{}", plain(format!("{start} {}", cut(&q.about, room)).trim_end()));
    }
    let warnings = warnings(finished);
    for warning in warnings.iter().take(FEW_WARNINGS) {
        text += &labelled("warning", &plain(&cut(warning, 2 * (WIDTH - INDENT) - 12)), None);
    }
    let left = outcome.quantities.len() - few.len();
    let more = warnings.len().saturating_sub(FEW_WARNINGS);
    let rest: Vec<String> = [(left, "quantities", "quantity"), (more, "warnings", "warning")]
        .into_iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, many, one)| format!("{n} more {}", if n == 1 { one } else { many }))
        .collect();
    if !rest.is_empty() {
        let _ = writeln!(text, "{}: -v, or the report", rest.join(", "));
    }
    text + &plain(&(speed(finished) + &places(finished)))
}

/// A label and a text broken into lines behind it.
fn labelled(label: &str, content: &str, tone: Option<Tone>) -> String {
    let lines = wrapped(content, WIDTH, INDENT);
    // The first sentence of an answer says it; only its first word is coloured.
    let lines = match (tone, lines.split_once(' ')) {
        (Some(tone), Some((first, rest))) => format!("{} {rest}", toned(first, tone)),
        _ => lines,
    };
    format!("{label:<INDENT$}{lines}\n")
}

fn checks_line(checks: &[Check]) -> String {
    let broken = checks.iter().filter(|check| !check.holds()).count();
    match (checks.len(), broken) {
        (0, _) => String::new(),
        (1, 0) => labelled("checks", "the one validity check holds", None),
        (2, 0) => labelled("checks", "both validity checks hold", None),
        (n, 0) => labelled("checks", &format!("all {n} validity checks hold"), None),
        (n, _) => labelled(
            "checks",
            &format!("{broken} of {n} validity checks fail; -v explains each"),
            Some(Tone::Bad),
        ),
    }
}

/// The quantities that matter most: that of the answer, then those in the order of the file.
fn few<'a>(finished: &Finished<'a>) -> Vec<&'a NamedValue> {
    let all = &finished.outcome.quantities;
    let answer = &answer(finished).quantity;
    let first = all.iter().filter(|q| q.name == *answer);
    let rest = all.iter().filter(|q| q.name != *answer && q.name != "total_mass_kg" && !is_of_ledger(q));
    first.chain(rest).take(FEW).collect()
}

/// Whether a quantity repeats an entry of the ledger.
fn is_of_ledger(q: &NamedValue) -> bool {
    matches!(
        q.name.as_str(),
        "energy_drift_relative" | "energy_residual_relative" | "constraint_residual_max"
    )
}

/// Five digits are enough at a glance.
fn rounded(x: f64) -> f64 {
    format!("{x:.4e}").parse().unwrap_or(x)
}

/// At most this many characters.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// What is to be known of the inputs and of the run, but failed checks, which stand in the answer.
fn warnings(finished: &Finished) -> Vec<String> {
    let said = |warning: &&String| !warning.starts_with("validity: ");
    let own = finished.outcome.warnings.iter().filter(said).cloned();
    import_warnings(finished.scenario).into_iter().chain(own).collect()
}

/// Where to look.
fn places(finished: &Finished) -> String {
    let report =
        finished.report.as_ref().map_or(String::new(), |path| format!("report: {}\n", path.display()));
    format!("{report}results: {}\n", finished.dir.display())
}

/// Everything a person wants to see.
pub fn full(finished: &Finished) -> String {
    let (scenario, outcome) = (finished.scenario, finished.outcome);
    let mut text = format!("{}\n", scenario.title);
    let mut line = |label: &str, content: Option<&str>| {
        if let Some(content) = content {
            let _ = writeln!(text, "{label:<12}{content}");
        }
    };
    line("reproduces", scenario.reproduces.as_deref());
    line("asked", scenario.question.as_deref());
    line("answer", Some(&answer(finished).text));
    for map in &scenario.maps {
        line("map", Some(&format!("{}: {}", map.file, map.audit.in_short())));
    }
    text += "\n";
    text += &values("quantity", &outcome.quantities);
    outcome.words.iter().for_each(|w| text += &format!("{}: {} ({})\n\n", w.name, w.word, w.about));
    outcome.tables.iter().for_each(|t| text += &study_table(t));
    text += &values("ledger", &outcome.ledger);
    text += &validity(&outcome.validity);
    for warning in warnings(finished) {
        let _ = writeln!(text, "warning: {warning}");
    }
    if !scenario.assumed.is_empty() {
        let tables = count(scenario.assumed.len(), "table");
        let _ = writeln!(
            text,
            "{tables} of the inputs hold assumed values, listed with their reasons in manifest.json"
        );
    }
    plain(&(text + &speed(finished) + &places(finished))).into_owned()
}

/// The answer that the run was given.
fn answer(finished: &Finished) -> Answer {
    finished.outcome.answer.clone().unwrap_or_else(|| finished.scenario.answer(finished.outcome))
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
fn study_table(answers: &Table) -> String {
    let heading =
        |c: &TableColumn| if c.unit == "1" { c.name.clone() } else { format!("{}, {}", c.name, c.unit) };
    let headings: Vec<String> = answers.columns.iter().map(heading).collect();
    let mut rows = table(&headings.iter().map(String::as_str).collect::<Vec<_>>());
    for row in &answers.rows {
        rows.add_row(row.iter().map(|cell| match cell {
            Cell::Number(x) => number(*x),
            Cell::Text(text) => text.clone(),
        }));
    }
    for (k, column) in rows.column_iter_mut().enumerate() {
        let words = answers.rows.iter().any(|row| matches!(row.get(k), Some(Cell::Text(_))));
        column.set_cell_alignment(if words { CellAlignment::Left } else { CellAlignment::Right });
    }
    format!("{}\n{rows}\n\n", answers.title)
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
        let _ = writeln!(text, "  {}: {value} (allowed: {side} {limit}): {}", check.name, check.about);
    }
    text
}

/// Whether a scenario is stepped through time.
pub fn in_time(scenario: &Scenario) -> bool {
    scenario.description.study.as_ref().is_none_or(|study| study.takes_time())
}

fn speed(finished: &Finished) -> String {
    if !in_time(finished.scenario) {
        return format!(
            "{} in {:.3} s\n",
            count(finished.outcome.steps as usize, "case"),
            finished.wall_time
        );
    }
    let simulated = finished.outcome.sim_time - finished.time_at_start;
    let speed = simulated / finished.wall_time.max(1e-9);
    let (from, steps) = (finished.time_at_start, finished.outcome.steps);
    let resumed = if from > 0.0 { format!(" from t = {} s", number(from)) } else { String::new() };
    format!(
        "{} s simulated{resumed} in {:.3} s, {} × real time, {steps} steps in all\n",
        number(simulated),
        finished.wall_time,
        number((speed * 100.0).round() / 100.0),
    )
}
