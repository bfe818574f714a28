//! Encoded frames in one piece of memory, to be handed out from any number on.

/// Bytes of an answer at most, unless one frame alone is larger.
const PIECE: usize = 8 << 20;

/// Frames one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    pub bytes: Vec<u8>,
    /// Where each frame ends.
    ends: Vec<usize>,
}

impl Frames {
    /// What was appended to the bytes since the last call is a frame.
    pub fn mark(&mut self) {
        self.ends.push(self.bytes.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Frames from a number on: all, or as many as make a piece.
    pub fn from(&self, number: usize) -> &[u8] {
        if number >= self.ends.len() {
            return &[];
        }
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        let enough = self.ends[number..].partition_point(|end| end - start <= PIECE);
        &self.bytes[start..self.ends[number + enough.saturating_sub(1)]]
    }
}
