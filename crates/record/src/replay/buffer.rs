//! Encoded frames, readable from any index: the latest in memory, the others in an unnamed temporary file.

use crate::platform::{read_at, write_at};
use std::fs::File;

/// Bytes of an answer at most, unless a single frame is larger: every slow reader occupies this much memory.
const PIECE: usize = 1 << 20;
/// Bytes collected before they are written to the file.
const GATHERED: usize = 1 << 20;

/// Frames one after the other.
#[derive(Debug, Default)]
pub(super) struct Frames {
    file: Stored,
    /// Bytes that follow those in the file.
    memory: Vec<u8>,
    /// End of each frame, bytes.
    ends: Vec<usize>,
}

/// The temporary file; it disappears with the process.
#[derive(Debug, Default)]
enum Stored {
    #[default]
    Nothing,
    Bytes(File, usize),
    /// A temporary file is not possible, or is full: later frames stay in memory.
    Full(Option<File>, usize),
}

impl Frames {
    /// Appends a frame, which `write` appends to the bytes.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.memory);
        self.ends.push(self.file.len() + self.memory.len());
        if self.memory.len() >= GATHERED && self.file.append(&self.memory) {
            self.memory.clear();
        }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Frames from a number on: all, or as many as fit a piece; none if they cannot be read.
    pub fn from(&self, number: usize) -> Vec<u8> {
        if number >= self.ends.len() {
            return Vec::new();
        }
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let enough = self.ends[number..].partition_point(|end| end - start <= PIECE);
        let end = self.ends[number + enough.saturating_sub(1)];
        let stored = self.file.len();
        let mut bytes = vec![0; end.min(stored).saturating_sub(start)];
        if !self.file.read(&mut bytes, start) {
            return Vec::new();
        }
        bytes.extend_from_slice(&self.memory[start.max(stored) - stored..end.max(stored) - stored]);
        bytes
    }
}

impl Stored {
    fn len(&self) -> usize {
        match self {
            Stored::Nothing => 0,
            Stored::Bytes(_, length) | Stored::Full(_, length) => *length,
        }
    }

    /// Whether the bytes are in the file now.
    fn append(&mut self, bytes: &[u8]) -> bool {
        let (file, length) = match std::mem::take(self) {
            Stored::Nothing => (tempfile::tempfile().ok(), 0),
            Stored::Bytes(file, length) => (Some(file), length),
            full @ Stored::Full(..) => {
                *self = full;
                return false;
            }
        };
        let written = file.as_ref().is_some_and(|file| write_at(file, bytes, length as u64).is_ok());
        *self = match file {
            Some(file) if written => Stored::Bytes(file, length + bytes.len()),
            file => Stored::Full(file, length),
        };
        written
    }

    /// Whether these bytes could be read.
    fn read(&self, bytes: &mut [u8], from: usize) -> bool {
        match self {
            Stored::Bytes(file, _) | Stored::Full(Some(file), _) => read_at(file, bytes, from as u64).is_ok(),
            Stored::Nothing | Stored::Full(None, _) => bytes.is_empty(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of three lengths, each full of its own number.
    fn frame(number: usize) -> Vec<u8> {
        vec![number as u8; [10, 100_000, 700_000][number % 3]]
    }

    fn filled(mut frames: Frames) -> Frames {
        (0..30).for_each(|n| frames.push(|out| out.extend(frame(n))));
        frames
    }

    /// From any number on, whole frames are returned in order, in pieces of bounded size.
    fn check(frames: &Frames) {
        let all: Vec<u8> = (0..30).flat_map(frame).collect();
        for number in 0..30 {
            let start: usize = (0..number).map(|n| frame(n).len()).sum();
            let piece = frames.from(number);
            assert!(!piece.is_empty() && piece.len() <= PIECE);
            assert!(all[start..].starts_with(&piece), "from {number} on");
        }
        assert!(frames.from(30).is_empty());
    }

    #[test]
    fn frames_come_back_from_file_and_memory() {
        let frames = filled(Frames::default());
        check(&frames);
        assert!(frames.memory.len() < GATHERED, "the rest lies in the file");
    }

    #[test]
    fn frames_stay_in_memory_where_no_file_takes_them() {
        check(&filled(Frames { file: Stored::Full(None, 0), ..Frames::default() }));
    }
}
