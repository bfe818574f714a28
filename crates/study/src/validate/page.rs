//! `validation.html`, the credibility page: what was verified and validated, what differs, where inputs come from, how large the numerical
//! uncertainty is, and where each model ends.

use super::claim::ClaimKind;
use super::error::ValidateError;
use super::limits::models;
use super::pedigree::Pedigree;
use super::report::{Report, Row, Verdict};
use super::text::{count, number, with_unit};
use maud::{Markup, PreEscaped, html};
use touchdown_record::Stamp;
use touchdown_record::page::page;
use touchdown_scenario::Assumed;

/// Rules of this page alone.
const STYLE: &str = include_str!("page.css");

/// The whole page. `stamps` are those of convergence studies that were found, whatever they are about.
pub fn render(report: &Report, pedigree: &[Pedigree], stamps: &[Stamp]) -> Result<String, ValidateError> {
    let title = match &report.asked {
        Some(name) => format!("Validation of {name}"),
        None => "Validation".into(),
    };
    let topics: Vec<&str> = pedigree.iter().map(|one| one.topic.as_str()).collect();
    let body = html! {
        style { (PreEscaped(STYLE)) }
        main class="validation" {
            (header(report, &title))
            (claims(report, "Verification", "Is the model solved right? Against closed forms, reference solutions of integrators that the program does not share, orders of convergence, and balances.", false))
            (claims(report, "Validation", "Is it the right model? Against what the papers print, show and say.", true))
            (super::measured::section(&report.measured))
            (differences(report))
            (inputs(pedigree))
            (uncertainty(pedigree, stamps))
            (limits(&topics)?)
            (provenance(report))
        }
    };
    Ok(page(&format!("{title} · touchdown"), &body, false))
}

fn header(report: &Report, title: &str) -> Markup {
    let [pass, fail, differs] =
        [Verdict::Pass, Verdict::Fail, Verdict::Differs].map(|verdict| report.count(verdict));
    let failed: Vec<&Row> = report.rows.iter().filter(|row| row.verdict == Verdict::Fail).collect();
    html! {
        header {
            p.kicker { "touchdown " (report.version) ", credibility page" }
            h1 { (title) }
            p.outcome {
                @if fail == 0 { (count(pass, "claim")) @if pass == 1 { " holds, " } @else { " hold, " } "none fails. " } @else { (fail) " of " (count(pass + fail, "claim")) " fail. " }
                @if differs > 0 { a href="#differences" { (count(differs, "known difference")) } " listed with the reason." }
            }
            p.note { "Every row was run (" (count(report.runs.len(), "run")) "); no measured value is typed in." }
            (summary(report))
        }
        nav.contents {
            a href="#verification" { "Verification" }
            a href="#validation" { "Validation" }
            @if !report.measured.is_empty() { a href="#measured" { "Measured wheels" } }
            a href="#differences" { "Known differences" }
            a href="#inputs" { "Inputs" }
            a href="#uncertainty" { "Numerical uncertainty" }
            a href="#limits" { "Limits" }
            a href="#provenance" { "Provenance" }
        }
        @if !failed.is_empty() { section { h2 { "What does not hold" } (table(&failed)) } }
    }
}

/// Counts by kind.
fn summary(report: &Report) -> Markup {
    let count = |kind: ClaimKind, verdict: Verdict| {
        report.rows.iter().filter(|r| r.kind == kind && r.verdict == verdict).count()
    };
    let cell = |n: usize| if n == 0 { "–".to_string() } else { n.to_string() };
    html! {
        table.counts {
            thead { tr { th { "resting on" } th.number { "hold" } th.number { "fail" } th.number { "differ" } } }
            tbody { @for kind in ClaimKind::ALL {
                tr {
                    td { (kind.name()) }
                    td.number { (cell(count(kind, Verdict::Pass))) }
                    td.number { (cell(count(kind, Verdict::Fail))) }
                    td.number { (cell(count(kind, Verdict::Differs))) }
                }
            } }
        }
    }
}

/// The rows of verification or validation that are expected to hold, by scenario.
fn claims(report: &Report, title: &str, about: &str, validation: bool) -> Markup {
    let wanted = |row: &&Row| row.kind.is_validation() == validation && row.verdict != Verdict::Differs;
    let rows: Vec<&Row> = report.rows.iter().filter(wanted).collect();
    html! {
        section {
            h2 id=(title.to_lowercase()) { (title) }
            p { (about) }
            @if rows.is_empty() { p.absent { "No claim of this kind." } } @else { (table(&rows)) }
        }
    }
}

fn differences(report: &Report) -> Markup {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| row.verdict == Verdict::Differs).collect();
    html! {
        section {
            h2 id="differences" { "Known differences" }
            @if rows.is_empty() { p.note { "None here." } } @else {
                p { "Claims that the program does not meet, run and measured like all others. A claim that begins to hold fails the validation until this list is corrected." }
                (table(&rows))
            }
        }
    }
}

/// A table of rows, scenario by scenario.
fn table(rows: &[&Row]) -> Markup {
    let mut by_scenario: Vec<(&str, Vec<&Row>)> = Vec::new();
    for row in rows {
        match by_scenario.iter_mut().find(|(name, _)| *name == row.scenario) {
            Some((_, rows)) => rows.push(row),
            None => by_scenario.push((&row.scenario, vec![row])),
        }
    }
    html! {
        table.claims {
            thead { tr { th { "claim" } th { "source" } th { "target, and why" } th { "measured" } th { "verdict" } } }
            @for (scenario, rows) in &by_scenario {
                tbody {
                    tr.scenario { th colspan="5" scope="rowgroup" { code { (scenario) } } }
                    @for row in rows { (claim(row)) }
                }
            }
        }
    }
}

fn claim(row: &Row) -> Markup {
    html! {
        tr {
            td.what {
                (row.what)
                @if !row.set.is_empty() { div.settings { @for set in &row.set { code { (set) } " " } } }
                @if !row.note.is_empty() { div.reason { (row.note) } }
            }
            td data-label="source" { (row.source) div.note { (row.kind.name()) } }
            td data-label="target" {
                span.value { (row.target) @if !row.tolerance.is_empty() { " " (row.tolerance) } }
                div.note { (row.why) }
            }
            td data-label="measured" {
                span.value { (row.shown) }
                @if !row.detail.is_empty() { details {
                    summary { (row.detail.len()) " runs" }
                    table.detail { @for (set, value) in &row.detail { tr { td { code { (set) } } td.number { (number(*value)) } } } }
                } }
            }
            td data-label="verdict" { (flag(row.verdict)) }
        }
    }
}

/// Sign and word, colour last.
fn flag(verdict: Verdict) -> Markup {
    let (class, text) = match verdict {
        Verdict::Pass => ("flag good", "✓ holds"),
        Verdict::Fail => ("flag bad", "✗ fails"),
        Verdict::Differs => ("flag unknown", "≠ differs"),
    };
    html! { span class=(class) { (text) } }
}

fn inputs(pedigree: &[Pedigree]) -> Markup {
    html! {
        section {
            h2 id="inputs" { "Where the inputs come from" }
            p { "Nothing was measured for this program: inputs are published by others, or assumed where nothing is published. Every assumed value says so in its file, and in the report of every run." }
            table.pedigree {
                thead { tr { th { "scenario" } th { "published" } th { "assumed" } } }
                tbody { @for one in pedigree { tr {
                    td data-label="scenario" { code { (one.scenario) } }
                    td data-label="published" {
                        (one.follows)
                        @for (name, source) in &one.published { div { code { (name) } ": " (source) } }
                    }
                    td data-label="assumed" { (assumed(&one.assumed)) }
                } } }
            }
        }
    }
}

fn assumed(list: &[Assumed]) -> Markup {
    html! {
        @if list.is_empty() { span.absent { "nothing" } } @else { details {
            summary { (count(list.len(), "table")) }
            ul { @for one in list { li { code { (one.path) } ": " (one.reason) } } }
        } }
    }
}

fn uncertainty(pedigree: &[Pedigree], stamps: &[Stamp]) -> Markup {
    let matching = |one: &Pedigree| {
        stamps
            .iter()
            .filter(|s| s.scenario == one.scenario && s.resolved_blake3 == one.resolved_blake3)
            .collect::<Vec<_>>()
    };
    let studied: Vec<(&Pedigree, Vec<&Stamp>)> =
        pedigree.iter().map(|one| (one, matching(one))).filter(|(_, s)| !s.is_empty()).collect();
    let without: Vec<&str> =
        pedigree.iter().filter(|one| matching(one).is_empty()).map(|one| one.scenario.as_str()).collect();
    html! {
        section {
            h2 id="uncertainty" { "Numerical uncertainty" }
            p { "From convergence studies of the scenarios as they are shipped: step, grid, mesh and domain refined in turn and together." }
            @if !studied.is_empty() { table.stamps {
                thead { tr { th { "scenario" } th { "quantity" } th { "value" } th { "estimate" } th { "verdict" } } }
                tbody { @for (one, stamps) in &studied { @for stamp in stamps { tr {
                    td data-label="scenario" { code { (one.scenario) } }
                    td data-label="quantity" { code { (stamp.quantity) } }
                    td data-label="value" { span.value { (with_unit(stamp.value, &stamp.unit)) } }
                    td data-label="estimate" { span.value { (number(stamp.estimate)) " ± " (with_unit(stamp.uncertainty, &stamp.unit)) } }
                    td data-label="verdict" { span class=(if stamp.trusted { "flag good" } else { "flag bad" }) { (if stamp.trusted { "✓ fine enough" } else { "✗ too coarse" }) } " " (stamp.verdict) }
                } } } }
            } }
            @if !without.is_empty() {
                p { "No study that matches the shipped inputs: " @for (k, name) in without.iter().enumerate() { @if k > 0 { ", " } code { (name) } } ". "
                    "Their numbers stand without an interval; what they were compared with is above. Make a study: " code { "touchdown converge SCENARIO --quantity NAME" } "." }
            }
        }
    }
}

fn limits(topics: &[&str]) -> Result<Markup, ValidateError> {
    let concerned = models()?
        .into_iter()
        .filter(|model| model.topics.iter().any(|topic| topics.contains(&topic.as_str())));
    let concerned: Vec<_> = concerned.collect();
    Ok(html! {
        section {
            h2 id="limits" { "Limits of the models" }
            @for model in &concerned {
                h3 { (model.name) }
                ul { @for limit in &model.limits { li { (limit) } } }
                p.note { "In full: docs/" (model.page) }
            }
        }
    })
}

fn provenance(report: &Report) -> Markup {
    let command = match &report.asked {
        Some(name) => format!("touchdown validate {name}"),
        None => "touchdown validate".into(),
    };
    let left: Vec<_> = report.runs.iter().filter(|run| !run.out_of_range.is_empty()).collect();
    html! {
        section {
            h2 id="provenance" { "Provenance" }
            p { "touchdown " (report.version) ", " (count(report.runs.len(), "run")) ". Rows do not depend on the number of threads. Repeat it: " code { (command) } }
            @if !left.is_empty() { details {
                summary { (count(left.len(), "run")) " left the range of a model or method" }
                ul { @for run in &left { li { code { (run.scenario) } " " @for set in &run.set { code { (set) } " " } (run.out_of_range.join("; ")) } } }
            } }
        }
    }
}
