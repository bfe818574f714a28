//! A running shard: existing results, results as they come from the threads, blocks that become parts.

use crate::assess::Tracker;
use crate::case::Row;
use crate::error::CampaignError;
use crate::run::{Progress, RunOptions};
use crate::store::{BLOCK, Journal, Store, Timing};
use crate::workers::{Workers, case_of, checkpoint_name};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use touchdown_record::Place;
use touchdown_scenario::Prepared;

/// A shard that is being worked on.
pub(crate) struct Shard<'a> {
    store: &'a Store,
    place: Place,
    range: Range<u64>,
    /// One bit for each case of the range: its row is in a part or in a journal.
    done: Vec<u64>,
    /// Blocks that are not sealed: rows in memory, journal, cases that are missing.
    open: BTreeMap<u64, Open>,
    tracker: Tracker,
    /// Whether the unbroken beginning reaches this shard: else its cases decide nothing yet, and following them would only take memory.
    follows: bool,
    finished: u64,
    host: String,
}

#[derive(Default)]
struct Open {
    rows: Vec<(Row, Timing)>,
    journal: Option<Journal>,
    missing: u64,
}

impl<'a> Shard<'a> {
    /// Looks at what is there already.
    pub fn open(store: &'a Store, place: Place, range: Range<u64>) -> Result<Self, CampaignError> {
        let found = store.found()?;
        let words = (range.end - range.start).div_ceil(64) as usize;
        let host = host();
        let mut tracker = Tracker::new(&store.planned.plan);
        let mut shard = Shard {
            store,
            place,
            range: range.clone(),
            done: vec![0; words],
            open: BTreeMap::new(),
            tracker: tracker.clone(),
            follows: false,
            finished: 0,
            host,
        };
        shard.follows = store.prefix(&mut |row| tracker.add(&row))? >= range.start;
        shard.tracker = tracker;
        for block in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            let own = (block * BLOCK).max(range.start)..((block + 1) * BLOCK).min(range.end);
            let mut sealed = 0;
            let mut open = Open { missing: own.end - own.start, ..Open::default() };
            for row in
                found.block_parts(block, &store.planned)?.into_iter().filter(|r| own.contains(&r.index))
            {
                sealed += shard.mark(row.index);
            }
            for row in
                found.block_journals(block, &store.planned)?.into_iter().filter(|r| own.contains(&r.0.index))
            {
                if shard.mark(row.0.index) == 1 {
                    open.missing -= 1;
                    open.rows.push(row);
                }
            }
            open.missing -= sealed;
            shard.finished += sealed + open.rows.len() as u64;
            if open.missing == 0 {
                if !open.rows.is_empty() {
                    shard.seal(block, open)?;
                }
            } else {
                shard.open.insert(block, open);
            }
        }
        shard.forget_checkpoints()?;
        Ok(shard)
    }

    /// Removes checkpoints of cases that are done: a process that was killed between the two left them.
    fn forget_checkpoints(&self) -> Result<(), CampaignError> {
        for name in self.place.names()? {
            let Some(index) = case_of(&name).filter(|index| self.range.contains(index)) else { continue };
            if Self::is_done(&self.done, index - self.range.start) {
                self.place.remove(&name)?;
            }
        }
        Ok(())
    }

    /// Marks a case as done; 1 if it was not.
    fn mark(&mut self, index: u64) -> u64 {
        let k = index - self.range.start;
        let (word, bit) = ((k / 64) as usize, 1u64 << (k % 64));
        let new = self.done[word] & bit == 0;
        self.done[word] |= bit;
        u64::from(new)
    }

    pub fn is_done(done: &[u64], k: u64) -> bool {
        done[(k / 64) as usize] >> (k % 64) & 1 == 1
    }

    /// Runs the cases that are missing.
    pub fn work(
        &mut self,
        options: &RunOptions,
        until_decided: bool,
        show: &mut dyn FnMut(Progress),
    ) -> Result<(), CampaignError> {
        let (started, store) = (Instant::now(), self.store);
        let next = AtomicU64::new(self.range.start);
        // No case from here on is needed.
        let end = AtomicU64::new(self.range.end);
        let halt = AtomicBool::new(false);
        if until_decided && let Some(stop) = self.tracker.stops_at() {
            end.fetch_min(stop, Ordering::SeqCst);
        }
        let (send, receive) = channel();
        let (done, place) = (self.done.clone(), self.place.clone());
        let prepared = Prepared::new(&store.planned.plan.scenario)?;
        let workers = Workers {
            planned: &store.planned,
            prepared: &prepared,
            place: &place,
            range: self.range.clone(),
            done: &done,
            next: &next,
            end: &end,
            halt: &halt,
            stop: options.stop,
        };
        let result = std::thread::scope(|scope| {
            for _ in 0..options.threads.max(1) {
                let (send, workers) = (send.clone(), &workers);
                scope.spawn(move || workers.work(&send));
            }
            drop(send);
            let result = self.collect(&receive, until_decided, &end, started, show);
            halt.store(true, Ordering::SeqCst);
            result
        });
        result?;
        for open in self.open.values_mut() {
            if let Some(journal) = &mut open.journal {
                journal.sync()?;
            }
        }
        let needed = end.load(Ordering::SeqCst).max(self.range.start) - self.range.start;
        let have = (0..needed).filter(|k| Self::is_done(&self.done, *k)).count() as u64;
        if have < needed {
            return Err(CampaignError::Interrupted { done: have, of: needed });
        }
        Ok(())
    }

    /// Takes results until there are no more.
    fn collect(
        &mut self,
        receive: &Receiver<Result<(Row, f64), CampaignError>>,
        until_decided: bool,
        end: &AtomicU64,
        started: Instant,
        show: &mut dyn FnMut(Progress),
    ) -> Result<(), CampaignError> {
        const SYNC: Duration = Duration::from_secs(2);
        let (mut here, mut synced) = (0, Instant::now());
        let total = self.tracker.requirements();
        while let Ok(result) = receive.recv() {
            let (row, wall) = result?;
            here += 1;
            if self.follows {
                self.tracker.add(&row);
            }
            if until_decided && let Some(stop) = self.tracker.stops_at() {
                end.fetch_min(stop, Ordering::SeqCst);
            }
            self.take(row, wall)?;
            if synced.elapsed() > SYNC {
                for open in self.open.values_mut() {
                    if let Some(journal) = &mut open.journal {
                        journal.sync()?;
                    }
                }
                synced = Instant::now();
            }
            let of = end.load(Ordering::SeqCst).clamp(self.range.start, self.range.end) - self.range.start;
            show(Progress {
                done: self.finished.min(of),
                of,
                here,
                decided: (self.tracker.decided(), total),
                wall: started.elapsed().as_secs_f64(),
            });
        }
        Ok(())
    }

    fn take(&mut self, row: Row, wall: f64) -> Result<(), CampaignError> {
        let (index, block) = (row.index, row.index / BLOCK);
        let timing = Timing { wall, host: self.host.clone() };
        let open = self.open.entry(block).or_default();
        let journal = match &mut open.journal {
            Some(journal) => journal,
            none => none.insert(Journal::open(&self.place, block, &self.store.planned.hash)?),
        };
        journal.add(&row, &timing)?;
        open.rows.push((row, timing));
        open.missing -= 1;
        let full = open.missing == 0;
        self.mark(index);
        self.finished += 1;
        self.place.remove(&checkpoint_name(index))?;
        if full && let Some(open) = self.open.remove(&block) {
            self.seal(block, open)?;
        }
        Ok(())
    }

    /// Rows of a block become a part.
    fn seal(&self, block: u64, mut open: Open) -> Result<(), CampaignError> {
        open.rows.sort_by_key(|(row, _)| row.index);
        let first = block - self.range.start / BLOCK;
        let name = |k: u64| format!("part-{k}.parquet");
        // A part of the same number is there only if shards were counted differently before.
        let Some(free) = (first..).find(|k| !self.place.has(&name(*k))) else { return Ok(()) };
        crate::store::write_timings(
            &self.store.timings(shard_number(&self.place))?,
            &name(free),
            &open.rows,
        )?;
        let rows: Vec<Row> = open.rows.into_iter().map(|(row, _)| row).collect();
        crate::store::write_part(&self.place, &name(free), block, &rows, &self.store.planned)?;
        match open.journal {
            Some(journal) => journal.remove(),
            None => Ok(self.place.remove(&format!("journal-{block}.bin"))?),
        }
    }
}

/// Name of this machine.
#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Name of this machine.
#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

fn shard_number(place: &Place) -> u64 {
    let name = place.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_prefix("shard=").and_then(|n| n.parse().ok()).unwrap_or(0)
}
