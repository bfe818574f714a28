//! `manifest.json`: what ran, with which inputs, and what the columns mean. Written once when the run starts.
//!
//! `Recorder::resume` reads it back to make sure that it goes on with the same run.

use crate::error::{Doing, RecordError};
use crate::figure::ReportSpec;
use crate::files::{self, Folder};
use crate::frames::Scene;
use serde::{Deserialize, Serialize};
use std::path::Path;
use touchdown_sim::sink::Column;

/// Format of `manifest.json`.
const FORMAT: u32 = 1;

/// What the caller knows about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunInfo {
    /// Name of the scenario, such as `rover-drop-brush`.
    pub scenario: String,
    /// Its title.
    pub title: String,
    /// Version of the program.
    pub version: String,
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
    /// What a reader should know before trusting the run.
    pub warnings: Vec<String>,
    /// Values that nobody measured.
    pub assumed: Vec<Assumed>,
    /// Map files: what they held and what was done to them.
    pub maps: Vec<MapEntry>,
    /// What the report shows.
    pub report: ReportSpec,
}

/// A map file: what it held and what was done to make ground of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapEntry {
    /// As the scenario names it.
    pub file: String,
    /// Labels and texts, in order.
    pub lines: Vec<(String, String)>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// Its name as given.
    pub name: String,
    /// Hash of its content, 64 hexadecimal digits.
    pub blake3: String,
}

impl InputFile {
    /// Hashes a file's content.
    pub fn of(name: &str, content: &[u8]) -> Self {
        InputFile { name: name.into(), blake3: blake3::hash(content).to_hex().to_string() }
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
    /// What it is.
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

/// How the program was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// `release` or `debug`.
    pub profile: String,
    /// Processor and operating system, such as `x86_64-linux`.
    pub target: String,
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
    /// Hash of `resolved.toml`.
    pub resolved_blake3: String,
    /// Every file that was read, with its hash.
    pub inputs: Vec<InputFile>,
    /// Seed of random numbers.
    pub seed: u64,
    /// Number of threads; does not change the results.
    pub threads: usize,
    /// What a reader should know before trusting the run.
    pub warnings: Vec<String>,
    /// Values that nobody measured.
    pub assumed: Vec<Assumed>,
    /// Map files: what they held and what was done to them.
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
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        Manifest {
            format: FORMAT,
            scenario: info.scenario.clone(),
            title: info.title.clone(),
            version: info.version.clone(),
            build: Build {
                profile: profile.into(),
                target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            },
            command: info.command.clone(),
            resolved_blake3: blake3::hash(info.resolved_toml.as_bytes()).to_hex().to_string(),
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

    /// Reads `resolved.toml` of a run folder and makes sure that it is the scenario that the manifest speaks of.
    pub fn resolved(dir: &Path) -> Result<String, RecordError> {
        let path = Folder::new(dir).resolved();
        let text = files::read(&path)?;
        let (expected, found) = (Self::read(dir)?.resolved_blake3, blake3::hash(&text).to_hex().to_string());
        if expected != found {
            return Err(RecordError::Mismatch {
                what: format!("hash of {}", path.display()),
                expected,
                found,
            });
        }
        String::from_utf8(text).map_err(|e| RecordError::Format {
            doing: format!("reading {}", path.display()),
            why: e.to_string(),
        })
    }

    pub(crate) fn write(&self, folder: &Folder) -> Result<(), RecordError> {
        let path = folder.manifest();
        let mut text = serde_json::to_vec_pretty(self).doing(|| format!("writing {}", path.display()))?;
        text.push(b'\n');
        files::write_whole(&path, &text)
    }

    /// Whether a resumed run records the same things as the one that was interrupted.
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
