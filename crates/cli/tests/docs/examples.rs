//! Examples of the pages. Blocks opened by ```` ```sh run ```` are run line by line in a temporary folder, one for each page; blocks opened by
//! ```` ```toml scenario=NAME.toml ```` are written into it and checked, those opened by ```` ```csv file=NAME.csv ```` only written. A comment `# NAME = VALUE UNIT` behind a run is compared
//! with its summary, to the digits that are shown.

use crate::common::{Ended, json, temporary, touchdown};
use crate::markdown::{Block, Page};
use crate::pages;
use std::path::Path;

#[test]
fn examples_run_and_give_the_numbers_beside_them() {
    // What a reader types works, and shows what the page says.
    let pages = pages();
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(move || run(page))).collect();
        running.into_iter().flat_map(|page| page.join().expect("no example panics")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let marked = pages.iter().flat_map(|page| &page.blocks).filter(|block| is_run(block)).count();
    assert!(
        marked >= 3,
        "only {marked} blocks are marked to be run: is the mark still the one that this test looks for?"
    );
}

fn is_run(block: &Block) -> bool {
    block.language == "sh" && block.marks.iter().any(|mark| mark == "run")
}

/// Runs the examples of a page; what went wrong, a line each.
fn run(page: &Page) -> Vec<String> {
    let dir = temporary();
    let mut wrong = Vec::new();
    let mut say = |line: usize, what: String| wrong.push(format!("{}:{line}: {what}", page.path.display()));
    for block in &page.blocks {
        if let Some(name) = block.marks.iter().find_map(|mark| mark.strip_prefix("file=")) {
            std::fs::write(dir.path().join(name), &block.text).expect("room on disk");
        }
        if let Some(name) = block.marks.iter().find_map(|mark| mark.strip_prefix("scenario=")) {
            std::fs::write(dir.path().join(name), &block.text).expect("room on disk");
            let ended = touchdown(dir.path(), &["check", name]);
            if ended.code != 0 {
                say(block.line, format!("{name} does not pass its check:\n{}", ended.stderr));
            }
        }
        for (at, line) in block.text.lines().enumerate().filter(|_| is_run(block)) {
            if let Err(what) = run_line(dir.path(), line) {
                say(block.line + 1 + at, what);
            }
        }
    }
    wrong
}

/// Runs a line and compares the numbers in its comment.
fn run_line(dir: &Path, line: &str) -> Result<(), String> {
    let (command, comment) = line.split_once(" #").unwrap_or((line, ""));
    let words = words(command);
    let Some((program, args)) = words.split_first() else { return Ok(()) };
    if program != "touchdown" {
        return Err(format!("{program}: only touchdown can be run by this test"));
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ended = touchdown(dir, &args);
    if ended.code != 0 {
        return Err(format!("{command} ended with {}:\n{}", ended.code, ended.stderr));
    }
    comment.split(", ").filter_map(statement).try_for_each(|(name, shown)| compare(dir, &ended, name, shown))
}

/// Words of a command line; quotes keep spaces.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == c => quote = None,
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// `NAME = VALUE UNIT` as name and value.
fn statement(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(" = ")?;
    Some((name.split_whitespace().last()?, value.split_whitespace().next()?))
}

fn compare(dir: &Path, ended: &Ended, name: &str, shown: &str) -> Result<(), String> {
    let folder = ended.stdout.lines().find_map(|line| line.strip_prefix("results: "));
    let folder = folder.ok_or("the comment gives a number, but nothing was run")?;
    let value = json(&dir.join(folder), "summary.json")["quantities"][name]["value"].as_f64();
    let value = value.ok_or(format!("{name} is not a quantity of this run"))?;
    let number: f64 = shown.parse().map_err(|_| format!("{shown} is not a number"))?;
    let decimals = shown.split_once('.').map_or(0, |(_, behind)| behind.len() as i32);
    // Right to the digits shown, with room for a rounding that falls on the edge.
    let tolerance = 0.51 * 10f64.powi(-decimals);
    if (value - number).abs() <= tolerance { Ok(()) } else { Err(format!("{name} is {value}, not {shown}")) }
}

#[test]
fn lines_are_read_like_a_shell_does() {
    // Quotes keep spaces; a comment's numbers have names.
    assert_eq!(
        words("touchdown run x --set \"a.b=5 ms\"  -q"),
        ["touchdown", "run", "x", "--set", "a.b=5 ms", "-q"]
    );
    assert_eq!(statement(" answer: pull_n = -3.14 N"), Some(("pull_n", "-3.14")));
    assert_eq!(statement(" what is built in"), None);
}
