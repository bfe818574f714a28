//! The energy ledger of a run: energy fed in, stored and lost as bars, the residual, and every entry in a
//! table.

use super::tables;
use super::value::{Entry, TABLE_DIGITS, name, shown, unit};
use maud::{Markup, html};

/// A bar: signed energy, and its side of the balance.
struct Bar {
    label: &'static str,
    side: &'static str,
    energy: f64,
}

/// The section of the ledger.
pub(super) fn section(ledger: &[Entry], quantities: &[Entry]) -> Markup {
    let soil: Vec<Entry> = quantities.iter().filter(|q| q.name.starts_with("soil_volume")).cloned().collect();
    html! {
        section id="ledger" {
            h2 { "Ledger" }
            @if ledger.is_empty() { p.absent { "There is no energy ledger: studies have none, and that of an interrupted run is not written yet." } }
            @else {
                (energy(ledger))
                (residuals(ledger, &soil))
                details { summary { "All entries of the ledger" } (tables::values("entry", ledger, None)) }
            }
        }
    }
}

/// Bars of the balance E − E₀ = W − D; none if entries for it are missing.
fn energy(ledger: &[Entry]) -> Markup {
    let Some(bars) = bars(ledger) else { return html! {} };
    let largest = bars.iter().map(|bar| bar.energy.abs()).fold(0.0, f64::max);
    let (least, most) =
        bars.iter().fold((0.0_f64, 0.0_f64), |(a, b), bar| (a.min(bar.energy), b.max(bar.energy)));
    html! {
        p.lead { "Energy over the whole run: what was fed in is stored or lost, and the rest is the error of the time integration." }
        div.bars role="table" aria-label="Energy balance in joules" {
            @for bar in &bars {
                div.bar-row role="row" {
                    span.bar-label role="cell" { (bar.label) }
                    span.track role="cell" aria-hidden="true" { (drawn(bar, least, most)) }
                    span.bar-value role="cell" { (shown(Some(bar.energy), TABLE_DIGITS)) "\u{a0}J" }
                }
            }
        }
        @if largest == 0.0 { p.note { "Nothing moved and nothing was fed in." } }
    }
}

fn drawn(bar: &Bar, least: f64, most: f64) -> Markup {
    let span = most - least;
    let percent = |x: f64| if span > 0.0 { 100.0 * x / span } else { 0.0 };
    let (from, to) = (bar.energy.min(0.0), bar.energy.max(0.0));
    let place = format!("left:{:.3}%;width:{:.3}%", percent(from - least), percent(to - from));
    html! {
        i.zero style=(format!("left:{:.3}%", percent(-least))) {}
        i class=(format!("bar {}", bar.side)) style=(place) {}
    }
}

fn bars(ledger: &[Entry]) -> Option<Vec<Bar>> {
    let value = |name: &str| ledger.iter().find(|entry| entry.name == name)?.value;
    let kinetic = value("kinetic_end_j")? - value("kinetic_start_j")?;
    let (potential, elastic) = (value("potential_change_j")?, value("elastic_change_j")?);
    let (drives, loads, lost) = (value("drive_work_j")?, value("load_work_j")?, value("dissipated_j")?);
    let left = kinetic + potential + elastic - drives - loads + lost;
    let bar = |label, side, energy| Bar { label, side, energy };
    Some(vec![
        bar("fed in by drives", "fed", drives),
        bar("fed in by loads", "fed", loads),
        bar("stored: kinetic", "stored", kinetic),
        bar("stored: potential", "stored", potential),
        bar("stored: elastic", "stored", elastic),
        bar("dissipated", "lost", lost),
        bar("residual at the end", "residual", left),
    ])
}

/// The entries that show whether the ledger is reliable.
fn residuals(ledger: &[Entry], soil: &[Entry]) -> Markup {
    const TELLING: [&str; 5] = [
        "energy_residual_max_j",
        "energy_residual_relative",
        "energy_drift_relative",
        "constraint_residual_max",
        "constraint_rate_residual_max",
    ];
    let telling = TELLING.iter().filter_map(|name| ledger.iter().find(|entry| entry.name == *name));
    let rows: Vec<&Entry> = telling.chain(soil).collect();
    html! {
        @if !rows.is_empty() {
            div.scroll tabindex="0" { table.values {
                thead { tr { th { "residual" } th.number { "value" } th { "unit" } th { "definition" } } }
                tbody { @for entry in rows { tr {
                    td { (name(&entry.name)) } td.number { (shown(entry.value, 3)) } td.unit { (unit(&entry.unit)) } td { (entry.about) }
                } } }
            } }
        }
    }
}
