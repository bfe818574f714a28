//! The study file.

use super::IdentifyError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use touchdown_scenario::{LARGEST_FILE, read_text};

/// A study: one stage, or several whose estimates feed those after them.
#[derive(Clone, Debug)]
pub struct StudyFile {
    /// Stages in order.
    pub stages: Vec<Stage>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stages {
    #[serde(default, rename = "title")]
    _title: String,
    stage: Vec<Stage>,
}

/// Data, model, free parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// What is found.
    #[serde(default)]
    pub title: String,
    /// Data file beside the study file: CSV, Parquet, or a run folder.
    pub data: String,
    /// Rows that agree in this column are averaged.
    pub average_by: Option<String>,
    /// Whether rows without numbers are left out instead of refused.
    #[serde(default)]
    pub skip_missing_rows: bool,
    /// Which column is what.
    pub columns: BTreeMap<String, ColumnChoice>,
    /// The model.
    pub model: ModelChoice,
    /// Parameters that are known.
    #[serde(default)]
    pub fixed: BTreeMap<String, f64>,
    /// Parameters to find.
    pub free: BTreeMap<String, Free>,
    /// How to fit.
    #[serde(default)]
    pub fit: FitChoice,
}

/// A column, with its unit where the header does not say it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum ColumnChoice {
    /// Name; the unit stands in the header.
    Name(String),
    /// Name and unit.
    WithUnit {
        /// Name.
        column: String,
        /// Unit.
        unit: String,
    },
}

impl ColumnChoice {
    /// Name of the column.
    pub fn name(&self) -> &str {
        match self {
            ColumnChoice::Name(name) | ColumnChoice::WithUnit { column: name, .. } => name,
        }
    }

    /// Unit, if it is given here.
    pub fn unit(&self) -> Option<&str> {
        match self {
            ColumnChoice::Name(_) => None,
            ColumnChoice::WithUnit { unit, .. } => Some(unit),
        }
    }
}

/// The model.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ModelChoice {
    /// Slow pressing: k, n, weight.
    Press {},
    /// Round plates of several sizes pressed into soil: kc, kphi, n.
    Plate {},
    /// A drop: mass, load, speed, k, n, b, p, q.
    Drop {
        /// Whether the ground keeps its deformation (Eq. 54).
        #[serde(default)]
        plastic: bool,
    },
    /// A drag: mu and K, or c, tan_phi and K.
    Drag {
        /// `janosi`, `tanh` or `linear`.
        #[serde(default = "janosi")]
        curve: String,
        /// `flat-circular`, `flat-rectangular`, `cylindrical` or `spherical`; without it μ is sought.
        shape: Option<String>,
        /// Size of the foot.
        radius_m: Option<f64>,
        /// Size of the foot.
        width_m: Option<f64>,
        /// Size of the foot.
        length_m: Option<f64>,
    },
    /// Any scenario: its parameters against its recorded columns.
    Scenario {
        /// A built-in scenario or a file.
        scenario: String,
        /// Settings `KEY=VALUE` that stay.
        #[serde(default)]
        set: Vec<String>,
    },
}

fn janosi() -> String {
    "janosi".into()
}

/// A free parameter.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// Where the search starts.
    pub start: f64,
    /// Lower bound.
    #[serde(default = "lowest")]
    pub min: f64,
    /// Upper bound.
    #[serde(default = "highest")]
    pub max: f64,
}

fn lowest() -> f64 {
    f64::NEG_INFINITY
}

fn highest() -> f64 {
    f64::INFINITY
}

/// How to fit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FitChoice {
    /// Which of the columns are fitted; without it all that the model predicts.
    pub series: Vec<String>,
    /// Standard deviation of the noise of a series, SI; measured where it is not given.
    pub noise: BTreeMap<String, f64>,
    /// `squares` or `soft`.
    pub loss: String,
    /// Starts beside the given one.
    pub starts: usize,
    /// Share of probability of the intervals.
    pub confidence: f64,
    /// Every n rows are left out to see how they are predicted.
    pub hold_out: Option<usize>,
    /// Whether intervals follow the likelihood.
    pub profile: bool,
    /// Evaluations of the model at most, those of intervals and rows left out included.
    pub evaluations: usize,
    /// Time of the stage at most, s.
    pub seconds: f64,
}

impl Default for FitChoice {
    fn default() -> Self {
        FitChoice {
            series: Vec::new(),
            noise: BTreeMap::new(),
            loss: "squares".into(),
            starts: 0,
            confidence: 0.95,
            hold_out: None,
            profile: false,
            evaluations: 100_000,
            seconds: 600.0,
        }
    }
}

/// Reads and checks a study file.
pub fn read(path: &Path) -> Result<StudyFile, IdentifyError> {
    let file = |problem| IdentifyError::File { path: path.to_path_buf(), problem };
    let study = |what: String| IdentifyError::Study { path: path.to_path_buf(), what };
    let text = read_text(path, LARGEST_FILE).map_err(file)?;
    let staged = toml_edit::Document::parse(text.as_str()).is_ok_and(|doc| doc.get("stage").is_some());
    let stages = if staged {
        let read: Stages = toml_edit::de::from_str(&text).map_err(|error| study(error.to_string()))?;
        read.stage
    } else {
        vec![toml_edit::de::from_str(&text).map_err(|error| study(error.to_string()))?]
    };
    for stage in &stages {
        let f = &stage.fit;
        if !["squares", "soft"].contains(&f.loss.as_str()) {
            return Err(study(format!("fit.loss is {:?}; it must be squares or soft", f.loss)));
        }
        if !(f.confidence > 0.5 && f.confidence < 1.0) {
            return Err(study(format!("fit.confidence is {}; it must lie between 0.5 and 1", f.confidence)));
        }
        if f.noise.values().any(|s| s.is_nan() || *s <= 0.0) {
            return Err(study("fit.noise must be above zero".into()));
        }
        if f.starts > 10_000 || f.hold_out.is_some_and(|n| n < 2) {
            return Err(study("fit.starts must be at most 10000, fit.hold_out at least 2".into()));
        }
        if f.evaluations == 0 || !(f.seconds > 0.0 && f.seconds <= 1e6) {
            return Err(study(
                "fit.evaluations and fit.seconds must be above zero, fit.seconds at most 1e6".into(),
            ));
        }
        if let Some(name) = stage.free.keys().find(|name| stage.fixed.contains_key(*name)) {
            return Err(study(format!("{name} is both fixed and free")));
        }
    }
    Ok(StudyFile { stages })
}
