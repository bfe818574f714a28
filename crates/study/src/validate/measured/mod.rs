//! Measured wheels: every row of published tests, run with the default rules and compared with the measurements.
//!
//! `validation/measured/NAME.toml` and its CSV files ⇒ `set::Set` ⇒ runs of the plan (`run`: one for each row and [`Rule`]) ⇒ [`Compared`] ⇒ errors by group (`errors`, pure) ⇒ rows
//! with a bound (`goal`) and tables and figures (`show`). Beside ours stand the rules of version 0.1.0, Wong & Reece's integral with the same inputs (`reference`), and the guess
//! that a wheel does not pull at all.

mod errors;
mod goal;
mod reference;
mod run;
mod set;
mod show;
#[cfg(test)]
mod tests;

pub(crate) use goal::goals;
pub(crate) use run::{compare, planned};
pub(crate) use set::{Set, built_in};
pub use show::figures;
pub(crate) use show::section;

use serde::Serialize;

/// What predicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The program with its default rules.
    Default,
    /// The same with shear by displacement (`janosi`) and this shear length, m.
    ShearLength(f64),
    /// Bekker's pressure and Coulomb's friction regularised by speed: the rules of version 0.1.0.
    Former,
    /// Wong & Reece's integral.
    WongReece,
    /// Nothing: zero pull, zero side force, zero torque.
    Zero,
}

impl Rule {
    /// In tables and legends.
    pub fn name(self) -> String {
        match self {
            Rule::Default => "touchdown".into(),
            Rule::ShearLength(length) => format!("janosi, K = {:.0} mm", 1e3 * length),
            Rule::Former => "bekker, coulomb".into(),
            Rule::WongReece => "Wong–Reece".into(),
            Rule::Zero => "zero".into(),
        }
    }
}

/// What a wheel does, measured or predicted; not a number where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wheel {
    /// Pull along its heading, N.
    pub pull_n: f64,
    /// Force along its axle, N.
    pub side_n: f64,
    /// Torque of its drive, N m.
    pub torque_n_m: f64,
    /// Depth of its lowest point, m.
    pub sinkage_m: f64,
}

impl Wheel {
    /// Nothing known.
    pub(crate) const UNKNOWN: Wheel =
        Wheel { pull_n: f64::NAN, side_n: f64::NAN, torque_n_m: f64::NAN, sinkage_m: f64::NAN };
}

/// A row of data and what the rules say of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Slip as the authors define it.
    pub slip: f64,
    /// Slip angle, degrees.
    pub slip_angle_deg: f64,
    /// Load, N.
    pub load_n: f64,
    /// Means of the trials.
    pub measured: Wheel,
    /// Their standard deviations; not a number where there are none.
    pub deviation: Wheel,
    /// By rule, in the order of [`Compared::rules`].
    pub predicted: Vec<Wheel>,
    /// Why a rule says nothing; empty where it does.
    pub missing: Vec<String>,
}

/// A part of a data set: one wheel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A data set with what the rules say of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Name of the set.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Who measured it.
    pub source: String,
    /// Licence of the data.
    pub licence: String,
    /// What was put in and where it comes from.
    pub inputs: Vec<set::Input>,
    /// The rules.
    pub rules: Vec<Rule>,
    /// Its wheels.
    pub parts: Vec<Part>,
    /// Errors by wheel and slip angle.
    pub groups: Vec<errors::Group>,
}
