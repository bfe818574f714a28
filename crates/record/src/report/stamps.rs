//! Stamps of convergence studies that belong to a run: those of the same inputs, to the bit.

use super::value::{TABLE_DIGITS, name, number, unit, with_unit};
use crate::stamp::{Refinement, Stamp};
use maud::{Markup, html};
use std::path::{Path, PathBuf};

/// Larger files are no stamps, bytes.
const LARGEST: u64 = 1 << 20;
/// More studies of one scenario than anyone reads.
const MOST: usize = 12;

/// Stamps in the folder (`convergence*.json`) and in `convergence/` beside it, for these inputs. Anything else is passed over.
pub(super) fn find(dir: &Path, resolved_blake3: &str) -> Vec<Stamp> {
    if resolved_blake3.is_empty() {
        return Vec::new();
    }
    let own = listed(dir).filter(|path| file_name(path).starts_with("convergence"));
    let parent = std::fs::canonicalize(dir).ok().and_then(|dir| dir.parent().map(Path::to_path_buf));
    let beside = parent.into_iter().flat_map(|parent| listed(&parent.join("convergence")));
    let mut paths: Vec<PathBuf> =
        own.chain(beside).filter(|path| file_name(path).ends_with(".json")).collect();
    paths.sort();
    let mut stamps: Vec<Stamp> = Vec::new();
    for stamp in paths.iter().filter_map(|path| read(path)) {
        if stamp.resolved_blake3 == resolved_blake3 && !stamps.contains(&stamp) && stamps.len() < MOST {
            stamps.push(stamp);
        }
    }
    stamps
}

fn listed(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn read(path: &Path) -> Option<Stamp> {
    let facts = std::fs::metadata(path).ok()?;
    if !facts.is_file() || facts.len() > LARGEST {
        return None;
    }
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

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
