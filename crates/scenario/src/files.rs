//! Files that a user names: read whole, plain files only, up to a size limit. All such files are opened here.

use std::fs::{File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Largest scenario, machine, mesh, study or claims file, bytes.
pub const LARGEST_FILE: u64 = 16 << 20;
/// Largest map file, bytes.
pub const LARGEST_MAP: u64 = 2 << 30;
/// Largest table of measurements, bytes.
pub const LARGEST_TABLE: u64 = 256 << 20;

/// Why a file was not read. Each text follows the file's name.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// A folder, a pipe, a socket or a device: reading it might not end.
    #[error("is not a plain file but {0}")]
    NotPlain(&'static str),
    /// The file exceeds the limit.
    #[error("is larger than {} MB", limit >> 20)]
    TooLarge {
        /// The limit, bytes.
        limit: u64,
    },
    /// The bytes are not text.
    #[error("is not UTF-8 text")]
    NotText,
    /// An error of the system, such as a missing file.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// The bytes of a plain file of at most `limit` bytes.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, FileProblem> {
    check_plain(path, limit)?;
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    // The size of a growing file, or of one in /proc, is known only after it is read.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(FileProblem::TooLarge { limit }) } else { Ok(bytes) }
}

/// The text of a plain file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, FileProblem> {
    String::from_utf8(read_file(path, limit)?).map_err(|_| FileProblem::NotText)
}

/// Refuses anything but a plain file of at most `limit` bytes before it is opened, because opening a pipe
/// would wait for its writer.
pub fn check_plain(path: &Path, limit: u64) -> Result<(), FileProblem> {
    let facts = std::fs::metadata(path)?;
    if !facts.is_file() {
        return Err(FileProblem::NotPlain(in_words(facts.file_type())));
    }
    if facts.len() > limit { Err(FileProblem::TooLarge { limit }) } else { Ok(()) }
}

#[cfg(unix)]
fn in_words(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn in_words(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An endless device, a folder and a file above the limit are refused before they are read.
    #[test]
    fn only_plain_files_up_to_a_size_are_read() {
        let refused = |path: &Path, limit| read_file(path, limit).unwrap_err().to_string();
        assert_eq!(refused(Path::new("/dev/zero"), 10), "is not a plain file but a device");
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(refused(dir.path(), 10), "is not a plain file but a folder");
        let file = dir.path().join("f");
        std::fs::write(&file, vec![b'a'; 3 << 20]).unwrap();
        assert_eq!(refused(&file, 2 << 20), "is larger than 2 MB");
        assert_eq!(read_file(&file, 3 << 20).unwrap().len(), 3 << 20);
        // Its reported size is zero before it is read.
        assert!(refused(Path::new("/proc/self/smaps"), 16).starts_with("is larger"));
        std::fs::write(&file, [0xff, 0xfe]).unwrap();
        assert_eq!(read_text(&file, 10).unwrap_err().to_string(), "is not UTF-8 text");
    }
}
