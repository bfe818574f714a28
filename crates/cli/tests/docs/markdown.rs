//! As much of Markdown as the pages use: fenced blocks, headings, links.

use std::path::{Path, PathBuf};

/// A page, taken apart.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
    pub blocks: Vec<Block>,
    /// Headings as links name them.
    pub anchors: Vec<String>,
    pub links: Vec<Link>,
}

/// A fenced block: ```` ```sh run ```` has the language `sh` and the mark `run`.
pub struct Block {
    pub line: usize,
    pub language: String,
    pub marks: Vec<String>,
    pub text: String,
}

/// A link or picture.
pub struct Link {
    pub line: usize,
    pub target: String,
}

impl Page {
    pub fn read(path: &Path) -> Page {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Page::parse(path.to_path_buf(), text)
    }

    fn parse(path: PathBuf, text: String) -> Page {
        let (mut blocks, mut anchors, mut links) = (Vec::new(), Vec::<String>::new(), Vec::new());
        let mut open: Option<Block> = None;
        for (number, line) in text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(info)) => {
                    let mut words = info.split_whitespace().map(str::to_string);
                    let language = words.next().unwrap_or_default();
                    open =
                        Some(Block { line: number, language, marks: words.collect(), text: String::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => block.text += &format!("{line}\n"),
                (None, None) => {
                    if let Some(title) = line.strip_prefix('#') {
                        anchors.push(anchor(title.trim_start_matches('#').trim()));
                    }
                    let targets = targets(&without_code(line));
                    links.extend(targets.into_iter().map(|target| Link { line: number, target }));
                }
            }
        }
        assert!(open.is_none(), "{}: a block that does not end", path.display());
        Page { path, text, blocks, anchors, links }
    }
}

/// The name by which links find a heading: as web pages of repositories and mdBook make it.
fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// A line without what stands between backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("`")
}

/// What `](…)` points to.
fn targets(line: &str) -> Vec<String> {
    let ends = line.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    ends.map(|(target, _)| target.to_string()).collect()
}

#[test]
fn pages_are_taken_apart() {
    // The tests of this folder see what a reader sees: no links inside code, no headings inside blocks.
    let text = "# A title: `x_m`, really\n[a](b.md) and ![c](d.svg) not `[e](f)`\n```sh run\n# no heading [g](h)\n```\n";
    let page = Page::parse(PathBuf::from("page.md"), text.into());
    assert_eq!(page.anchors, ["a-title-x_m-really"]);
    assert_eq!(page.links.iter().map(|l| l.target.as_str()).collect::<Vec<_>>(), ["b.md", "d.svg"]);
    let block = &page.blocks[0];
    assert_eq!(
        (block.line, block.language.as_str(), block.marks.as_slice()),
        (3, "sh", &["run".to_string()][..])
    );
    assert_eq!(block.text, "# no heading [g](h)\n");
}
