//! Identification from a study file: data, model and free parameters named in TOML ⇒ estimates with intervals and everything that must be known with them.
//!
//! [`read`] the file ⇒ for each stage: `data` (table, checked) ⇒ `build` (which model predicts which columns) ⇒ `touchdown_identify::fit`. Estimates of a stage are
//! known values of those after it. Nothing is written here. See `docs/identify.md`.

mod build;
mod data;
mod file;
mod page;
mod scenario;
mod watch;

pub use file::{Stage, StudyFile, read};
pub use page::{Shown, render};

use std::path::{Path, PathBuf};
use touchdown_identify::{FitError, FitOptions, HoldOut, Loss, Problem, TableError, fit, hold_out};
use touchdown_scenario::{FileProblem, ScenarioErrors};
use watch::Watch;

/// A stage that was carried out.
#[derive(Clone, Debug)]
pub struct Identified {
    /// Its title.
    pub title: String,
    /// The data.
    pub data: PathBuf,
    /// The fit.
    pub fit: touchdown_identify::Fit,
    /// Unit of each parameter, as printed.
    pub units: Vec<&'static str>,
    /// What the horizontal axis of its figures is: name, unit, values.
    pub abscissa: (String, &'static str, Vec<f64>),
    /// Measured series, in the order of the fit's predictions: name, unit, values.
    pub measured: Vec<(String, &'static str, Vec<f64>)>,
    /// Error on rows left out, if it was asked for.
    pub hold_out: Option<HoldOut>,
    /// Share of probability of the intervals.
    pub confidence: f64,
    /// The bounds that it kept: evaluations of the model, and time, s.
    pub bounds: [f64; 2],
}

/// Why nothing was identified.
#[derive(Debug, thiserror::Error)]
pub enum IdentifyError {
    /// A file cannot be read.
    #[error("{} {problem}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        problem: FileProblem,
    },
    /// A run folder or Parquet file cannot be read.
    #[error("{}: {why}", path.display())]
    Series {
        /// Which.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The study file is not sound.
    #[error("{}: {what}", path.display())]
    Study {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The data are not sound.
    #[error("{}: {error}", path.display())]
    Data {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
    /// A scenario is not sound.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// A bound of the search was reached; what it had found is no result.
    #[error("{}: no minimum was reached within {bound}", path.display())]
    Bound {
        /// Which study.
        path: PathBuf,
        /// Which bound, with its key.
        bound: String,
    },
    /// There is no fit.
    #[error("{0}")]
    Fit(#[from] FitError),
}

/// Carries out a study file, stage by stage. `data` replaces the data file of the last stage.
pub fn identify(path: &Path, data: Option<&Path>) -> Result<Vec<Identified>, IdentifyError> {
    let study = read(path)?;
    let mut known: Vec<(String, f64)> = Vec::new();
    let mut out = Vec::new();
    let last = study.stages.len();
    for (n, stage) in study.stages.iter().enumerate() {
        let folder = path.parent().unwrap_or(Path::new("."));
        let file = match data {
            Some(data) if n + 1 == last => data.to_path_buf(),
            _ => folder.join(&stage.data),
        };
        let watch = Watch::new(&stage.fit);
        let done = carry_out((path, stage), &file, &known, &watch);
        if let Some(bound) = watch.exceeded() {
            return Err(IdentifyError::Bound { path: path.to_path_buf(), bound });
        }
        let done = done?;
        known.extend(done.fit.estimates.iter().map(|e| (e.name.clone(), e.value)));
        out.push(done);
    }
    Ok(out)
}

fn carry_out(
    (path, stage): (&Path, &Stage),
    file: &Path,
    known: &[(String, f64)],
    watch: &Watch,
) -> Result<Identified, IdentifyError> {
    let table = data::table(file, stage)?;
    let built = build::build(path, stage, (file, &table), (known, watch))?;
    let model = |x: &[f64]| if watch.counts_one() { built.predict(x, watch) } else { None };
    let problem =
        Problem { parameters: built.parameters.clone(), series: built.series.clone(), model: &model };
    let options = FitOptions {
        loss: if stage.fit.loss == "soft" { Loss::Soft { scale: 2.0 } } else { Loss::Squares },
        starts: stage.fit.starts,
        confidence: stage.fit.confidence,
        profile: stage.fit.profile,
    };
    let found = fit(&problem, &options)?;
    let unseen = match stage.fit.hold_out {
        // With few rows there may be nothing left to fit to: no error, no answer.
        Some(every) => hold_out(&problem, &options, every).ok(),
        None => None,
    };
    let measured = built.series.iter().zip(&built.series_units);
    Ok(Identified {
        title: stage.title.clone(),
        data: file.to_path_buf(),
        units: built.units.clone(),
        abscissa: built.abscissa.clone(),
        measured: measured.map(|(s, unit)| (s.name.clone(), *unit, s.values.clone())).collect(),
        fit: found,
        hold_out: unseen,
        confidence: stage.fit.confidence,
        bounds: [stage.fit.evaluations as f64, stage.fit.seconds],
    })
}
