//! Words that are never right: in these pages, in messages of the program, in scenarios and claims, on its web pages.

use crate::{pages, root};
use std::path::{Path, PathBuf};

/// Each with the term to write; docs/glossary.md fixes the terms.
const WRONG: [(&str, &str); 21] = [
    ("told", "reported"),
    ("dear", "costly"),
    ("given up", "aborted"),
    ("gives up", "aborts"),
    ("giving up", "aborting"),
    ("without fear", "what is handled, by name"),
    ("anyhow", "in any case"),
    ("anew", "again"),
    ("once more", "again"),
    ("leaves over", "the residual"),
    ("left over", "the residual"),
    ("gives way", "yields, moves or softens"),
    ("give way", "yield, move or soften"),
    ("mended", "corrected"),
    ("mends", "corrects"),
    ("books close", "the energy balance closes"),
    ("way of the", "distance, travel or path"),
    ("on the way", "during, or towards"),
    ("nobody", "what is not measured, not checked, not read"),
    ("for ever", "without end"),
    ("for good", "permanently"),
];

/// Made by the program from its table of keys, which is checked as messages are.
const MADE: &str = "docs/reference/scenario.md";

/// Names that stay, so that files of claims keep working.
const NAMES: [&str; 1] = ["energy left over the motor's work"];

/// A line of text with its place.
struct Line {
    place: String,
    text: String,
}

#[test]
fn pages_use_the_terms_of_the_glossary() {
    // One term for one thing, in plain technical English.
    let pages = pages();
    let pages = pages.iter().filter(|page| !page.path.ends_with(MADE));
    let lines = pages.flat_map(|page| {
        page.text.lines().enumerate().map(move |(number, line)| Line {
            place: format!("{}:{}", page.path.display(), number + 1),
            text: line.into(),
        })
    });
    assert_no_wrong_words(lines);
}

#[test]
fn messages_use_the_terms_of_the_glossary() {
    // Texts that the program prints or shows: strings of the sources, and what scenarios, claims and studies say.
    let mut lines = Vec::new();
    for (folder, ending) in [("crates", "rs"), ("python/src", "rs"), ("viewer/src", "ts")] {
        for file in files(&root().join(folder), ending).iter().filter(|file| !is_of_tests(file)) {
            lines.extend(texts_of_source(file));
        }
    }
    for folder in ["scenarios", "validation", "studies"] {
        for file in files(&root().join(folder), "toml") {
            lines.extend(numbered(&file).filter(|line| NAMES.iter().all(|name| !line.text.contains(*name))));
        }
    }
    // What `--help` prints are the comments of the options.
    for file in ["args.rs", "args/studies.rs", "campaign/args.rs", "mobility/args.rs", "export.rs"] {
        let help = numbered(&root().join("crates/cli/src").join(file))
            .filter(|line| line.text.trim_start().starts_with("///"));
        lines.extend(help);
    }
    assert!(lines.len() > 5_000, "only {} lines", lines.len());
    assert_no_wrong_words(lines.into_iter());
}

fn assert_no_wrong_words(lines: impl Iterator<Item = Line>) {
    let wrong: Vec<String> = lines
        .flat_map(|line| {
            found(&line.text)
                .map(|(word, right)| format!("{}: \"{word}\", write: {right}", line.place))
                .collect::<Vec<_>>()
        })
        .collect();
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

/// Files with an ending below a folder, without what is built.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        let is_link = path.symlink_metadata().is_ok_and(|data| data.is_symlink());
        if is_link || path.ends_with("target") || path.ends_with("node_modules") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_of_tests(file: &Path) -> bool {
    let is_test = |part: &str| matches!(part, "tests" | "tests.rs" | "benches" | "examples");
    file.components().any(|part| is_test(&part.as_os_str().to_string_lossy()))
}

fn numbered(file: &Path) -> impl Iterator<Item = Line> + use<> {
    let text = std::fs::read_to_string(file).expect("UTF-8");
    let name = file.display().to_string();
    let lines: Vec<Line> = text
        .lines()
        .enumerate()
        .map(|(number, line)| Line { place: format!("{name}:{}", number + 1), text: line.into() })
        .collect();
    lines.into_iter()
}

/// Strings of a source file up to its own tests, as far as they are sentences: single words are names.
fn texts_of_source(file: &Path) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in numbered(file) {
        if line.text.contains("#[cfg(test)]") {
            break;
        }
        let is_name = |text: &str| NAMES.contains(&text) || !text.contains(' ');
        if !line.text.trim_start().starts_with("//") {
            let texts = strings(&line.text);
            lines.extend(
                texts
                    .filter(|text| !is_name(text.as_str()))
                    .map(|text| Line { place: line.place.clone(), text }),
            );
        }
    }
    lines
}

/// What stands between double quotes on a line; a string over several lines counts line by line as far as it has quotes.
fn strings(line: &str) -> impl Iterator<Item = String> {
    let line = line.replace("\\\\", " ").replace("\\\"", " ");
    let parts: Vec<String> = line.split('"').skip(1).step_by(2).map(str::to_string).collect();
    parts.into_iter()
}

#[test]
fn wrong_words_are_found_whole() {
    // "untold" and "endear" are other words; capitals and commas hide nothing.
    let words = |line: &str| found(line).map(|(word, _)| word).collect::<Vec<_>>();
    assert_eq!(words("Told, and given\tup"), ["told", "given up"]);
    assert!(words("untold endearment").is_empty());
    assert_eq!(strings(r#"f("a \"b\" c", 1, "d e")"#).collect::<Vec<_>>(), ["a  b  c", "d e"]);
}
