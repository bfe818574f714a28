//! The stamp of a convergence study: a quantity with its numerical uncertainty, and for which inputs it holds.

use crate::claim;
use crate::error::{Doing, RecordError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a convergence study found. A report shows it where `resolved_blake3` is that of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// The scenario.
    pub scenario: String,
    /// Hash of its `resolved.toml` as it was studied.
    pub resolved_blake3: String,
    /// Version of the program.
    pub version: String,
    /// The quantity.
    pub quantity: String,
    /// Unit as printed.
    pub unit: String,
    /// Value with the settings of the scenario.
    pub value: f64,
    /// Best estimate for step, grid and mesh going to zero and the domain growing.
    pub estimate: f64,
    /// Half the width of the interval around the estimate.
    pub uncertainty: f64,
    /// One entry for each setting that was refined, and one for all together.
    pub refinements: Vec<Refinement>,
    /// A sentence that says how far to trust the value.
    pub verdict: String,
    /// Whether the settings of the scenario are fine enough.
    pub trusted: bool,
}

impl Stamp {
    /// Writes the stamp as a file of its own, where there is none or an older stamp; the folder is made if it is missing.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let doing = || format!("writing {}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).doing(doing)?;
        }
        let mut text = serde_json::to_vec_pretty(self).doing(doing)?;
        text.push(b'\n');
        claim::write_file(path, &text, |old| serde_json::from_slice::<Stamp>(old).is_ok())
    }
}

/// One setting refined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refinement {
    /// `step`, `grid`, `mesh`, `domain` or `together`.
    pub what: String,
    /// Key of the scenario, such as `terrain.spacing`.
    pub key: String,
    /// Settings tried, coarse to fine.
    pub settings: Vec<f64>,
    /// The quantity at each of them.
    pub values: Vec<f64>,
    /// Observed order, if the values have one.
    pub order: Option<f64>,
    /// Estimated distance of the scenario's own setting from the limit, in the quantity's unit.
    pub error: f64,
    /// What was found, in a line.
    pub finding: String,
}
