//! The runner: cases of a shard on threads, each simulation on one; results into the store as they come.

use crate::assess::Tracker;
use crate::case::{Row, Surroundings, run_case};
use crate::error::CampaignError;
use crate::plan::Planned;
use crate::store::{BLOCK, Journal, Store, Timing, UNTIL_DECIDED};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use touchdown_record::{Place, RecordError};
use touchdown_scenario::load;
use touchdown_sim::sink::SinkError;

/// How to run.
#[derive(Clone, Copy)]
pub struct RunOptions<'a> {
    /// Cases at the same time.
    pub threads: usize,
    /// Which part of how many.
    pub shard: (u64, u64),
    /// Stop as soon as all requirements are decided.
    pub until_decided: bool,
    /// Go on although the program or an input is not the one of the plan.
    pub accept_changes: bool,
    /// Which program this is, as the plan says it: its version and the hash of its sources.
    pub program: (&'a str, &'a str),
    /// Asked between cases, and after every step of them.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Cases of the shard that are done.
    pub done: u64,
    /// Cases of the shard.
    pub of: u64,
    /// Cases done by this process.
    pub here: u64,
    /// Requirements that are decided, and how many there are.
    pub decided: (usize, usize),
    /// Wall-clock time since the start, s.
    pub wall: f64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The whole campaign is finished: this many cases.
    Finished(u64),
    /// This shard is done, others are not.
    ShardDone,
}

/// Runs a shard of a campaign, or goes on with it.
pub fn run(
    store: &Store,
    options: &RunOptions,
    show: &mut dyn FnMut(Progress),
) -> Result<Ended, CampaignError> {
    check_unchanged(&store.planned, options)?;
    if options.until_decided && !store.until_decided() {
        let written = store.root().write(UNTIL_DECIDED, b"touchdown campaign\n");
        // Shards that start at the same time write the same.
        written.or_else(|error| if store.until_decided() { Ok(()) } else { Err(error) })?;
    }
    if let Some(finished) = store.finished()? {
        return Ok(Ended::Finished(finished.cases));
    }
    let (i, n) = options.shard;
    let range = store.planned.shard(i, n);
    let place = store.shard(i)?;
    let lock = Store::lock(&place)?;
    let mut shard = Shard::open(store, place, range)?;
    let until_decided = store.until_decided();
    shard.work(options, until_decided, show)?;
    drop(lock);
    try_finish(store)
}

/// Puts the result together if every case that it needs is there.
pub fn try_finish(store: &Store) -> Result<Ended, CampaignError> {
    if let Some(finished) = store.finished()? {
        return Ok(Ended::Finished(finished.cases));
    }
    let cases = store.planned.plan.cases;
    let mut tracker = Tracker::new(&store.planned.plan);
    let stopping = store.until_decided();
    let mut stop = None;
    let prefix = store.prefix(&mut |row| {
        tracker.add(&row);
        if stopping && stop.is_none() {
            stop = tracker.stops_at();
        }
    })?;
    match stop.or((prefix == cases).then_some(cases)) {
        Some(cases) => match store.finish(cases) {
            // Another shard ended at the same time and puts it together.
            Err(CampaignError::Record(RecordError::Busy { .. })) => Ok(Ended::ShardDone),
            other => Ok(Ended::Finished(other?.cases)),
        },
        None => Ok(Ended::ShardDone),
    }
}

/// Program, scenario and its files must be those of the plan.
fn check_unchanged(planned: &Planned, options: &RunOptions) -> Result<(), CampaignError> {
    if options.accept_changes {
        return Ok(());
    }
    let plan = &planned.plan;
    let (version, source) = options.program;
    if plan.version != version || plan.build.source != source {
        let what = format!(
            "the program (planned with {} {}, now {version} {source})",
            plan.version, plan.build.source
        );
        return Err(CampaignError::Changed { what });
    }
    let now = load(&plan.scenario, &plan.set)?.inputs;
    for input in &plan.inputs {
        match now.iter().find(|(name, _)| *name == input.name) {
            Some((_, blake3)) if *blake3 == input.blake3 => {}
            Some(_) => {
                return Err(CampaignError::Changed { what: format!("{} has other content", input.name) });
            }
            None => {
                return Err(CampaignError::Changed { what: format!("{} is not read any more", input.name) });
            }
        }
    }
    Ok(())
}

/// A shard that is being worked on.
struct Shard<'a> {
    store: &'a Store,
    place: Place,
    range: Range<u64>,
    /// One bit for each case of the range: its row is in a part or in a journal.
    done: Vec<u64>,
    /// Blocks that are not sealed: rows in memory, journal, cases that are missing.
    open: BTreeMap<u64, Open>,
    tracker: Tracker,
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
    fn open(store: &'a Store, place: Place, range: Range<u64>) -> Result<Self, CampaignError> {
        let found = store.found()?;
        let words = (range.end - range.start).div_ceil(64) as usize;
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let mut tracker = Tracker::new(&store.planned.plan);
        let mut shard = Shard {
            store,
            place,
            range: range.clone(),
            done: vec![0; words],
            open: BTreeMap::new(),
            tracker: tracker.clone(),
            finished: 0,
            host,
        };
        store.prefix(&mut |row| tracker.add(&row))?;
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
        Ok(shard)
    }

    /// Marks a case as done; 1 if it was not.
    fn mark(&mut self, index: u64) -> u64 {
        let k = index - self.range.start;
        let (word, bit) = ((k / 64) as usize, 1u64 << (k % 64));
        let new = self.done[word] & bit == 0;
        self.done[word] |= bit;
        u64::from(new)
    }

    fn is_done(done: &[u64], k: u64) -> bool {
        done[(k / 64) as usize] >> (k % 64) & 1 == 1
    }

    fn work(
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
        let workers = Workers {
            planned: &store.planned,
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
            self.tracker.add(&row);
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

fn shard_number(place: &Place) -> u64 {
    let name = place.path().file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    name.strip_prefix("shard=").and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn checkpoint_name(index: u64) -> String {
    format!("case-{index}.checkpoint")
}

/// What all threads share.
struct Workers<'a> {
    planned: &'a Planned,
    place: &'a Place,
    range: Range<u64>,
    done: &'a [u64],
    next: &'a AtomicU64,
    end: &'a AtomicU64,
    halt: &'a AtomicBool,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Workers<'_> {
    /// Takes the next case until there is none. A pool of one thread keeps a simulation from starting others.
    fn work(&self, send: &Sender<Result<(Row, f64), CampaignError>>) {
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
        run_case(self.planned, index, Surroundings { saved, save: &mut save, stop: &stop })
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
