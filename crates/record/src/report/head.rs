//! The top of the page: the question, the answer, how the run ended, and one line on how reliable the answer
//! is.

use super::gather::Findings;
use super::sensitivities;
use super::tables::{self, Flag};
use super::value::{ANSWER_DIGITS, Entry, number, text, unit, with_unit};
use crate::stamp::Stamp;
use maud::{Markup, html};

/// Digits of a commit at the top of the page; provenance shows all of them.
const COMMIT_DIGITS: usize = 10;

/// The quantity that answers the question: the one that the scenario names.
pub(super) fn answer<'a>(findings: &Findings, quantities: &'a [Entry]) -> Option<&'a Entry> {
    let name = &findings.manifest.report.answer;
    quantities.iter().find(|quantity| quantity.name == *name)
}

/// The page's title.
pub(super) fn title(findings: &Findings) -> &str {
    let manifest = &findings.manifest;
    if manifest.title.is_empty() { &manifest.scenario } else { &manifest.title }
}

/// Everything above the sections.
pub(super) fn head(findings: &Findings, quantities: &[Entry]) -> Markup {
    let spec = &findings.manifest.report;
    html! {
        header {
            p.kicker { (program(findings)) " · run of " code { (findings.manifest.scenario) } @if let Some(day) = day(findings) { " · " (day) } }
            h1 { (title(findings)) }
            @if !spec.reproduces.is_empty() { p.source { "after " (spec.reproduces) } }
            @if !findings.missing.is_empty() { (missing(&findings.missing)) }
            div.answer {
                @if !spec.question.is_empty() { p.question { (spec.question) } }
                (answer_block(findings, quantities))
                (status(findings))
                (trust(findings))
            }
        }
    }
}

/// Version and commit.
fn program(findings: &Findings) -> String {
    let (version, build) = (&findings.manifest.version, &findings.manifest.build);
    let commit: String = build.commit.chars().take(COMMIT_DIGITS).collect();
    match (commit.is_empty(), build.dirty) {
        (true, _) => format!("touchdown {version}"),
        (false, false) => format!("touchdown {version} ({commit})"),
        (false, true) => format!("touchdown {version} ({commit} with changes)"),
    }
}

/// The day on which the run began.
fn day(findings: &Findings) -> Option<&str> {
    findings.manifest.began.split_once('T').map(|(day, _)| day)
}

fn missing(list: &[String]) -> Markup {
    html! {
        div.missing role="note" {
            p { strong { "⚠ This run folder is not complete." } " The report shows what there is." }
            ul { @for item in list { li { (item) } } }
        }
    }
}

fn answer_block(findings: &Findings, quantities: &[Entry]) -> Markup {
    let name = &findings.manifest.report.answer;
    let stamp = findings.stamps.iter().find(|stamp| stamp.quantity == *name);
    let sensitivity = findings.sensitivities.iter().find(|study| study.quantity == *name);
    let words = &findings.summary["answer"];
    let (verdict, said) = (text(&words["verdict"]), text(&words["text"]));
    html! {
        @if !said.is_empty() { p.said.(verdict_class(&verdict)) data-verdict=(verdict) { (printed(&said)) } }
        @match answer(findings, quantities) {
            // A yes or no is the answer; its number is listed with the quantities.
            Some(_) if verdict == "yes" || verdict == "no" => {},
            Some(Entry { name, value: Some(value), unit: in_unit, about, .. }) => {
                p.value { data value=(value) { (answered(*value, about)) } " " span.unit { (unit(in_unit)) } }
                p.definition { code { (name) } @if !about.is_empty() { ": " (about) } }
                @if let Some(stamp) = stamp { (limit(stamp)) }
                @if let Some(study) = sensitivity { (sensitivities::limit(study)) } @else { (sensitivities::hint(findings)) }
            },
            Some(Entry { name, about, .. }) => {
                p.value { span.absent { "no value" } }
                p.definition { code { (name) } @if !about.is_empty() { ": " (about) } ". It did not happen in this run; see the warnings." }
            },
            None if name.is_empty() => p.definition { "The scenario names no single quantity as its answer: see the quantities and figures." },
            None => p.definition { "The answer would be " code { (name) } ", which the run did not leave behind." },
        }
    }
}

/// A sentence as printed: with typographic minus signs, and no line break between a number and its unit.
fn printed(said: &str) -> String {
    let letters: Vec<char> = said.chars().collect();
    let at = |k: Option<usize>| k.and_then(|k| letters.get(k)).copied().unwrap_or(' ');
    let letter = |(k, c): (usize, &char)| {
        let (before, after) = (at(k.checked_sub(1)), at(Some(k + 1)));
        match c {
            '-' if after.is_ascii_digit() && !before.is_alphanumeric() => '\u{2212}',
            ' ' if before.is_ascii_digit() && (after.is_alphabetic() || after == '%') => '\u{a0}',
            other => *other,
        }
    };
    letters.iter().enumerate().map(letter).collect()
}

fn verdict_class(verdict: &str) -> &'static str {
    match verdict {
        "yes" => "good",
        "no" | "undecided" => "bad",
        _ => "plain",
    }
}

/// A number, or yes and no for a quantity such as "1 if docked at the end".
fn answered(value: f64, about: &str) -> String {
    match (about.starts_with("1 if "), value) {
        (true, 1.0) => "yes".into(),
        (true, 0.0) => "no".into(),
        _ => number(value, ANSWER_DIGITS),
    }
}

/// The result of a convergence study for the answer.
fn limit(stamp: &Stamp) -> Markup {
    let (estimate, within) =
        (with_unit(stamp.estimate, ANSWER_DIGITS, &stamp.unit), with_unit(stamp.uncertainty, 2, &stamp.unit));
    html! { p.definition { "With ever finer settings: " (estimate) " ± " (within) " (" a href="#convergence" { "convergence" } ")." } }
}

fn status(findings: &Findings) -> Markup {
    let summary = &findings.summary;
    html! {
        p.status {
            @if summary["finished"] == true { span.flag.good { "✓ finished" } " " (effort(findings)) }
            @else if summary.is_null() { span.flag.bad { "✗ no end recorded" } " The run is still going on, or it was killed." }
            @else {
                span.flag.bad { "✗ stopped early" } " "
                @let reason = text(&summary["stopped_because"]);
                @if reason.is_empty() { "No reason is recorded." } @else { "because " (reason) }
                " " (effort(findings))
            }
        }
    }
}

/// Simulated time, steps and wall-clock time.
fn effort(findings: &Findings) -> String {
    let summary = &findings.summary;
    let amount = |key: &str| summary[key].as_f64().filter(|x| *x > 0.0);
    let mut parts = Vec::new();
    parts.extend(amount("sim_time_s").map(|time| format!("{} simulated", with_unit(time, 5, "s"))));
    parts.extend(amount("steps").map(|steps| format!("{} steps", number(steps, 5))));
    parts.extend(amount("wall_time_s").map(|time| format!("{} computing time", with_unit(time, 3, "s"))));
    parts.join(", ")
}

/// How many checks hold, or that all do.
fn all_hold(checks: usize) -> String {
    match checks {
        1 => "the one validity check holds".into(),
        2 => "both validity checks hold".into(),
        n => format!("all {n} validity checks hold"),
    }
}

/// One line: the checks, and how well the energy ledger balances.
fn trust(findings: &Findings) -> Markup {
    let checks = tables::checks(&findings.summary);
    let broken = checks.iter().filter(|check| check.flag == Flag::Broken).count();
    let warnings = findings.summary["warnings"].as_array().map_or(0, Vec::len);
    html! {
        p.trust {
            @if checks.is_empty() { span.flag.unknown { "? no validity checks recorded" } }
            @else if broken == 0 { span.flag.good { "✓ " (all_hold(checks.len())) } }
            @else { span.flag.bad { "✗ fails " (broken) " of " (checks.len()) " validity checks" } }
            " " (residuals(findings))
            @if warnings > 0 { " " a href="#warnings" { (warnings) @if warnings == 1 { " warning" } @else { " warnings" } } "." }
        }
    }
}

fn residuals(findings: &Findings) -> String {
    let value = |table: &str, name: &str| findings.summary[table][name]["value"].as_f64();
    let mut parts = Vec::new();
    let energy =
        value("ledger", "energy_residual_relative").or(value("quantities", "energy_residual_relative"));
    parts.extend(energy.map(|r| format!("energy residual {} of the energy exchanged", number(r, 2))));
    parts.extend(
        value("ledger", "constraint_residual_max").map(|r| format!("constraint residual {}", number(r, 2))),
    );
    parts.extend(
        value("quantities", "soil_volume_error_relative")
            .map(|r| format!("soil volume error {} of the volume moved", number(r, 2))),
    );
    let mut sentence = parts.join(", ");
    if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[test]
    fn numbers_keep_their_units_and_have_a_true_minus() {
        assert_eq!(
            printed("pulls -34.2 N at 20 % slip-free"),
            "pulls \u{2212}34.2\u{a0}N at 20\u{a0}% slip-free"
        );
        assert_eq!(printed("1e-6 m, ä -ö"), "1e-6\u{a0}m, ä -ö");
    }
}
