//! What the report of a run shows, from the scenario's words into the manifest's.

use touchdown_record::ReportSpec;
use touchdown_scenario::Scenario;
use touchdown_sim::Simulation;

/// What the report of a scenario shows; its figures need the columns that the world writes.
pub fn shown(scenario: &Scenario, world: &Simulation) -> ReportSpec {
    ReportSpec {
        question: scenario.question.clone().unwrap_or_default(),
        reproduces: scenario.reproduces.clone().unwrap_or_default(),
        answer: scenario.report.answer.quantity.clone().unwrap_or_default(),
        figures: scenario.figures(world.columns()).drawn,
        phases: scenario.report.phases.clone(),
    }
}
