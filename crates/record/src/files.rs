//! The run folder's paths, its sealed parts, and the one way in which files are written: beside, synced, renamed.
//!
//! Below everything else in this crate. Whoever kills the process finds either the old file or the new one, never half.

use crate::error::{Doing, RecordError};
use std::fs::{self, File, TryLockError};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Ending of files that are not yet complete.
const UNFINISHED: &str = "tmp";
/// Held by the process that writes to the folder.
const LOCK: &str = ".lock";

/// Which stream a part belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Rows.
    Series,
    /// Frames.
    Frames,
}

impl Stream {
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
    pub path: PathBuf,
}

/// The run folder.
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
        self.file("manifest.json")
    }

    pub fn summary(&self) -> PathBuf {
        self.file("summary.json")
    }

    pub fn resolved(&self) -> PathBuf {
        self.file("resolved.toml")
    }

    pub fn csv(&self) -> PathBuf {
        self.file("series.csv")
    }

    pub fn soil(&self) -> PathBuf {
        self.file("soil.parquet")
    }

    pub fn report(&self) -> PathBuf {
        self.file("report.html")
    }

    pub fn figures(&self) -> PathBuf {
        self.file("figures")
    }

    pub fn checkpoint(&self) -> PathBuf {
        self.file("checkpoint.bin")
    }

    pub fn previous_checkpoint(&self) -> PathBuf {
        self.file("checkpoint.previous.bin")
    }

    pub fn parts(&self) -> PathBuf {
        self.file("parts")
    }

    /// Refuses a folder that holds nothing of a run.
    pub fn check_holds_run(&self) -> Result<(), RecordError> {
        let merged = [Stream::Series, Stream::Frames].map(|stream| self.merged(stream));
        let mut some =
            [self.manifest(), self.summary(), self.resolved(), self.parts()].into_iter().chain(merged);
        if some.any(|path| path.exists()) {
            Ok(())
        } else {
            Err(RecordError::NoRun { dir: self.root.clone() })
        }
    }

    /// `series.parquet` or `frames.mcap`.
    pub fn merged(&self, stream: Stream) -> PathBuf {
        self.file(&format!("{}.{}", stream.stem(), stream.ending()))
    }

    /// Path of a part; the range in its name lets a reader order parts and see gaps without opening them.
    pub fn part(&self, stream: Stream, first: u64, end: u64) -> PathBuf {
        self.parts().join(format!("{}-{first:012}-{end:012}.{}", stream.stem(), stream.ending()))
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
            if let Some((first, end)) = range_of(&path, stream) {
                parts.push(Part { first, end, path });
            }
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

    /// Removes whatever an interrupted write left behind.
    pub fn remove_unfinished(&self) -> Result<(), RecordError> {
        for dir in [self.root.clone(), self.parts()] {
            for entry in fs::read_dir(&dir).doing(|| format!("reading {}", dir.display()))? {
                let path = entry.doing(|| format!("reading {}", dir.display()))?.path();
                if path.extension().is_some_and(|e| e == UNFINISHED) {
                    remove(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Claims the folder for this process until the handle is dropped or the process ends, however it ends.
    pub fn lock(&self) -> Result<File, RecordError> {
        let path = self.file(LOCK);
        let file = File::create(&path).doing(|| format!("creating {}", path.display()))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(RecordError::Busy { dir: self.root.clone() }),
            // A file system without locks cannot protect against a second process; recording works all the same.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    /// Removes the trace of the lock; the last act of a run that has ended.
    pub fn remove_lock(&self) -> Result<(), RecordError> {
        remove(&self.file(LOCK))
    }
}

fn range_of(path: &Path, stream: Stream) -> Option<(u64, u64)> {
    let name = path.file_name()?.to_str()?;
    let middle = name.strip_prefix(stream.stem())?.strip_prefix('-')?;
    let (first, end) = middle.strip_suffix(stream.ending())?.strip_suffix('.')?.split_once('-')?;
    Some((first.parse().ok()?, end.parse().ok()?))
}

/// A file that is being written beside its final place; given up, it frees its space.
pub(crate) struct Replacement {
    path: PathBuf,
    beside: PathBuf,
}

impl Replacement {
    /// Starts it; `path` keeps its old content until [`Replacement::commit`].
    pub fn start(path: &Path) -> Result<(Self, BufWriter<File>), RecordError> {
        let mut beside = path.as_os_str().to_owned();
        beside.push(".");
        beside.push(UNFINISHED);
        let beside = PathBuf::from(beside);
        let file = File::create(&beside).doing(|| format!("creating {}", beside.display()))?;
        Ok((Replacement { path: path.to_path_buf(), beside }, BufWriter::new(file)))
    }

    /// What it is doing, for errors.
    pub fn doing(&self) -> String {
        format!("writing {}", self.path.display())
    }

    /// Makes the content durable, then gives it its name.
    pub fn commit(self, writer: BufWriter<File>) -> Result<(), RecordError> {
        let file = writer.into_inner().map_err(|e| e.into_error()).doing(|| self.doing())?;
        file.sync_all().doing(|| self.doing())?;
        rename(&self.beside, &self.path)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a commit there is nothing to remove; after a failure there is, and on a full disk it matters.
        let _ = remove(&self.beside);
    }
}

/// Writes a file as all files of a folder are written: whole under its name, or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    write_whole(path, bytes)
}

/// Replaces a file by `bytes`.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RecordError> {
    let (replacement, mut writer) = Replacement::start(path)?;
    writer.write_all(bytes).doing(|| replacement.doing())?;
    replacement.commit(writer)
}

/// Renames a file and makes the new name durable.
pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), RecordError> {
    fs::rename(from, to).doing(|| format!("renaming {} to {}", from.display(), to.display()))?;
    // Elsewhere a directory cannot be opened, and renaming is durable enough.
    if let Some(dir) = to.parent().filter(|dir| cfg!(unix) && !dir.as_os_str().is_empty()) {
        File::open(dir).and_then(|dir| dir.sync_all()).doing(|| format!("syncing {}", dir.display()))?;
    }
    Ok(())
}

/// Removes a file if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::Io { doing: format!("removing {}", path.display()), source: e })
        }
        _ => Ok(()),
    }
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    fs::read(path).doing(|| format!("reading {}", path.display()))
}
