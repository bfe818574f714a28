//! Data sets: their files, built into the program.

use super::super::error::ValidateError;
use super::super::library::measured_files;
use super::Wheel;
use serde::{Deserialize, Serialize};
use touchdown_identify::Table;
use touchdown_scenario::load;

/// A file of `validation/measured`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Set {
    pub name: String,
    pub title: String,
    pub source: String,
    pub licence: String,
    /// Topic of the claims beside which it stands.
    pub topic: String,
    pub scenario: String,
    /// Settings of every row.
    pub set: Vec<String>,
    /// Shear lengths beside that of the soil, m, where none was measured.
    pub shear_lengths_m: Vec<f64>,
    pub inputs: Vec<Input>,
    pub part: Vec<PartFile>,
    pub goal: Vec<GoalFile>,
    /// Knobs that the scenario has.
    #[serde(skip)]
    pub knobs: Vec<String>,
}

impl Set {
    /// A number that its own settings give.
    pub fn number(&self, name: &str) -> Result<f64, String> {
        let found = self.set.iter().find_map(|s| s.strip_prefix(name)?.strip_prefix('='));
        found.and_then(|text| text.parse().ok()).ok_or_else(|| format!("{} does not set {name}", self.name))
    }
}

/// An input and where it comes from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// What it is.
    pub what: String,
    /// Its value.
    pub value: String,
    /// Its source.
    pub from: String,
}

/// One wheel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartFile {
    pub name: String,
    pub data: String,
    /// Radius at the tips of the bars, m: that of Wong & Reece's integral.
    pub radius_m: f64,
    pub set: Vec<String>,
    /// Its rows, read from `data`.
    #[serde(skip)]
    pub rows: Vec<Tested>,
}

/// A figure that is to stay below a bound, by group.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoalFile {
    pub figure: String,
    /// Smallest and largest slip angle of the groups, degrees.
    pub angles: [f64; 2],
    pub at_most: f64,
    /// Groups that are known not to keep it.
    #[serde(default)]
    pub known: Vec<Known>,
}

/// A group that does not keep a bound.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    pub group: String,
    pub because: String,
}

/// A row of data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tested {
    pub slip: f64,
    pub slip_angle_deg: f64,
    /// Not a number where the rim's speed follows from the slip.
    pub rim_speed_m_per_s: f64,
    pub load_n: f64,
    pub measured: Wheel,
    pub deviation: Wheel,
}

/// All sets, by name.
pub(crate) fn built_in() -> Result<Vec<Set>, ValidateError> {
    let files = measured_files();
    let mut sets = Vec::new();
    for (name, text) in files.iter().filter(|(name, _)| name.ends_with(".toml")) {
        let file = format!("validation/measured/{name}");
        let wrong = |what: String| ValidateError::File { file: file.clone(), line: 1, what };
        let mut set: Set = toml_edit::de::from_str(text).map_err(|e| wrong(e.message().trim().into()))?;
        let scenario = load(&set.scenario, &set.set).map_err(|errors| wrong(errors.to_string()))?;
        set.knobs = scenario.parameters.iter().map(|knob| knob.name.clone()).collect();
        for part in &mut set.part {
            let data = files.iter().find(|(name, _)| *name == part.data);
            let (_, text) = data.ok_or_else(|| wrong(format!("there is no {}", part.data)))?;
            part.rows = rows(text).map_err(|what| wrong(format!("{}: {what}", part.data)))?;
        }
        sets.push(set);
    }
    Ok(sets)
}

/// Rows of a CSV file; columns that it does not have are not known.
fn rows(text: &str) -> Result<Vec<Tested>, String> {
    let table = Table::from_csv(text).map_err(|error| error.to_string())?;
    let needed = |name: &str| table.column(name).map(|c| c.values.clone()).map_err(|e| e.to_string());
    let optional = |name: &str, factor: f64| -> Vec<f64> {
        let found = table.columns.iter().find(|c| c.name == name);
        found.map_or(vec![f64::NAN; table.rows()], |c| c.values.iter().map(|v| v * factor).collect())
    };
    let (slip, angle, load) = (needed("slip")?, needed("slip_angle_deg")?, needed("load_n")?);
    let rim = optional("rim_speed_mm_per_s", 1e-3);
    let wheel = |kind: &str| {
        [("pull", "_n", 1.0), ("side", "_n", 1.0), ("torque", "_n_m", 1.0), ("sinkage", "_mm", 1e-3)]
            .map(|(stem, unit, factor)| optional(&format!("{stem}{kind}{unit}"), factor))
    };
    let (means, deviations) = (wheel(""), wheel("_sd"));
    let at = |columns: &[Vec<f64>; 4], i: usize| Wheel {
        pull_n: columns[0][i],
        side_n: columns[1][i],
        torque_n_m: columns[2][i],
        sinkage_m: columns[3][i],
    };
    let row = |i: usize| Tested {
        slip: slip[i],
        slip_angle_deg: angle[i],
        rim_speed_m_per_s: rim[i],
        load_n: load[i],
        measured: at(&means, i),
        deviation: at(&deviations, i),
    };
    Ok((0..table.rows()).map(row).collect())
}
