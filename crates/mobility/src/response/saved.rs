//! `surrogate.json`: the table with everything a reader should know of it, sealed by its hash.

use super::asked::Asked;
use super::held_out::HeldOut;
use super::tabulate::TableAccuracy;
use crate::surrogate::CrossValidation;
use crate::table::ResponseTable;
use serde::{Deserialize, Serialize};
use touchdown_record::{Place, RecordError, check_sealed, sealed};

/// Name of the file.
pub const SURROGATE: &str = "surrogate.json";
const FORMAT: u32 = 2;

/// What is known of one soil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoilReport {
    /// Its name.
    pub soil: String,
    /// Cases that were fitted.
    pub cases: usize,
    /// Those that got stuck.
    pub stuck: usize,
    /// Those outside the range of a model.
    pub left_validity: usize,
    /// Error of cases left out one at a time.
    pub cross_validation: CrossValidation,
    /// How far the table lies from the surrogate.
    pub table: TableAccuracy,
    /// What held-out cases say.
    pub held_out: Option<HeldOut>,
}

/// The table and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    format: u32,
    /// What was asked.
    pub asked: Asked,
    /// What is known of each soil, in the order of the table.
    pub soils: Vec<SoilReport>,
    /// The table.
    pub table: ResponseTable,
}

impl Saved {
    pub(crate) fn new(asked: Asked, soils: Vec<SoilReport>, table: ResponseTable) -> Saved {
        Saved { format: FORMAT, asked, soils, table }
    }

    /// As the bytes of its file.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, RecordError> {
        sealed(self, || format!("writing {SURROGATE}"))
    }

    /// Reads it from the folder of a mobility map; `None` where the runs have not ended.
    pub fn read(place: &Place) -> Result<Option<Saved>, String> {
        let path = place.path_of(SURROGATE);
        let wrong = |why: String| format!("{}: {why}", path.display());
        let Some(bytes) = place.read(SURROGATE).map_err(|e| e.to_string())? else { return Ok(None) };
        check_sealed(&bytes).map_err(&wrong)?;
        let saved: Saved = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
        if saved.format != FORMAT {
            return Err(wrong(format!("its format is {}, this program knows {FORMAT}", saved.format)));
        }
        // A table that was put together by other means is checked as one that is made.
        saved.table.check().map_err(|e| wrong(e.to_string()))?;
        Ok(Some(saved))
    }
}
