//! Unix: calls relative to the handle of an open folder.

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Permissions before the user's mask is applied.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
/// Flags to open a folder for lookups.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Flags to open an entry: links are refused, and a pipe does not block the process.
const INSIDE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);

/// An open folder. A link in place of a name is never followed.
#[derive(Debug)]
pub(crate) struct Dir(OwnedFd);

impl Dir {
    /// The path may contain links.
    pub fn open(path: &Path) -> io::Result<Dir> {
        Ok(Dir(fs::open(path, FOLDER, Mode::empty())?))
    }

    pub fn below(&self, name: &str) -> io::Result<Dir> {
        Ok(Dir(fs::openat(&self.0, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?))
    }

    pub fn make(&self, name: &str) -> io::Result<()> {
        Ok(fs::mkdirat(&self.0, name, FOLDER_MODE)?)
    }

    /// Names of all its entries; invalid Unicode is replaced.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::Dir::read_from(&self.0)? {
            names.push(entry?.file_name().to_string_lossy().into_owned());
        }
        names.retain(|name| name != "." && name != "..");
        Ok(names)
    }

    pub fn has(&self, name: &str) -> io::Result<bool> {
        match fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    pub fn read(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::RDONLY)
    }

    /// A new file; an error if the name exists.
    pub fn create(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL)
    }

    pub fn append(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND)
    }

    /// For reading and writing; created if missing.
    pub fn update(&self, name: &str) -> io::Result<File> {
        self.file(name, OFlags::RDWR | OFlags::CREATE)
    }

    /// A new file to write and read while it is open, whose name is removed at once: nothing remains of it
    /// after a killed process.
    pub fn scratch(&self, name: &str) -> io::Result<File> {
        let file = self.file(name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)?;
        self.remove_file(name)?;
        Ok(file)
    }

    fn file(&self, name: &str, flags: OFlags) -> io::Result<File> {
        Ok(File::from(fs::openat(&self.0, name, flags | INSIDE, FILE_MODE)?))
    }

    /// Replaces the entry of the new name, in one step.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(fs::renameat(&self.0, from, &self.0, to)?)
    }

    /// Makes its entries durable.
    pub fn sync(&self) -> io::Result<()> {
        Ok(fs::fsync(&self.0)?)
    }

    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::empty())?)
    }

    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        Ok(fs::unlinkat(&self.0, name, AtFlags::REMOVEDIR)?)
    }
}

/// Opens a plain file only: a link could lead elsewhere, and opening a pipe would wait for its writer.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let file = File::from(fs::open(path, OFlags::RDONLY | INSIDE, Mode::empty())?);
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Whether the system is short of descriptors or memory: the failed call can succeed later.
pub fn is_short(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::MFILE | Errno::NFILE | Errno::NOMEM))
}

/// Whether a file cannot be read because another process has locked it: here locks are advisory.
pub(crate) fn is_locked(_: &io::Error) -> bool {
    false
}

/// Fills `bytes` from an offset of a file.
pub(crate) fn read_at(file: &File, bytes: &mut [u8], from: u64) -> io::Result<()> {
    file.read_exact_at(bytes, from)
}

/// Writes all `bytes` at an offset of a file.
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}
