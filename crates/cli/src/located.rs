//! Worlds of scenarios, built with the command's threads.

use crate::failure::Failure;
use touchdown_scenario::Scenario;
use touchdown_sim::Simulation;

/// Builds the world of a scenario, or says all that is wrong, each with its place; refuses one that would take more than `memory` bytes.
pub fn build_world(scenario: &Scenario, memory: Option<u64>) -> Result<Simulation, Failure> {
    touchdown_session::build_world(scenario, memory, rayon::current_num_threads())
        .map_err(|errors| Failure::Scenario(vec![errors]))
}
