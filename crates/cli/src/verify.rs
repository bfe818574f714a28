//! `touchdown verify`: a run folder from end to end. 0: intact; 1: damaged; 2: not the folder of a run.

use crate::failure::Failure;
use crate::output::{count, print};
use std::fmt::Write;
use std::path::Path;
use touchdown_record::{Verified, verify as check};

/// Checks a folder and says what was found.
pub fn verify(dir: &Path, json: bool) -> Result<(), Failure> {
    let found = check(dir)?;
    if json {
        let text = serde_json::to_string_pretty(&found).map_err(|error| Failure::other(error.to_string()))?;
        print(&(text + "\n"))?;
    } else {
        print(&in_words(dir, &found))?;
    }
    if found.intact {
        return Ok(());
    }
    let damaged = found.files.iter().filter(|file| file.damage.is_some()).count();
    let hint = if found.finished {
        "a finished run cannot be repaired; run it again".into()
    } else {
        format!("touchdown resume {} goes back to the last good checkpoint", dir.display())
    };
    Err(Failure::Other {
        what: format!("{}: {} damaged", dir.display(), count(damaged, "file")),
        hint: Some(hint),
    })
}

fn in_words(dir: &Path, found: &Verified) -> String {
    let mut text = String::new();
    for file in found.files.iter().filter(|file| file.damage.is_some()) {
        let _ = writeln!(text, "damaged: {}: {}", file.file, file.damage.as_deref().unwrap_or_default());
    }
    for input in &found.not_in_folder {
        let _ = writeln!(text, "not in the folder: {input}");
    }
    if !found.others.is_empty() {
        let _ = writeln!(text, "not of the run: {}", found.others.join(", "));
    }
    let whole = found.files.iter().filter(|file| file.damage.is_none()).count();
    let end = if found.finished { "the run has reached its end" } else { "the run has not reached its end" };
    let _ =
        writeln!(text, "{}: {} of {} intact; {end}", dir.display(), whole, count(found.files.len(), "file"));
    text
}
