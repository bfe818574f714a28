//! The knobs of a run: which were changed from the scenario file, and which were not.

use super::gather::Findings;
use super::value::{name, unit};
use crate::manifest::KnobEntry;
use maud::{Markup, html};

/// The section of the page; nothing where there are no knobs.
pub(super) fn section(findings: &Findings) -> Markup {
    let knobs = &findings.manifest.knobs;
    let (changed, kept): (Vec<&KnobEntry>, Vec<&KnobEntry>) =
        knobs.iter().partition(|knob| knob.is_changed());
    let others = other_settings(findings);
    html! {
        @if has_any(findings) {
            section id="inputs" {
                h2 { "Inputs" }
                @if changed.is_empty() && others.is_empty() {
                    p.lead { "Every knob has the value of the scenario file. " code { "--set NAME=VALUE" } " changes one." }
                } @else {
                    p.lead { "Changed for this run; all else is as in the scenario file." }
                    (table(&changed, &others))
                }
                @if !kept.is_empty() {
                    details open[changed.is_empty() && others.is_empty()] {
                        summary { (kept.len()) @if kept.len() == 1 { " knob that was not changed" } @else { " knobs that were not changed" } }
                        (table(&kept, &[]))
                    }
                }
            }
        }
    }
}

/// Whether the section has content.
pub(super) fn has_any(findings: &Findings) -> bool {
    !findings.manifest.knobs.is_empty() || !findings.manifest.settings.is_empty()
}

/// Settings of keys that have no knob: path and value.
fn other_settings(findings: &Findings) -> Vec<(&str, &str)> {
    let is_knob =
        |path: &str| findings.manifest.knobs.iter().any(|knob| knob.name == path || knob.path == path);
    let pairs = findings.manifest.settings.iter().filter_map(|setting| setting.split_once('='));
    pairs.map(|(path, value)| (path.trim(), value.trim())).filter(|(path, _)| !is_knob(path)).collect()
}

fn table(knobs: &[&KnobEntry], others: &[(&str, &str)]) -> Markup {
    html! {
        div.scroll tabindex="0" { table.values {
            thead { tr { th { "input" } th.number { "value" } th { "unit" } th { "meaning" } } }
            tbody {
                @for knob in knobs {
                    tr.emphasised[knob.is_changed()] {
                        td { (name(&knob.name)) }
                        td.number { (knob.value) }
                        td.unit { @if is_number(&knob.value) { (unit(&knob.unit)) } }
                        td {
                            (knob.about)
                            @if knob.is_changed() && !knob.default.is_empty() { " (in the file: " (knob.default) ")" }
                        }
                    }
                }
                @for (path, value) in others {
                    tr.emphasised { td { (name(path)) } td.number { (value) } td.unit {} td { "set by its path" } }
                }
            }
        } }
    }
}

/// Whether a value is a number or a list of numbers; words such as "the soil's own" have no unit.
fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '[')
}
