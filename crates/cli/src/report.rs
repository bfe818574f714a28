//! `touchdown report`: the page of a run folder, also of a damaged or unfinished one; and the page at the end of every run.

use crate::failure::Failure;
use crate::output::{print, print_json, say};
use std::path::{Path, PathBuf};
use touchdown_record::report;

/// Makes the report of a folder, and its figures as files if asked for, and says where they are.
pub fn report(dir: &Path, figures: bool, json: bool) -> Result<(), Failure> {
    let made = report::write(dir)?;
    for missing in &made.missing {
        say(&format!("note: {missing}"));
    }
    let mut files = Vec::new();
    if figures {
        let written = report::write_figures(dir)?;
        for note in &written.notes {
            say(&format!("note: {note}"));
        }
        files = written.files;
    }
    if json {
        return print_json(
            &serde_json::json!({ "report": made.path, "figures": files, "missing": made.missing }),
        );
    }
    let figures: String = files.iter().map(|file| format!("figure: {}\n", file.display())).collect();
    print(&format!("report: {}\n{figures}", made.path.display()))
}

/// The report at the end of a run. The run has done its work: failing here is worth a word, not an exit code.
pub fn at_end_of_run(dir: &Path) -> Option<PathBuf> {
    match report::write(dir) {
        Ok(made) => Some(made.path),
        Err(error) => {
            say(&format!("warning: no report was made: {error}"));
            None
        }
    }
}
