//! Threads of a shard: each takes the next case that is missing, runs it, and continues from the checkpoint that an earlier process left.

use crate::case::{Row, Surroundings, run_case};
use crate::error::CampaignError;
use crate::plan::Planned;
use crate::shard::Shard;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::time::Instant;
use touchdown_record::Place;
use touchdown_scenario::Prepared;
use touchdown_sim::sink::SinkError;

pub(crate) fn checkpoint_name(index: u64) -> String {
    format!("case-{index}.checkpoint")
}

/// The case whose checkpoint a file is.
pub(crate) fn case_of(name: &str) -> Option<u64> {
    name.strip_prefix("case-")?.strip_suffix(".checkpoint")?.parse().ok()
}

/// What all threads share.
pub(crate) struct Workers<'a> {
    pub planned: &'a Planned,
    pub prepared: &'a Prepared,
    pub place: &'a Place,
    pub range: Range<u64>,
    pub done: &'a [u64],
    pub next: &'a AtomicU64,
    pub end: &'a AtomicU64,
    pub halt: &'a AtomicBool,
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Workers<'_> {
    /// Takes the next case until there is none. A pool of one thread keeps a simulation from starting others.
    pub fn work(&self, send: &Sender<Result<(Row, f64), CampaignError>>) {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let job = || {
            while let Some(index) = self.take() {
                let started = Instant::now();
                let sent = match self.case(index) {
                    Ok(Some(row)) => send.send(Ok((row, started.elapsed().as_secs_f64()))),
                    Ok(None) => continue,
                    Err(error) => send.send(Err(error)),
                };
                if sent.is_err() {
                    return;
                }
            }
        };
        match alone {
            Ok(pool) => pool.install(job),
            Err(_) => job(),
        }
    }

    fn is_over(&self, index: u64) -> bool {
        self.halt.load(Ordering::SeqCst) || index >= self.end.load(Ordering::SeqCst) || (self.stop)()
    }

    fn take(&self) -> Option<u64> {
        loop {
            let index = self.next.fetch_add(1, Ordering::SeqCst);
            if self.is_over(index) {
                return None;
            }
            if !Shard::is_done(self.done, index - self.range.start) {
                return Some(index);
            }
        }
    }

    fn case(&self, index: u64) -> Result<Option<Row>, CampaignError> {
        let name = checkpoint_name(index);
        let saved = if self.place.has(&name) { self.saved(&name)? } else { None };
        let mut save = |state: &[u8]| {
            let mut bytes = blake3::hash(state).as_bytes().to_vec();
            bytes.extend(self.planned.hash.as_bytes());
            bytes.extend(state);
            self.place.write(&name, &bytes).map_err(|error| SinkError {
                doing: format!("writing {}", self.place.path_of(&name).display()),
                source: std::io::Error::other(error.to_string()),
            })
        };
        let stop = || self.is_over(index);
        run_case((self.planned, self.prepared), index, Surroundings { saved, save: &mut save, stop: &stop })
    }

    /// A checkpoint that an earlier process left, if it is whole and of this plan.
    fn saved(&self, name: &str) -> Result<Option<Vec<u8>>, CampaignError> {
        let bytes = self.place.read(name)?.unwrap_or_default();
        let plan = self.planned.hash.as_bytes();
        let whole = bytes.len() > 32 + plan.len()
            && &bytes[32..32 + plan.len()] == plan
            && blake3::hash(&bytes[32 + plan.len()..]).as_bytes()[..] == bytes[..32];
        Ok(whole.then(|| bytes[32 + plan.len()..].to_vec()))
    }
}
