//! Names of the run folder's files, its sealed parts, and their paths.
//!
//! Readers use paths; everything that writes uses [`crate::disk`].

use crate::disk::UNFINISHED;
use crate::error::{Doing, RecordError};
use std::fs;
use std::path::{Path, PathBuf};

/// Locked by the process that writes to the folder. Its content marks a folder whose run has not begun yet.
pub(crate) const LOCK: &str = ".lock";
pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const RESOLVED: &str = "resolved.toml";
pub(crate) const CSV: &str = "series.csv";
pub(crate) const SOIL: &str = "soil.parquet";
pub(crate) const REPORT: &str = "report.html";
pub(crate) const FIGURES: &str = "figures";
pub(crate) const INPUTS: &str = "inputs";
pub(crate) const PARTS: &str = "parts";
pub(crate) const CHECKPOINT: &str = "checkpoint.bin";
pub(crate) const PREVIOUS_CHECKPOINT: &str = "checkpoint.previous.bin";
/// Left behind by a process that was killed while it replaced checkpoints.
pub(crate) const NEW_CHECKPOINT: &str = "checkpoint.new.bin";

/// Files of a run at the top of its folder.
const OWN: [&str; 10] = [
    MANIFEST,
    SUMMARY,
    RESOLVED,
    CSV,
    SOIL,
    REPORT,
    CHECKPOINT,
    PREVIOUS_CHECKPOINT,
    "series.parquet",
    "frames.mcap",
];

/// Whether a name at the top of a run folder is that of an incomplete file.
pub(crate) fn is_unfinished(name: &str) -> bool {
    let stem = name.strip_suffix(UNFINISHED).and_then(|stem| stem.strip_suffix('.'));
    name == NEW_CHECKPOINT || stem.is_some_and(|stem| OWN.contains(&stem) || stem == NEW_CHECKPOINT)
}

/// Whether a name at the top of a run folder is one that runs use.
pub(crate) fn is_own(name: &str) -> bool {
    OWN.contains(&name) || [LOCK, FIGURES, INPUTS, PARTS].contains(&name) || is_unfinished(name)
}

/// Which stream a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Rows.
    Series,
    /// Frames.
    Frames,
}

impl Stream {
    /// Name of the file that all parts become.
    pub fn merged(self) -> String {
        format!("{}.{}", self.stem(), self.ending())
    }

    fn stem(self) -> &'static str {
        match self {
            Stream::Series => "series",
            Stream::Frames => "frames",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Stream::Series => "parquet",
            Stream::Frames => "mcap",
        }
    }
}

/// A sealed part: entries `first..end` of its stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub first: u64,
    pub end: u64,
    /// Hash of its content, as in its name; parts of older versions have none.
    pub blake3: Option<blake3::Hash>,
    pub path: PathBuf,
}

impl Part {
    /// Its name below `parts`. From the range a reader can order parts and find gaps without opening them;
    /// the hash reveals damage.
    pub fn name(stream: Stream, first: u64, end: u64, hash: &blake3::Hash) -> String {
        format!("{}-{first:012}-{end:012}-{hash}.{}", stream.stem(), stream.ending())
    }

    /// The part that a file is, by its name.
    pub fn at(path: PathBuf, stream: Stream) -> Option<Part> {
        let name = path.file_name()?.to_str()?;
        let middle = name.strip_prefix(stream.stem())?.strip_prefix('-')?;
        let mut words = middle.strip_suffix(stream.ending())?.strip_suffix('.')?.split('-');
        let (first, end) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let blake3 = words.next().map(blake3::Hash::from_hex).transpose().ok()?;
        words.next().is_none().then_some(Part { first, end, blake3, path })
    }

    /// Its name in the run folder, for messages.
    pub fn shown(&self) -> String {
        format!("{PARTS}/{}", self.path.file_name().unwrap_or_default().to_string_lossy())
    }

    /// Checks the content against the hash; the error says what is wrong.
    pub fn check(&self) -> Result<(), RecordError> {
        let why = match self.blake3 {
            Some(stored) if hash(&self.path)? == stored => return Ok(()),
            Some(_) => "it is damaged: its content does not match the hash in its name",
            None => "its name holds no hash: an older version wrote it",
        };
        Err(RecordError::Format { doing: format!("reading {}", self.path.display()), why: why.into() })
    }
}

/// A hash over parts in order, by which a checkpoint identifies the parts it depends on.
pub(crate) fn add_to_chain(chain: &mut blake3::Hasher, first: u64, end: u64, hash: &blake3::Hash) {
    chain.update(&first.to_le_bytes()).update(&end.to_le_bytes()).update(hash.as_bytes());
}

/// The run folder, for readers.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    pub fn new(root: &Path) -> Self {
        Folder { root: root.to_path_buf() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn manifest(&self) -> PathBuf {
        self.file(MANIFEST)
    }

    pub fn summary(&self) -> PathBuf {
        self.file(SUMMARY)
    }

    pub fn resolved(&self) -> PathBuf {
        self.file(RESOLVED)
    }

    pub fn soil(&self) -> PathBuf {
        self.file(SOIL)
    }

    pub fn parts(&self) -> PathBuf {
        self.file(PARTS)
    }

    /// Refuses a folder that contains nothing of a run.
    pub fn check_holds_run(&self) -> Result<(), RecordError> {
        let merged = [Stream::Series, Stream::Frames].map(|stream| self.merged(stream));
        let mut some = [self.manifest(), self.summary(), self.resolved()].into_iter().chain(merged);
        let sealed =
            || [Stream::Series, Stream::Frames].iter().any(|s| self.list(*s).is_ok_and(|p| !p.is_empty()));
        if some.any(|path| path.exists()) || sealed() {
            Ok(())
        } else {
            Err(RecordError::NoRun { dir: self.root.clone() })
        }
    }

    /// `series.parquet` or `frames.mcap`.
    pub fn merged(&self, stream: Stream) -> PathBuf {
        self.file(&stream.merged())
    }

    /// All sealed parts of a stream in order.
    pub fn list(&self, stream: Stream) -> Result<Vec<Part>, RecordError> {
        let dir = self.parts();
        if !dir.exists() {
            return Ok(Vec::new());
        }
        let mut parts = Vec::new();
        for entry in fs::read_dir(&dir).doing(|| format!("reading {}", dir.display()))? {
            let path = entry.doing(|| format!("reading {}", dir.display()))?.path();
            parts.extend(Part::at(path, stream));
        }
        parts.sort_by_key(|part| (part.first, part.end));
        Ok(parts)
    }

    /// The parts that follow each other without a gap from the first entry on.
    pub fn unbroken(&self, stream: Stream) -> Result<Vec<Part>, RecordError> {
        let mut next = 0;
        let mut parts = self.list(stream)?;
        parts.retain(|part| {
            let follows = part.first == next;
            next = if follows { part.end } else { next };
            follows
        });
        Ok(parts)
    }
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    fs::read(path).doing(|| format!("reading {}", path.display()))
}

/// Hash of a file's content, read piece by piece.
pub(crate) fn hash(path: &Path) -> Result<blake3::Hash, RecordError> {
    let mut hasher = blake3::Hasher::new();
    let add = |file: fs::File| hasher.update_reader(file).map(|_| ());
    fs::File::open(path).and_then(add).doing(|| format!("reading {}", path.display()))?;
    Ok(hasher.finalize())
}
