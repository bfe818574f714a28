//! Studies: scenarios that are something other than one run in time. The one place where they are carried out.

use crate::failure::Failure;
use touchdown_scenario::Scenario;
use touchdown_sim::description::Study;

/// Carries a study out.
pub fn run(scenario: &Scenario, study: &Study) -> Result<(), Failure> {
    let Study::Tilt { .. } = study;
    Err(Failure::other(format!("{}: this version cannot carry out tilt studies yet", scenario.name)))
}
