//! What a sensitivity study found: how far a quantity moves with each uncertain input, and for which inputs that holds.

use crate::claim;
use crate::error::{Doing, RecordError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A sensitivity study. A report shows it where `resolved_blake3` is that of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
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
    /// Value with the scenario's own inputs.
    pub value: f64,
    /// One entry for each input, the one that moves the quantity most first.
    pub swings: Vec<Swing>,
    /// Standard deviation of the quantity if the inputs are independent and their effects add up.
    pub together: f64,
    /// A sentence that says what matters.
    pub verdict: String,
}

/// One input moved down and up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    /// The input, by its key.
    pub input: String,
    /// Its own value, and those that were tried, as they are written.
    pub tried: [String; 3],
    /// The quantity at the lower and at the upper value; nothing where that run gave none.
    pub values: [Option<f64>; 2],
    /// Standard deviation that the input's scatter gives the quantity, in its unit.
    pub deviation: f64,
    /// What the two values are, and where they come from.
    pub about: String,
    /// Why a value is missing; empty if none is.
    pub missing: String,
}

impl Sensitivity {
    /// Writes the study as a file of its own, where there is none or an older study; the folder is made if it is missing.
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
