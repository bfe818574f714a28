//! The documentation is correct: its links have targets, its examples run and give the numbers beside them, its references are
//! what the program says.

#[path = "../common/mod.rs"]
mod common;

mod examples;
mod layouts;
mod links;
mod markdown;
mod references;
mod schemas;
mod words;

use markdown::Page;
use std::path::{Path, PathBuf};

/// Root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Every page below `docs`, and those that stand beside it.
fn pages() -> Vec<Page> {
    let mut pages = pages_of_the_book();
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "NOTATION.md",
        "scenarios/README.md",
    ] {
        pages.push(Page::read(&root().join(name)));
    }
    pages
}

/// Every page below `docs`.
fn pages_of_the_book() -> Vec<Page> {
    let mut folders = vec![root().join("docs")];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of pages") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                pages.push(Page::read(&path));
            }
        }
    }
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    pages
}
