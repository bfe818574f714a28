//! Validation of the directories of a TIFF: every value must lie within the file.
//!
//! The decoder allocates memory for as many values as a tag announces; in a damaged file this may be any
//! number. TIFF 6.0, section 2, and the BigTIFF design of libtiff.

use super::MapError;
use std::io::{Read, Seek, SeekFrom};

/// Largest number of checked directories; files have one for each overview.
const MOST_DIRECTORIES: usize = 64;

/// Checks the directories of a file that begins like a TIFF.
pub(super) fn check(source: &mut (impl Read + Seek)) -> Result<(), MapError> {
    let length = source.seek(SeekFrom::End(0)).map_err(unreadable)?;
    let mut file = File { source, length, is_little: true, is_big: false };
    file.is_little = file.number(0, 1)? == u64::from(b'I');
    file.is_big = file.number(2, 2)? == 43;
    let mut at = if file.is_big { file.number(8, 8)? } else { file.number(4, 4)? };
    for _ in 0..MOST_DIRECTORIES {
        if at == 0 {
            break;
        }
        at = file.directory(at)?;
    }
    Ok(())
}

struct File<'a, R> {
    source: &'a mut R,
    length: u64,
    is_little: bool,
    is_big: bool,
}

impl<R: Read + Seek> File<'_, R> {
    /// A whole number of some bytes at a place.
    fn number(&mut self, at: u64, size: usize) -> Result<u64, MapError> {
        let end = at.saturating_add(size as u64);
        if end > self.length {
            return Err(self.cut_off(end));
        }
        let mut number = [0; 8];
        let bytes = &mut number[..size];
        self.source.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        self.source.read_exact(bytes).map_err(unreadable)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(if self.is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    /// Checks the directory at a place; the place of the next one, or 0.
    fn directory(&mut self, at: u64) -> Result<u64, MapError> {
        let (count_size, entry_size, value_size) = if self.is_big { (8, 20, 8) } else { (2, 12, 4) };
        let entries = self.number(at, count_size)?;
        let first = at.saturating_add(count_size as u64);
        let end = first.saturating_add(entries.saturating_mul(entry_size));
        if end > self.length {
            return Err(self.cut_off(end));
        }
        for entry in 0..entries {
            let at = first + entry * entry_size;
            let size = value_bytes(self.number(at + 2, 2)?);
            let bytes = self.number(at + 4, value_size)?.saturating_mul(size);
            let value = at + 4 + value_size as u64;
            if bytes > value_size as u64 {
                let end = self.number(value, value_size)?.saturating_add(bytes);
                if end > self.length {
                    return Err(self.cut_off(end));
                }
            }
        }
        self.number(end, value_size)
    }

    fn cut_off(&self, end: u64) -> MapError {
        let why = format!("it ends at byte {}, but a part of its directory ends at {end}", self.length);
        MapError::Damaged { format: "GeoTIFF", why }
    }
}

fn unreadable(error: std::io::Error) -> MapError {
    MapError::Damaged { format: "GeoTIFF", why: error.to_string() }
}

/// Bytes of a value by the number of its type; the decoder handles unknown ones.
fn value_bytes(kind: u64) -> u64 {
    match kind {
        1 | 2 | 6 | 7 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 0,
    }
}
