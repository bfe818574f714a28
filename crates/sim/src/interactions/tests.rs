//! Loop, recording, checkpoint and validity go through the list of interactions and name no kind.

use std::path::{Path, PathBuf};

/// Words that name a kind, in any identifier.
const KINDS: [&str; 34] = [
    "tyre",
    "tyres",
    "soil",
    "smooth",
    "pair",
    "pairs",
    "polygonal",
    "boom",
    "booms",
    "foot",
    "feet",
    "flexible",
    "capture",
    "captures",
    "bumper",
    "bumpers",
    "latch",
    "latches",
    "magnet",
    "magnets",
    "ratchet",
    "ratchets",
    "docking",
    "avionics",
    "satellites",
    "attitude",
    "aocs",
    "thruster",
    "sequence",
    "regulator",
    "motor",
    "motors",
    "orbit",
    "environment",
];

/// What may name kinds: how a world is built and its errors, the ground that pictures show, machines on wheels, an estimate made before anything is built.
const EXEMPT: [&str; 7] = [
    "engine/simulation.rs",
    "engine/simulation",
    "engine/show.rs",
    "books/vehicle.rs",
    "books/need.rs",
    "tests.rs",
    "tests",
];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the crate").flatten() {
        let path = entry.path();
        let exempt = EXEMPT.iter().any(|exempt| path.ends_with(exempt));
        match path.is_dir() {
            _ if exempt => {}
            true => sources(&path, out),
            false => out.push(path),
        }
    }
}

/// The code of a file: without comments, texts and tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut out = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        // What stands between quotation marks is text.
        out.extend(line.split('"').step_by(2));
        out.push('\n');
    }
    out
}

/// Words of an identifier: `SoilBodies` and `soil_bodies` have the same.
fn words(identifier: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    for c in identifier.chars() {
        if c == '_' || c.is_uppercase() {
            out.push(String::new());
        }
        if c != '_' {
            out.last_mut().expect("never empty").extend(c.to_lowercase());
        }
    }
    out
}

#[test]
fn loop_recording_checkpoint_and_validity_name_no_kind() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for folder in ["engine", "books"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 20, "the rooms have moved: {files:?}");
    let mut named = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source");
        for identifier in code(&text).split(|c: char| !c.is_alphanumeric() && c != '_') {
            if words(identifier).iter().any(|word| KINDS.contains(&word.as_str())) {
                named.push(format!("{}: {identifier}", file.display()));
            }
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}
