//! Tables of a report: quantities, validity checks, warnings, assumed inputs, columns of the series.

use super::chart;
use super::gather::Findings;
use super::value::{Entry, TABLE_DIGITS, name, number, shown, text, unit, with_unit};
use crate::manifest::{Assumed, MapEntry};
use crate::series::SeriesColumn;
use maud::{Markup, html};
use serde_json::Value;

/// A validity check from the summary.
pub(super) struct CheckRow {
    name: String,
    value: Option<f64>,
    limit: Option<f64>,
    at_most: bool,
    pub flag: Flag,
    unit: String,
    about: String,
}

/// Whether a check holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flag {
    Broken,
    Holds,
}

/// The validity checks of a summary, failed ones first.
pub(super) fn checks(summary: &Value) -> Vec<CheckRow> {
    let Some(map) = summary["validity"].as_object() else { return Vec::new() };
    let mut rows: Vec<CheckRow> = map
        .iter()
        .map(|(name, entry)| CheckRow {
            name: name.clone(),
            value: entry["value"].as_f64(),
            limit: entry["limit"].as_f64(),
            at_most: entry["at_most"] == true,
            flag: if entry["holds"] == true { Flag::Holds } else { Flag::Broken },
            unit: text(&entry["unit"]),
            about: text(&entry["about"]),
        })
        .collect();
    rows.sort_by_key(|row| row.flag);
    rows
}

/// Validity checks in green and red, and in words.
pub(super) fn validity(findings: &Findings) -> Markup {
    let checks = checks(&findings.summary);
    html! {
        section id="validity" {
            h2 { "Validity" }
            @if checks.is_empty() { p.absent { "This run recorded no validity checks." } }
            @else {
                p.lead { "Whether the run stayed where its models and methods can be trusted." }
                div.scroll tabindex="0" { table.values {
                    thead { tr { th { "holds" } th { "check" } th.number { "value" } th.number { "limit" } th { "what it is, and why" } } }
                    tbody { @for check in &checks { (check.markup()) } }
                } }
            }
        }
    }
}

impl CheckRow {
    fn markup(&self) -> Markup {
        let bound = if self.at_most { "at most " } else { "at least " };
        html! {
            tr.broken[self.flag == Flag::Broken] {
                td { @if self.flag == Flag::Holds { span.flag.good { "✓ yes" } } @else { span.flag.bad { "✗ no" } } }
                td { (name(&self.name)) }
                td.number { (self.with_unit(self.value)) }
                td.number { @if self.limit.is_some() { (bound) } (self.with_unit(self.limit)) }
                td { (self.about) }
            }
        }
    }

    fn with_unit(&self, value: Option<f64>) -> Markup {
        html! {
            @match value {
                Some(x) => data value=(x) { (with_unit(x, TABLE_DIGITS, &self.unit)) },
                None => span.absent { "no value" },
            }
        }
    }
}

/// The rows of a table of named numbers.
pub(super) fn values(heading: &str, entries: &[Entry], emphasised: Option<&Entry>) -> Markup {
    html! {
        div.scroll tabindex="0" { table.values {
            thead { tr { th { (heading) } th.number { "value" } th { "unit" } th { "definition" } } }
            tbody {
                @for entry in entries {
                    tr.emphasised[emphasised == Some(entry)] {
                        td { (name(&entry.name)) }
                        td.number { @if let Some(word) = &entry.word { (word) } @else { (shown(entry.value, TABLE_DIGITS)) } }
                        td.unit { (unit(&entry.unit)) }
                        td { (entry.about) }
                    }
                }
            }
        } }
    }
}

/// The section of quantities.
pub(super) fn quantities(entries: &[Entry], answer: Option<&Entry>) -> Markup {
    html! {
        section id="quantities" {
            h2 { "Quantities" }
            @if entries.is_empty() { p.absent { "The run left no quantities behind." } }
            @else { (values("quantity", entries, answer)) }
        }
    }
}

/// Whether a table contains verdicts in words; others are columns of numbers.
fn is_of_words(table: &Value) -> bool {
    let rows = table["rows"].as_array().into_iter().flatten();
    rows.flat_map(|row| row.as_array().into_iter().flatten())
        .any(|cell| cell.as_f64().is_none() && !cell.is_null())
}

/// Whether a run also has verdicts in words.
pub(super) fn has_words(summary: &Value) -> bool {
    summary["tables"].as_array().into_iter().flatten().any(is_of_words)
}

/// Tables with verdicts in words: the main result for a reader.
pub(super) fn of_words(summary: &Value) -> Markup {
    html! {
        @if has_words(summary) { div id="answers" { (tables(summary, true)) } }
    }
}

/// Tables of numbers, as studies make them.
pub(super) fn of_numbers(summary: &Value) -> Markup {
    tables(summary, false)
}

fn tables(summary: &Value, of_words: bool) -> Markup {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let heading = |column: &Value| match column["unit"].as_str() {
        None | Some("1") => text(&column["name"]),
        Some(unit) => format!("{}, {unit}", text(&column["name"])),
    };
    let class = |cell: &Value| (cell.as_f64().is_some() || !of_words).then_some("number");
    html! {
        @for table in list(&summary["tables"]).iter().filter(|table| is_of_words(table) == of_words) {
            @let first = list(&table["rows"]).first().map(list).unwrap_or_default();
            section {
                h2 { (text(&table["title"])) }
                p.lead { (text(&table["about"])) }
                (chart::of(table))
                div.scroll tabindex="0" { table.values {
                    thead { tr {
                        @for (k, column) in list(&table["columns"]).iter().enumerate() {
                            th class=[first.get(k).map_or(Some("number"), class)] { (heading(column)) }
                        }
                    } }
                    tbody {
                        @for row in list(&table["rows"]) {
                            tr { @for cell in list(&row) { td class=[class(&cell)] { (study_cell(&cell)) } } }
                        }
                    }
                } }
            }
        }
    }
}

fn study_cell(cell: &Value) -> Markup {
    match cell.as_f64() {
        Some(x) => html! { data value=(x) { (with_unit(x, TABLE_DIGITS, "")) } },
        None => html! { (text(cell)) },
    }
}

/// Remarks that a reader must know before relying on the run.
pub(super) fn warnings(findings: &Findings) -> Markup {
    let recorded = findings.summary["warnings"].as_array();
    let from_summary = recorded.map(|list| list.iter().map(text).collect::<Vec<String>>());
    let list = from_summary.unwrap_or_else(|| findings.manifest.warnings.clone());
    html! {
        @if !list.is_empty() {
            section id="warnings" {
                h2 { "Warnings" }
                ul.warnings { @for warning in &list { li { "⚠ " (warning) } } }
            }
        }
    }
}

/// Map files: their content and how it was processed; nothing if there are none.
pub(super) fn maps(list: &[MapEntry]) -> Markup {
    html! {
        @if !list.is_empty() {
            section id="maps" {
                h2 { "Maps" }
                @for map in list {
                    p.lead { "What " code { (map.file) } " held, and what was done to make ground of it." }
                    div.scroll tabindex="0" { table {
                        tbody { @for (label, text) in &map.lines { tr { th scope="row" { (label) } td { (text) } } } }
                    } }
                }
            }
        }
    }
}

/// Values that were not measured.
pub(super) fn assumed(list: &[Assumed]) -> Markup {
    html! {
        section id="assumed" {
            h2 { "Assumed inputs" }
            @if list.is_empty() { p { "No input is marked as assumed." } }
            @else {
                p.lead { "Values that were neither measured nor published, with the reason given for each." }
                div.scroll tabindex="0" { table {
                    thead { tr { th { "input" } th { "value" } th { "what and why" } } }
                    tbody {
                        @for group in grouped(list) {
                            tr {
                                td.keys { (name(&joined(&group.0))) }
                                td { (group.1.value) }
                                td { (group.1.reason) }
                            }
                        }
                    }
                } }
            }
        }
    }
}

/// Neighbours with the same value and reason (six equal wheels) share a row.
fn grouped(list: &[Assumed]) -> Vec<(Vec<&str>, &Assumed)> {
    let mut groups: Vec<(Vec<&str>, &Assumed)> = Vec::new();
    for entry in list {
        let same = |group: &&mut (Vec<&str>, &Assumed)| {
            (&group.1.value, &group.1.reason) == (&entry.value, &entry.reason)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.0.push(&entry.key),
            None => groups.push((vec![&entry.key], entry)),
        }
    }
    groups
}

/// Several dotted names as one: their common beginning, then the rest of each.
fn joined(keys: &[&str]) -> String {
    let [first, rest @ ..] = keys else { return String::new() };
    if rest.is_empty() {
        return first.to_string();
    }
    let same = |key: &&str| first.bytes().zip(key.bytes()).take_while(|(a, b)| a == b).count();
    let length = rest.iter().map(same).min().unwrap_or(0);
    // Shortened to a whole part, because names are distinguished by whole words.
    let length = first.as_bytes()[..length].iter().rposition(|c| b"._/".contains(c)).map_or(0, |at| at + 1);
    let ends: Vec<&str> = keys.iter().map(|key| &key[length..]).collect();
    format!("{}{{{}}}", &first[..length], ends.join(", "))
}

/// Everything that was recorded against time, collapsed.
pub(super) fn columns(list: &[SeriesColumn]) -> Markup {
    html! {
        @if !list.is_empty() {
            details.columns {
                summary { "All " (number(list.len() as f64, TABLE_DIGITS)) " columns of series.parquet" }
                div.scroll tabindex="0" { table {
                    thead { tr { th { "column" } th { "unit" } th { "frame" } th { "definition" } } }
                    tbody { @for column in list { tr { td { (name(&column.name)) } td.unit { (unit(&column.unit)) } td { (column.frame) } td { (column.about) } } } }
                } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn equal_beginnings_of_names_are_said_once() {
        assert_eq!(joined(&["spring.drawbar"]), "spring.drawbar");
        assert_eq!(
            joined(&["a.wheel_front_left", "a.wheel_front_right", "a.wheel_rear"]),
            "a.wheel_{front_left, front_right, rear}"
        );
        assert_eq!(joined(&["a.left.limits", "a.lower.limits"]), "a.{left.limits, lower.limits}");
        assert_eq!(joined(&["ä", "ö"]), "{ä, ö}");
    }
}
