//! One run of a scenario in memory: its answers and whatever columns were asked for; no folder.

use touchdown_scenario::{MemoryLimit, Scenario, ScenarioErrors, load};
use touchdown_sim::sink::{Column, Frame, Outcome, Progress, Sink, SinkError, SoilNode};
use touchdown_sim::{RunError, Simulation};

/// Why a case could not be run at all. A run that fails numerically is a [`Case`] whose outcome says so.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The scenario is not sound, or no world can be built from it.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// The run was stopped early.
    #[error("{0}")]
    Run(#[from] RunError),
}

/// A run that was carried out.
#[derive(Debug)]
pub struct Case {
    /// What was run.
    pub scenario: Scenario,
    /// How it ended.
    pub outcome: Outcome,
    /// Columns of the series.
    pub columns: Vec<Column>,
    /// Rows of the series.
    pub rows: Vec<Vec<f64>>,
    /// The soil's surface at the end.
    pub surface: Vec<SoilNode>,
}

impl Case {
    /// A quantity of the outcome, or an entry of its ledger.
    pub fn value(&self, name: &str) -> Option<f64> {
        let all = self.outcome.quantities.iter().chain(&self.outcome.ledger);
        all.into_iter().find(|value| value.name == name).map(|value| value.value)
    }

    /// Values of a column.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.columns.iter().position(|column| column.name == name)?;
        Some(self.rows.iter().map(|row| row[at]).collect())
    }
}

/// Runs a built-in scenario or a file with settings `KEY=VALUE`.
pub fn run_case(name_or_path: &str, sets: &[String]) -> Result<Case, CaseError> {
    run_case_while(name_or_path, sets, &|| true)
}

/// As [`run_case`]; the run is stopped at the first row at which `goes_on` is false.
pub(crate) fn run_case_while(
    name_or_path: &str,
    sets: &[String],
    goes_on: &dyn Fn() -> bool,
) -> Result<Case, CaseError> {
    let scenario = load(name_or_path, sets)?;
    scenario.check_size(&MemoryLimit::of_free())?;
    let mut world = Simulation::build(&scenario.description).map_err(|errors| scenario.explain(&errors))?;
    world.use_threads(rayon::current_num_threads());
    let mut memory = Memory { rows: Vec::new(), surface: Vec::new(), goes_on };
    let outcome = world.run(&mut memory)?;
    let columns = world.columns().to_vec();
    Ok(Case { scenario, outcome, columns, rows: memory.rows, surface: memory.surface })
}

/// Keeps rows and the last surface.
struct Memory<'a> {
    rows: Vec<Vec<f64>>,
    surface: Vec<SoilNode>,
    goes_on: &'a dyn Fn() -> bool,
}

impl Sink for Memory<'_> {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        if !(self.goes_on)() {
            let doing = "keeping a row of a run that was aborted".to_string();
            return Err(SinkError { doing, source: std::io::ErrorKind::TimedOut.into() });
        }
        self.rows.push(row.to_vec());
        Ok(())
    }
    fn frame(&mut self, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }
    fn checkpoint(&mut self, _: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        Ok(())
    }
    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.surface = nodes.to_vec();
        Ok(())
    }
    fn progress(&mut self, _: Progress) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_gives_its_answers_and_columns() {
        // A frictionless pendulum keeps its energy: the ledger says so, and the time column runs to the end.
        let case = run_case("pendulum", &[]).expect("a built-in scenario");
        assert!(case.outcome.finished);
        assert!(case.value("energy_drift_relative").is_some_and(|drift| drift < 1e-6));
        let time = case.column("time_s").expect("every series has its time");
        assert_eq!(time.last().copied(), Some(case.outcome.sim_time));
    }
}
