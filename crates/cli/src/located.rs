//! What the simulator finds wrong with a description, placed where the scenario file says it.
//!
//! `World::build` knows names, the scenario knows lines: each error becomes a diagnostic like those of the file's own checks.

use crate::failure::Failure;
use touchdown_multibody::rigid::BuildError;
use touchdown_multibody::rigid::constrained::DynamicsError;
use touchdown_scenario::{Scenario, ScenarioErrors};
use touchdown_sim::description::WorldDescription;
use touchdown_sim::{EquilibriumError, World, WorldError};

/// Builds the world of a scenario, or says all that is wrong, each with its place.
pub fn build_world(scenario: &Scenario) -> Result<World, Failure> {
    let errors = match World::build(&scenario.description) {
        Ok(world) => return Ok(world),
        Err(errors) => errors,
    };
    let (columns, others): (Vec<_>, Vec<_>) =
        errors.iter().partition(|error| matches!(error, WorldError::NoColumn { .. }));
    let mut lists: Vec<ScenarioErrors> = others.into_iter().map(|error| locate(scenario, error)).collect();
    if !columns.is_empty() {
        lists.extend(
            wrong_columns(scenario).unwrap_or_else(|| columns.iter().map(|e| locate(scenario, e)).collect()),
        );
    }
    Err(Failure::Scenario(lists))
}

/// Quantities with columns that do not exist, with their nearest neighbours, if all else is well.
fn wrong_columns(scenario: &Scenario) -> Option<Vec<ScenarioErrors>> {
    // Which columns there are is known once the world stands, so it is built without its quantities.
    let description = WorldDescription { quantities: Vec::new(), ..scenario.description.clone() };
    let world = World::build(&description).ok()?;
    let names: Vec<String> = world.columns().iter().map(|column| column.name.clone()).collect();
    Some(scenario.check_columns(&names).err().into_iter().collect())
}

/// Kind and name of the thing in the file, and a hint.
fn locate(scenario: &Scenario, error: &WorldError) -> ScenarioErrors {
    let what = error.to_string();
    let (kind, name, hint) = match error {
        WorldError::Build(error) => place_of_build(error),
        WorldError::Assembly(error) | WorldError::Equilibrium(EquilibriumError::Dynamics(error)) => {
            place_of_dynamics(error)
        }
        WorldError::Equilibrium(EquilibriumError::NotFound { joint, .. }) => {
            ("joint", joint.as_str(), Some("start = \"as-given\" needs no equilibrium"))
        }
        WorldError::Tyre { tyre, .. } => ("tyre", tyre.as_str(), None),
        WorldError::NoGround { tyre } => {
            ("tyre", tyre.as_str(), Some("[ground] with shape = \"plane\" is a level plane"))
        }
        WorldError::NoTyre { drive } => {
            ("drive", drive.as_str(), Some("use speed instead of rim_speed, or add a tyre"))
        }
        WorldError::NoColumn { quantity, .. } => ("quantity", quantity.as_str(), None),
    };
    scenario.located(kind, name, &what, hint)
}

fn place_of_build(error: &BuildError) -> (&str, &str, Option<&str>) {
    match error {
        BuildError::Inboard { body, .. } | BuildError::Cycle { body } => ("body", body, None),
        BuildError::Initial { joint, .. } | BuildError::Axis { joint, .. } => ("joint", joint, None),
        BuildError::Reference { owner, .. } => ("", owner, None),
    }
}

fn place_of_dynamics(error: &DynamicsError) -> (&str, &str, Option<&str>) {
    match error {
        DynamicsError::Massless { joint } => {
            ("joint", joint, Some("give what it moves a mass and an inertia, or lock it"))
        }
        DynamicsError::Open { constraint, .. } => {
            ("constraint", constraint, Some("start from joint positions nearer to a closed loop"))
        }
        DynamicsError::NotFinite { joint } => {
            ("joint", joint, Some("look for extreme masses, stiffnesses or speeds"))
        }
    }
}
