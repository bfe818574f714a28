//! Shared by the verification tests: runs a scenario into memory and reads its series by column and time.
//!
//! Scenario ⇒ [`world`] ⇒ [`run_world`] ⇒ [`Run`]; [`Checks`] compares measured figures with their bounds and prints them.

#![allow(dead_code, reason = "every test binary uses its own part of this module")]

use std::path::Path;
use touchdown_scenario::{Scenario, load, load_str};
use touchdown_sim::Simulation;
use touchdown_sim::sink::{Frame, Outcome, Progress, Sink, SinkError, SoilNode};

/// Keeps all that a run hands over.
#[derive(Default)]
pub struct Memory {
    pub rows: Vec<Vec<f64>>,
    pub frames: Vec<Frame>,
    pub surface: Vec<SoilNode>,
    pub checkpoints: Vec<Vec<u8>>,
}

impl Sink for Memory {
    fn series(&mut self, row: &[f64]) -> Result<(), SinkError> {
        self.rows.push(row.to_vec());
        Ok(())
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), SinkError> {
        self.frames.push(frame.clone());
        Ok(())
    }

    fn checkpoint(&mut self, state: &[u8], _: u64, _: u64) -> Result<(), SinkError> {
        self.checkpoints.push(state.to_vec());
        Ok(())
    }

    fn surface(&mut self, nodes: &[SoilNode]) -> Result<(), SinkError> {
        self.surface = nodes.to_vec();
        Ok(())
    }

    fn progress(&mut self, _: Progress) {}
}

/// A finished run.
pub struct Run {
    columns: Vec<String>,
    pub rows: Vec<Vec<f64>>,
    pub frames: Vec<Frame>,
    pub surface: Vec<SoilNode>,
    pub outcome: Outcome,
}

impl Run {
    fn index(&self, column: &str) -> usize {
        let found = self.columns.iter().position(|c| c == column);
        found.unwrap_or_else(|| panic!("no column {column} among {:?}", self.columns))
    }

    /// All values of a column.
    pub fn column(&self, column: &str) -> Vec<f64> {
        let k = self.index(column);
        self.rows.iter().map(|r| r[k]).collect()
    }

    /// The value of a column in the row at time `t`; it is a mistake of the test if no row is there.
    pub fn at(&self, column: &str, t: f64) -> f64 {
        let row =
            self.rows.iter().find(|r| (r[0] - t).abs() < 1e-9).unwrap_or_else(|| panic!("no row at {t} s"));
        row[self.index(column)]
    }

    /// The last value of a column.
    pub fn end(&self, column: &str) -> f64 {
        let last = self.rows.last().unwrap_or_else(|| panic!("no rows"));
        last[self.index(column)]
    }

    /// A number of the summary.
    pub fn quantity(&self, name: &str) -> f64 {
        let all = self.outcome.quantities.iter().chain(&self.outcome.ledger);
        let mut found = all.filter(|q| q.name == name);
        found.next().unwrap_or_else(|| panic!("no quantity {name}")).value
    }
}

/// A built-in scenario with settings.
pub fn built_in(name: &str, sets: &[&str]) -> Scenario {
    load(name, &owned(sets)).unwrap_or_else(|e| panic!("{name}:\n{e}"))
}

/// A scenario written in the test; machines come from the built-in ones.
pub fn inline(text: &str, sets: &[&str]) -> Scenario {
    load_str("inline.toml", text, Path::new("."), &owned(sets)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn owned(sets: &[&str]) -> Vec<String> {
    sets.iter().map(|s| s.to_string()).collect()
}

/// The world of a scenario, at its start.
pub fn world(scenario: &Scenario) -> Simulation {
    Simulation::build(&scenario.description).unwrap_or_else(|e| panic!("{}: {e:?}", scenario.name))
}

/// Runs to the end, which must be reached.
pub fn run_world(mut world: Simulation) -> Run {
    let mut memory = Memory::default();
    let outcome = world.run(&mut memory).unwrap_or_else(|e| panic!("{e}"));
    assert!(outcome.finished, "{:?}", outcome.stopped_because);
    let columns = world.columns().iter().map(|c| c.name.clone()).collect();
    Run { columns, rows: memory.rows, frames: memory.frames, surface: memory.surface, outcome }
}

/// Runs a built-in scenario.
pub fn run(name: &str, sets: &[&str]) -> Run {
    run_world(world(&built_in(name, sets)))
}

/// Runs a scenario written in the test.
pub fn run_text(text: &str, sets: &[&str]) -> Run {
    run_world(world(&inline(text, sets)))
}

/// Figures against bounds: all are printed, and the test fails at the end if one was missed, so that one miss does not hide others.
#[derive(Default)]
pub struct Checks {
    missed: Vec<String>,
}

impl Checks {
    /// `value` must lie below `bound`.
    pub fn below(&mut self, what: &str, value: f64, bound: f64) {
        self.note(what, value, &format!("< {bound:.3e}"), value < bound);
    }

    /// `value` must lie between the bounds.
    pub fn between(&mut self, what: &str, value: f64, low: f64, high: f64) {
        self.note(what, value, &format!("{low} to {high}"), low <= value && value <= high);
    }

    fn note(&mut self, what: &str, value: f64, bound: &str, holds: bool) {
        let line = format!("{what} | {value:.4e} | {bound}");
        println!("| {line} |{}", if holds { "" } else { " MISSED" });
        if !holds {
            self.missed.push(line);
        }
    }

    /// Fails if something was missed.
    pub fn finish(self) {
        assert!(self.missed.is_empty(), "missed:\n{}", self.missed.join("\n"));
    }
}

/// Largest absolute difference of two equally long lists.
pub fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
