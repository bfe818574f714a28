//! The figures of a report as separate files: `figures/NAME.svg` and `.png`.

use super::{defaults, figures, gather};
use crate::claim;
use crate::disk::{Disk, Place};
use crate::error::RecordError;
use crate::figure::ReportSpec;
use crate::figures::{Data, Written, names, write};
use crate::files::FIGURES;
use crate::series;
use crate::surface::read_surface;
use std::path::Path;

/// Draws the figures of a run folder into its folder `figures`, as far as the data allow.
pub fn write_figures(dir: &Path) -> Result<Written, RecordError> {
    let spec = spec(gather::gather(dir)?);
    let needed: Vec<String> = spec.figures.iter().flat_map(figures::columns_of).collect();
    let (series, mut notes) = series::salvage(dir, &|name| needed.iter().any(|needed| needed == name));
    let surface = read_surface(dir).unwrap_or_else(|error| {
        notes.push(format!("soil.parquet cannot be read ({}).", error.cause()));
        Vec::new()
    });
    let data = Data { series: &series, surface: &surface, phases: &spec.phases };
    let place = Place::open(dir, &Disk::default())?;
    if !claim::holds_run(&place) && place.has(FIGURES) {
        let found = "a folder beside no manifest of a run".into();
        return Err(RecordError::Foreign { path: place.path_of(FIGURES), found });
    }
    let mut written = write(&place.make_below(FIGURES)?, &spec, &data)?;
    notes.append(&mut written.notes);
    Ok(Written { notes, ..written })
}

/// Removes the figures that [`write_figures`] has drawn of the run in a folder, and nothing else. A file that
/// cannot be removed stays: that does not prevent a run.
pub(crate) fn remove_figures(place: &Place) {
    let Ok(Some(figures)) = place.below(FIGURES) else { return };
    if let Ok(findings) = gather::gather(place.path()) {
        for name in spec(findings).figures.iter().flat_map(names) {
            let _ = figures.remove(&name);
        }
    }
    drop(figures);
    // The folder is removed only if it contains no files of the user.
    let _ = place.remove_empty(FIGURES);
}

/// Figures of the report; default figures if the scenario names none.
fn spec(findings: gather::Findings) -> ReportSpec {
    let mut spec = findings.manifest.report;
    if spec.figures.is_empty() {
        spec.figures = defaults::figures(&findings.columns.columns);
    }
    spec
}
