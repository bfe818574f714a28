//! `report.html` of a campaign: the answer first, then distributions, responses, the envelope, sensitivity, worst cases, failures, inputs and provenance.
//!
//! Nothing in it depends on the clock, the machine or the number of threads.

mod envelope;
mod figures;
mod sections;
mod table;

pub use sections::number;

use crate::assess::assess;
use crate::error::CampaignError;
use crate::store::Store;
use maud::{PreEscaped, html};
use std::path::{Path, PathBuf};
use table::Table;
use touchdown_record::figures::{Paper, plot_svg};
use touchdown_record::page::page;
use touchdown_record::{Disk, Place, write_file};

/// Name of the page.
const REPORT: &str = "report.html";

/// First line of a map, by which it is known as ours.
const MAP_HEAD: &str = "<!-- touchdown campaign report -->\n";

/// Rules of this page alone.
const STYLE: &str = "main.campaign { max-width: 60rem; } .campaign table { width: auto; } .campaign td, .campaign th { padding-right: 1.5rem; vertical-align: top; } \
                     .campaign figure { margin: 1.25rem 0; } .campaign figure svg { max-width: 100%; height: auto; } \
                     .campaign td:last-child, .campaign th:last-child { min-width: 0; } .campaign details figure { margin: 0.5rem 0; } .campaign td code { overflow-wrap: anywhere; } \
                     @media (max-width: 40rem) { .campaign table, .campaign figure { display: block; max-width: 100%; overflow-x: auto; } \
                     .campaign figure svg { max-width: none; min-width: 34rem; } }";

/// Writes the page; returns where it is.
pub fn write(store: &Store) -> Result<PathBuf, CampaignError> {
    let text = render(store)?;
    let _lock = Store::lock(store.root())?;
    store.root().write(REPORT, text.as_bytes())?;
    Ok(store.root().path_of(REPORT))
}

/// Writes the envelope maps as SVG files of their own, one for each requirement; returns where they are.
pub fn write_maps(store: &Store, dir: &Path) -> Result<Vec<PathBuf>, CampaignError> {
    let place = Place::make(dir, &Disk::default())?;
    let mut written = Vec::new();
    for (name, _, plot) in envelope::maps(&Table::read(store)?, &store.planned.plan) {
        if let Some(svg) = plot_svg(&plot, Paper::White) {
            let name = format!("{name}.svg");
            let text = format!("{MAP_HEAD}{svg}");
            write_file(&place.path_of(&name), text.as_bytes(), |old| old.starts_with(MAP_HEAD.as_bytes()))?;
            written.push(place.path_of(&name));
        }
    }
    Ok(written)
}

/// The whole page.
pub fn render(store: &Store) -> Result<String, CampaignError> {
    let plan = &store.planned.plan;
    let assessed = assess(store)?;
    let table = Table::read(store)?;
    let name = std::path::Path::new(&plan.scenario)
        .file_stem()
        .map_or(plan.scenario.clone(), |s| s.to_string_lossy().into_owned());
    let title = if plan.title.is_empty() { format!("Campaign of {name}") } else { plan.title.clone() };
    let body = html! {
        style { (PreEscaped(STYLE)) }
        main class="campaign" {
            header {
                p.kicker { "touchdown " (plan.version) " · campaign of " code { (name) } }
                h1 { (title) }
                p.note { (plan.scenario_title) }
            }
            (sections::answer(plan, &assessed, &table))
            @if (table.rows() as u64) < assessed.cases { p.note { "Figures and sensitivity below are of the first " (table.rows()) " cases; verdicts are of all." } }
            (envelope::section(&table, plan))
            (figures::responses(&table, plan))
            (figures::distributions(&table, plan))
            (figures::sensitivity(&table, plan))
            (sections::worst(store)?)
            (sections::troubles(&assessed))
            (sections::varied(plan))
            (sections::assumed(plan))
            (sections::provenance(store, &assessed)?)
        }
    };
    Ok(page(&format!("{title} · touchdown"), &body, false))
}
