//! Books of a run: energy, columns, quantities, checks of validity, answers.

pub(crate) mod channels;
pub(crate) mod ledger;
pub(crate) mod need;
mod outcome;
pub(crate) mod quantities;
pub(crate) mod validity;
pub(crate) mod vehicle;
pub(crate) mod vehicle_answers;
