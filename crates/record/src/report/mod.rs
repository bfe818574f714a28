//! `report.html`: one page that needs no network: question and answer first, then the replay, the figures,
//! the tables, and all information needed to assess and repeat the run.
//!
//! `gather` reads as much of the folder as can be read ⇒ one file per section turns that into markup ⇒
//! [`crate::page`] wraps it. A report is made from the folder alone, also from a damaged one; missing parts
//! are named at its top.

mod beside;
mod chart;
mod defaults;
mod figures;
mod gather;
mod head;
mod inputs;
mod ledger;
mod provenance;
mod replay;
mod sensitivities;
mod stamps;
mod studies;
mod tables;
mod thin;
mod value;

pub(crate) use beside::remove_figures;
pub use beside::write_figures;

use crate::claim;
use crate::disk::{Disk, Place};
use crate::error::RecordError;
use crate::files::REPORT;
use crate::page;
use crate::sealed;
use gather::Findings;
use maud::{Markup, html};
use std::path::{Path, PathBuf};

/// A finished report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The page.
    pub path: PathBuf,
    /// Missing or damaged parts of the folder, in words.
    pub missing: Vec<String>,
}

/// Makes the report of a run folder and writes it there as `report.html`.
pub fn write(dir: &Path) -> Result<Made, RecordError> {
    write_on(dir, &Disk::default())
}

/// The same through a disk that a test can intercept.
pub fn write_on(dir: &Path, disk: &Disk) -> Result<Made, RecordError> {
    let (html, missing) = render(dir)?;
    let place = Place::open(dir, disk)?;
    let old = place.read(REPORT);
    // In a folder without its manifest nothing else shows that the page is ours.
    if !claim::holds_run(&place) && !old.is_ok_and(|page| page.is_none_or(|page| page::is_ours(&page))) {
        let found =
            "a page that this program did not write, in a folder without the manifest of a run".into();
        return Err(RecordError::Foreign { path: place.path_of(REPORT), found });
    }
    place.write(REPORT, sealed::page(&html).as_bytes())?;
    Ok(Made { path: place.path_of(REPORT), missing })
}

/// The report of a run folder as a page, and the missing parts of the folder.
pub fn render(dir: &Path) -> Result<(String, Vec<String>), RecordError> {
    let mut findings = gather::gather(dir)?;
    let drawn = figures::draw(dir, &findings.manifest.report, &findings.columns);
    let replay = replay::make(dir);
    findings.missing.extend(drawn.notes.iter().chain(&replay.missing).cloned());
    let quantities = value::entries(&findings.summary, "quantities");
    let ledger = value::entries(&findings.summary, "ledger");
    let body = html! {
        main {
            (head::head(&findings, &quantities))
            (contents(&findings, !replay.is_empty()))
            (tables::of_words(&findings.summary))
            (replay.section())
            (drawn.section())
            (tables::quantities(&quantities, head::answer(&findings, &quantities)))
            (inputs::section(&findings))
            (tables::of_numbers(&findings.summary))
            (ledger::section(&ledger, &quantities))
            (tables::validity(&findings))
            (stamps::section(&findings.stamps))
            (sensitivities::section(&findings.sensitivities))
            (tables::warnings(&findings))
            (tables::maps(&findings.manifest.maps))
            (tables::assumed(&findings.manifest.assumed))
            (provenance::section(&findings))
            (tables::columns(&findings.columns.columns))
        }
    };
    let title = format!("{} · touchdown", head::title(&findings));
    Ok((page::page(&title, &body, true), findings.missing))
}

/// A page with only the replay of a run folder, of at most `budget` bytes, for a frame in another page;
/// `None` if there are no frames or no room.
pub fn replay_page(dir: &Path, budget: usize) -> Option<String> {
    let shell = page::page("touchdown", &html! {}, true).len();
    let mut room = budget.checked_sub(shell)?;
    // The scene's size is known only after it is made: the excess of the first attempt is subtracted from the
    // budget of the frames.
    for _ in 0..3 {
        let replay = replay::make_within(dir, room);
        if replay.is_empty() {
            return None;
        }
        let page = page::page("touchdown", &html! { main { (replay.section()) } }, true);
        if page.len() <= budget {
            return Some(page);
        }
        room = room.checked_sub(page.len() - budget)?;
    }
    None
}

/// Links to the sections.
fn contents(findings: &Findings, with_replay: bool) -> Markup {
    let sections = [
        ("answers", "Answers", tables::has_words(&findings.summary)),
        ("replay", "Replay", with_replay),
        ("charts", "Figures", true),
        ("quantities", "Quantities", true),
        ("inputs", "Inputs", inputs::has_any(findings)),
        ("ledger", "Ledger", true),
        ("validity", "Validity", true),
        ("convergence", "Convergence", !findings.stamps.is_empty()),
        ("sensitivity", "Sensitivity", !findings.sensitivities.is_empty()),
        ("assumed", "Assumed inputs", true),
        ("provenance", "Provenance", true),
    ];
    html! {
        nav.contents aria-label="Sections" {
            @for (id, name, _) in sections.into_iter().filter(|section| section.2) { a href=(format!("#{id}")) { (name) } }
        }
    }
}
