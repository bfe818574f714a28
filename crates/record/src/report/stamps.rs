//! Convergence studies that belong to a run.

use super::value::{TABLE_DIGITS, name, number, unit, with_unit};
use crate::stamp::{Refinement, Stamp};
use maud::{Markup, html};

/// The section of the page; empty without a stamp.
pub(super) fn section(stamps: &[Stamp]) -> Markup {
    html! {
        @if !stamps.is_empty() {
            section id="convergence" {
                h2 { "Convergence" }
                p.lead { "What refining step, grid, mesh and domain does to the result, studied for exactly these inputs." }
                @for stamp in stamps { (study(stamp)) }
            }
        }
    }
}

fn study(stamp: &Stamp) -> Markup {
    let uncertain = with_unit(stamp.uncertainty, 2, &stamp.unit);
    html! {
        div.stamp {
            h3 { code { (stamp.quantity) } }
            p {
                @if stamp.trusted { span.flag.good { "✓ fine enough" } } @else { span.flag.bad { "✗ too coarse" } }
                " " (stamp.verdict)
            }
            dl.facts {
                dt { "with these settings" } dd { (with_unit(stamp.value, TABLE_DIGITS, &stamp.unit)) }
                dt { "estimate in the limit" } dd { (with_unit(stamp.estimate, TABLE_DIGITS, &stamp.unit)) " ± " (uncertain) }
            }
            div.scroll tabindex="0" {
                table {
                    thead { tr {
                        th { "refined" } th { "settings tried" } th { "values" (in_unit(&stamp.unit)) } th.number { "order" }
                        th.number { "error" (in_unit(&stamp.unit)) } th { "finding" }
                    } }
                    tbody { @for refinement in &stamp.refinements { (row(refinement)) } }
                }
            }
        }
    }
}

fn in_unit(name: &str) -> String {
    let printed = unit(name);
    if printed.is_empty() { printed } else { format!(", {printed}") }
}

fn row(refinement: &Refinement) -> Markup {
    let list =
        |values: &[f64]| values.iter().map(|v| number(*v, TABLE_DIGITS)).collect::<Vec<_>>().join(" · ");
    html! {
        tr {
            td { (refinement.what) @if !refinement.key.is_empty() { br; (name(&refinement.key)) } }
            td { (list(&refinement.settings)) }
            td { (list(&refinement.values)) }
            td.number { @if let Some(order) = refinement.order { (number(order, 3)) } @else { span.absent { "none" } } }
            td.number { (number(refinement.error, 3)) }
            td { (refinement.finding) }
        }
    }
}
