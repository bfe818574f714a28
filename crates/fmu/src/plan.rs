//! Which inputs, columns and knobs of a scenario become variables.

use crate::{archive, terminals, xml};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use touchdown_scenario::{EntryKind, INPUTS, Scenario, ScenarioErrors, catalogue, kept_name, load};
use touchdown_sim::Simulation;

/// The plan among the resources; its name makes the folder one whose `inputs` are looked into first.
pub(crate) const PLAN: &str = "manifest.json";

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Commanded between steps.
    Input,
    /// A column.
    Output,
    /// A knob, set before the start.
    Parameter,
}

/// Version of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fmi {
    /// 2.0, which most tools import.
    Two,
    /// 3.0.
    Three,
}

/// Start value of an input or parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// A number.
    Number(f64),
    /// A text: knobs such as the name of a soil.
    Text(String),
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Value reference; 0 is the time.
    pub reference: u32,
    /// Name of the input, column or knob.
    pub name: String,
    /// Unit as printed; `1` or nothing where there is none.
    pub unit: String,
    /// What it is.
    pub about: String,
    /// What it is for.
    pub role: Role,
    /// Start value; none for outputs.
    pub start: Option<Start>,
}

/// All that an FMU needs beside the library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Name of the scenario.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its text; empty for a built-in one, which the library holds.
    pub text: String,
    /// Knobs turned at export.
    pub sets: Vec<String>,
    /// The end of the scenario, s.
    pub end: f64,
    /// Token by which description and library know each other.
    pub token: String,
    /// The variables, by rising reference.
    pub variables: Vec<Variable>,
    /// Files that the scenario names: their names there, and where they lie.
    #[serde(skip)]
    pub files: Vec<(String, PathBuf)>,
}

/// Names that are asked for; `*` stands for any text.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Inputs; all if empty.
    pub inputs: Vec<String>,
    /// Columns.
    pub outputs: Vec<String>,
    /// Knobs.
    pub parameters: Vec<String>,
}

/// Why an FMU could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The scenario has mistakes.
    #[error("{0}")]
    Scenario(#[from] ScenarioErrors),
    /// A name that does not exist.
    #[error("no {kind} of the scenario is called \"{name}\"; {hint}")]
    Unknown {
        /// Input, column or knob.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        hint: String,
    },
    /// A file.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Plan {
    /// Chooses the variables of a scenario.
    pub fn new(source: &str, sets: &[String], asked: &Asked) -> Result<Plan, ExportError> {
        let scenario = load(source, sets)?;
        let sim = touchdown_session::build_world(&scenario, None, 1)?;
        let built_in = catalogue().iter().any(|e| e.kind == EntryKind::Scenario && e.name == source);
        let text = match scenario.on_disk.first() {
            Some((_, path)) if !built_in => std::fs::read_to_string(path)
                .map_err(|source| ExportError::Io { path: path.clone(), source })?,
            _ => String::new(),
        };
        let mut variables = inputs(&sim, &asked.inputs)?;
        variables.extend(outputs(&sim, &asked.outputs)?);
        variables.extend(parameters(&scenario, &asked.parameters)?);
        for (k, variable) in variables.iter_mut().enumerate() {
            variable.reference = k as u32 + 1;
        }
        let mut plan = Plan {
            name: scenario.name.clone(),
            title: scenario.title.clone(),
            text,
            sets: sets.to_vec(),
            end: sim.description().duration,
            token: String::new(),
            variables,
            files: scenario.on_disk.iter().skip(usize::from(!built_in)).cloned().collect(),
        };
        let said = format!("{}{}", touchdown_session::identity::json(), plan.json());
        plan.token = format!("{{{}}}", &blake3::hash(said.as_bytes()).to_hex()[..32]);
        Ok(plan)
    }

    /// Reads the plan of unpacked resources.
    pub fn read(resources: &Path) -> Result<Plan, ExportError> {
        let path = resources.join(PLAN);
        let wrong = |source: std::io::Error| ExportError::Io { path: path.clone(), source };
        let bytes = std::fs::read(&path).map_err(wrong)?;
        serde_json::from_slice(&bytes).map_err(|error| wrong(error.into()))
    }

    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// A name that tools of C take: that of the library in the archive.
    pub fn identifier(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = self.name.chars().map(plain).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) { format!("m_{name}") } else { name }
    }

    /// The archive, with the library's file.
    pub fn archive(&self, fmi: Fmi, library: &Path) -> Result<Vec<u8>, ExportError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|source| ExportError::Io { path: path.to_path_buf(), source })
        };
        let folder = archive::platform(fmi);
        let binary = format!("binaries/{folder}/{}{}", self.identifier(), std::env::consts::DLL_SUFFIX);
        let mut files = vec![
            (archive::DESCRIPTION.to_string(), xml::description(self, fmi).into_bytes()),
            (binary, read(library)?),
            (format!("resources/{PLAN}"), self.json().into_bytes()),
        ];
        if let Some(text) = terminals::terminals(self).filter(|_| fmi == Fmi::Three) {
            files.push((terminals::TERMINALS.to_string(), text.into_bytes()));
        }
        for (name, path) in &self.files {
            files.push((format!("resources/{INPUTS}/{}", kept_name(name)), read(path)?));
        }
        Ok(archive::zip(&files))
    }
}

/// Those of `names` that the patterns ask for, by index; an error for a pattern that names nothing.
fn chosen(kind: &'static str, patterns: &[String], names: &[&str]) -> Result<Vec<usize>, ExportError> {
    let mut chosen = Vec::new();
    for pattern in patterns {
        let found = (0..names.len()).filter(|k| matches(pattern, names[*k]));
        let before = chosen.len();
        chosen.extend(found);
        if chosen.len() == before {
            let hint = match names {
                [] => format!("it has no {kind}s"),
                names if names.len() <= 12 => format!("there are: {}", names.join(", ")),
                _ => "touchdown show lists them".into(),
            };
            return Err(ExportError::Unknown { kind, name: pattern.clone(), hint });
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    chosen.retain(|k| seen.insert(*k));
    Ok(chosen)
}

/// Whether a pattern with `*` names a text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|tail| {
            let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]);
            ends.into_iter().any(|at| matches(rest, &tail[at..]))
        }),
    }
}

fn inputs(sim: &Simulation, patterns: &[String]) -> Result<Vec<Variable>, ExportError> {
    let names: Vec<&str> = sim.inputs().iter().map(|input| input.name.as_str()).collect();
    let indices =
        if patterns.is_empty() { (0..names.len()).collect() } else { chosen("input", patterns, &names)? };
    let variable = |k: usize| {
        let input = &sim.inputs()[k];
        let about = format!("command, from {} to {}", input.lower, input.upper);
        let start = Some(Start::Number(sim.input_value(k)));
        Variable {
            reference: 0,
            name: input.name.clone(),
            unit: input.unit.into(),
            about,
            role: Role::Input,
            start,
        }
    };
    Ok(indices.into_iter().map(variable).collect())
}

fn outputs(sim: &Simulation, patterns: &[String]) -> Result<Vec<Variable>, ExportError> {
    let names: Vec<&str> = sim.columns().iter().map(|column| column.name.as_str()).collect();
    let variable = |k: usize| {
        let c = &sim.columns()[k];
        let (name, unit, about) = (c.name.clone(), c.unit.to_string(), c.about.clone());
        Variable { reference: 0, name, unit, about, role: Role::Output, start: None }
    };
    Ok(chosen("column", patterns, &names)?.into_iter().map(variable).collect())
}

fn parameters(scenario: &Scenario, patterns: &[String]) -> Result<Vec<Variable>, ExportError> {
    let names: Vec<&str> = scenario.parameters.iter().map(|p| p.name.as_str()).collect();
    let variable = |k: usize| {
        let p = &scenario.parameters[k];
        let start = match p.value.parse() {
            Ok(number) => Start::Number(number),
            Err(_) => Start::Text(p.value.clone()),
        };
        let (name, unit, about) = (p.name.clone(), p.unit.clone(), p.about.clone());
        Variable { reference: 0, name, unit, about, role: Role::Parameter, start: Some(start) }
    };
    Ok(chosen("knob", patterns, &names)?.into_iter().map(variable).collect())
}
