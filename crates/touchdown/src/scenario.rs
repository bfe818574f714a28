//! Scenarios by name, from a file or from a text, with their knobs set.

use crate::Error;
use std::path::Path;
use touchdown_scenario::{Scenario, load, load_str};
use touchdown_sim::Simulation;

/// A scenario to be loaded.
#[derive(Clone, Debug)]
#[must_use]
pub struct ScenarioBuilder {
    from: From,
    sets: Vec<String>,
}

#[derive(Clone, Debug)]
enum From {
    Name(String),
    Text(String),
}

/// A built-in scenario by its name, or a file by its path.
pub fn scenario(name_or_path: &str) -> ScenarioBuilder {
    ScenarioBuilder { from: From::Name(name_or_path.into()), sets: Vec::new() }
}

/// A scenario from its text; files that it names are looked for in the current folder.
pub fn scenario_text(text: &str) -> ScenarioBuilder {
    ScenarioBuilder { from: From::Text(text.into()), sets: Vec::new() }
}

impl ScenarioBuilder {
    /// Turns a knob or sets a key, as `--set KEY=VALUE` does.
    pub fn set(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        self.sets.push(format!("{key}={value}"));
        self
    }

    /// Turns knobs given as `KEY=VALUE`.
    pub fn sets(mut self, sets: &[String]) -> Self {
        self.sets.extend_from_slice(sets);
        self
    }

    /// Reads and checks it.
    pub fn load(&self) -> Result<Scenario, Error> {
        Ok(match &self.from {
            From::Name(name) => load(name, &self.sets)?,
            From::Text(text) => load_str("scenario.toml", text, Path::new("."), &self.sets)?,
        })
    }

    /// Reads, checks and builds it.
    pub fn simulate(&self) -> Result<Simulation, Error> {
        Ok(Simulation::build(&self.load()?.description)?)
    }
}
