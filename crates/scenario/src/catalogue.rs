//! The built-in scenarios, machines and soils, embedded in the binary; the same files lie in `scenarios/`.

use include_dir::{Dir, include_dir};
use std::sync::OnceLock;
use toml_edit::Document;

static FILES: Dir = include_dir!("$CARGO_MANIFEST_DIR/scenarios");

/// Kind of a built-in file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A scenario that can be run.
    Scenario,
    /// A machine that scenarios use.
    Machine,
    /// A soil of the library.
    Soil,
}

/// A built-in file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Name for `touchdown run NAME`, or of the machine or soil.
    pub name: String,
    /// A one-line description.
    pub title: String,
    /// Its folder: the topic.
    pub topic: String,
    /// Path below `scenarios/`.
    pub path: String,
    /// Scenario, machine or soil.
    pub kind: EntryKind,
    /// The file's text.
    pub text: &'static str,
}

/// Every built-in scenario, machine and soil, by topic and name.
pub fn catalogue() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries = Vec::new();
        collect(&FILES, &mut entries);
        entries.sort_by(|a, b| (&a.topic, &a.name).cmp(&(&b.topic, &b.name)));
        entries
    })
}

fn collect(dir: &'static Dir, entries: &mut Vec<Entry>) {
    for file in dir.files() {
        let path = file.path();
        let (Some(text), Some(stem)) = (file.contents_utf8(), path.file_stem()) else { continue };
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let topic = path.parent().map_or(String::new(), |p| p.to_string_lossy().replace('\\', "/"));
        let kind = match topic.as_str() {
            "machines" => EntryKind::Machine,
            "soils" => EntryKind::Soil,
            _ => EntryKind::Scenario,
        };
        let title = Document::parse(text)
            .ok()
            .and_then(|d| d.as_table().get("title")?.as_str().map(str::to_string))
            .unwrap_or_default();
        let path = path.to_string_lossy().replace('\\', "/");
        entries.push(Entry { name: stem.to_string_lossy().into(), title, topic, path, kind, text });
    }
    dir.dirs().for_each(|d| collect(d, entries));
}

/// Paths of all built-in files that scenarios can name.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    catalogue().iter().map(|e| e.path.as_str())
}

/// A built-in file by its path below `scenarios/`.
pub(crate) fn file(path: &str) -> Option<&'static [u8]> {
    FILES.get_file(path).map(|f| f.contents())
}
