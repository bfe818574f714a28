//! Rows of a campaign as columns, thinned where there are more than a page can show.

use crate::case::Status;
use crate::error::CampaignError;
use crate::marginal::Setting;
use crate::plan::Plan;
use crate::store::Store;

/// Cases that figures are drawn from at most; statistics of requirements count all.
const MOST: u64 = 100_000;

/// Columns of cases.
pub(super) struct Table {
    pub index: Vec<u64>,
    /// Inputs, by knob.
    pub inputs: Vec<Vec<Setting>>,
    /// Quantities, by quantity.
    pub quantities: Vec<Vec<f64>>,
    pub status: Vec<Status>,
}

impl Table {
    pub fn read(store: &Store) -> Result<Table, CampaignError> {
        let planned = &store.planned;
        let width = planned.input_names().len();
        let mut table = Table {
            index: Vec::new(),
            inputs: vec![Vec::new(); width],
            quantities: vec![Vec::new(); planned.plan.quantities.len()],
            status: Vec::new(),
        };
        store.prefix(&mut |row| {
            if row.index >= MOST {
                return;
            }
            table.index.push(row.index);
            planned.inputs(row.index).into_iter().zip(&mut table.inputs).for_each(|(v, list)| list.push(v));
            row.quantities.into_iter().zip(&mut table.quantities).for_each(|(v, list)| list.push(v));
            table.status.push(row.status);
        })?;
        Ok(table)
    }

    pub fn rows(&self) -> usize {
        self.index.len()
    }

    /// Whether a quantity differs between cases, beyond rounding.
    pub fn varies(&self, quantity: usize) -> bool {
        let mut finite = self.quantities[quantity].iter().filter(|x| x.is_finite());
        finite.next().is_some_and(|first| finite.any(|x| (x - first).abs() > 1e-9 * first.abs().max(x.abs())))
    }

    /// An input as numbers; none if it has words.
    pub fn numbers(&self, input: usize) -> Option<Vec<f64>> {
        self.inputs[input].iter().map(Setting::number).collect()
    }
}

/// Names of all inputs.
pub(super) fn input_names(plan: &Plan) -> Vec<&str> {
    plan.vary
        .iter()
        .map(|v| v.name.as_str())
        .chain(plan.table.iter().flat_map(|t| t.knobs.iter().map(String::as_str)))
        .collect()
}

/// Quantities that a reader wants first: those required, the answer, then those that vary, up to a number.
pub(super) fn chosen(table: &Table, plan: &Plan, most: usize) -> Vec<usize> {
    let bookkeeping =
        ["energy_drift_relative", "energy_residual_relative", "constraint_residual_max", "total_mass_kg"];
    let mut order: Vec<usize> = Vec::new();
    let required =
        plan.requirements.iter().filter_map(|r| plan.quantities.iter().position(|q| q.name == r.quantity));
    let answer = plan.quantities.iter().position(|q| plan.answer.as_ref() == Some(&q.name));
    let others = (0..plan.quantities.len()).filter(|k| {
        let name = &plan.quantities[*k].name;
        table.varies(*k) && !bookkeeping.contains(&name.as_str()) && !name.ends_with("_std")
    });
    for k in required.chain(answer).chain(others) {
        if !order.contains(&k) {
            order.push(k);
        }
    }
    order.truncate(most);
    order
}
