//! `manifest.json`: program, inputs and the meaning of the columns. Written once when the run starts.
//!
//! It carries its own hash, and marks the folder as that of a run. [`crate::Resumption`] reads it to make
//! sure that the same run continues.

use crate::disk::Place;
use crate::error::{Doing, RecordError};
use crate::figure::ReportSpec;
use crate::files::{self, Folder, MANIFEST};
use crate::frames::Scene;
use crate::resumption::Change;
use crate::sealed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use touchdown_sim::sink::Column;

/// Format of `manifest.json`.
pub(crate) const FORMAT: u32 = 2;

/// What the caller states about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// Name of the scenario, such as `rover-drop-brush`.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// Version of the program.
    pub version: String,
    /// The exact build of the program.
    pub build: Build,
    /// The scenario with every default written out; becomes `resolved.toml`.
    pub resolved_toml: String,
    /// Every file that was read.
    pub inputs: Vec<InputFile>,
    /// Seed of random numbers.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// The command line.
    pub command: String,
    /// Start of the run, UTC as in RFC 3339; empty if unknown.
    pub began: String,
    /// The knobs of the scenario.
    pub knobs: Vec<KnobEntry>,
    /// What was set for this run, as `NAME=VALUE`.
    pub settings: Vec<String>,
    /// Remarks that a reader must know before relying on the run.
    pub warnings: Vec<String>,
    /// Values that were assumed, not measured.
    pub assumed: Vec<Assumed>,
    /// Map files: their content and how it was processed.
    pub maps: Vec<MapEntry>,
    /// What the report shows.
    pub report: ReportSpec,
}

/// A knob of the scenario, with its value in this run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KnobEntry {
    /// Its name.
    pub name: String,
    /// The dotted path that it sets.
    pub path: String,
    /// Its value in this run, as text.
    pub value: String,
    /// Its default value.
    pub default: String,
    /// Unit of both; empty for pure numbers and words.
    pub unit: String,
    /// Its meaning.
    pub about: String,
}

impl KnobEntry {
    /// Whether this run uses another value than the file.
    pub fn is_changed(&self) -> bool {
        self.value != self.default
    }
}

/// A map file: its content and how it was made into ground.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapEntry {
    /// Its name in the scenario.
    pub file: String,
    /// Labels and texts, in order.
    pub lines: Vec<(String, String)>,
}

/// A file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its name as given.
    pub name: String,
    /// Hash of its content, 64 hexadecimal digits.
    pub blake3: String,
    /// Its original path; empty if it is built in.
    #[serde(default)]
    pub path: String,
    /// Its copy in the folder `inputs`; empty if there is none.
    #[serde(default)]
    pub copy: String,
    /// Why there is no copy, if the file is on disk.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub not_copied: String,
}

impl InputFile {
    /// Hashes a file's content.
    pub fn of(name: &str, content: &[u8]) -> Self {
        let blake3 = blake3::hash(content).to_hex().to_string();
        InputFile { name: name.into(), blake3, ..InputFile::default() }
    }
}

/// A value that was assumed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assumed {
    /// Dotted path in the scenario.
    pub key: String,
    /// The value, as text.
    pub value: String,
    /// The reason given for it.
    pub reason: String,
}

/// A column of the series, as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnEntry {
    /// Name.
    pub name: String,
    /// Unit as printed.
    pub unit: String,
    /// Frame of expression.
    pub frame: String,
    /// Its definition.
    pub about: String,
}

impl From<&Column> for ColumnEntry {
    fn from(column: &Column) -> Self {
        ColumnEntry {
            name: column.name.clone(),
            unit: column.unit.into(),
            frame: column.frame.into(),
            about: column.about.clone(),
        }
    }
}

/// How the program was built: sources, compiler, target. Unknown entries are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Build {
    /// Commit of the sources.
    pub commit: String,
    /// Whether source files of the program differed from that commit.
    pub dirty: bool,
    /// Hash of the source files, which distinguishes builds with uncommitted changes.
    pub source: String,
    /// `release` or `debug`.
    pub profile: String,
    /// Its target, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// Processor instructions that it may use, separated by commas.
    pub target_features: String,
    /// Enabled features of the program, separated by commas.
    pub features: String,
    /// The compiler, such as `rustc 1.95.0 (…)`.
    pub compiler: String,
}

/// The content of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format of this file.
    pub format: u32,
    /// Name of the scenario.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// Version of the program.
    pub version: String,
    /// How it was built.
    pub build: Build,
    /// The command line.
    pub command: String,
    /// Start of the run, UTC as in RFC 3339.
    #[serde(default)]
    pub began: String,
    /// The knobs of the scenario.
    #[serde(default)]
    pub knobs: Vec<KnobEntry>,
    /// What was set for this run, as `NAME=VALUE`.
    #[serde(default)]
    pub settings: Vec<String>,
    /// Hash of `resolved.toml`.
    pub resolved_blake3: String,
    /// Hash of everything the run began with; checkpoints carry it too.
    #[serde(default)]
    pub run_blake3: String,
    /// Differences when the run was resumed, which were accepted.
    #[serde(default)]
    pub accepted: Vec<Change>,
    /// Every file that was read, with its hash.
    pub inputs: Vec<InputFile>,
    /// Seed of random numbers.
    pub seed: u64,
    /// Number of threads; does not change the results.
    pub threads: usize,
    /// Remarks that a reader must know before relying on the run.
    pub warnings: Vec<String>,
    /// Values that were assumed, not measured.
    pub assumed: Vec<Assumed>,
    /// Map files: their content and how it was processed.
    #[serde(default)]
    pub maps: Vec<MapEntry>,
    /// What the report shows.
    #[serde(default)]
    pub report: ReportSpec,
    /// Simulated time of the whole run, s.
    #[serde(default)]
    pub duration_s: f64,
    /// Time between frames, s.
    #[serde(default)]
    pub frames_every_s: f64,
    /// Columns of the series.
    pub columns: Vec<ColumnEntry>,
    /// Bodies, in the order of the frames.
    pub bodies: Vec<String>,
    /// Contacts, in the order of the frames.
    pub contacts: Vec<String>,
}

impl Manifest {
    pub(crate) fn new(info: &RunInfo, columns: &[Column], scene: &Scene) -> Self {
        let resolved_blake3 = blake3::hash(info.resolved_toml.as_bytes()).to_hex().to_string();
        Manifest {
            run_blake3: run_hash(&resolved_blake3, info).to_hex().to_string(),
            accepted: Vec::new(),
            format: FORMAT,
            scenario: info.scenario.clone(),
            title: info.title.clone(),
            version: info.version.clone(),
            build: info.build.clone(),
            command: info.command.clone(),
            began: info.began.clone(),
            knobs: info.knobs.clone(),
            settings: info.settings.clone(),
            resolved_blake3,
            inputs: info.inputs.clone(),
            seed: info.seed,
            threads: info.threads,
            warnings: info.warnings.clone(),
            assumed: info.assumed.clone(),
            maps: info.maps.clone(),
            report: info.report.clone(),
            duration_s: scene.duration,
            frames_every_s: scene.frames_every,
            columns: columns.iter().map(ColumnEntry::from).collect(),
            bodies: scene.bodies.clone(),
            contacts: scene.contact_names(),
        }
    }

    /// Reads the manifest of a run folder.
    pub fn read(dir: &Path) -> Result<Self, RecordError> {
        let path = Folder::new(dir).manifest();
        serde_json::from_slice(&files::read(&path)?).doing(|| format!("reading {}", path.display()))
    }

    /// Reads the manifest of a run that is to be resumed: intact, and of this format.
    pub(crate) fn trusted(dir: &Path) -> Result<Self, RecordError> {
        let path = Folder::new(dir).manifest();
        let refuse = |why: String| RecordError::Refused { path: path.clone(), why };
        if !path.exists() {
            return Err(RecordError::Refused {
                path: dir.to_path_buf(),
                why: "there is no manifest.json".into(),
            });
        }
        let bytes = files::read(&path)?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
        if value["format"] != FORMAT {
            return Err(refuse(format!("its format is {}, this program reads {FORMAT}", value["format"])));
        }
        sealed::check_json(&bytes).map_err(&refuse)?;
        serde_json::from_value(value).map_err(|error| refuse(error.to_string()))
    }

    pub(crate) fn write(&self, place: &Place) -> Result<(), RecordError> {
        let text = sealed::json(self, || format!("writing {}", place.path_of(MANIFEST).display()))?;
        place.write(MANIFEST, &text)
    }

    /// The hash that checkpoints of this run carry.
    pub(crate) fn run_hash(&self) -> Result<blake3::Hash, RecordError> {
        blake3::Hash::from_hex(&self.run_blake3).map_err(|error| RecordError::Format {
            doing: "reading run_blake3 of manifest.json".into(),
            why: error.to_string(),
        })
    }

    /// Whether a resumed run records the same columns, bodies and contacts as the interrupted one.
    pub(crate) fn check_same(&self, columns: &[Column], scene: &Scene) -> Result<(), RecordError> {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let recorded: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let pairs = [
            ("columns of the series", &recorded, &names),
            ("bodies", &self.bodies, &scene.bodies),
            ("contacts", &self.contacts, &scene.contact_names()),
        ];
        for (what, expected, found) in pairs {
            if expected != found {
                return Err(RecordError::Mismatch {
                    what: format!("{what} of the interrupted run"),
                    expected: expected.join(", "),
                    found: found.join(", "),
                });
            }
        }
        Ok(())
    }
}

/// Scenario, inputs and build in one hash.
fn run_hash(resolved_blake3: &str, info: &RunInfo) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    let inputs = info.inputs.iter().flat_map(|input| [&input.name, &input.blake3]);
    let Build { commit, source, profile, target, target_features, features, compiler, .. } = &info.build;
    let build = [commit, source, profile, target, target_features, features, compiler];
    for text in [&info.scenario, &info.version].into_iter().chain(build).chain(inputs) {
        // The length separates adjacent texts.
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    hasher.update(resolved_blake3.as_bytes()).finalize()
}
