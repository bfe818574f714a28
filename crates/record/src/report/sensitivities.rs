//! Sensitivity studies that belong to a run: how far each uncertain input moves the result.

use super::gather::Findings;
use super::value::{ANSWER_DIGITS, TABLE_DIGITS, name, number, unit, with_unit};
use crate::sensitivity::{Sensitivity, Swing};
use maud::{Markup, html};

/// The section of the page; empty without a study.
pub(super) fn section(studies: &[Sensitivity]) -> Markup {
    html! {
        @if !studies.is_empty() {
            section id="sensitivity" {
                h2 { "Sensitivity" }
                p.lead { "How far the result moves when one uncertain input moves and all others stay, studied for exactly these inputs. Bars: change at the lower value (blue) and at the upper value (green); beside them the standard deviation." }
                @for study in studies { (one(study)) }
            }
        }
    }
}

fn one(study: &Sensitivity) -> Markup {
    let changes = |swing: &Swing| swing.values.map(|value| value.map(|value| value - study.value));
    let all = || study.swings.iter().flat_map(changes).flatten();
    let (least, most) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let of = if unit(&study.unit).is_empty() { String::new() } else { format!(", {}", unit(&study.unit)) };
    html! {
        div.stamp {
            h3 { code { (study.quantity) } }
            p { (study.verdict) }
            div.bars role="img" aria-label="Change of the result with each input; the table below has the numbers" {
                @for swing in &study.swings {
                    div.bar-row {
                        span.bar-label { (name(&swing.input)) }
                        span.track aria-hidden="true" { (drawn(changes(swing), least, most)) }
                        span.bar-value { "± " (with_unit(swing.deviation, 2, &study.unit)) }
                    }
                }
            }
            div.scroll tabindex="0" {
                table {
                    thead { tr {
                        th { "input" } th { "lower" } th { "own" } th { "upper" }
                        th.number { "at lower" (of) } th.number { "at upper" (of) } th { "what the two values are" }
                    } }
                    tbody { @for swing in &study.swings { (row(swing)) } }
                }
            }
        }
    }
}

/// Below it, the uncertainty of the answer that results from the scatter of the inputs.
pub(super) fn limit(study: &Sensitivity) -> Markup {
    let within = with_unit(study.together, 2, &study.unit);
    let value = with_unit(study.value, ANSWER_DIGITS, &study.unit);
    html! { p.definition { "With the scatter of its inputs: " (value) " ± " (within) ", one standard deviation (" a href="#sensitivity" { "sensitivity" } ")." } }
}

/// If no such study exists and the answer depends on a soil with assumed numbers: the command for one.
pub(super) fn hint(findings: &Findings) -> Markup {
    let manifest = &findings.manifest;
    let of_soil = manifest.assumed.iter().any(|assumed| assumed.key.starts_with("soil."));
    html! {
        @if of_soil {
            p.definition { "How far the scatter of its soil moves this number: " code { "touchdown sensitivity " (manifest.scenario) } "." }
        }
    }
}

/// One bar for each direction from the nominal value.
fn drawn(changes: [Option<f64>; 2], least: f64, most: f64) -> Markup {
    let span = most - least;
    let percent = |x: f64| if span > 0.0 { 100.0 * x / span } else { 0.0 };
    let bars = [(changes[0], "fed"), (changes[1], "stored")];
    html! {
        i.zero style=(format!("left: {:.2}%", percent(-least))) {}
        @for (change, kind) in bars.into_iter().filter_map(|(change, kind)| Some((change?, kind))) {
            i.bar.(kind) style=(format!("left: {:.2}%; width: {:.2}%", percent(change.min(0.0) - least), percent(change.abs()))) {}
        }
    }
}

fn row(swing: &Swing) -> Markup {
    let [lower, own, upper] = &swing.tried;
    html! {
        tr {
            td { (name(&swing.input)) }
            td { (lower) } td { (own) } td { (upper) }
            @for value in swing.values {
                td.number { @if let Some(value) = value { (number(value, TABLE_DIGITS)) } @else { span.absent { "none" } } }
            }
            td { (swing.about) @if !swing.missing.is_empty() { br; span.absent { (swing.missing) } } }
        }
    }
}
