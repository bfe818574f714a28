//! Result of a validation: rows with a verdict each, and the runs behind them.

use super::claim::ClaimKind;
use super::measured::Compared;
use serde::Serialize;

/// How a row came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The claim holds.
    Pass,
    /// It does not; or a known difference is gone.
    Fail,
    /// It does not, and that is known.
    Differs,
}

impl Verdict {
    /// A word.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Differs => "differs",
        }
    }
}

/// A claim, measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// File of the claim, without its ending.
    pub topic: String,
    /// Line of the claim in it.
    pub line: usize,
    /// The scenario.
    pub scenario: String,
    /// Its settings.
    pub set: Vec<String>,
    /// The statement.
    pub what: String,
    /// Paper and figure, or closed form.
    pub source: String,
    /// What it rests on.
    pub kind: ClaimKind,
    /// What is asked for, as text.
    pub target: String,
    /// How far from it is still right, as text; empty for bounds.
    pub tolerance: String,
    /// Why so far.
    pub why: String,
    /// Least value that passes; none where any is small enough.
    pub least: Option<f64>,
    /// Largest value that passes.
    pub most: Option<f64>,
    /// What the program found; none where the run gave no number.
    pub measured: Option<f64>,
    /// The same as text, with its unit.
    pub shown: String,
    /// Its unit.
    pub unit: String,
    /// The values behind it, where there are several: setting and value.
    pub detail: Vec<(String, f64)>,
    /// How it came out.
    pub verdict: Verdict,
    /// Why it failed, or why it differs.
    pub note: String,
}

/// A run that served rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunNote {
    /// The scenario.
    pub scenario: String,
    /// Its settings.
    pub set: Vec<String>,
    /// Whether it reached its end; otherwise why not.
    pub stopped_because: Option<String>,
    /// Ranges of validity that it left: what it is, with value and limit.
    pub out_of_range: Vec<String>,
}

/// What a validation found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Version of the program.
    pub version: String,
    /// What was asked for: a scenario, a topic, or nothing for all.
    pub asked: Option<String>,
    /// Rows, by topic in the order of the files.
    pub rows: Vec<Row>,
    /// Measured data, row by row, with what the rules say of them.
    pub measured: Vec<Compared>,
    /// Runs, in the order in which rows ask for them.
    pub runs: Vec<RunNote>,
}

impl Report {
    /// How many rows came out like this.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    /// Whether no row failed.
    pub fn holds(&self) -> bool {
        self.count(Verdict::Fail) == 0
    }
}
