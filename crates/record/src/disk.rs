//! The only place where files are written: in an open folder, never through a link, and whole or not at all.
//!
//! Every call that changes the disk asks [`Disk`] first, so that a test can make each call fail or stop half
//! done.

use crate::error::{Doing, RecordError};
use crate::platform::Dir;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Ending of files that are not yet complete.
pub(crate) const UNFINISHED: &str = "tmp";

/// A call to the operating system that is about to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Opening or creating a file or folder.
    Open,
    /// Writing to a file.
    Write,
    /// Making a file or a folder durable.
    Sync,
    /// Giving a file its name.
    Rename,
    /// Removing a file or folder.
    Remove,
}

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is made normally.
    Go,
    /// It is not made and fails with this error of the operating system.
    Fail(i32),
    /// A write takes only half of its bytes; other calls are made.
    Short,
}

/// The disk; unchanged by default. Tests intercept its calls.
#[derive(Clone, Default)]
pub struct Disk {
    before: Option<Arc<dyn Fn(Call) -> Answer + Send + Sync>>,
}

impl Disk {
    /// A disk that asks `before` about every call that changes it.
    pub fn asking(before: impl Fn(Call) -> Answer + Send + Sync + 'static) -> Self {
        Disk { before: Some(Arc::new(before)) }
    }

    fn ask(&self, call: Call) -> io::Result<Answer> {
        match self.before.as_ref().map_or(Answer::Go, |before| before(call)) {
            Answer::Fail(error) => Err(io::Error::from_raw_os_error(error)),
            answer => Ok(answer),
        }
    }
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.before.is_some() { "Disk(asking)" } else { "Disk" })
    }
}

/// A folder that was opened for writing.
#[derive(Clone, Debug)]
pub struct Place {
    path: PathBuf,
    dir: Arc<Dir>,
    disk: Disk,
}

impl Place {
    /// Opens a folder that the user named: its own path may contain links, anything below it may not.
    pub fn open(path: &Path, disk: &Disk) -> Result<Self, RecordError> {
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let opened = disk.ask(Call::Open).and_then(|_| Dir::open(named));
        let dir = opened.doing(|| format!("opening {}", path.display()))?;
        Ok(Place { path: path.to_path_buf(), dir: Arc::new(dir), disk: disk.clone() })
    }

    /// Opens a folder, created if missing.
    pub fn make(path: &Path, disk: &Disk) -> Result<Self, RecordError> {
        let made = disk.ask(Call::Open).and_then(|_| std::fs::create_dir_all(path));
        made.doing(|| format!("creating {}", path.display()))?;
        Self::open(path, disk)
    }

    /// Opens a folder below this one, if it exists.
    pub fn below(&self, name: &str) -> Result<Option<Place>, RecordError> {
        let path = self.path_of(name);
        match self.dir.below(name) {
            Ok(dir) => Ok(Some(Place { path, dir: Arc::new(dir), disk: self.disk.clone() })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RecordError::Io { doing: format!("opening {}", path.display()), source }),
        }
    }

    /// Opens a folder below this one, created if missing.
    pub fn make_below(&self, name: &str) -> Result<Place, RecordError> {
        let make = || match self.dir.make(name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            other => other,
        };
        let doing = || format!("creating {}", self.path_of(name).display());
        self.disk.ask(Call::Open).and_then(|_| make()).doing(doing)?;
        let lost = || RecordError::Io { doing: doing(), source: io::ErrorKind::NotFound.into() };
        self.below(name)?.ok_or_else(lost)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Names of all its entries, sorted; invalid Unicode is replaced.
    pub fn names(&self) -> Result<Vec<String>, RecordError> {
        let mut names = self.dir.names().doing(|| format!("reading {}", self.path.display()))?;
        names.sort();
        Ok(names)
    }

    /// Content of a plain file; `None` if there is none of this name.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RecordError> {
        let doing = || format!("reading {}", self.path_of(name).display());
        let file = match self.dir.read(name) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RecordError::Io { doing: doing(), source }),
        };
        if !file.metadata().doing(doing)?.is_file() {
            return Err(RecordError::Format { doing: doing(), why: "it is not a plain file".into() });
        }
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).doing(doing)?;
        Ok(Some(bytes))
    }

    /// The content of a file that is open for reading, from its beginning.
    pub(crate) fn read_again(&self, name: &str, mut file: &File) -> Result<Vec<u8>, RecordError> {
        let mut bytes = Vec::new();
        let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
        read.doing(|| format!("reading {}", self.path_of(name).display()))?;
        Ok(bytes)
    }

    /// Whether an entry of this name exists.
    pub fn has(&self, name: &str) -> bool {
        self.dir.has(name).unwrap_or(false)
    }

    /// Starts a file; `name` keeps its old content until [`Replacement::commit`].
    pub(crate) fn start(&self, name: &str) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        let beside = format!("{name}.{UNFINISHED}");
        // Left behind by a killed process, or a link: the name is removed, never the target of the link.
        self.remove(&beside)?;
        self.start_beside(name, beside)
    }

    /// Starts a file in a folder that belongs to the user: nothing is removed for it.
    pub(crate) fn start_loose(&self, name: &str) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        self.start_beside(name, format!(".{name}.{}.{UNFINISHED}", std::process::id()))
    }

    fn start_beside(
        &self,
        name: &str,
        beside: String,
    ) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        let opened = self.disk.ask(Call::Open).and_then(|_| self.dir.create(&beside));
        let file = opened.doing(|| format!("creating {}", self.path_of(&beside).display()))?;
        let out = OutFile { file, disk: self.disk.clone() };
        Ok((Replacement { place: self.clone(), name: name.into(), beside }, BufWriter::new(out)))
    }

    /// Replaces a file by `bytes`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let (replacement, writer) = self.start(name)?;
        replacement.fill(writer, bytes)
    }

    /// Replaces a file by what `fill` writes in pieces.
    pub fn write_with<E: From<RecordError>>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
    ) -> Result<(), E> {
        let (replacement, mut writer) = self.start(name)?;
        fill(&mut writer)?;
        Ok(replacement.commit(writer)?)
    }

    /// A file without a name, to write and read while it is open: nothing remains of it after a killed
    /// process.
    pub fn scratch(&self, name: &str) -> Result<File, RecordError> {
        let beside = format!(".{name}.{}.{UNFINISHED}", std::process::id());
        let opened = self.disk.ask(Call::Open).and_then(|_| self.dir.scratch(&beside));
        opened.doing(|| format!("creating {}", self.path_of(&beside).display()))
    }

    /// Opens a file to append to it; created if missing.
    pub fn append(&self, name: &str) -> Result<OutFile, RecordError> {
        let opened = self.disk.ask(Call::Open).and_then(|_| self.dir.append(name));
        let file = opened.doing(|| format!("opening {}", self.path_of(name).display()))?;
        Ok(OutFile { file, disk: self.disk.clone() })
    }

    /// Renames a file and makes the new name durable.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), RecordError> {
        let doing = || format!("renaming {} to {}", self.path_of(from).display(), self.path_of(to).display());
        self.disk.ask(Call::Rename).and_then(|_| self.dir.rename(from, to)).doing(doing)?;
        let synced = self.disk.ask(Call::Sync).and_then(|_| self.dir.sync());
        synced.doing(|| format!("syncing {}", self.path.display()))
    }

    /// Removes a file if it exists.
    pub fn remove(&self, name: &str) -> Result<(), RecordError> {
        self.unlink(name, Dir::remove_file)
    }

    /// Removes a folder if it exists and is empty. Close it first: Windows does not remove an open folder.
    pub fn remove_empty(&self, name: &str) -> Result<(), RecordError> {
        match self.unlink(name, Dir::remove_folder) {
            Err(RecordError::Io { source, .. }) if source.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
            other => other,
        }
    }

    fn unlink(&self, name: &str, remove: fn(&Dir, &str) -> io::Result<()>) -> Result<(), RecordError> {
        // Without an entry to remove there is no call that could fail.
        if matches!(self.dir.has(name), Ok(false)) {
            return Ok(());
        }
        let removed = self.disk.ask(Call::Remove).and_then(|_| remove(&self.dir, name));
        removed.doing(|| format!("removing {}", self.path_of(name).display()))
    }

    /// Opens or creates a file and locks it for this process; `None` if another process holds the lock. A new
    /// file gets `content`.
    pub fn lock(&self, name: &str, content: &[u8]) -> Result<Option<File>, RecordError> {
        let doing = || format!("locking {}", self.path_of(name).display());
        let file = self.disk.ask(Call::Open).and_then(|_| self.dir.update(name)).doing(doing)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // A file system without locks cannot exclude a second process; recording still works.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        if file.metadata().doing(doing)?.len() == 0 {
            let mut out = OutFile { file: file.try_clone().doing(doing)?, disk: self.disk.clone() };
            out.write_all(content).doing(doing)?;
        }
        Ok(Some(file))
    }
}

/// A file that is being written.
pub struct OutFile {
    file: File,
    disk: Disk,
}

impl OutFile {
    /// Makes what was written durable.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.ask(Call::Sync)?;
        self.file.sync_data()
    }
}

impl Write for OutFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.disk.ask(Call::Write)? {
            Answer::Short => self.file.write(&bytes[..bytes.len().div_ceil(2)]),
            _ => self.file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for OutFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// A file that is written beside its final name; if it is dropped before the commit, it is removed.
pub(crate) struct Replacement {
    place: Place,
    name: String,
    beside: String,
}

impl Replacement {
    /// The operation, for errors.
    pub fn doing(&self) -> String {
        format!("writing {}", self.place.path_of(&self.name).display())
    }

    /// Makes the content durable, then gives the file its name.
    pub fn commit(self, writer: BufWriter<OutFile>) -> Result<(), RecordError> {
        let out = writer.into_inner().map_err(|e| e.into_error()).doing(|| self.doing())?;
        out.disk.ask(Call::Sync).and_then(|_| out.file.sync_all()).doing(|| self.doing())?;
        self.place.rename(&self.beside, &self.name)
    }

    /// Writes all bytes and commits.
    pub fn fill(self, mut writer: BufWriter<OutFile>, bytes: &[u8]) -> Result<(), RecordError> {
        writer.write_all(bytes).doing(|| self.doing())?;
        self.commit(writer)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a commit there is nothing to remove. After a failure there is, which matters on a full disk.
        let _ = self.place.remove(&self.beside);
    }
}
