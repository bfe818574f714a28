//! Windows: calls by path, below a folder that is held open so that it cannot be replaced.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Rights of others on a folder that is open here: to read it and to write into it, not to rename or remove
/// it (`FILE_SHARE_READ | FILE_SHARE_WRITE`).
const OTHERS_MAY: u32 = 0x1 | 0x2;
/// `FILE_FLAG_BACKUP_SEMANTICS`: without it a folder cannot be opened.
const FOLDER: u32 = 0x0200_0000;
/// `FILE_FLAG_OPEN_REPARSE_POINT`: opens a link itself, not its target.
const LINK_ITSELF: u32 = 0x0020_0000;
/// `FILE_FLAG_DELETE_ON_CLOSE`.
const REMOVED_WHEN_CLOSED: u32 = 0x0400_0000;
/// `FILE_ATTRIBUTE_REPARSE_POINT`: links and junctions have it.
const IS_LINK: u32 = 0x400;
/// `ERROR_TOO_MANY_OPEN_FILES`, `ERROR_NOT_ENOUGH_MEMORY`, `ERROR_OUTOFMEMORY`, `ERROR_NO_SYSTEM_RESOURCES`.
const SHORTAGES: [i32; 4] = [4, 8, 14, 1450];

/// An open folder. A link in place of a name is never followed.
#[derive(Debug)]
pub(crate) struct Dir {
    path: PathBuf,
    /// Held open, so that the path keeps naming the same folder.
    _open: File,
}

impl Dir {
    /// The path may contain links: they are followed once, here.
    pub fn open(path: &Path) -> io::Result<Dir> {
        Dir::at(fs::canonicalize(path)?)
    }

    fn at(path: PathBuf) -> io::Result<Dir> {
        let open = OpenOptions::new()
            .read(true)
            .share_mode(OTHERS_MAY)
            .custom_flags(FOLDER | LINK_ITSELF)
            .open(&path)?;
        let facts = open.metadata()?;
        if facts.file_attributes() & IS_LINK != 0 {
            return Err(link());
        }
        if !facts.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Dir { path, _open: open })
    }

    pub fn below(&self, name: &str) -> io::Result<Dir> {
        Dir::at(self.path.join(name))
    }

    pub fn make(&self, name: &str) -> io::Result<()> {
        fs::create_dir(self.path.join(name))
    }

    /// Names of all its entries; invalid Unicode is replaced.
    pub fn names(&self) -> io::Result<Vec<String>> {
        fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }

    pub fn has(&self, name: &str) -> io::Result<bool> {
        match fs::symlink_metadata(self.path.join(name)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub fn read(&self, name: &str) -> io::Result<File> {
        not_through_link(OpenOptions::new().read(true), &self.path.join(name))
    }

    /// A new file; an error if the name exists.
    pub fn create(&self, name: &str) -> io::Result<File> {
        not_through_link(OpenOptions::new().write(true).create_new(true), &self.path.join(name))
    }

    pub fn append(&self, name: &str) -> io::Result<File> {
        not_through_link(OpenOptions::new().append(true).create(true), &self.path.join(name))
    }

    /// For reading and writing; created if missing.
    pub fn update(&self, name: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        not_through_link(options.read(true).write(true).create(true).truncate(false), &self.path.join(name))
    }

    /// A new file to write and read while it is open; the system removes it with its last handle, even if the
    /// process is killed.
    pub fn scratch(&self, name: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true).custom_flags(REMOVED_WHEN_CLOSED);
        options.open(self.path.join(name))
    }

    /// Replaces the entry of the new name, in one step on NTFS.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Entries cannot be made durable separately: NTFS keeps them in its journal.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "as on other systems, where it can fail"
    )]
    pub fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    pub fn remove_file(&self, name: &str) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        fs::remove_dir(self.path.join(name))
    }
}

fn not_through_link(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let file = options.custom_flags(LINK_ITSELF).open(path)?;
    if file.metadata()?.file_attributes() & IS_LINK == 0 { Ok(file) } else { Err(link()) }
}

fn link() -> io::Error {
    io::Error::other("it is a link")
}

/// Opens a plain file only: a link could lead elsewhere.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let file = not_through_link(OpenOptions::new().read(true), path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::ErrorKind::NotFound.into()) }
}

/// Whether the system is short of handles or memory: the failed call can succeed later.
pub fn is_short(error: &io::Error) -> bool {
    error.raw_os_error().is_some_and(|code| SHORTAGES.contains(&code))
}

/// Whether a file cannot be read because another process has locked it (`ERROR_LOCK_VIOLATION`).
pub(crate) fn is_locked(error: &io::Error) -> bool {
    error.raw_os_error() == Some(33)
}

/// Fills `bytes` from an offset of a file.
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut from: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = file.seek_read(bytes, from)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        from += read as u64;
    }
    Ok(())
}

/// Writes all `bytes` at an offset of a file.
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = file.seek_write(bytes, at)?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[written..];
        at += written as u64;
    }
    Ok(())
}
