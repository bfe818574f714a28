//! What the manifest of a run says about it.

use crate::{date, identity, shown};
use touchdown_record::{Assumed, InputFile, KnobEntry, MapEntry, ReportSpec, RunInfo};
use touchdown_scenario::{MapFile, Parameter, Scenario, kept_name};
use touchdown_sim::Simulation;

/// What the manifest says about the run of a scenario: `command` is what started it, in words that could be typed again.
pub fn info(scenario: &Scenario, world: &Simulation, threads: usize, command: String) -> RunInfo {
    let assumed = |table: &touchdown_scenario::Assumed| Assumed {
        key: table.path.clone(),
        value: table.values.clone(),
        reason: table.reason.clone(),
    };
    RunInfo {
        scenario: scenario.name.clone(),
        title: scenario.title.clone(),
        version: identity::VERSION.into(),
        build: identity::build(),
        resolved_toml: scenario.resolved_toml.clone(),
        inputs: scenario.inputs.iter().map(|(name, blake3)| input(scenario, name, blake3)).collect(),
        seed: scenario.seed,
        threads,
        command,
        began: date::now(),
        knobs: scenario.parameters.iter().map(knob).collect(),
        settings: scenario.settings.clone(),
        warnings: import_warnings(scenario),
        assumed: scenario.assumed.iter().map(assumed).collect(),
        maps: scenario.maps.iter().map(map_entry).collect(),
        report: shown(scenario, world),
    }
}

/// What the manifest says about a world that a program put together: there is no scenario file that could make it again.
pub fn info_without_scenario(name: &str, threads: usize, command: String) -> RunInfo {
    RunInfo {
        scenario: name.into(),
        title: name.into(),
        version: identity::VERSION.into(),
        build: identity::build(),
        resolved_toml: "# This world was put together by a program; no scenario file describes it.\n".into(),
        inputs: Vec::new(),
        seed: 0,
        threads,
        command,
        began: date::now(),
        knobs: Vec::new(),
        settings: Vec::new(),
        warnings: Vec::new(),
        assumed: Vec::new(),
        maps: Vec::new(),
        report: ReportSpec::default(),
    }
}

fn knob(knob: &Parameter) -> KnobEntry {
    KnobEntry {
        name: knob.name.clone(),
        path: knob.path.clone(),
        value: knob.value.clone(),
        default: knob.default.clone(),
        unit: knob.unit.clone(),
        about: knob.about.clone(),
    }
}

/// A file that was read; the run folder keeps a copy of one that lies on disk.
fn input(scenario: &Scenario, name: &str, blake3: &str) -> InputFile {
    let on_disk = scenario.on_disk.iter().find(|(named, _)| named == name);
    let place = on_disk.and_then(|(_, path)| std::path::absolute(path).ok());
    InputFile {
        name: name.into(),
        blake3: blake3.into(),
        copy: place.as_ref().map_or(String::new(), |_| kept_name(name)),
        path: place.map_or(String::new(), |path| path.to_string_lossy().into_owned()),
        not_copied: String::new(),
    }
}

/// The account of a map file.
fn map_entry(map: &MapFile) -> MapEntry {
    let lines = map.audit.lines().into_iter().map(|(label, text)| (label.to_string(), text));
    MapEntry { file: map.file.clone(), lines: lines.collect() }
}

/// What imported files lost, and what is to be looked at in maps, meshes and keys.
pub fn import_warnings(scenario: &Scenario) -> Vec<String> {
    let lost = scenario.audits.iter().flat_map(|audit| {
        let tags: Vec<String> = audit.dropped.iter().map(|(tag, n)| format!("{n} <{tag}>")).collect();
        let left_out = (!tags.is_empty()).then(|| format!("left out on import: {}", tags.join(", ")));
        let list: Vec<String> = left_out.into_iter().chain(audit.oddities.iter().cloned()).collect();
        (!list.is_empty()).then(|| format!("{}: {}", audit.file, list.join("; ")))
    });
    let in_maps = scenario.maps.iter().flat_map(|MapFile { file, audit }| {
        let [columns, rows] = audit.size;
        let holes = (audit.no_data > 0).then(|| {
            format!(
                "{file}: {} of {} nodes have no data; {}",
                audit.no_data,
                columns * rows,
                audit.no_data_rule
            )
        });
        holes.into_iter().chain(audit.cautions.iter().map(move |caution| format!("{file}: {caution}")))
    });
    lost.chain(in_maps).chain(scenario.warnings.iter().cloned()).collect()
}
