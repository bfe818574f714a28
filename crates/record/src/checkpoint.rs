//! The checkpoint file: the state of the loop, with the data that show that state and parts belong together.
//!
//! Written by the writer thread after the parts are sealed; read by `Recorder::resume`. The previous
//! checkpoint is kept.

use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{self, CHECKPOINT, Folder, NEW_CHECKPOINT, PREVIOUS_CHECKPOINT, Part, Stream};

const MAGIC: &[u8; 8] = b"TDCHECK\0";
/// Format of the header below; the payload has its own.
const VERSION: u32 = 2;
/// Magic, version, number of parts of each stream, rows, frames, length of the payload, two hashes.
const HEADER_BYTES: usize = 8 + 3 * 4 + 3 * 8 + 2 * HASH_BYTES;
const HASH_BYTES: usize = blake3::OUT_LEN;

/// A restart point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checkpoint {
    pub rows: u64,
    pub frames: u64,
    pub series_parts: u32,
    pub frame_parts: u32,
    /// What ran: see `Manifest::run_hash`.
    pub run: blake3::Hash,
    /// The parts that it depends on: see `chain_of`.
    pub parts: blake3::Hash,
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
        header.extend_from_slice(self.run.as_bytes());
        header.extend_from_slice(self.parts.as_bytes());
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
        let (large, hashes) = large.split_at(3 * 8);
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
        let hashes: Vec<blake3::Hash> =
            hashes.as_chunks::<HASH_BYTES>().0.iter().map(|bytes| blake3::Hash::from_bytes(*bytes)).collect();
        Ok(Checkpoint {
            run: hashes[0],
            parts: hashes[1],
            rows: large[0],
            frames: large[1],
            series_parts: small[1],
            frame_parts: small[2],
            state: state.to_vec(),
        })
    }

    /// Makes this the restart point of the folder; the present one becomes the fallback.
    pub fn store(&self, place: &Place) -> Result<(), RecordError> {
        place.write(NEW_CHECKPOINT, &self.encode())?;
        if place.has(CHECKPOINT) {
            // Killed between the two renames, the folder still has the fallback.
            place.rename(CHECKPOINT, PREVIOUS_CHECKPOINT)?;
        }
        place.rename(NEW_CHECKPOINT, CHECKPOINT)
    }

    /// The newest undamaged restart point of the folder that belongs to this run and depends on undamaged
    /// parts; and what is wrong with newer ones, in words.
    pub fn load(folder: &Folder, run: blake3::Hash) -> Result<(Option<Self>, Vec<String>), RecordError> {
        let mut notes = Vec::new();
        let parts = [sound(folder, Stream::Series, &mut notes)?, sound(folder, Stream::Frames, &mut notes)?];
        for (name, path) in [CHECKPOINT, PREVIOUS_CHECKPOINT].map(|name| (name, folder.file(name))) {
            if !path.exists() {
                continue;
            }
            let read = files::read(&path).map_err(|error| error.cause());
            match read.and_then(|bytes| Self::decode(&bytes)).and_then(|c| c.check(run, &parts)) {
                Ok(checkpoint) => return Ok((Some(checkpoint), notes)),
                Err(why) => notes.push(format!("{name} cannot be used: {why}")),
            }
        }
        Ok((None, notes))
    }

    /// The checkpoint, if it belongs to this run and its parts exist.
    pub fn check(self, run: blake3::Hash, parts: &[Vec<Part>; 2]) -> Result<Self, String> {
        if self.run != run {
            return Err("it belongs to another run".into());
        }
        let stands_on = parts_until(parts, [self.rows, self.frames]);
        let counts = [self.series_parts, self.frame_parts].map(|count| count as usize);
        for (n, entries) in [self.rows, self.frames].into_iter().enumerate() {
            let (found, end) = (stands_on[n].len(), stands_on[n].last().map_or(0, |part| part.end));
            if found != counts[n] || end != entries {
                let stream = ["rows", "frames"][n];
                return Err(format!(
                    "it needs {entries} {stream} in {} parts, the folder has {end} in {found} that are whole",
                    counts[n]
                ));
            }
        }
        if chain_of(&stands_on.map(chain)) == self.parts {
            Ok(self)
        } else {
            Err("its parts are not those that it stood on".into())
        }
    }
}

/// The first parts of both streams, up to this many entries.
pub(crate) fn parts_until(parts: &[Vec<Part>; 2], entries: [u64; 2]) -> [&[Part]; 2] {
    [0, 1].map(|n| {
        let count = parts[n].iter().take_while(|part| part.end <= entries[n]).count();
        &parts[n][..count]
    })
}

/// The undamaged parts of a stream that follow each other without a gap; names the damaged one.
pub(crate) fn sound(
    folder: &Folder,
    stream: Stream,
    notes: &mut Vec<String>,
) -> Result<Vec<Part>, RecordError> {
    let mut parts = folder.unbroken(stream)?;
    let damaged = parts.iter().position(|part| match part.check() {
        Ok(()) => false,
        Err(error) => {
            notes.push(format!("{}: {}", part.shown(), error.cause()));
            true
        }
    });
    parts.truncate(damaged.unwrap_or(parts.len()));
    Ok(parts)
}

/// The running hash over the parts of a stream.
pub(crate) fn chain(parts: &[Part]) -> blake3::Hasher {
    let mut chain = blake3::Hasher::new();
    for part in parts {
        if let Some(hash) = &part.blake3 {
            files::add_to_chain(&mut chain, part.first, part.end, hash);
        }
    }
    chain
}

/// One hash over the parts of both streams.
pub(crate) fn chain_of([series, frames]: &[blake3::Hasher; 2]) -> blake3::Hash {
    let mut both = blake3::Hasher::new();
    both.update(series.finalize().as_bytes()).update(frames.finalize().as_bytes());
    both.finalize()
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

    use crate::disk::Disk;

    /// Without parts.
    fn example() -> Checkpoint {
        let none = [blake3::Hasher::new(), blake3::Hasher::new()];
        Checkpoint {
            rows: 0,
            frames: 0,
            series_parts: 0,
            frame_parts: 0,
            run: blake3::hash(b"run"),
            parts: chain_of(&none),
            state: (0..200).collect(),
        }
    }

    fn load(folder: &Folder) -> (Option<Checkpoint>, Vec<String>) {
        Checkpoint::load(folder, blake3::hash(b"run")).expect("readable")
    }

    #[test]
    fn what_is_stored_comes_back() {
        // Encoding and decoding are inverse.
        assert_eq!(Checkpoint::decode(&example().encode()), Ok(example()));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        // A damaged checkpoint is never accepted.
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
        // With the newest checkpoint damaged or missing, the one before it is used, and the reason is given;
        // with none, there is none.
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path());
        let place = Place::open(dir.path(), &Disk::default()).expect("opened");
        assert_eq!(load(&folder), (None, vec![]));
        let mut checkpoint = example();
        checkpoint.store(&place).expect("stored");
        checkpoint.state.push(1);
        checkpoint.store(&place).expect("stored");
        assert_eq!(load(&folder).0.expect("newest").state.len(), 201);
        std::fs::write(folder.file(CHECKPOINT), b"rubbish").expect("damaged");
        let (found, notes) = load(&folder);
        assert_eq!((found.expect("fallback").state.len(), notes.len()), (200, 1));
    }

    #[test]
    fn a_checkpoint_of_other_parts_or_another_run_is_refused() {
        // The rows that the checkpoint depends on must exist, and it must be of this run.
        let dir = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::new(dir.path());
        let place = Place::open(dir.path(), &Disk::default()).expect("opened");
        let bad = [
            (Checkpoint { rows: 7, ..example() }, "needs 7 rows"),
            (Checkpoint { run: blake3::hash(b"other"), ..example() }, "another run"),
            (Checkpoint { parts: blake3::hash(b"other"), ..example() }, "its parts are not"),
        ];
        for (checkpoint, word) in bad {
            checkpoint.store(&place).expect("stored");
            let (found, notes) = load(&folder);
            assert!(found.is_none() && notes[0].contains(word), "{notes:?}");
        }
    }
}
