//! The result of a sensitivity study: how far each uncertain input changes a quantity, and for which inputs
//! that holds.

use crate::claim;
use crate::error::{Doing, RecordError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The result of a sensitivity study. A report shows it if `resolved_blake3` is that of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
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
    /// Value with the scenario's nominal inputs.
    pub value: f64,
    /// One entry for each input, the most influential first.
    pub swings: Vec<Swing>,
    /// Standard deviation of the quantity if the inputs are independent and their effects add up.
    pub together: f64,
    /// A sentence that names the important inputs.
    pub verdict: String,
}

/// One input, decreased and increased.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    /// The input, by its key.
    pub input: String,
    /// Its nominal value and the two values tried, as text.
    pub tried: [String; 3],
    /// The quantity at the lower and at the upper value; `None` where the run gave no value.
    pub values: [Option<f64>; 2],
    /// Standard deviation of the quantity due to the scatter of this input, in the quantity's unit.
    pub deviation: f64,
    /// Definition and source of the two values.
    pub about: String,
    /// Why a value is missing; empty if both exist.
    pub missing: String,
}

impl Sensitivity {
    /// Writes the study as a separate file, new or in place of an older study; the folder is created if
    /// missing.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let doing = || format!("writing {}", path.display());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).doing(doing)?;
        }
        let mut text = serde_json::to_vec_pretty(self).doing(doing)?;
        text.push(b'\n');
        claim::write_file(path, &text, |old| serde_json::from_slice::<Sensitivity>(old).is_ok())
    }
}
