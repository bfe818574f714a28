//! The table of rooms in ARCHITECTURE.md names each crate and exactly the crates of ours that it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Names of crates between backticks or plain, as the last cell of a row lists them; `–` is none.
fn named(cell: &str) -> BTreeSet<String> {
    let words = cell.split([',', ';', ' ']).map(|word| word.trim().trim_matches('`'));
    words.filter(|word| !word.is_empty() && *word != "–").map(String::from).collect()
}

fn table(text: &str) -> Rooms {
    let (_, rows) = text.split_once("| crate | holds | uses |").expect("the table of rooms");
    let rows = rows.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        (cells[0].trim_matches('`').to_string(), named(cells[cells.len() - 1].trim_end_matches('|')))
    };
    rows.map(row).collect()
}

/// The crates of ours in the dependencies of a manifest, those of tests left out.
fn used(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        if inside && name.starts_with("touchdown") {
            found.insert(name.trim_start_matches("touchdown-").to_string());
        }
    }
    found
}

#[test]
fn the_table_of_rooms_names_every_dependency() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let folders = root.join("crates").read_dir().expect("crates").flatten();
    let manifests: Rooms = folders
        .filter_map(|folder| {
            let manifest = std::fs::read_to_string(folder.path().join("Cargo.toml")).ok()?;
            Some((folder.file_name().to_string_lossy().into_owned(), used(&manifest)))
        })
        .collect();
    assert!(manifests.len() > 10 && !manifests["cli"].is_empty(), "{manifests:?}");
    let listed = table(&text);
    let names = |rooms: &Rooms| rooms.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&listed), names(&manifests), "crates in ARCHITECTURE.md (left) and in crates/ (right)");
    for (name, uses) in &manifests {
        assert_eq!(&listed[name], uses, "what `{name}` uses: ARCHITECTURE.md (left), its Cargo.toml (right)");
    }
}
