//! Links and the table of contents.

use crate::markdown::{Link, Page};
use crate::{pages, pages_of_the_book, root};
use std::path::Path;

#[test]
fn every_link_leads_somewhere() {
    // A reader never lands on nothing: files are there, and so are the headings that links name.
    let mut wrong = Vec::new();
    for page in pages() {
        for link in &page.links {
            if let Err(why) = follow(&page, link) {
                wrong.push(format!("{}:{}: {} {why}", page.path.display(), link.line, link.target));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn follow(page: &Page, link: &Link) -> Result<(), &'static str> {
    if link.target.contains("://") || link.target.starts_with("mailto:") {
        return Ok(());
    }
    let (file, heading) = link.target.split_once('#').unwrap_or((&link.target, ""));
    let folder = page.path.parent().unwrap_or(Path::new("."));
    let to = if file.is_empty() { page.path.clone() } else { folder.join(file) };
    let to = to.canonicalize().map_err(|_| "is not there")?;
    let docs = root().join("docs");
    if page.path.starts_with(&docs) && !to.starts_with(&docs) {
        return Err("is outside docs, where the book cannot follow: name the file without a link");
    }
    if heading.is_empty() || Page::read(&to).anchors.iter().any(|anchor| anchor == heading) {
        return Ok(());
    }
    Err("has no such heading")
}

/// Pages of the book without a picture: tables and lists.
const WITHOUT_PICTURE: [&str; 5] =
    ["SUMMARY.md", "dependencies.md", "editor.md", "glossary.md", "reference/scenario.md"];

#[test]
fn every_page_shows_its_picture() {
    // A reader sees what a page is about; each picture has words for those who do not see it.
    let docs = root().join("docs");
    for page in pages_of_the_book() {
        let name = page.path.strip_prefix(&docs).expect("it lies in docs").to_string_lossy();
        let pictures: Vec<&str> = page.text.lines().filter(|line| line.starts_with("![")).collect();
        assert_ne!(pictures.is_empty(), !WITHOUT_PICTURE.contains(&&*name), "{name}: pictures {pictures:?}");
        assert!(pictures.iter().all(|line| !line.starts_with("![]")), "{name}: a picture without words");
    }
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    // mdBook leaves out what SUMMARY.md does not name.
    let docs = root().join("docs");
    let summary = Page::read(&docs.join("SUMMARY.md"));
    for page in pages_of_the_book().iter().filter(|page| page.path != summary.path) {
        let name = page.path.strip_prefix(&docs).expect("it lies in docs").to_string_lossy();
        let times = summary.links.iter().filter(|link| link.target == name).count();
        assert_eq!(times, 1, "docs/SUMMARY.md names {name} {times} times");
    }
}
