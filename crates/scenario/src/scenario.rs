//! Loading: the stages in order, from a name or a file to a checked [`Scenario`] or all its mistakes.

use crate::build::{self, Built, Origin};
use crate::catalogue::{self, EntryKind};
use crate::converge::{self, Converge};
use crate::error::{Issues, ScenarioErrors, nearest};
use crate::files::{FileProblem, LARGEST_FILE, read_file};
use crate::include::{self, Base, Library, Reading};
use crate::memo::Memo;
use crate::parameters::{self, Parameter};
use crate::read::{Record, Text, Value, read_table};
use crate::report::Report;
use crate::source::{Loc, Sources};
use crate::table::{Field, SCENARIO, ScenarioKeys};
use crate::urdf::Audit;
use crate::{resolve, soil};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchdown_geometry::map::MapAudit;
use touchdown_sim::description::WorldDescription;

/// A table with assumed values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// Its dotted path.
    pub path: String,
    /// The parameters that the reason names, with their keys, as text; empty if it names none.
    pub values: String,
    /// The reason given.
    pub reason: String,
}

/// A map file of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct MapFile {
    /// Its name in the scenario.
    pub file: String,
    /// Its content and how it was processed.
    pub audit: MapAudit,
}

/// A scenario that was read and is valid.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Short name: that of the file.
    pub name: String,
    /// A one-line description.
    pub title: String,
    /// The question that it answers.
    pub question: Option<String>,
    /// The paper and figure it follows.
    pub reproduces: Option<String>,
    /// Everything the simulator needs.
    pub description: WorldDescription,
    /// The knobs.
    pub parameters: Vec<Parameter>,
    /// The settings, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Tables with assumed values.
    pub assumed: Vec<Assumed>,
    /// Every file that was read, with its BLAKE3 hash in hexadecimal.
    pub inputs: Vec<(String, String)>,
    /// Name and path of those that are on disk.
    pub on_disk: Vec<(String, PathBuf)>,
    /// The scenario with every value written out.
    pub resolved_toml: String,
    /// Content of the report.
    pub report: Report,
    /// The numbers that a convergence study can refine.
    pub converge: Converge,
    /// What URDF imports kept and dropped.
    pub audits: Vec<Audit>,
    /// Map files: their content and how they were made into ground.
    pub maps: Vec<MapFile>,
    /// Seed of random numbers.
    pub seed: u64,
    /// Remarks for the user about a valid scenario.
    pub warnings: Vec<String>,
    pub(crate) sources: Sources,
    pub(crate) origins: BTreeMap<String, Origin>,
}

/// A scenario as found: its text, and the folder of the files that it names.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    name: String,
    file: String,
    text: String,
    base: Base,
    on_disk: Option<PathBuf>,
}

/// Loads a built-in scenario by name, or a file, with `NAME=VALUE` settings.
pub fn load(name_or_path: &str, sets: &[String]) -> Result<Scenario, ScenarioErrors> {
    open(name_or_path)?.load(sets)
}

/// Loads a scenario from its text; files that it names are searched for in `folder`, then among the built-in
/// ones.
pub fn load_str(file: &str, text: &str, folder: &Path, sets: &[String]) -> Result<Scenario, ScenarioErrors> {
    Opened::of_text(file, text.into(), folder).load(sets)
}

/// Finds a built-in scenario by name, or a file.
pub(crate) fn open(name_or_path: &str) -> Result<Opened, ScenarioErrors> {
    let entry =
        catalogue::catalogue().iter().find(|e| e.name == name_or_path && e.kind == EntryKind::Scenario);
    let looks_like_file = name_or_path.ends_with(".toml") || name_or_path.contains(['/', '\\']);
    match entry {
        Some(entry) if !looks_like_file => Ok(Opened {
            name: entry.name.clone(),
            file: entry.path.rsplit('/').next().unwrap_or(&entry.path).into(),
            text: entry.text.into(),
            base: Base::BuiltIn(entry.topic.clone()),
            on_disk: None,
        }),
        _ => open_file(name_or_path),
    }
}

fn open_file(file: &str) -> Result<Opened, ScenarioErrors> {
    let path = Path::new(file);
    let refuse = |why: String, hint: Option<String>| {
        let mut sources = Sources::default();
        let mut issues = Issues::default();
        sources.add(file, "");
        let issue = issues.at(Loc::default(), "", why);
        if let Some(hint) = hint {
            issue.hint(hint);
        }
        Err(issues.into_errors(sources))
    };
    let bytes = match read_file(path, LARGEST_FILE) {
        Ok(bytes) => bytes,
        Err(FileProblem::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            let names = catalogue::catalogue()
                .iter()
                .filter(|e| e.kind == EntryKind::Scenario)
                .map(|e| e.name.as_str());
            let near = nearest(file, names).map(|n| format!("did you mean {n}?"));
            let hint = near.unwrap_or("touchdown list shows the built-in scenarios".into());
            return refuse("is neither a built-in scenario nor a file".into(), Some(hint));
        }
        Err(problem) => return refuse(problem.to_string(), None),
    };
    match String::from_utf8(bytes) {
        Ok(text) => {
            let opened = Opened::of_text(file, text, path.parent().unwrap_or(Path::new(".")));
            Ok(Opened { on_disk: Some(path.to_path_buf()), ..opened })
        }
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let mut sources = Sources::default();
            let mut issues = Issues::default();
            sources.add(file, &String::from_utf8_lossy(error.as_bytes()));
            issues.at(Loc::new(0, good..good), "", "is not UTF-8 text").hint("save it as UTF-8");
            Err(issues.into_errors(sources))
        }
    }
}

impl Opened {
    fn of_text(file: &str, text: String, folder: &Path) -> Opened {
        let name = Path::new(file).file_stem().map_or(file.to_string(), |s| s.to_string_lossy().into());
        Opened { name, file: file.into(), text, base: Base::Disk(folder.to_path_buf()), on_disk: None }
    }

    /// The whole scenario.
    fn load(&self, sets: &[String]) -> Result<Scenario, ScenarioErrors> {
        let (mut scenario, record) = self.read(sets, None)?;
        collect_assumed(&record, &mut scenario.assumed);
        scenario.resolved_toml = resolve::write(&record, &self.name);
        scenario.settings = sets.to_vec();
        Ok(scenario)
    }

    /// The scenario without the parts that only readers need, and the record from which these are written.
    pub fn read(
        &self,
        sets: &[String],
        memo: Option<&Arc<Memo>>,
    ) -> Result<(Scenario, Record), ScenarioErrors> {
        let (mut scenario, record) = read_text(self, sets, memo)?;
        scenario.on_disk.splice(0..0, self.on_disk.iter().map(|path| (self.file.clone(), path.clone())));
        Ok((scenario, record))
    }
}

fn read_text(
    opened: &Opened,
    sets: &[String],
    memo: Option<&Arc<Memo>>,
) -> Result<(Scenario, Record), ScenarioErrors> {
    let Opened { name, file, text, base, .. } = opened;
    let (mut sources, mut issues, mut library) = (Sources::default(), Issues::default(), Library::default());
    library.memo = memo.cloned();
    library.inputs.push((file.to_string(), blake3::hash(text.as_bytes()).to_hex().to_string()));
    library.set_base(0, base.clone());
    let root = library.parse(&mut sources, file, text, &mut issues);
    let Some(mut root) = root else { return Err(issues.into_errors(sources)) };
    let reading = &mut Reading { library: &mut library, sources: &mut sources, issues: &mut issues };
    include::include_base(&mut root, reading);
    let settings = parameters::settings(sets, &mut sources);
    // A file named by --set is searched for in the scenario's own folder.
    settings.iter().for_each(|(_, source)| library.set_base(*source, base.clone()));
    parameters::apply_files(&mut root, &settings);
    include::include_machines(&mut root, &mut library, &mut sources, &mut issues);
    let (knobs, idle) = parameters::apply(&mut root, &settings, &mut issues);
    soil::include_soils(&mut root, &mut library, &mut sources, &mut issues);
    let mut record = read_table(&root, SCENARIO, "", &mut issues);
    drop(root);
    build::fill_derived(&mut record, &mut issues);
    let keys = ScenarioKeys::of(&record);
    let mut built = build::build(&keys, &mut library, &mut issues);
    let converge = converge::read(&record, keys.converge.as_ref(), &mut issues);
    if !issues.is_empty() {
        return Err(issues.into_errors(sources));
    }
    built.warnings.extend(idle);
    let parameters = parameters::finish(knobs, &record);
    Ok((Scenario { converge, ..assemble((name, sources), keys, parameters, built, library) }, record))
}

fn assemble(
    (name, sources): (&str, Sources),
    keys: ScenarioKeys,
    parameters: Vec<Parameter>,
    built: Built,
    library: Library,
) -> Scenario {
    let text = |text: Option<Text>| text.map(|text| text.text);
    Scenario {
        name: name.into(),
        title: text(keys.title).unwrap_or_default(),
        question: text(keys.question),
        reproduces: text(keys.reproduces),
        description: built.description,
        parameters,
        settings: Vec::new(),
        assumed: Vec::new(),
        inputs: library.inputs,
        on_disk: library.on_disk,
        resolved_toml: String::new(),
        report: built.report,
        converge: Converge::default(),
        audits: library.audits,
        maps: library.maps,
        seed: keys.seed.unwrap_or(0),
        warnings: built.warnings,
        sources,
        origins: built.origins,
    }
}

/// The part of a key's description that says its default is assumed.
const DEFAULT_IS_ASSUMED: &str = "the default is assumed";

fn collect_assumed(record: &Record, list: &mut Vec<Assumed>) {
    if let Some(reason) = &record.assumed {
        let values = numbers_named(record, reason);
        list.push(Assumed { path: record.path.clone(), values, reason: reason.clone() });
    } else if let Some(values) = assumed_defaults(record) {
        let reason = "left out in the file; the defaults are assumed, not measured".into();
        list.push(Assumed { path: record.path.clone(), values, reason });
    }
    for field in record.section.fields() {
        match record.value(field) {
            Some(Value::Table(below)) => collect_assumed(below, list),
            Some(Value::Map(named)) => named.iter().for_each(|n| collect_assumed(&n.record, list)),
            _ => {}
        }
    }
}

/// The parameters of a table that have a default which the table of keys marks as assumed.
fn assumed_defaults(record: &Record) -> Option<String> {
    let is_assumed = |field: &&Field| {
        field.about.contains(DEFAULT_IS_ASSUMED) && record.item(field).is_some_and(|item| !item.given)
    };
    let numbers = record.section.fields().filter(is_assumed).filter_map(|field| named_number(record, field));
    let text = numbers.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then_some(text)
}

/// The parameters of a table whose keys are in a text, before the colon of a clause: "gain and limit:
/// guessed" names two.
fn numbers_named(record: &Record, reason: &str) -> String {
    let heads: Vec<String> = reason
        .split(';')
        .filter_map(|clause| clause.split_once(':'))
        .map(|(head, _)| head.replace('_', " "))
        .collect();
    let is_named = |key: &str| {
        let key = key.replace('_', " ");
        let whole = |head: &String| {
            head.split([',', '.']).flat_map(|part| part.split(" and ")).any(|name| name.trim() == key)
        };
        heads.iter().any(whole)
    };
    let named = record.section.fields().filter(|field| is_named(field.key));
    named.filter_map(|field| named_number(record, field)).collect::<Vec<_>>().join(", ")
}

/// `KEY = VALUE UNIT`.
fn named_number(record: &Record, field: &Field) -> Option<String> {
    let Some(Value::Number(number, dim)) = record.value(field) else { return None };
    let (number, unit) = if dim.unit == "rad" { (number.to_degrees(), "deg") } else { (*number, dim.unit) };
    // Six digits for display.
    let number = format!("{number:.5e}").parse().unwrap_or(number);
    Some(format!("{} = {number} {unit}", field.key).trim_end().to_string())
}
