//! What the simulator finds wrong with a description, placed where the scenario file says it.
//!
//! `Simulation::build` knows names, the scenario knows lines: each error becomes a diagnostic like those of the file's own checks.

use touchdown_scenario::{MemoryLimit, Scenario, ScenarioErrors};
use touchdown_sim::description::WorldDescription;
use touchdown_sim::{Simulation, WorldError};

/// Builds the world of a scenario, or says all that is wrong, each with its place. One that would take more than `memory` bytes (where
/// that is given, else 80 % of what is free) is refused before it takes any.
pub fn build_world(
    scenario: &Scenario,
    memory: Option<u64>,
    threads: usize,
) -> Result<Simulation, ScenarioErrors> {
    scenario.check_size(&memory.map_or_else(MemoryLimit::of_free, MemoryLimit::given))?;
    let errors = match Simulation::build(&scenario.description) {
        Ok(mut world) => {
            world.use_threads(threads);
            scenario.check_columns(world.columns())?;
            return Ok(world);
        }
        Err(errors) => errors,
    };
    let only_columns = errors.iter().all(|error| matches!(error, WorldError::NoColumn { .. }));
    let columns = if only_columns { wrong_columns(scenario) } else { None };
    Err(columns.unwrap_or_else(|| scenario.explain(&errors)))
}

/// Quantities and figures with columns that do not exist, with their nearest neighbours, if all else is well.
fn wrong_columns(scenario: &Scenario) -> Option<ScenarioErrors> {
    // Which columns there are is known once the world stands, so it is built without its quantities.
    let description = WorldDescription { quantities: Vec::new(), ..scenario.description.clone() };
    let world = Simulation::build(&description).ok()?;
    scenario.check_columns(world.columns()).err()
}
