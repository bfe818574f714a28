//! The directories of a TIFF, before anything in them is believed: every value must lie within the file.
//!
//! The decoder takes memory for as many values as a tag announces; in a damaged file that may be any number. TIFF 6.0, section 2, and the BigTIFF
//! design of libtiff.

use super::MapError;

/// Directories that are looked at; files have one for each overview.
const MOST_DIRECTORIES: usize = 64;

/// Checks the directories of a file that begins like a TIFF.
pub(super) fn check(bytes: &[u8]) -> Result<(), MapError> {
    let file = File {
        bytes,
        is_little: bytes.first() == Some(&b'I'),
        is_big: bytes.get(2..4).is_some_and(|v| v.contains(&43)),
    };
    let mut at = if file.is_big { file.number(8, 8)? } else { file.number(4, 4)? };
    for _ in 0..MOST_DIRECTORIES {
        if at == 0 {
            break;
        }
        at = file.directory(at)?;
    }
    Ok(())
}

struct File<'a> {
    bytes: &'a [u8],
    is_little: bool,
    is_big: bool,
}

impl File<'_> {
    /// A whole number of some bytes at a place.
    fn number(&self, at: u64, size: usize) -> Result<u64, MapError> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let end = start.saturating_add(size);
        let bytes = self.bytes.get(start..end).ok_or_else(|| self.cut_off(end as u64))?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Ok(if self.is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    /// Checks the directory at a place; the place of the next one, or 0.
    fn directory(&self, at: u64) -> Result<u64, MapError> {
        let (count_size, entry_size, value_size) = if self.is_big { (8, 20, 8) } else { (2, 12, 4) };
        let entries = self.number(at, count_size)?;
        let first = at.saturating_add(count_size as u64);
        let end = first.saturating_add(entries.saturating_mul(entry_size));
        if end > self.bytes.len() as u64 {
            return Err(self.cut_off(end));
        }
        for entry in 0..entries {
            let at = first + entry * entry_size;
            let size = value_bytes(self.number(at + 2, 2)?);
            let bytes = self.number(at + 4, value_size)?.saturating_mul(size);
            let value = at + 4 + value_size as u64;
            if bytes > value_size as u64 {
                let end = self.number(value, value_size)?.saturating_add(bytes);
                if end > self.bytes.len() as u64 {
                    return Err(self.cut_off(end));
                }
            }
        }
        self.number(end, value_size)
    }

    fn cut_off(&self, end: u64) -> MapError {
        let why = format!("it ends at byte {}, but a part of its directory ends at {end}", self.bytes.len());
        MapError::Damaged { format: "GeoTIFF", why }
    }
}

/// Bytes of a value by the number of its type; unknown ones are left to the decoder.
fn value_bytes(kind: u64) -> u64 {
    match kind {
        1 | 2 | 6 | 7 => 1,
        3 | 8 => 2,
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 | 16 | 17 | 18 => 8,
        _ => 0,
    }
}
