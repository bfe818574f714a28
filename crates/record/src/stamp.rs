//! The stamp of a convergence study: a quantity with its numerical uncertainty, and for which inputs it
//! holds.

use crate::claim;
use crate::error::{Doing, RecordError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The result of a convergence study. A report shows it if `resolved_blake3` is that of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stamp {
    /// The scenario.
    pub scenario: String,
    /// Hash of the `resolved.toml` that was studied.
    pub resolved_blake3: String,
    /// Version of the program.
    pub version: String,
    /// The quantity.
    pub quantity: String,
    /// Unit as printed.
    pub unit: String,
    /// Value with the settings of the scenario.
    pub value: f64,
    /// Best estimate in the limit of zero step, grid spacing and mesh size and an unbounded domain.
    pub estimate: f64,
    /// Half the width of the interval around the estimate.
    pub uncertainty: f64,
    /// One entry for each refined setting, and one for all together.
    pub refinements: Vec<Refinement>,
    /// A sentence on the accuracy of the value.
    pub verdict: String,
    /// Whether the settings of the scenario are fine enough.
    pub trusted: bool,
}

impl Stamp {
    /// Writes the stamp as a separate file, new or in place of an older stamp; the folder is created if
    /// missing.
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

/// The refinement of one setting.
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
    /// Observed order, if the values converge with one.
    pub order: Option<f64>,
    /// Estimated distance of the scenario's own setting from the limit, in the quantity's unit.
    pub error: f64,
    /// The finding, in one line.
    pub finding: String,
}
