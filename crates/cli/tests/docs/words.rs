//! Words that are never right in these pages.

use crate::pages;

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
