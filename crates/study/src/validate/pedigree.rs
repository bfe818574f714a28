//! Sources of the scenarios' inputs: published, or assumed and why.

use super::library::Topic;
use std::collections::BTreeSet;
use touchdown_record::InputFile;
use touchdown_scenario::{Assumed, EntryKind, catalogue, load};

/// The inputs of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Pedigree {
    /// The scenario.
    pub scenario: String,
    /// Folder of the scenario.
    pub topic: String,
    /// Paper and figure that it follows.
    pub follows: String,
    /// Published sources of its soils and machines: name and source.
    pub published: Vec<(String, String)>,
    /// Tables that hold assumed values, with the reason.
    pub assumed: Vec<Assumed>,
    /// Hash of the scenario with every value written out, as a convergence study stamps it.
    pub resolved_blake3: String,
}

/// The inputs of all scenarios that claims speak of, as the scenarios are shipped: built-in ones in their order, then files.
pub fn pedigree(topics: &[Topic]) -> Vec<Pedigree> {
    let names: BTreeSet<&str> = topics.iter().flat_map(Topic::scenarios).collect();
    let built_in =
        catalogue().iter().filter(|e| e.kind == EntryKind::Scenario && names.contains(e.name.as_str()));
    let files = names.iter().filter(|name| name.ends_with(".toml"));
    let built_in = built_in.map(|e| (e.name.as_str(), e.topic.as_str()));
    built_in.chain(files.map(|name| (*name, ""))).filter_map(|(name, topic)| of(name, topic)).collect()
}

fn of(name: &str, topic: &str) -> Option<Pedigree> {
    let scenario = load(name, &[]).ok()?;
    let library = catalogue().iter().filter(|e| e.kind != EntryKind::Scenario);
    let used = library.filter(|e| scenario.inputs.iter().any(|(file, _)| *file == e.path));
    let source =
        |text: &str| toml_edit::Document::parse(text).ok()?.get("source")?.as_str().map(str::to_string);
    Some(Pedigree {
        scenario: name.into(),
        topic: topic.into(),
        follows: scenario.reproduces.clone().unwrap_or_default(),
        published: used.filter_map(|e| Some((e.name.clone(), source(e.text)?))).collect(),
        assumed: scenario.assumed.clone(),
        resolved_blake3: InputFile::of(name, scenario.resolved_toml.as_bytes()).blake3,
    })
}
