//! The checkpoint file: the state of the loop, with enough beside it to be sure that it and the parts belong together.
//!
//! Written by the writer thread after the parts are sealed; read by `Recorder::resume`. The last but one is kept.

use crate::error::RecordError;
use crate::files::{self, Folder, Stream};
use std::path::Path;

const MAGIC: &[u8; 8] = b"TDCHECK\0";
/// Format of the header below; the payload has its own.
const VERSION: u32 = 1;
/// Magic, version, number of parts of each stream, rows, frames, length of the payload.
const HEADER_BYTES: usize = 8 + 3 * 4 + 3 * 8;
const HASH_BYTES: usize = blake3::OUT_LEN;

/// A restart point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub rows: u64,
    pub frames: u64,
    pub series_parts: u32,
    pub frame_parts: u32,
    pub state: Vec<u8>,
}

impl Checkpoint {
    /// Header, hash of header and payload, payload.
    pub fn encode(&self) -> Vec<u8> {
        let mut header = Vec::with_capacity(HEADER_BYTES + HASH_BYTES + self.state.len());
        header.extend_from_slice(MAGIC);
        for word in [VERSION, self.series_parts, self.frame_parts] {
            header.extend_from_slice(&word.to_le_bytes());
        }
        for word in [self.rows, self.frames, self.state.len() as u64] {
            header.extend_from_slice(&word.to_le_bytes());
        }
        let hash = hash(&header, &self.state);
        header.extend_from_slice(hash.as_bytes());
        header.extend_from_slice(&self.state);
        header
    }

    /// The checkpoint, or what is wrong with it.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let (header, rest) = bytes.split_at_checked(HEADER_BYTES).ok_or("it is shorter than its header")?;
        let (stored, state) = rest.split_at_checked(HASH_BYTES).ok_or("it is shorter than its header")?;
        let (magic, words) = header.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err("it is not a checkpoint of this program".into());
        }
        let (small, large) = words.split_at(3 * 4);
        let small: Vec<u32> = small.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
        let large: Vec<u64> = large.as_chunks::<8>().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
        if small[0] != VERSION {
            return Err(format!("its format is {}, this program writes {VERSION}", small[0]));
        }
        if large[2] != state.len() as u64 {
            return Err(format!("it should hold {} bytes of state and holds {}", large[2], state.len()));
        }
        if hash(header, state).as_bytes().as_slice() != stored {
            return Err("its content does not match its hash".into());
        }
        Ok(Checkpoint {
            rows: large[0],
            frames: large[1],
            series_parts: small[1],
            frame_parts: small[2],
            state: state.to_vec(),
        })
    }

    /// Makes this the restart point of the folder; the present one becomes the fallback.
    pub fn store(&self, folder: &Folder) -> Result<(), RecordError> {
        let new = folder.file("checkpoint.new.bin");
        files::write_whole(&new, &self.encode())?;
        if folder.checkpoint().exists() {
            // Killed between the two renames, the folder still has the fallback.
            files::rename(&folder.checkpoint(), &folder.previous_checkpoint())?;
        }
        files::rename(&new, &folder.checkpoint())
    }

    /// The newest restart point of the folder that is whole and whose parts are there.
    pub fn load(folder: &Folder) -> Result<Self, RecordError> {
        let mut why = Vec::new();
        for path in [folder.checkpoint(), folder.previous_checkpoint()] {
            match Self::load_one(&path, folder) {
                Ok(checkpoint) => return Ok(checkpoint),
                Err(reason) => why.push(reason),
            }
        }
        Err(RecordError::NoCheckpoint { dir: folder.root().to_path_buf(), why: why.join("; ") })
    }

    fn load_one(path: &Path, folder: &Folder) -> Result<Self, String> {
        let bytes = files::read(path).map_err(|e| e.to_string())?;
        let checkpoint = Self::decode(&bytes).map_err(|why| format!("{}: {why}", path.display()))?;
        let wanted = [
            (Stream::Series, checkpoint.rows, checkpoint.series_parts),
            (Stream::Frames, checkpoint.frames, checkpoint.frame_parts),
        ];
        for (stream, entries, count) in wanted {
            let mut parts = folder.unbroken(stream).map_err(|e| e.to_string())?;
            parts.retain(|part| part.end <= entries);
            let end = parts.last().map_or(0, |part| part.end);
            if end != entries || parts.len() != count as usize {
                return Err(format!(
                    "{}: it needs {entries} entries in {count} parts of {stream:?}, the folder has {end} in {}",
                    path.display(),
                    parts.len()
                ));
            }
        }
        Ok(checkpoint)
    }
}

fn hash(header: &[u8], state: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(header);
    hasher.update(state);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        Checkpoint { rows: 7, frames: 3, series_parts: 0, frame_parts: 0, state: (0..200).collect() }
    }

    #[test]
    fn what_is_stored_comes_back() {
        // Encoding and decoding are inverse.
        assert_eq!(Checkpoint::decode(&example().encode()), Ok(example()));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        // A damaged checkpoint is never taken for a good one.
        let good = example().encode();
        for i in 0..good.len() {
            let mut bad = good.clone();
            bad[i] ^= 1;
            assert!(Checkpoint::decode(&bad).is_err(), "byte {i}");
            assert!(Checkpoint::decode(&good[..i]).is_err(), "cut at {i}");
        }
    }

    #[test]
    fn the_last_but_one_is_the_fallback() {
        // With the newest checkpoint damaged or missing, the one before it is used; with none, the reason is given.
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path());
        assert!(matches!(Checkpoint::load(&folder), Err(RecordError::NoCheckpoint { .. })));
        let mut checkpoint = Checkpoint { rows: 0, frames: 0, ..example() };
        checkpoint.store(&folder).expect("stored");
        checkpoint.state.push(1);
        checkpoint.store(&folder).expect("stored");
        assert_eq!(Checkpoint::load(&folder).expect("newest").state.len(), 201);
        std::fs::write(folder.checkpoint(), b"rubbish").expect("damaged");
        assert_eq!(Checkpoint::load(&folder).expect("fallback").state.len(), 200);
    }

    #[test]
    fn a_checkpoint_without_its_parts_is_refused() {
        // Rows that the checkpoint counts on must be there.
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path());
        example().store(&folder).expect("stored");
        let error = Checkpoint::load(&folder).expect_err("no parts");
        assert!(error.to_string().contains("7 entries"), "{error}");
    }
}
