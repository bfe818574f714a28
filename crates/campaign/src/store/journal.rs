//! The journal of a block: cases as they end, each with its length and a checksum, so that a torn end is noticed and left out.

use super::Timing;
use crate::case::Row;
use crate::error::CampaignError;
use std::io::Write;
use touchdown_record::{OutFile, Place, RecordError};

/// Bytes before a record: its length and the beginning of its hash.
const HEAD: usize = 12;

fn name(block: u64) -> String {
    format!("journal-{block}.bin")
}

/// The block of a journal, by its name.
pub(super) fn block_of(name: &str) -> Option<u64> {
    name.strip_prefix("journal-")?.strip_suffix(".bin")?.parse().ok()
}

/// What a journal holds.
pub(crate) struct Read {
    pub rows: Vec<(Row, Timing)>,
    /// The part of the file that is good.
    good: Vec<u8>,
    torn: bool,
}

/// Reads a journal; one of another plan is refused.
pub(super) fn read(place: &Place, name: &str, plan: &str) -> Result<Read, CampaignError> {
    let bytes = place.read(name)?.unwrap_or_default();
    let mut out = Read { rows: Vec::new(), good: Vec::new(), torn: false };
    let head = plan.as_bytes();
    if bytes.len() < head.len() {
        out.torn = !bytes.is_empty();
        return Ok(out);
    }
    if &bytes[..head.len()] != head {
        let why = "it belongs to another plan; move it away".into();
        return Err(CampaignError::Store { path: place.path_of(name), why });
    }
    let mut at = head.len();
    while let Some((row, end)) = record(&bytes, at) {
        out.rows.push(row);
        at = end;
    }
    out.torn = at < bytes.len();
    out.good = bytes[..at].to_vec();
    Ok(out)
}

fn record(bytes: &[u8], at: usize) -> Option<((Row, Timing), usize)> {
    let head = bytes.get(at..at + HEAD)?;
    let length = u32::from_le_bytes(head[..4].try_into().ok()?) as usize;
    let end = (at + HEAD).checked_add(length)?;
    let payload = bytes.get(at + HEAD..end)?;
    (blake3::hash(payload).as_bytes()[..8] == head[4..]).then_some(())?;
    Some((postcard::from_bytes(payload).ok()?, end))
}

/// A journal that is written to.
pub(crate) struct Journal {
    place: Place,
    name: String,
    file: OutFile,
    changed: bool,
}

impl Journal {
    /// Opens the journal of a block; what an earlier process left half-written is cut off.
    pub fn open(place: &Place, block: u64, plan: &str) -> Result<Journal, CampaignError> {
        let name = name(block);
        let old = read(place, &name, plan)?;
        if old.good.is_empty() {
            place.write(&name, plan.as_bytes())?;
        } else if old.torn {
            place.write(&name, &old.good)?;
        }
        let file = place.append(&name)?;
        Ok(Journal { place: place.clone(), name, file, changed: false })
    }

    /// Adds a case. It survives the end of the process from here on.
    pub fn add(&mut self, row: &Row, timing: &Timing) -> Result<(), CampaignError> {
        let doing = || format!("writing {}", self.place.path_of(&self.name).display());
        let payload = postcard::to_stdvec(&(row, timing)).map_err(|e| CampaignError::Other(e.to_string()))?;
        let mut bytes = Vec::with_capacity(HEAD + payload.len());
        bytes.extend((payload.len() as u32).to_le_bytes());
        bytes.extend(&blake3::hash(&payload).as_bytes()[..8]);
        bytes.extend(payload);
        let written = self.file.write_all(&bytes);
        written.map_err(|source| RecordError::Io { doing: doing(), source })?;
        self.changed = true;
        Ok(())
    }

    /// Makes it durable: it survives the end of the machine, too.
    pub fn sync(&mut self) -> Result<(), CampaignError> {
        if std::mem::take(&mut self.changed) {
            let doing = || format!("syncing {}", self.place.path_of(&self.name).display());
            self.file.sync().map_err(|source| RecordError::Io { doing: doing(), source })?;
        }
        Ok(())
    }

    /// Removes it: its cases are in a part.
    pub fn remove(self) -> Result<(), CampaignError> {
        Ok(self.place.remove(&self.name)?)
    }
}
