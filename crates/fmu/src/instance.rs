//! An FMU that runs: parameters ⇒ simulation ⇒ steps, with states that can be restored. Independent of C.

use crate::plan::{ExportError, Plan, Role, Start, Variable};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use touchdown_scenario::{ScenarioErrors, load, load_str};
use touchdown_sim::{AdvanceError, CheckpointError, InputError, ObserveError, Simulation, State};

/// Why a call was refused.
#[derive(Debug, thiserror::Error)]
pub enum InstanceError {
    /// The resources.
    #[error("{0}")]
    Plan(#[from] ExportError),
    /// Description and library are not of one export.
    #[error("the instantiation token does not fit the resources: export the FMU again")]
    Token,
    /// The scenario with its parameters.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// No such variable, or not of this kind.
    #[error("value reference {reference} is no {what} of this FMU")]
    Reference {
        /// What was asked for.
        reference: u32,
        /// What it should have been.
        what: &'static str,
    },
    /// A call out of order.
    #[error("{what} is not allowed {when}")]
    Order {
        /// What was called.
        what: &'static str,
        /// In which mode.
        when: &'static str,
    },
    /// A command that was refused.
    #[error("{0}")]
    Input(#[from] InputError),
    /// A column that could not be read.
    #[error("{0}")]
    Observe(#[from] ObserveError),
    /// A step that could not be made.
    #[error("{0}")]
    Advance(#[from] AdvanceError),
    /// A step from another time than the one that was reached, or of no length.
    #[error(
        "a step of {h} s from t = {now} s is not allowed: steps begin at t = {time} s and are finite, > 0 s"
    )]
    Step {
        /// Where the importing tool begins it, s.
        now: f64,
        /// Its length, s.
        h: f64,
        /// Where the FMU stands, s.
        time: f64,
    },
    /// A state that does not fit.
    #[error("{0}")]
    State(#[from] CheckpointError),
}

/// Rounding of the times of importing tools, relative.
const ROUNDING: f64 = 1e-9;

/// What an FMU state holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    state: State,
    start: f64,
}

/// One instance.
pub struct Instance {
    plan: Plan,
    resources: PathBuf,
    /// Parameters that were set, as `NAME=VALUE`, and what texts read back as.
    parameters: BTreeMap<u32, Start>,
    inputs: BTreeMap<u32, f64>,
    sim: Option<Simulation>,
    /// Index of the input or column of each variable, by reference − 1.
    indices: Vec<usize>,
    /// Time of the importing tool at which the scenario begins, s.
    start: f64,
    stop: Option<f64>,
    initialised: bool,
}

impl Instance {
    /// From the unpacked resources of an FMU.
    pub fn new(resources: &Path, token: &str) -> Result<Instance, InstanceError> {
        let plan = Plan::read(resources)?;
        if plan.token != token {
            return Err(InstanceError::Token);
        }
        let (parameters, inputs) = (BTreeMap::new(), BTreeMap::new());
        let resources = resources.to_path_buf();
        let (sim, indices, initialised) = (None, Vec::new(), false);
        Ok(Instance {
            plan,
            resources,
            parameters,
            inputs,
            sim,
            indices,
            start: 0.0,
            stop: None,
            initialised,
        })
    }

    fn variable(&self, reference: u32, what: &'static str) -> Result<&Variable, InstanceError> {
        let index = (reference as usize).checked_sub(1);
        let found = index.and_then(|k| self.plan.variables.get(k));
        found.ok_or(InstanceError::Reference { reference, what })
    }

    /// Sets the times of the experiment; before the end of the initialisation.
    pub fn set_experiment(&mut self, start: f64, stop: Option<f64>) -> Result<(), InstanceError> {
        self.enter_initialization()?;
        if !start.is_finite() || stop.is_some_and(|stop| stop.is_nan() || stop < start) {
            return Err(InstanceError::Order { what: "an experiment", when: "that ends before it starts" });
        }
        (self.start, self.stop) = (start, stop);
        self.sim = None;
        Ok(())
    }

    /// The mode of initialisation begins.
    pub fn enter_initialization(&mut self) -> Result<(), InstanceError> {
        match self.initialised {
            true => Err(InstanceError::Order { what: "initialisation", when: "after initialisation" }),
            false => Ok(()),
        }
    }

    /// Ends the initialisation: the simulation stands.
    pub fn exit_initialization(&mut self) -> Result<(), InstanceError> {
        self.simulation()?;
        self.initialised = true;
        Ok(())
    }

    /// Back to how it was when it was made.
    pub fn reset(&mut self) {
        self.parameters.clear();
        self.inputs.clear();
        (self.sim, self.initialised, self.start, self.stop) = (None, false, 0.0, None);
    }

    /// The simulation, built with the parameters and inputs of now if it does not stand yet.
    fn simulation(&mut self) -> Result<&mut Simulation, InstanceError> {
        if self.sim.is_none() {
            let sim = self.build()?;
            self.sim = Some(sim);
        }
        self.sim.as_mut().ok_or(InstanceError::Order { what: "this", when: "without a simulation" })
    }

    fn build(&mut self) -> Result<Simulation, InstanceError> {
        let mut sets = self.plan.sets.clone();
        for (reference, value) in &self.parameters {
            let variable = self.variable(*reference, "parameter")?;
            // A start value that an importing tool sets again changes nothing, also one such as "the soil's own".
            if variable.start.as_ref() == Some(value) {
                continue;
            }
            let name = &variable.name;
            sets.push(match value {
                Start::Number(number) => format!("{name}={number}"),
                Start::Text(text) => format!("{name}={text}"),
            });
        }
        if let Some(stop) = self.stop.filter(|stop| stop - self.start > self.plan.end) {
            sets.push(format!("duration_s={}", stop - self.start));
        }
        let scenario = match self.plan.text.as_str() {
            "" => load(&self.plan.name, &sets)?,
            text => load_str("scenario.toml", text, &self.resources, &sets)?,
        };
        let mut sim = touchdown_session::build_world(&scenario, None, 1)?;
        let index = |v: &Variable| -> Result<usize, InstanceError> {
            Ok(match v.role {
                Role::Input => sim.input(&v.name)?,
                Role::Output => sim.column(&v.name)?,
                Role::Parameter => 0,
            })
        };
        self.indices = self.plan.variables.iter().map(index).collect::<Result<_, _>>()?;
        for (reference, value) in &self.inputs {
            sim.command_at(self.indices[*reference as usize - 1], *value)?;
        }
        Ok(sim)
    }

    /// Sets a number: an input at any time, a parameter before the end of the initialisation.
    pub fn set_number(&mut self, reference: u32, value: f64) -> Result<(), InstanceError> {
        match self.variable(reference, "input or parameter")?.role {
            Role::Output => Err(InstanceError::Reference { reference, what: "input or parameter" }),
            Role::Parameter => self.set_parameter(reference, Start::Number(value)),
            Role::Input => {
                let index = self.indices.get(reference as usize - 1).copied();
                if let (Some(sim), Some(index)) = (&mut self.sim, index) {
                    sim.command_at(index, value)?;
                }
                self.inputs.insert(reference, value);
                Ok(())
            }
        }
    }

    /// Sets a text parameter.
    pub fn set_text(&mut self, reference: u32, value: &str) -> Result<(), InstanceError> {
        match &self.variable(reference, "text")?.start {
            Some(Start::Text(_)) => self.set_parameter(reference, Start::Text(value.into())),
            _ => Err(InstanceError::Reference { reference, what: "text" }),
        }
    }

    fn set_parameter(&mut self, reference: u32, value: Start) -> Result<(), InstanceError> {
        if self.initialised {
            return Err(InstanceError::Order { what: "setting a parameter", when: "after initialisation" });
        }
        self.parameters.insert(reference, value);
        self.sim = None;
        Ok(())
    }

    /// Reads a number; reference 0 is the time.
    pub fn number(&mut self, reference: u32) -> Result<f64, InstanceError> {
        if reference == 0 {
            return Ok(self.time());
        }
        let variable = self.variable(reference, "number")?.clone();
        if variable.role == Role::Parameter {
            return match self.parameters.get(&reference).cloned().or(variable.start) {
                Some(Start::Number(value)) => Ok(value),
                _ => Err(InstanceError::Reference { reference, what: "number" }),
            };
        }
        self.simulation()?;
        let index = self.indices[reference as usize - 1];
        let sim = self.simulation()?;
        if variable.role == Role::Input {
            return Ok(sim.input_value(index));
        }
        let mut out = [f64::NAN];
        sim.observe(&[index], &mut out)?;
        Ok(out[0])
    }

    /// Reads a text parameter.
    pub fn text(&self, reference: u32) -> Result<&str, InstanceError> {
        let start = &self.variable(reference, "text")?.start;
        match self.parameters.get(&reference).or(start.as_ref()) {
            Some(Start::Text(text)) => Ok(text),
            _ => Err(InstanceError::Reference { reference, what: "text" }),
        }
    }

    /// Time of the importing tool, s.
    pub fn time(&self) -> f64 {
        self.start + self.sim.as_ref().map_or(0.0, Simulation::time)
    }

    /// A step from the present time; after an error [`Instance::time`] is how far it got.
    pub fn step(&mut self, now: f64, h: f64) -> Result<(), InstanceError> {
        if !self.initialised {
            return Err(InstanceError::Order { what: "a step", when: "before the end of initialisation" });
        }
        let start = self.start;
        let sim = self.simulation()?;
        let time = start + sim.time();
        // Importing tools add up the lengths of their steps: times differ by rounding, never by more.
        let is_here = (now - time).abs() <= ROUNDING * time.abs().max(1.0);
        if !(is_here && h > 0.0 && h.is_finite()) {
            return Err(InstanceError::Step { now, h, time });
        }
        Ok(sim.advance_to((now - start) + h)?)
    }

    /// The present state.
    pub fn save(&mut self) -> Result<Saved, InstanceError> {
        let start = self.start;
        Ok(Saved { state: self.simulation()?.save(), start })
    }

    /// Goes back.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), InstanceError> {
        self.simulation()?.restore(saved.state.clone())?;
        self.start = saved.start;
        Ok(())
    }
}

impl Saved {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.start.to_le_bytes().to_vec();
        bytes.extend(self.state.to_bytes());
        bytes
    }

    /// From its bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Saved, InstanceError> {
        let (start, state) = bytes.split_first_chunk::<8>().ok_or(CheckpointError::Damaged)?;
        Ok(Saved { state: State::from_bytes(state)?, start: f64::from_le_bytes(*start) })
    }
}
