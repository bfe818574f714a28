//! Any scenario as a model: its parameters turned, its recorded columns read at the times of the data.

use super::IdentifyError;
use super::watch::Watch;
use crate::case::{Case, CaseError, run_case_while};
use crate::validate::alone;
use touchdown_identify::FitError;

/// A scenario whose columns are compared with data.
pub(super) struct ScenarioModel {
    pub scenario: String,
    /// Settings that stay.
    pub sets: Vec<String>,
    /// Parameters that are sought.
    pub names: Vec<String>,
    pub columns: Vec<String>,
    pub times: Vec<f64>,
}

impl ScenarioModel {
    /// Runs it once at the start values, so that mistakes are reported as those of any run.
    pub fn try_at(&self, start: &[f64], watch: &Watch) -> Result<(), IdentifyError> {
        let case = match self.run(start, watch) {
            Ok(case) => case,
            Err(CaseError::Scenario(errors)) => return Err(errors.into()),
            Err(CaseError::Run(_)) => return Err(FitError::NoMinimum.into()),
        };
        for column in &self.columns {
            if case.column(column).is_none() {
                let found: Vec<String> = case.columns.iter().map(|c| c.name.clone()).collect();
                let error = touchdown_identify::TableError::Missing { name: column.clone(), found };
                return Err(IdentifyError::Data { path: self.scenario.clone().into(), error });
            }
        }
        Ok(())
    }

    fn run(&self, x: &[f64], watch: &Watch) -> Result<Case, CaseError> {
        alone(|| run_case_while(&self.scenario, &self.settings(x), &|| watch.has_time()))
    }

    fn settings(&self, x: &[f64]) -> Vec<String> {
        let turned = self.names.iter().zip(x).map(|(name, value)| format!("{name}={value:?}"));
        self.sets.iter().cloned().chain(turned).collect()
    }

    /// Columns at the times of the data, by straight lines between the rows of the run.
    pub fn predict(&self, x: &[f64], watch: &Watch) -> Option<Vec<Vec<f64>>> {
        let case = self.run(x, watch).ok()?;
        let time = case.column("time_s")?;
        // A run that ends before the data cannot be compared.
        if time.last()? + 1e-9 < *self.times.last()? {
            return None;
        }
        let read = |name: &String| {
            let values = case.column(name)?;
            Some(self.times.iter().map(|t| at(&time, &values, *t)).collect())
        };
        self.columns.iter().map(read).collect()
    }
}

fn at(time: &[f64], values: &[f64], t: f64) -> f64 {
    let k = time.partition_point(|x| *x < t).clamp(1, time.len().max(2) - 1);
    let (Some(a), Some(b)) = (time.get(k - 1), time.get(k)) else { return values[0] };
    let share = if b > a { ((t - a) / (b - a)).clamp(0.0, 1.0) } else { 1.0 };
    values[k - 1] + share * (values[k] - values[k - 1])
}
