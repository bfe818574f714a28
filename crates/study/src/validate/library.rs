//! The files of `validation/`, built into the program: read, checked, and chosen by name.

use super::claim::{Claim, Expected};
use super::error::{ValidateError, nearest};
use super::measured::{self, Set};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use std::collections::BTreeSet;
use touchdown_scenario::{EntryKind, catalogue, load};

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/validation");
/// Not claims, but the limits of the models.
const LIMITS: &str = "limits.toml";

/// A file of claims.
#[derive(Clone, Debug)]
pub struct Topic {
    /// Name: that of its file.
    pub name: String,
    /// What its claims are about.
    pub title: String,
    pub(crate) claims: Vec<Placed>,
    /// Measured data that it is held against.
    pub(crate) measured: Vec<Set>,
}

/// A claim and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub claim: Claim,
    pub line: usize,
}

/// As a file is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    claim: Vec<Claim>,
}

impl Topic {
    /// Names of the scenarios that it speaks of.
    pub fn scenarios(&self) -> BTreeSet<&str> {
        self.claims.iter().map(|placed| placed.claim.scenario.as_str()).collect()
    }
}

/// The built-in claims, by topic.
pub fn built_in() -> Result<Vec<Topic>, ValidateError> {
    let mut files: Vec<_> =
        FILES.files().filter(|file| file.path().extension().is_some_and(|e| e == "toml")).collect();
    files.sort_by_key(|file| file.path());
    let texts =
        files.iter().map(|file| (file.path().to_string_lossy(), file.contents_utf8().unwrap_or_default()));
    let topics = texts
        .filter(|(name, _)| name != LIMITS)
        .map(|(name, text)| parse(&format!("validation/{name}"), text));
    let mut topics: Vec<Topic> = topics.collect::<Result<_, _>>()?;
    for set in measured::built_in()? {
        if let Some(topic) = topics.iter_mut().find(|topic| topic.name == set.topic) {
            topic.measured.push(set);
        }
    }
    Ok(topics)
}

/// Names and texts of the files of measured data, by name.
pub(crate) fn measured_files() -> Vec<(String, &'static str)> {
    let folder = FILES.get_dir("measured").map(|dir| dir.files());
    let name = |file: &include_dir::File| file.path().file_name().map(|n| n.to_string_lossy().into_owned());
    let mut files: Vec<(String, &'static str)> =
        folder.into_iter().flatten().filter_map(|file| Some((name(file)?, file.contents_utf8()?))).collect();
    files.sort();
    files
}

/// The file that states the limits of the models.
pub(crate) fn limits_text() -> &'static str {
    FILES.get_file(LIMITS).and_then(|file| file.contents_utf8()).unwrap_or_default()
}

/// Reads a file of claims and checks all that can be checked before anything runs.
pub fn parse(file: &str, text: &str) -> Result<Topic, ValidateError> {
    let wrong = |line: usize, what: String| ValidateError::File { file: file.into(), line, what };
    let read: File = toml_edit::de::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        wrong(line, error.message().trim().to_string())
    })?;
    let lines = claim_lines(text);
    let claims: Vec<Placed> = read
        .claim
        .into_iter()
        .enumerate()
        .map(|(k, claim)| Placed { claim, line: lines.get(k).copied().unwrap_or(1) })
        .collect();
    for placed in &claims {
        check(&placed.claim).map_err(|what| wrong(placed.line, what))?;
    }
    let name = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".toml").to_string();
    Ok(Topic { name, title: read.title, claims, measured: Vec::new() })
}

/// Lines on which the claims begin.
fn claim_lines(text: &str) -> Vec<usize> {
    let lines = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("[[claim]]"));
    lines.map(|(k, _)| k + 1).collect()
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// What can be wrong with a claim by itself.
fn check(claim: &Claim) -> Result<(), String> {
    let scenarios = || catalogue().iter().filter(|e| e.kind == EntryKind::Scenario).map(|e| e.name.as_str());
    // Files are looked for by loading them below.
    if !claim.scenario.ends_with(".toml") && !scenarios().any(|name| name == claim.scenario) {
        let hint = nearest(&claim.scenario, scenarios()).map(|near| format!("; did you mean {near:?}?"));
        return Err(format!("there is no scenario {:?}{}", claim.scenario, hint.unwrap_or_default()));
    }
    let bounds = |target: bool, least: bool, most: bool| target || least || most;
    let own = bounds(claim.target.is_some(), claim.at_least.is_some(), claim.at_most.is_some());
    let of_parts = !claim.rows.is_empty()
        && claim.rows.iter().all(|p| bounds(p.target.is_some(), p.at_least.is_some(), p.at_most.is_some()));
    if !own && !of_parts {
        return Err(
            "there is no bound: give target with within or within_relative, at_least, or at_most".into()
        );
    }
    let targets = claim.target.is_some() || claim.rows.iter().any(|part| part.target.is_some());
    let tolerances = [claim.within, claim.within_relative].iter().flatten().count();
    if targets != (tolerances == 1) {
        return Err("a target needs one of within and within_relative, and these need a target".into());
    }
    if (claim.sweep.is_empty()) != claim.take.is_none() {
        return Err("sweep and take belong together".into());
    }
    if claim.sweep.len() == 1 {
        return Err("a sweep needs two settings or more".into());
    }
    if (claim.expected == Expected::Differs) == claim.because.is_empty() {
        return Err("expected = \"differs\" and because = \"why\" belong together".into());
    }
    for set in all_settings(claim) {
        load(&claim.scenario, &set).map_err(|errors| errors.to_string())?;
    }
    Ok(())
}

/// The settings of every row and step of a sweep.
pub(crate) fn all_settings(claim: &Claim) -> Vec<Vec<String>> {
    let parts: Vec<&[String]> = if claim.rows.is_empty() {
        vec![&[]]
    } else {
        claim.rows.iter().map(|part| part.set.as_slice()).collect()
    };
    let steps: Vec<Option<&String>> =
        if claim.sweep.is_empty() { vec![None] } else { claim.sweep.iter().map(Some).collect() };
    let mut all = Vec::new();
    for part in parts {
        for step in &steps {
            all.push(claim.set.iter().chain(part).chain(*step).cloned().collect());
        }
    }
    all
}

/// The claims about a scenario, or those of a topic; all of them without a name.
pub fn select(topics: Vec<Topic>, name: Option<&str>) -> Result<Vec<Topic>, ValidateError> {
    let Some(name) = name else { return Ok(topics) };
    if let Some(topic) = topics.iter().find(|topic| topic.name == name) {
        return Ok(vec![topic.clone()]);
    }
    let about = |topic: &Topic| Topic {
        claims: topic.claims.iter().filter(|placed| placed.claim.scenario == name).cloned().collect(),
        measured: topic.measured.iter().filter(|set| set.scenario == name).cloned().collect(),
        ..topic.clone()
    };
    let chosen: Vec<Topic> = topics.iter().map(about).filter(|topic| !topic.claims.is_empty()).collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let names: BTreeSet<&str> =
        topics.iter().flat_map(|topic| topic.scenarios().into_iter().chain([topic.name.as_str()])).collect();
    let of_topics: Vec<&str> = topics.iter().map(|topic| topic.name.as_str()).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None => format!("topics: {}; touchdown list shows the scenarios", of_topics.join(", ")),
    };
    Err(ValidateError::Unknown { name: name.into(), hint })
}
