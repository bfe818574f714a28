//! The only place where files are written: relative to the handle of an open folder, never through a link, whole or not at all.
//!
//! Every call that changes the disk asks [`Disk`] first, so that a test can fail or cut off each single one.

use crate::error::{Doing, RecordError};
use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::fs::{File, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Ending of files that are not yet complete.
pub(crate) const UNFINISHED: &str = "tmp";
/// Permissions that the user's mask cuts down.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);

/// What is about to be asked of the operating system.
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

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is made.
    Go,
    /// It is not made and fails with this error of the operating system.
    Fail(i32),
    /// A write takes only half of its bytes; other calls are made.
    Short,
}

/// The disk; by default as it is. Tests put themselves before it.
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
    dir: Arc<OwnedFd>,
    disk: Disk,
}

impl Place {
    /// Opens a folder that the user named: the way to it may go through links, what is below it may not.
    pub fn open(path: &Path, disk: &Disk) -> Result<Self, RecordError> {
        let named = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let open = || Ok(fs::open(named, flags, Mode::empty())?);
        let dir =
            disk.ask(Call::Open).and_then(|_| open()).doing(|| format!("opening {}", path.display()))?;
        Ok(Place { path: path.to_path_buf(), dir: Arc::new(dir), disk: disk.clone() })
    }

    /// Opens a folder, which is made if it is not there.
    pub fn make(path: &Path, disk: &Disk) -> Result<Self, RecordError> {
        let made = disk.ask(Call::Open).and_then(|_| std::fs::create_dir_all(path));
        made.doing(|| format!("creating {}", path.display()))?;
        Self::open(path, disk)
    }

    /// Opens a folder below this one, unless there is none.
    pub fn below(&self, name: &str) -> Result<Option<Place>, RecordError> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = self.path_of(name);
        match fs::openat(&self.dir, name, flags, Mode::empty()) {
            Ok(dir) => Ok(Some(Place { path, dir: Arc::new(dir), disk: self.disk.clone() })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => {
                Err(RecordError::Io { doing: format!("opening {}", path.display()), source: error.into() })
            }
        }
    }

    /// Opens a folder below this one, which is made if it is not there.
    pub fn make_below(&self, name: &str) -> Result<Place, RecordError> {
        let make = || match fs::mkdirat(&self.dir, name, FOLDER_MODE) {
            Err(Errno::EXIST) => Ok(()),
            other => Ok(other?),
        };
        let doing = || format!("creating {}", self.path_of(name).display());
        self.disk.ask(Call::Open).and_then(|_| make()).doing(doing)?;
        let lost = || RecordError::Io { doing: doing(), source: io::ErrorKind::NotFound.into() };
        self.below(name)?.ok_or_else(lost)
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where a file of it lies.
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Names of all that is in it, in order; a name that is no text is shown as well as it can be.
    pub fn names(&self) -> Result<Vec<String>, RecordError> {
        let list = || -> io::Result<Vec<String>> {
            let mut names = Vec::new();
            for entry in fs::Dir::read_from(&self.dir)? {
                names.push(entry?.file_name().to_string_lossy().into_owned());
            }
            Ok(names)
        };
        let mut names = list().doing(|| format!("reading {}", self.path.display()))?;
        names.retain(|name| name != "." && name != "..");
        names.sort();
        Ok(names)
    }

    /// A plain file's content; `None` if there is none of this name.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RecordError> {
        let doing = || format!("reading {}", self.path_of(name).display());
        // A pipe must not make the process wait.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match fs::openat(&self.dir, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(RecordError::Io { doing: doing(), source: error.into() }),
        };
        if !file.metadata().doing(doing)?.is_file() {
            return Err(RecordError::Format { doing: doing(), why: "it is not a plain file".into() });
        }
        let mut bytes = Vec::new();
        (&file).read_to_end(&mut bytes).doing(doing)?;
        Ok(Some(bytes))
    }

    /// Whether there is anything of this name.
    pub fn has(&self, name: &str) -> bool {
        fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Starts a file; `name` keeps its old content until [`Replacement::commit`].
    pub(crate) fn start(&self, name: &str) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        let beside = format!("{name}.{UNFINISHED}");
        // Left behind by a killed process, or a link laid there: the name goes, never what it leads to.
        self.remove(&beside)?;
        self.start_beside(name, beside)
    }

    /// Starts a file in a folder that is not ours: nothing is removed for it.
    pub(crate) fn start_loose(&self, name: &str) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        self.start_beside(name, format!(".{name}.{}.{UNFINISHED}", std::process::id()))
    }

    fn start_beside(
        &self,
        name: &str,
        beside: String,
    ) -> Result<(Replacement, BufWriter<OutFile>), RecordError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || Ok(fs::openat(&self.dir, &beside, flags, FILE_MODE)?);
        let opened = self.disk.ask(Call::Open).and_then(|_| open());
        let file = opened.doing(|| format!("creating {}", self.path_of(&beside).display()))?;
        let out = OutFile { file: File::from(file), disk: self.disk.clone() };
        Ok((Replacement { place: self.clone(), name: name.into(), beside }, BufWriter::new(out)))
    }

    /// Replaces a file by `bytes`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        let (replacement, writer) = self.start(name)?;
        replacement.fill(writer, bytes)
    }

    /// Replaces a file by what `fill` writes, piece by piece.
    pub fn write_with<E: From<RecordError>>(
        &self,
        name: &str,
        fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), E>,
    ) -> Result<(), E> {
        let (replacement, mut writer) = self.start(name)?;
        fill(&mut writer)?;
        Ok(replacement.commit(writer)?)
    }

    /// A file without a name, to write to and read from while it is open: a killed process leaves nothing of it.
    pub fn scratch(&self, name: &str) -> Result<File, RecordError> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let beside = format!(".{name}.{}.{UNFINISHED}", std::process::id());
        let open = || Ok(fs::openat(&self.dir, &beside, flags, FILE_MODE)?);
        let doing = || format!("creating {}", self.path_of(&beside).display());
        let file = self.disk.ask(Call::Open).and_then(|_| open()).doing(doing)?;
        self.remove(&beside)?;
        Ok(File::from(file))
    }

    /// Opens a file to write behind what it holds; it is made if it is not there.
    pub fn append(&self, name: &str) -> Result<OutFile, RecordError> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || Ok(fs::openat(&self.dir, name, flags, FILE_MODE)?);
        let opened = self.disk.ask(Call::Open).and_then(|_| open());
        let file = opened.doing(|| format!("opening {}", self.path_of(name).display()))?;
        Ok(OutFile { file: File::from(file), disk: self.disk.clone() })
    }

    /// Renames a file and makes the new name durable.
    pub fn rename(&self, from: &str, to: &str) -> Result<(), RecordError> {
        let doing = || format!("renaming {} to {}", self.path_of(from).display(), self.path_of(to).display());
        let rename = || Ok(fs::renameat(&self.dir, from, &self.dir, to)?);
        self.disk.ask(Call::Rename).and_then(|_| rename()).doing(doing)?;
        let sync = || Ok(fs::fsync(&self.dir)?);
        self.disk.ask(Call::Sync).and_then(|_| sync()).doing(|| format!("syncing {}", self.path.display()))
    }

    /// Removes a file if it is there.
    pub fn remove(&self, name: &str) -> Result<(), RecordError> {
        self.unlink(name, AtFlags::empty())
    }

    /// Removes a folder if it is there and empty.
    pub fn remove_empty(&self, name: &str) -> Result<(), RecordError> {
        match self.unlink(name, AtFlags::REMOVEDIR) {
            Err(RecordError::Io { source, .. }) if source.kind() == io::ErrorKind::DirectoryNotEmpty => {
                Ok(())
            }
            other => other,
        }
    }

    fn unlink(&self, name: &str, flags: AtFlags) -> Result<(), RecordError> {
        // Nothing to remove is no call that could fail.
        if fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW).is_err_and(|e| e == Errno::NOENT) {
            return Ok(());
        }
        let remove = || Ok(fs::unlinkat(&self.dir, name, flags)?);
        let removed = self.disk.ask(Call::Remove).and_then(|_| remove());
        removed.doing(|| format!("removing {}", self.path_of(name).display()))
    }

    /// Opens a file, or makes it, and locks it for this process; `None` if another one holds it. A file that is made holds `content`.
    pub fn lock(&self, name: &str, content: &[u8]) -> Result<Option<File>, RecordError> {
        let doing = || format!("locking {}", self.path_of(name).display());
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let open = || Ok(fs::openat(&self.dir, name, flags, FILE_MODE)?);
        let file = File::from(self.disk.ask(Call::Open).and_then(|_| open()).doing(doing)?);
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            // A file system without locks cannot protect against a second process; recording works all the same.
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

/// A file that is being written beside its final place; abandoned, it frees its space.
pub(crate) struct Replacement {
    place: Place,
    name: String,
    beside: String,
}

impl Replacement {
    /// What it is doing, for errors.
    pub fn doing(&self) -> String {
        format!("writing {}", self.place.path_of(&self.name).display())
    }

    /// Makes the content durable, then gives it its name.
    pub fn commit(self, writer: BufWriter<OutFile>) -> Result<(), RecordError> {
        let out = writer.into_inner().map_err(|e| e.into_error()).doing(|| self.doing())?;
        let sync = || Ok(fs::fsync(out.file.as_fd())?);
        out.disk.ask(Call::Sync).and_then(|_| sync()).doing(|| self.doing())?;
        self.place.rename(&self.beside, &self.name)
    }

    /// Writes all of it and commits.
    pub fn fill(self, mut writer: BufWriter<OutFile>, bytes: &[u8]) -> Result<(), RecordError> {
        writer.write_all(bytes).doing(|| self.doing())?;
        self.commit(writer)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a commit there is nothing to remove; after a failure there is, and on a full disk it matters.
        let _ = self.place.remove(&self.beside);
    }
}
