//! Storage of results: finished cases in a journal, full blocks of them in Parquet parts, the whole campaign in `cases.parquet`.
//!
//! A block is 1,024 consecutive indices of the whole campaign, whatever the shards are. `cases/shard=0003/journal-17.bin` takes every case of block 17 as it ends;
//! when the shard's cases of the block are there, `part-K.parquet` replaces it. Parts carry the hash of their plan and of their rows.

mod journal;
mod merge;
mod part;
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub(crate) use journal::Journal;
pub use part::schema;
pub(crate) use part::{write as write_part, write_timings};

use crate::case::Row;
use crate::error::CampaignError;
use crate::plan::Planned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use touchdown_record::{Disk, Place, RecordError, StudyFolder};

/// Consecutive cases that become one part; parts of a shard hold those of them that are its own.
pub const BLOCK: u64 = 1024;
/// The plan of a campaign.
pub const PLAN: &str = "plan.json";
/// The finished result.
pub const RESULT: &str = "cases.parquet";
/// Says how the finished result came to its end.
pub const SEAL: &str = "result.json";
/// Marks a campaign that stops as soon as everything is decided.
pub const UNTIL_DECIDED: &str = "until-decided";
/// Kind of the folder.
const KIND: &str = "campaign";
const CASES: &str = "cases";
const TIMINGS: &str = "timings";
const LOCK: &str = ".lock";

/// What a case cost, and where; outside the compared bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Wall-clock time, s.
    pub wall: f64,
    /// Name of the machine.
    pub host: String,
}

/// How a finished campaign ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Hash of the plan.
    pub plan: String,
    /// Cases of the result: all, or as many as it took to decide.
    pub cases: u64,
    /// Whether it stopped when everything was decided.
    pub until_decided: bool,
    /// Hash of `cases.parquet`.
    pub cases_blake3: String,
}

/// The folder of a campaign.
#[derive(Clone, Debug)]
pub struct Store {
    root: Place,
    /// The plan.
    pub planned: Arc<Planned>,
}

impl Store {
    /// Starts a campaign in a new or empty folder. The same plan again is no mistake.
    pub fn create(dir: &Path, planned: Planned) -> Result<Store, CampaignError> {
        let folder = StudyFolder::open(dir, KIND)?;
        let root = folder.place().clone();
        let text = planned.text()?;
        match root.read(PLAN)? {
            Some(old) if old == text.as_bytes() => {}
            Some(_) => {
                let why = "the folder holds another plan; plans do not change".into();
                return Err(CampaignError::Plan { path: root.path_of(PLAN), why });
            }
            None => root.write(PLAN, text.as_bytes())?,
        }
        Ok(Store { root, planned: Arc::new(planned) })
    }

    /// Opens the folder of a campaign.
    pub fn open(dir: &Path) -> Result<Store, CampaignError> {
        Self::open_on(dir, &Disk::default())
    }

    /// Opens the folder of a campaign on a disk.
    pub fn open_on(dir: &Path, disk: &Disk) -> Result<Store, CampaignError> {
        let root = Place::open(dir, disk)?;
        let path = root.path_of(PLAN);
        let missing = || CampaignError::Plan {
            path: path.clone(),
            why: "there is no plan; touchdown campaign plan STUDY --out DIR makes one".into(),
        };
        let bytes = root.read(PLAN)?.ok_or_else(missing)?;
        Ok(Store { planned: Arc::new(Planned::read(&bytes, &path)?), root })
    }

    /// The folder.
    pub fn root(&self) -> &Place {
        &self.root
    }

    /// The folder of a shard, made if it is not there.
    pub(crate) fn shard(&self, i: u64) -> Result<Place, CampaignError> {
        Ok(self.root.make_below(CASES)?.make_below(&format!("shard={i:04}"))?)
    }

    /// The folder of a shard's timings.
    pub(crate) fn timings(&self, i: u64) -> Result<Place, CampaignError> {
        Ok(self.root.make_below(TIMINGS)?.make_below(&format!("shard={i:04}"))?)
    }

    /// Locks a folder for this process.
    pub(crate) fn lock(place: &Place) -> Result<std::fs::File, CampaignError> {
        let busy = || RecordError::Busy { dir: place.path().to_path_buf() };
        Ok(place.lock(LOCK, b"touchdown campaign\n")?.ok_or_else(busy)?)
    }

    /// Folders of all shards that have begun.
    pub(crate) fn shards(&self) -> Result<Vec<Place>, CampaignError> {
        let Some(cases) = self.root.below(CASES)? else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for name in cases.names()?.iter().filter(|n| n.starts_with("shard=")) {
            out.extend(cases.below(name)?);
        }
        Ok(out)
    }

    /// Whether it stops as soon as everything is decided.
    pub fn until_decided(&self) -> bool {
        self.root.has(UNTIL_DECIDED)
    }

    /// How it ended, if it has.
    pub fn finished(&self) -> Result<Option<Finished>, CampaignError> {
        let path = self.root.path_of(SEAL);
        let Some(bytes) = self.root.read(SEAL)? else { return Ok(None) };
        let store = |why: String| CampaignError::Store { path: path.clone(), why };
        let finished: Finished = serde_json::from_slice(&bytes).map_err(|e| store(e.to_string()))?;
        if finished.plan != self.planned.hash {
            return Err(store("it belongs to another plan".into()));
        }
        Ok(Some(finished).filter(|_| self.root.has(RESULT)))
    }

    /// Rows in order of their index, from the first: the finished result, or the unbroken beginning of what is there.
    pub fn prefix(&self, take: &mut dyn FnMut(Row)) -> Result<u64, CampaignError> {
        if self.finished()?.is_some() {
            return part::read_rows(&self.root.path_of(RESULT), &self.planned, take);
        }
        let found = self.found()?;
        let mut next = 0;
        while next < self.planned.plan.cases {
            let rows = found.block(next / BLOCK, &self.planned)?;
            let end = (next / BLOCK + 1) * BLOCK;
            let from = next;
            for row in rows.into_iter().filter(|row| row.index >= from) {
                if row.index != next {
                    return Ok(next);
                }
                next += 1;
                take(row);
            }
            if next < end {
                return Ok(next);
            }
        }
        Ok(next)
    }

    /// How many cases are done.
    pub fn count(&self) -> Result<u64, CampaignError> {
        if let Some(finished) = self.finished()? {
            return Ok(finished.cases);
        }
        let found = self.found()?;
        let mut blocks: Vec<u64> =
            found.parts.iter().map(|p| p.0).chain(found.journals.iter().map(|j| j.0)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks.into_iter().try_fold(0, |n, block| Ok(n + found.block(block, &self.planned)?.len() as u64))
    }

    /// All rows that are there, in order of their index.
    pub fn rows(&self) -> Result<Vec<Row>, CampaignError> {
        let mut rows = Vec::new();
        if self.finished()?.is_some() {
            self.prefix(&mut |row| rows.push(row))?;
            return Ok(rows);
        }
        let found = self.found()?;
        for block in 0..self.planned.plan.cases.div_ceil(BLOCK) {
            rows.extend(found.block(block, &self.planned)?);
        }
        Ok(rows)
    }

    /// Everything that shards have left.
    pub(crate) fn found(&self) -> Result<Found, CampaignError> {
        let mut found = Found::default();
        for place in self.shards()? {
            for name in place.names()? {
                let path = place.path_of(&name);
                if let Some(block) = part::block_of(&name, &path, &self.planned)? {
                    found.parts.push((block, path));
                } else if let Some(block) = journal::block_of(&name) {
                    found.journals.push((block, place.clone(), name));
                }
            }
        }
        found.parts.sort();
        Ok(found)
    }
}

/// Parts and journals of all shards, by their blocks.
#[derive(Default)]
pub(crate) struct Found {
    pub parts: Vec<(u64, PathBuf)>,
    pub journals: Vec<(u64, Place, String)>,
}

impl Found {
    /// Cases of a block that are in journals, with their timings.
    pub fn block_journals(&self, block: u64, planned: &Planned) -> Result<Vec<(Row, Timing)>, CampaignError> {
        let mut rows = Vec::new();
        for (_, place, name) in self.journals.iter().filter(|j| j.0 == block) {
            rows.extend(journal::read(place, name, &planned.hash)?.rows);
        }
        Ok(rows)
    }

    /// Rows of a block, each once, in order.
    pub fn block(&self, block: u64, planned: &Planned) -> Result<Vec<Row>, CampaignError> {
        let mut rows = std::collections::BTreeMap::new();
        for (_, place, name) in self.journals.iter().filter(|j| j.0 == block) {
            for (row, _) in journal::read(place, name, &planned.hash)?.rows {
                rows.insert(row.index, row);
            }
        }
        for row in self.block_parts(block, planned)? {
            rows.insert(row.index, row);
        }
        Ok(rows.into_values().collect())
    }

    /// Rows of a block that are in parts.
    pub fn block_parts(&self, block: u64, planned: &Planned) -> Result<Vec<Row>, CampaignError> {
        let mut rows = Vec::new();
        let from = self.parts.partition_point(|p| p.0 < block);
        for (_, path) in self.parts[from..].iter().take_while(|p| p.0 == block) {
            part::read_rows(path, planned, &mut |row| rows.push(row))?;
        }
        Ok(rows)
    }
}
