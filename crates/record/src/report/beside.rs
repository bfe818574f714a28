//! The figures of a report as files beside it: `figures/NAME.svg` and `.png`.

use super::{defaults, figures, gather};
use crate::error::RecordError;
use crate::figure::ReportSpec;
use crate::figures::{Data, Written, paths, write};
use crate::files::{self, Folder};
use crate::series;
use crate::surface::read_surface;
use std::path::Path;

/// Draws the figures of a run folder into its folder `figures`, as far as what is there allows.
pub fn write_figures(dir: &Path) -> Result<Written, RecordError> {
    let spec = spec(gather::gather(dir)?);
    let needed: Vec<String> = spec.figures.iter().flat_map(figures::columns_of).collect();
    let (series, mut notes) = series::salvage(dir, &|name| needed.iter().any(|needed| needed == name));
    let surface = read_surface(dir).unwrap_or_else(|error| {
        notes.push(format!("soil.parquet cannot be read ({}).", error.cause()));
        Vec::new()
    });
    let data = Data { series: &series, surface: &surface, phases: &spec.phases };
    let mut written = write(&Folder::new(dir).figures(), &spec, &data)?;
    notes.append(&mut written.notes);
    Ok(Written { notes, ..written })
}

/// Removes the figures that [`write_figures`] has drawn of the run in a folder, and nothing else that lies beside them. What cannot be
/// removed stays: that is no reason not to run.
pub(crate) fn remove_figures(folder: &Folder) {
    let dir = folder.figures();
    if !dir.exists() {
        return;
    }
    if let Ok(findings) = gather::gather(folder.root()) {
        for path in spec(findings).figures.iter().flat_map(|figure| paths(&dir, figure)) {
            let _ = files::remove(&path);
        }
    }
    // The folder goes only if there is nothing of the user's in it.
    let _ = std::fs::remove_dir(&dir);
}

/// What the report shows; the usual figures if the scenario names none.
fn spec(findings: gather::Findings) -> ReportSpec {
    let mut spec = findings.manifest.report;
    if spec.figures.is_empty() {
        spec.figures = defaults::figures(&findings.columns.columns);
    }
    spec
}
