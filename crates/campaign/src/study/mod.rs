//! The study file: which scenario, what varies, what is required. Every mistake of it is reported at once, with its place.

mod cases;
mod items;
mod mistakes;
mod posterior;
mod requirement;
mod tables;
mod vary;

pub(crate) use items::Spans;
pub(crate) use mistakes::{Mistakes, meant, nearest};
pub use requirement::{Bound, Chance, Requirement};

use crate::marginal::{Correlated, Setting, Vary};
use crate::sampling::Sampling;
use items::Keys;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use touchdown_scenario::{LARGEST_FILE, ScenarioErrors, read_text};

/// JSON Schema of study files, for editors.
pub const STUDY_SCHEMA: &str = include_str!("schema.json");
/// Cases between two looks at requirements.
pub const LOOK_EVERY: u64 = 25;

/// Which cases keep their whole run folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keep {
    /// Those that failed, up to this many.
    #[serde(default)]
    pub failures: u64,
    /// The worst of each requirement.
    #[serde(default)]
    pub worst: u64,
    /// Every n-th; 0: none.
    #[serde(default)]
    pub every: u64,
}

/// Cases given by a table, in its order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseTable {
    /// Knobs, as many as a row has values.
    pub knobs: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<Setting>>,
    /// Hash of the file.
    pub blake3: String,
}

/// A study that was read; it is not yet compared with its scenario.
#[derive(Clone, Debug)]
pub struct Study {
    /// What it asks.
    pub title: String,
    /// A built-in scenario, or a file beside the study file.
    pub scenario: String,
    /// Settings of all cases, `KEY=VALUE`.
    pub set: Vec<String>,
    /// Number of cases; 0: as many as the grid or the table has.
    pub cases: u64,
    /// Seed of the draws.
    pub seed: u64,
    /// How cases are spread.
    pub sampling: Sampling,
    /// Knobs that vary.
    pub vary: Vec<Vary>,
    /// Which of them belong together.
    pub correlated: Vec<Correlated>,
    /// Cases given by a table.
    pub table: Option<CaseTable>,
    /// What is required.
    pub requirements: Vec<Requirement>,
    /// Quantities that the result keeps; none: all.
    pub quantities: Option<Vec<String>>,
    /// The quantity that the report answers with; none: that of the scenario.
    pub answer: Option<String>,
    /// Columns whose last value the result keeps.
    pub columns: Vec<String>,
    /// Which runs are kept.
    pub keep: Keep,
    /// Cases between two looks.
    pub look_every: u64,
    /// Places of what a later check may complain about.
    pub(crate) spans: Spans,
    pub(crate) file: String,
    pub(crate) text: String,
}

/// Reads a study file.
pub fn read(path: &Path) -> Result<Study, ScenarioErrors> {
    let file = path.display().to_string();
    let text = read_text(path, LARGEST_FILE).map_err(|problem| {
        let mut mistakes = Mistakes::new(&file, "");
        mistakes.at(None, "", problem.to_string());
        mistakes.into_errors()
    })?;
    read_str(&file, &text, path.parent().unwrap_or(Path::new(".")))
}

/// Reads a study from its text; files that it names are looked for in `folder`.
pub fn read_str(file: &str, text: &str, folder: &Path) -> Result<Study, ScenarioErrors> {
    let mut mistakes = Mistakes::new(file, text);
    let document = match toml_edit::Document::parse(text) {
        Ok(document) => document,
        Err(error) => {
            mistakes.at(error.span(), "", format!("this is not TOML: {}", error.message()));
            return Err(mistakes.into_errors());
        }
    };
    let mut spans = Spans::default();
    let mut keys = Keys::new(document.as_table(), "", &mut mistakes);
    let scenario = keys.text("scenario");
    if scenario.is_none() && keys.is_missing("scenario") {
        keys.mistakes.at(None, "scenario", "is missing").hint =
            Some("scenario = \"NAME\"; touchdown list shows the built-in ones".into());
    }
    let title = keys.text("title").unwrap_or_default();
    let set = keys.texts("set").unwrap_or_default();
    let cases = keys.count("cases", 0..=10_000_000);
    let samples = keys.count("samples", 1..=1_000_000);
    let seed = keys.count("seed", 0..=i64::MAX as u64).unwrap_or(0);
    let look_every = keys.count("look_every", 1..=1_000_000).unwrap_or(LOOK_EVERY);
    let words: Vec<&str> = Sampling::NAMES.iter().map(|(name, _)| *name).collect();
    let how = keys.word("sampling", &words);
    let named =
        how.and_then(|name| Sampling::NAMES.iter().find(|(one, _)| *one == name)).map(|(_, how)| *how);
    let quantities = keys.texts("quantities");
    let answer = keys.text("answer");
    let columns = keys.texts("columns").unwrap_or_default();
    keys.note(
        &mut spans,
        &["scenario", "set", "quantities", "answer", "columns", "cases", "samples", "sampling"],
    );
    let mut vary = Vec::new();
    if let Some(item) = keys.take("vary") {
        vary::read(item, &mut vary, &mut spans, keys.mistakes);
    }
    let mut correlated = Vec::new();
    if let Some(item) = keys.take("correlated") {
        tables::correlated(item, &vary, &mut correlated, keys.mistakes);
    }
    if let Some(item) = keys.take("posterior") {
        posterior::read(item, folder, (&mut vary, &mut correlated), &mut spans, keys.mistakes);
    }
    let table =
        keys.take("table").and_then(|item| cases::read(item, (folder, &vary), &mut spans, keys.mistakes));
    let mut requirements = Vec::new();
    if let Some(item) = keys.take("requirement") {
        requirement::read(item, &mut requirements, &mut spans, keys.mistakes);
    }
    let keep = keys.take("keep").map(|item| requirement::keep(item, keys.mistakes)).unwrap_or_default();
    keys.finish();
    let sampling = named.unwrap_or_else(|| default_sampling(&vary, samples));
    let study = Study {
        title,
        scenario: scenario.map_or(String::new(), |name| beside(&name, folder)),
        set,
        cases: cases.unwrap_or(0),
        seed,
        sampling,
        vary,
        correlated,
        table,
        requirements,
        quantities,
        answer,
        columns,
        keep,
        look_every,
        spans,
        file: file.into(),
        text: text.into(),
    };
    let study = tables::counted(study, samples, &mut mistakes);
    if mistakes.is_empty() {
        return Ok(study);
    }
    crate::make::check(&study, &mut mistakes);
    Err(mistakes.into_errors())
}

/// A grid where everything is listed, else independent cases.
fn default_sampling(vary: &[Vary], samples: Option<u64>) -> Sampling {
    match samples {
        Some(_) => Sampling::Saltelli,
        None if vary.iter().all(|v| v.values().is_some()) => Sampling::Grid,
        None => Sampling::Random,
    }
}

/// A scenario file is looked for beside the study file; any other name is that of a built-in one.
fn beside(name: &str, folder: &Path) -> String {
    let is_file = name.ends_with(".toml") || name.contains(['/', '\\']);
    let place = if is_file { folder.join(name) } else { PathBuf::from(name) };
    let place = if is_file { std::path::absolute(&place).unwrap_or(place) } else { place };
    place.display().to_string()
}
