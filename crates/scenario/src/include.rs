//! Files: how scenarios, machine files and meshes are found, and how a machine file is merged under a
//! `[machine.NAME]`.
//!
//! A file named in a scenario is searched for in the scenario's folder, then one folder up, then among the
//! built-in files.

use crate::catalogue::{self, EntryKind};
use crate::error::{Issues, nearest};
use crate::files::{FileProblem, LARGEST_FILE, read_file};
use crate::memo::Memo;
use crate::node::{self, Data, Entry, Node};
use crate::scenario::MapFile;
use crate::source::Sources;
use crate::table::{KeyKind, MACHINE, MachineKeys, SCENARIO, ScenarioKeys, Section};
use crate::urdf;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys that are handled here, before the table is read.
const BASED_ON: &str = ScenarioKeys::based_on.name();
const USE: &str = MachineKeys::uses.name();

/// Folder of a run folder that contains inputs.
pub const INPUTS: &str = "inputs";
/// Maximum depth to which machine files can use machine files.
const DEEPEST: usize = 8;

/// Folder in which relative names are searched for.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    Disk(PathBuf),
    BuiltIn(String),
}

/// Why a file could not be opened.
pub(crate) struct OpenError {
    pub message: String,
    pub near: Option<String>,
}

/// Opens files and records which were read.
#[derive(Default)]
pub(crate) struct Library {
    /// Folder of each source, by its index.
    bases: Vec<Base>,
    /// Name and BLAKE3 hash of every file read.
    pub inputs: Vec<(String, String)>,
    /// Name and path of those that are on disk.
    pub on_disk: Vec<(String, PathBuf)>,
    /// What each URDF import kept and dropped.
    pub audits: Vec<urdf::Audit>,
    /// Content of each map file and how it was processed.
    pub maps: Vec<MapFile>,
    /// Cache of earlier readings of the same scenario.
    pub memo: Option<Arc<Memo>>,
}

impl Library {
    /// The tree of a text, as [`node::parse`] makes it.
    pub fn parse(&self, sources: &mut Sources, name: &str, text: &str, issues: &mut Issues) -> Option<Node> {
        let Some(memo) = &self.memo else { return node::parse(sources, name, text, issues) };
        let key = blake3::hash(text.as_bytes());
        if let Some(tree) = memo.tree(&key) {
            return Some(tree.in_source(sources.add(name, text)));
        }
        let tree = node::parse(sources, name, text, issues)?;
        memo.keep_tree(key, tree.clone());
        Some(tree)
    }

    /// A value that depends on its key alone; made once if a scenario is read several times.
    pub fn made<T: Clone + Send + Sync + 'static>(
        &self,
        key: impl FnOnce() -> String,
        make: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        match &self.memo {
            Some(memo) => memo.made(key(), make),
            None => make(),
        }
    }

    fn file_on_disk(
        &self,
        dir: &Path,
        name: &str,
        largest: u64,
    ) -> Result<Option<(Vec<u8>, PathBuf)>, OpenError> {
        match &self.memo {
            Some(memo) => memo.file(format!("{}\n{name}", dir.display()), || from_disk(dir, name, largest)),
            None => from_disk(dir, name, largest),
        }
    }

    /// Sets the folder for names written in source `source`.
    pub fn set_base(&mut self, source: u32, base: Base) {
        let index = source as usize;
        while self.bases.len() <= index {
            self.bases.push(base.clone());
        }
        self.bases[index] = base;
    }

    pub fn base(&self, source: u32) -> Base {
        self.bases.get(source as usize).cloned().unwrap_or(Base::BuiltIn(String::new()))
    }

    /// Opens a file named in source `source`.
    pub fn open(&mut self, source: u32, name: &str) -> Result<(Vec<u8>, Base), OpenError> {
        self.open_up_to(source, name, LARGEST_FILE)
    }

    /// Opens a file of at most this many bytes named in source `source`.
    pub fn open_up_to(
        &mut self,
        source: u32,
        name: &str,
        largest: u64,
    ) -> Result<(Vec<u8>, Base), OpenError> {
        let base = self.base(source);
        let on_disk = match &base {
            Base::Disk(dir) => self.file_on_disk(dir, name, largest)?,
            // A setting of a built-in scenario can name a file of the user.
            Base::BuiltIn(_) if Path::new(name).is_absolute() => {
                self.file_on_disk(Path::new(""), name, largest)?
            }
            Base::BuiltIn(_) => None,
        };
        let found = match (on_disk, &base) {
            (Some((bytes, path)), _) => {
                let folder = path.parent().unwrap_or(Path::new(".")).to_path_buf();
                self.on_disk.push((name.to_string(), path));
                Some((bytes, Base::Disk(folder)))
            }
            (None, Base::Disk(_)) => from_built_in("", name),
            (None, Base::BuiltIn(dir)) => from_built_in(dir, name),
        };
        let Some((bytes, at)) = found else {
            let names = catalogue::catalogue().iter().filter(|e| e.kind == EntryKind::Machine);
            let near =
                nearest(name, catalogue::paths().chain(names.map(|e| e.name.as_str()))).map(str::to_string);
            return Err(OpenError { message: "there is no such file".into(), near });
        };
        self.note(name, &bytes);
        Ok((bytes, at))
    }

    /// Records a file that was read.
    pub fn note(&mut self, name: &str, bytes: &[u8]) {
        let input = (name.to_string(), blake3::hash(bytes).to_hex().to_string());
        if !self.inputs.contains(&input) {
            self.inputs.push(input);
        }
    }
}

fn from_built_in(dir: &str, name: &str) -> Option<(Vec<u8>, Base)> {
    let name = name.trim_start_matches("./");
    let local = if dir.is_empty() { name.to_string() } else { format!("{dir}/{name}") };
    let found = [local.as_str(), name]
        .into_iter()
        .find_map(|p| catalogue::file(p).map(|bytes| (bytes, p.to_string())))?;
    let folder = found.1.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_string());
    Some((found.0.to_vec(), Base::BuiltIn(folder)))
}

/// The name under which a run folder stores a file that its scenario calls `name`: a single path component
/// that cannot lead elsewhere.
pub fn kept_name(name: &str) -> String {
    let plain = name.replace(['/', '\\', ':'], "__");
    if plain.starts_with('.') { format!("_{plain}") } else { plain }
}

fn from_disk(dir: &Path, name: &str, largest: u64) -> Result<Option<(Vec<u8>, PathBuf)>, OpenError> {
    // A run folder contains copies of the files its scenario names; they are searched first, so that it can
    // be moved.
    let kept = dir.join("manifest.json").is_file().then(|| dir.join(INPUTS).join(kept_name(name)));
    for path in kept.into_iter().chain([dir.join(name), dir.join("..").join(name)]) {
        let message = match read_file(&path, largest) {
            Ok(bytes) => return Ok(Some((bytes, path))),
            Err(FileProblem::Io(error)) if error.kind() == ErrorKind::NotFound => continue,
            Err(FileProblem::Io(error)) => error.to_string(),
            Err(problem) => format!("it {problem}"),
        };
        return Err(OpenError { message, near: None });
    }
    Ok(None)
}

/// Merges the scenario that `based_on` names under this one, and recursively those that it is based on.
pub(crate) fn include_base(root: &mut Node, reading: &mut Reading) {
    for _ in 0..DEEPEST {
        let Some(entries) = root.entries_mut() else { return };
        let Some(at) = entries.iter().position(|e| e.key == BASED_ON) else { return };
        let named = entries.remove(at).node;
        let Data::Text(file) = &named.data else {
            reading.issues.at(named.loc, BASED_ON, "must be a text: the name of a scenario or file");
            return;
        };
        let Some((text, base)) = open_text(scenario_file(file), &named, BASED_ON, reading) else { return };
        let below = reading.library.parse(reading.sources, file, &text, reading.issues);
        reading.library.set_base(reading.sources.0.len() as u32 - 1, base);
        if let Some(mut below) = below {
            // The title is not inherited.
            if let Some(entries) = below.entries_mut() {
                entries.retain(|e| e.key != ScenarioKeys::title.name());
            }
            lay_under(root, below, SCENARIO);
        }
    }
    if let Some(named) = root.get(BASED_ON) {
        let what = format!("goes deeper than {DEEPEST} files");
        reading.issues.at(named.loc, BASED_ON, what).hint("is a scenario based on itself?");
    }
}

/// Merges machine files and URDF imports under every `[machine.NAME]` of a scenario.
pub(crate) fn include_machines(
    root: &mut Node,
    library: &mut Library,
    sources: &mut Sources,
    issues: &mut Issues,
) {
    let Some(entries) = root.entries_mut() else { return };
    let Some(machines) = entries.iter_mut().find(|e| e.key == ScenarioKeys::machine.name()) else { return };
    let Some(machines) = machines.node.entries_mut() else { return };
    for machine in machines {
        let path = format!("machine.{}", machine.key);
        include(&mut machine.node, &path, 0, &mut Reading { library, sources, issues });
    }
}

/// State for reading files.
pub(crate) struct Reading<'a> {
    pub library: &'a mut Library,
    pub sources: &'a mut Sources,
    pub issues: &'a mut Issues,
}

fn include(machine: &mut Node, path: &str, depth: usize, reading: &mut Reading) {
    for key in [USE, MachineKeys::urdf.name()] {
        let Some(named) = machine.get(key).cloned() else { continue };
        let Data::Text(file) = &named.data else { continue };
        let path = format!("{path}.{key}");
        if depth >= DEEPEST {
            let what = format!("goes deeper than {DEEPEST} files");
            reading.issues.at(named.loc, path, what).hint("does a file use itself?");
            continue;
        }
        let Some((text, base)) = open_text(machine_file(file), &named, &path, reading) else { continue };
        let below = if key == USE {
            let node = reading.library.parse(reading.sources, file, &text, reading.issues);
            reading.library.set_base(reading.sources.0.len() as u32 - 1, base);
            node.map(|mut n| {
                include(&mut n, &path, depth + 1, reading);
                n
            })
        } else {
            let allow = machine.get(MachineKeys::allow.name()).cloned();
            let source = reading.sources.add(file, &text);
            reading.library.set_base(source, base);
            urdf::import(&text, source, allow.as_ref(), &named, reading)
        };
        if let Some(below) = below {
            lay_under(machine, below, MACHINE);
        }
    }
}

/// The file of a built-in scenario given by its name; other names are files already.
fn scenario_file(name: &str) -> &str {
    let scenarios = || catalogue::catalogue().iter().filter(|e| e.kind == EntryKind::Scenario);
    scenarios().find(|e| e.name == name).map_or(name, |e| &e.path)
}

/// The file of a built-in machine given by its name; other names are files already.
fn machine_file(name: &str) -> &str {
    let machines = || catalogue::catalogue().iter().filter(|e| e.kind == EntryKind::Machine);
    machines().find(|e| e.name == name).map_or(name, |e| &e.path)
}

fn open_text(file: &str, named: &Node, path: &str, reading: &mut Reading) -> Option<(String, Base)> {
    match reading.library.open(named.loc.source, file) {
        Ok((bytes, base)) => match String::from_utf8(bytes) {
            Ok(text) => Some((text, base)),
            Err(_) => {
                reading.issues.at(named.loc, path, "is not a text file").found(named.show());
                None
            }
        },
        Err(error) => {
            let what = format!("cannot be read: {}", error.message);
            let issue = reading.issues.at(named.loc, path, what).found(named.show());
            if let Some(near) = error.near {
                issue.hint(format!("did you mean \"{near}\"?"));
            }
            None
        }
    }
}

/// Adds to `over` the values of `under` that it lacks; tables are merged, other values of `over` take
/// precedence.
pub(crate) fn lay_under(over: &mut Node, under: Node, section: &'static Section) {
    let (Some(entries), Data::Table(below)) = (over.entries_mut(), under.data) else { return };
    // `width` and `width_m` are the same key.
    let own_key = |key: &str| section.find(key).map_or(key.to_string(), |(field, _)| field.key.to_string());
    let places = places(entries, own_key);
    for entry in below {
        let kind = section.find(&entry.key).map(|(field, _)| &field.kind);
        match (places.get(&own_key(&entry.key)).map(|at| &mut entries[*at].node), kind) {
            (None, _) => entries.push(entry),
            (Some(mine), Some(KeyKind::Table(section))) => lay_under(mine, entry.node, section),
            (Some(mine), Some(KeyKind::Map(section))) => lay_map_under(mine, entry.node, section),
            _ => {}
        }
    }
}

/// Location of each key; of two spellings of the same key, the first.
fn places(entries: &[Entry], own_key: impl Fn(&str) -> String) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        places.entry(own_key(&entry.key)).or_insert(at);
    }
    places
}

fn lay_map_under(over: &mut Node, under: Node, section: &'static Section) {
    let (Some(entries), Data::Table(below)) = (over.entries_mut(), under.data) else { return };
    let places = places(entries, str::to_string);
    for entry in below {
        match places.get(&entry.key) {
            Some(at) => lay_under(&mut entries[*at].node, entry.node, section),
            None => entries.push(entry),
        }
    }
}
