//! `touchdown report`: the page of a run folder, also of a damaged or unfinished one; and the page at the end of every run.

use crate::failure::Failure;
use crate::output::{print, say};
use std::path::{Path, PathBuf};
use touchdown_record::report;

/// Makes the report of a folder and says where it is.
pub fn report(dir: &Path) -> Result<(), Failure> {
    let made = report::write(dir)?;
    for missing in &made.missing {
        say(&format!("note: {missing}"));
    }
    print(&format!("report: {}\n", made.path.display()))
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
