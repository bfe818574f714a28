//! The reference pages against the program.

use crate::common::{good, temporary};
use crate::markdown::Page;
use crate::root;

#[test]
fn the_scenario_reference_is_what_the_program_says() {
    // The page is made, never written.
    let page = Page::read(&root().join("docs/reference/scenario.md"));
    let said = good(temporary().path(), &["schema", "--markdown"]);
    let differs = page.text.lines().zip(said.lines()).position(|(a, b)| a != b);
    assert!(
        page.text == said,
        "docs/reference/scenario.md is not what `touchdown schema --markdown` prints (first difference: line {}); run: make reference",
        differs.map_or("the last".to_string(), |at| (at + 1).to_string())
    );
}

#[test]
fn the_command_reference_has_every_command_and_option() {
    // What --help offers is explained, under the heading of its command.
    let page = Page::read(&root().join("docs/reference/commands.md"));
    let dir = temporary();
    let help = good(dir.path(), &["--help"]);
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"run"), "{help}");
    for heading in page.text.lines().filter_map(|line| line.strip_prefix("## touchdown ")) {
        assert!(
            commands.contains(&heading),
            "docs/reference/commands.md explains {heading}, which does not exist"
        );
    }
    // `help` takes the name of a command and no option.
    for command in commands.into_iter().filter(|command| *command != "help") {
        let heading = format!("\n## touchdown {command}\n");
        let (_, rest) = page.text.split_once(&heading).unwrap_or_else(|| panic!("no heading {heading:?}"));
        let section = rest.split("\n## ").next().unwrap_or_default();
        for option in options(&good(dir.path(), &[command, "--help"])) {
            assert!(
                section.contains(&option),
                "docs/reference/commands.md does not explain {option} of {command}"
            );
        }
    }
}

#[test]
fn topics_of_the_validation_are_listed_wherever_some_are() {
    // A reader who sees a list of topics sees all of them.
    let files = std::fs::read_dir(root().join("validation")).expect("the claims are there");
    // Folders beside the claims hold measured data.
    let claims = files.map(|file| file.expect("an entry").path()).filter(|path| path.is_file());
    let names = claims.filter_map(|path| path.file_stem()?.to_str().map(str::to_string));
    let topics: Vec<String> = names.filter(|name| name != "limits").collect();
    let help = good(temporary().path(), &["validate", "--help"]);
    let page = |name: &str| Page::read(&root().join("docs").join(name)).text;
    for (place, text) in [
        ("docs/validation.md", page("validation.md")),
        ("docs/reference/commands.md", page("reference/commands.md").replace('`', "")),
        ("touchdown validate --help", help),
    ] {
        let line = text.lines().find(|line| line.contains("mechanisms, "));
        let line = line.unwrap_or_else(|| panic!("{place} lists no topics"));
        for topic in &topics {
            assert!(line.contains(topic.as_str()), "{place} does not list the topic {topic}: {line}");
        }
    }
}

#[test]
fn the_citation_names_this_version() {
    // Who cites a release names that release.
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).expect("the citation is there");
    let version = citation.lines().find_map(|line| line.strip_prefix("version: "));
    assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
}

/// The long options of a command, but for those that all have: --help, and --color, which the page explains at its top.
fn options(help: &str) -> Vec<String> {
    let first_words = help.lines().filter_map(|line| {
        line.trim_start()
            .split([' ', ',', '['])
            .find(|word| word.starts_with("--"))
            .filter(|_| line.trim_start().starts_with('-'))
    });
    first_words.filter(|option| !["--help", "--color"].contains(option)).map(str::to_string).collect()
}

#[test]
fn options_are_found_in_a_help_text() {
    // Short forms and words of the explanation are not options.
    let help = "Options:\n      --out <DIR>  Folder\n      --port[=<N>]  Port\n  -q, --quiet      not --loud\n  -h, --help       Print\n";
    assert_eq!(options(help), ["--out", "--port", "--quiet"]);
}
