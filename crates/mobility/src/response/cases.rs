//! Rows of campaigns as cases of a surrogate.

use super::asked::QUANTITIES;
use super::space::Space;
use crate::surrogate::Case;
use touchdown_campaign::{CampaignError, Row, Status, Store};

/// A run with its place.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub slope_deg: f64,
    /// Standard scores of its soil.
    pub scores: Vec<f64>,
    pub case: Case,
}

/// Runs of a finished campaign that have a slip; those that failed before they had one say nothing.
pub(crate) fn runs(store: &Store, space: &Space) -> Result<Vec<Run>, CampaignError> {
    let mut runs = Vec::new();
    store.prefix(&mut |row| runs.extend(run(store, space, &row)))?;
    Ok(runs)
}

fn run(store: &Store, space: &Space, row: &Row) -> Option<Run> {
    let (names, inputs) = (store.planned.input_names(), store.planned.inputs(row.index));
    let number = |name: &str| inputs[names.iter().position(|n| *n == name)?].number();
    let quantity = |name: &str| {
        let place = store.planned.plan.quantities.iter().position(|q| q.name == name)?;
        row.quantities.get(place).copied()
    };
    let [slip, drift_deg, energy_j_per_m, sinkage_m, stuck, tipped] =
        QUANTITIES.map(|name| quantity(name).unwrap_or(f64::NAN));
    let (place, scores) = space.of_inputs(&names, &inputs)?;
    if row.status == Status::Refused || !slip.is_finite() {
        return None;
    }
    let case = Case {
        place,
        slip,
        drift_deg,
        energy_j_per_m,
        sinkage_m,
        stuck: stuck == 1.0,
        tipped: tipped == 1.0,
        valid: row.status == Status::Ok,
    };
    Some(Run { slope_deg: number("slope_deg")?, scores, case })
}
