//! Words that are never right in these pages.

use crate::{pages, root};
use std::path::PathBuf;

/// Each with the term to write; docs/glossary.md fixes the terms.
const WRONG: [(&str, &str); 7] = [
    ("told", "reported"),
    ("dear", "costly"),
    ("given up", "aborted"),
    ("gives up", "aborts"),
    ("giving up", "aborting"),
    ("without fear", "what is handled, by name"),
    ("anyhow", "in any case"),
];

/// Made by the program from its table of keys, which states its own terms.
const MADE: &str = "docs/reference/scenario.md";

#[test]
fn pages_use_the_terms_of_the_glossary() {
    // One term for one thing, in plain technical English.
    let mut wrong = Vec::new();
    for page in pages().iter().filter(|page| !page.path.ends_with(MADE)) {
        for (number, line) in page.text.lines().enumerate() {
            for (word, right) in found(line) {
                wrong.push(format!("{}:{}: \"{word}\", write: {right}", page.path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words that are right neither in names and comments of the program nor in what it prints.
const WRONG_IN_CODE: [&str; 2] = ["told", "dear"];

#[test]
fn code_uses_the_terms_of_the_glossary() {
    // One term for one thing in names, comments, messages and scenarios, too.
    let mut folders: Vec<PathBuf> = ["crates", "scenarios", "validation", "viewer/src"]
        .iter()
        .map(|folder| root().join(folder))
        .collect();
    let mut wrong = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let is_text = path.extension().is_some_and(|end| ["rs", "toml", "ts"].iter().any(|e| end == *e));
            if path.is_symlink() || path.ends_with("docs/words.rs") {
                continue;
            } else if path.is_dir() {
                folders.push(path);
            } else if is_text {
                let bytes = std::fs::read(&path).expect("a file");
                let text = String::from_utf8_lossy(&bytes);
                for (number, line) in text.lines().enumerate() {
                    for (word, right) in found(line).filter(|(word, _)| WRONG_IN_CODE.contains(word)) {
                        wrong.push(format!("{}:{}: \"{word}\", write: {right}", path.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Wrong words of a line, as whole words.
fn found(line: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let words = line.to_lowercase();
    let words: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let text = format!(" {} ", words.join(" "));
    WRONG.into_iter().filter(move |(word, _)| text.contains(&format!(" {word} ")))
}

#[test]
fn wrong_words_are_found_whole() {
    // "untold" and "endear" are other words; capitals and commas hide nothing.
    let words = |line: &str| found(line).map(|(word, _)| word).collect::<Vec<_>>();
    assert_eq!(words("Told, and given\tup"), ["told", "given up"]);
    assert!(words("untold endearment").is_empty());
}
