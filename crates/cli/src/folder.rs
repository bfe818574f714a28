//! Folder for the results of a run: the one given, or the first free one below `runs/`.

use crate::failure::Failure;
use crate::output::say;
use std::path::{Path, PathBuf};
use touchdown_record::{Options, RecordError, Recorder, RunInfo, Scene};
use touchdown_sim::Simulation;

/// Folders of runs without `--out`, below the present one.
const RUNS: &str = "runs";
/// Numbered folders that are tried.
const MOST_RUNS: u32 = 100_000;

/// A run folder that was asked for, or not.
pub struct Place<'a> {
    /// `--out`.
    pub out: Option<&'a Path>,
    /// Replace a run that the folder holds.
    pub force: bool,
    /// Write `series.csv` too.
    pub csv: bool,
}

/// Starts a run folder; says which one it became.
pub fn open(place: &Place, info: &RunInfo, world: &Simulation) -> Result<(Recorder, PathBuf), Failure> {
    let options = Options { csv: place.csv, overwrite: place.force, ..Options::default() };
    let create = |dir: &Path| Recorder::create(dir, info, world.columns(), &Scene::of(world), &options);
    if let Some(dir) = place.out {
        return Ok((create(dir)?, dir.to_path_buf()));
    }
    let stem = plain(&info.scenario);
    for number in 1..=MOST_RUNS {
        let name = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
        let dir = Path::new(RUNS).join(name);
        match create(&dir) {
            Err(RecordError::Exists { .. } | RecordError::Busy { .. } | RecordError::Foreign { .. })
                if number < MOST_RUNS =>
            {
                mention(&dir);
            }
            other => return Ok((other?, dir)),
        }
    }
    Err(Failure::other(format!("{RUNS} is full: more than {MOST_RUNS} runs of {}", info.scenario)))
}

/// A name that stays one folder: a scenario called `..` must not lead out of it.
pub fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_alphanumeric() || "-_.+ ".contains(c) { c } else { '_' };
    let name: String = name.chars().map(kept).collect();
    match name.trim_start_matches('.') {
        "" => "run".into(),
        rest => rest.into(),
    }
}

/// An unfinished run that is passed by is worth a word.
fn mention(dir: &Path) {
    if dir.join("manifest.json").exists() && !dir.join("summary.json").exists() {
        let dir = dir.display();
        say(&format!("note: {dir} holds an unfinished run; touchdown resume {dir} continues it"));
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_of_scenarios_stay_below_the_folder_of_runs() {
        for (name, folder) in [
            ("rover-drop", "rover-drop"),
            ("..", "run"),
            (".", "run"),
            ("", "run"),
            ("../a", "_a"),
            ("a/b", "a_b"),
        ] {
            assert_eq!(plain(name), folder);
        }
    }
}
