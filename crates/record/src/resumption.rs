//! Decides whether an interrupted run can continue: every input, the scenario and the program are compared
//! with the manifest.
//!
//! Folder ⇒ [`Resumption`] (locked, compared) ⇒ the caller builds the world ⇒ [`crate::Recorder::resume`].

use crate::claim;
use crate::disk::{Disk, Place};
use crate::error::RecordError;
use crate::files::{self, Folder, INPUTS};
use crate::inputs;
use crate::manifest::{Build, InputFile, Manifest};
use crate::summary;
use crate::tidy;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::File;
use std::path::Path;

/// A difference from the start of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What differs.
    pub what: String,
    /// Its value in the manifest.
    pub was: String,
    /// Its present value.
    pub now: String,
}

impl Change {
    fn new(what: impl Into<String>, was: impl fmt::Display, now: impl fmt::Display) -> Self {
        Change { what: what.into(), was: was.to_string(), now: now.to_string() }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| if text.is_empty() { "(not known)".to_string() } else { text.to_string() };
        write!(f, "{}: was {}, is {}", self.what, shown(&self.was), shown(&self.now))
    }
}

/// The folder of an interrupted run, locked and compared.
pub struct Resumption {
    pub(crate) place: Place,
    pub(crate) lock: File,
    /// The manifest of the run.
    pub manifest: Manifest,
    /// The scenario that ran.
    pub resolved: String,
    /// Whether changes are accepted.
    accept: bool,
}

impl Resumption {
    /// Opens the folder of an interrupted run. Changes are refused by name unless `accept`: then they are
    /// recorded in the manifest.
    pub fn open(
        dir: &Path,
        (version, build): (&str, &Build),
        accept: bool,
        disk: &Disk,
    ) -> Result<Self, RecordError> {
        if !dir.is_dir() {
            let why = "there is no such folder".into();
            return Err(RecordError::Refused { path: dir.to_path_buf(), why });
        }
        let place = Place::open(dir, disk)?;
        if !claim::holds_run(&place) {
            let why = "it carries no manifest of a run; touchdown run starts one".into();
            return Err(RecordError::Refused { path: dir.to_path_buf(), why });
        }
        let lock = claim::lock(&place)?;
        let manifest = Manifest::trusted(dir)?;
        if summary::says_finished(&Folder::new(dir)) {
            // The process was killed between writing the summary and cleaning up: finish the cleaning.
            tidy::remove_unfinished(&place)?;
            tidy::remove_scaffold(&place)?;
            place.remove(files::LOCK)?;
            return Err(RecordError::Finished { dir: dir.to_path_buf() });
        }
        let resolved = resolved(dir, &manifest)?;
        let mut resumption = Resumption { place, lock, manifest, resolved, accept };
        let changes = resumption.manifest.changes_of_build(version, build);
        let inputs = resumption.changed_inputs()?;
        let changed = inputs.iter().map(|(n, now)| {
            let input = &resumption.manifest.inputs[*n];
            Change::new(format!("input {}", input.name), &input.blake3, now)
        });
        resumption.settle(changes.into_iter().chain(changed).collect())?;
        resumption.take_over(inputs)?;
        if accept {
            (resumption.manifest.version, resumption.manifest.build) = (version.into(), build.clone());
            resumption.manifest.write(&resumption.place)?;
        }
        Ok(resumption)
    }

    /// Compares the files that the world was built from now (name and hash of each) with those of the
    /// manifest.
    pub fn compare_read(&mut self, read: &[(String, String)]) -> Result<(), RecordError> {
        let mut changes = Vec::new();
        for (name, now) in read {
            let known: Vec<&InputFile> = self.manifest.inputs.iter().filter(|i| i.name == *name).collect();
            if !known.iter().any(|input| input.blake3 == *now) {
                let was = known.first().map_or("", |input| &input.blake3);
                changes.push(Change::new(format!("input {name}"), was, now));
            }
        }
        let some = !changes.is_empty();
        self.settle(changes)?;
        if some { self.manifest.write(&self.place) } else { Ok(()) }
    }

    /// Refuses changes, or records that they are accepted.
    fn settle(&mut self, changes: Vec<Change>) -> Result<(), RecordError> {
        if !self.accept && !changes.is_empty() {
            return Err(RecordError::Changed { dir: self.place.path().to_path_buf(), changes });
        }
        self.manifest.accepted.extend(changes);
        Ok(())
    }

    /// Inputs whose original file has changed, with its new hash; refuses a damaged copy and a lost input.
    fn changed_inputs(&self) -> Result<Vec<(usize, String)>, RecordError> {
        let mut changed = Vec::new();
        for (n, input) in self.manifest.inputs.iter().enumerate() {
            let refuse = |path: &Path, why: &str| {
                Err(RecordError::Refused { path: path.to_path_buf(), why: why.into() })
            };
            let path = Path::new(&input.path);
            let original = if input.path.is_empty() { None } else { files::hash(path).ok() };
            let damaged = copied(&self.place, input)?.is_some_and(|found| found != input.blake3);
            match original.map(|hash| hash.to_hex().to_string()) {
                // A damaged or partly replaced copy can also be restored.
                Some(now) if now != input.blake3 || (damaged && self.accept) => changed.push((n, now)),
                _ if damaged => {
                    let path = self.place.path_of(INPUTS).join(&input.copy);
                    return refuse(&path, "the copy is damaged: its content does not match its hash");
                }
                None if !input.path.is_empty() && input.copy.is_empty() => {
                    return refuse(path, "it cannot be read, and there is no copy of it");
                }
                _ => {}
            }
        }
        Ok(changed)
    }

    /// Copies the accepted content of changed inputs into the folder.
    fn take_over(&mut self, changed: Vec<(usize, String)>) -> Result<(), RecordError> {
        for (n, now) in changed {
            let input = &mut self.manifest.inputs[n];
            input.blake3 = now;
            if !input.copy.is_empty() {
                inputs::copy(&self.place, input)?;
            }
        }
        Ok(())
    }
}

/// Hash of an input's copy; `None` if it has no copy.
pub(crate) fn copied(place: &Place, input: &InputFile) -> Result<Option<String>, RecordError> {
    if input.copy.is_empty() {
        return Ok(None);
    }
    let content = place.below(INPUTS)?.map(|below| below.read(&input.copy)).transpose()?.flatten();
    Ok(Some(content.map_or("missing".into(), |bytes| blake3::hash(&bytes).to_hex().to_string())))
}

/// `resolved.toml`, if its hash matches the manifest.
fn resolved(dir: &Path, manifest: &Manifest) -> Result<String, RecordError> {
    let path = Folder::new(dir).resolved();
    let text = files::read(&path)?;
    let refuse = |why: &str| RecordError::Refused { path: path.clone(), why: why.into() };
    if blake3::hash(&text).to_hex().as_str() != manifest.resolved_blake3 {
        return Err(refuse("it is not the one that the run started with"));
    }
    String::from_utf8(text).map_err(|_| refuse("it is not text"))
}

impl Manifest {
    /// Differences between the program that began the run and this one.
    fn changes_of_build(&self, version: &str, build: &Build) -> Vec<Change> {
        let was = &self.build;
        let texts = [
            ("version of the program", self.version.as_str(), version),
            ("commit of the program", &was.commit, &build.commit),
            ("sources of the program", &was.source, &build.source),
            ("build profile", &was.profile, &build.profile),
            ("target", &was.target, &build.target),
            ("instructions of the processor", &was.target_features, &build.target_features),
            ("features of the program", &was.features, &build.features),
            ("compiler", &was.compiler, &build.compiler),
        ];
        let differ = texts.into_iter().filter(|(_, was, now)| was != now);
        let mut changes: Vec<Change> = differ.map(|(what, was, now)| Change::new(what, was, now)).collect();
        if was.dirty != build.dirty {
            changes.push(Change::new("changes beside the commit", was.dirty, build.dirty));
        }
        changes
    }
}
