//! A crew: threads that wait during a run and share jobs of a few microseconds with the thread that owns them.
//!
//! Work of this size ends before a sleeping thread has woken. Helpers therefore poll for the next round for a
//! short time before they sleep, and the owning thread never waits for a job that has not begun: it does that
//! job itself. A helper that sleeps or lost its core thus costs little. Results do not depend on which thread
//! does a job: jobs are owned, and are returned in their order.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time for which a helper polls for work before it sleeps: longer than the serial part of a rover's step.
const PATIENCE: Duration = Duration::from_micros(200);
/// Polls of the next round between two readings of the clock.
const LOOKS: u32 = 64;
/// The round number that ends a helper.
const LAST: u64 = u64::MAX;

/// Threads that do jobs of one kind. Starts them when first needed; a copy starts its own.
#[derive(Debug)]
pub(crate) struct Crew<J: Send + 'static> {
    work: fn(&mut J),
    board: Arc<Board<J>>,
    helpers: Vec<JoinHandle<()>>,
}

/// Shared data of the threads.
#[derive(Debug)]
struct Board<J> {
    /// Jobs of the present round, and whether they are done.
    jobs: Vec<Mutex<Option<(J, bool)>>>,
    /// Number of unfinished jobs.
    left: AtomicUsize,
    /// Number of the present round.
    round: AtomicU64,
}

impl<J: Send + 'static> Crew<J> {
    /// A crew for up to `most` jobs at a time, which `work` does.
    pub fn new(most: usize, work: fn(&mut J)) -> Crew<J> {
        let board = Board {
            jobs: (0..most).map(|_| Mutex::new(None)).collect(),
            left: AtomicUsize::new(0),
            round: AtomicU64::new(0),
        };
        Crew { work, board: Arc::new(board), helpers: Vec::new() }
    }

    /// Does all jobs of the list, on `threads` threads including this one.
    pub fn run(&mut self, jobs: &mut Vec<J>, threads: usize) {
        let count = jobs.len();
        if threads < 2 || count < 2 || count > self.board.jobs.len() {
            jobs.iter_mut().for_each(self.work);
            return;
        }
        self.call(threads.min(count) - 1);
        // First, because a helper late from the last round may begin with these jobs.
        self.board.left.store(count, Ordering::Release);
        for (slot, job) in self.board.jobs.iter().zip(jobs.drain(..)) {
            *lock(slot) = Some((job, false));
        }
        self.board.round.fetch_add(1, Ordering::Release);
        // A system call only if the helper sleeps.
        self.helpers.iter().for_each(|helper| helper.thread().unpark());
        self.board.take_part(0, self.work);
        let mut looks = 0u32;
        while self.board.left.load(Ordering::Acquire) > 0 {
            looks += 1;
            if looks.is_multiple_of(LOOKS) {
                // The helper may be waiting for this core.
                thread::yield_now();
            }
            std::hint::spin_loop();
        }
        jobs.extend(self.board.jobs.iter().filter_map(|slot| lock(slot).take()).map(|(job, _)| job));
    }

    /// Starts helpers up to this number; fewer if the system refuses.
    fn call(&mut self, helpers: usize) {
        while self.helpers.len() < helpers {
            let (board, work) = (Arc::clone(&self.board), self.work);
            // Evenly spaced if there will be no more.
            let first = (self.helpers.len() + 1) * self.board.jobs.len() / (helpers + 1);
            let helper = thread::Builder::new().name("crew".into());
            match helper.spawn(move || board.stand_by(first, work)) {
                Ok(helper) => self.helpers.push(helper),
                Err(_) => return,
            }
        }
    }
}

impl<J> Board<J> {
    /// The main function of a helper.
    fn stand_by(&self, first: usize, work: fn(&mut J)) {
        let mut round = 0;
        loop {
            round = self.await_round_after(round);
            if round == LAST {
                return;
            }
            self.take_part(first, work);
        }
    }

    fn await_round_after(&self, seen: u64) -> u64 {
        let begun = Instant::now();
        let mut looks = 0u32;
        loop {
            let round = self.round.load(Ordering::Acquire);
            if round != seen {
                return round;
            }
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(LOOKS) {
                if begun.elapsed() > PATIENCE {
                    thread::park();
                } else {
                    // Other threads may use the core.
                    thread::yield_now();
                }
            }
            std::hint::spin_loop();
        }
    }

    /// Does jobs cyclically from `first` on, until all have been begun. Each thread begins at another job, so
    /// that a job mostly finds its data in the same cache.
    fn take_part(&self, first: usize, work: fn(&mut J)) {
        let (before, after) = self.jobs.split_at(first);
        for slot in after.iter().chain(before) {
            // A locked job has been begun.
            if let Ok(mut slot) = slot.try_lock()
                && let Some((job, done)) = slot.as_mut()
                && !*done
            {
                *done = true;
                let _counted = Counted(&self.left);
                work(job);
            }
        }
    }
}

/// Counts a job as done, also when it panics: the panic then continues in the thread that collects the jobs.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

fn lock<T>(slot: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    match slot.lock() {
        Ok(guard) => guard,
        Err(_) => panic!("a job of the crew panicked"),
    }
}

impl<J: Send + 'static> Clone for Crew<J> {
    fn clone(&self) -> Self {
        Crew::new(self.board.jobs.len(), self.work)
    }
}

impl<J: Send + 'static> Drop for Crew<J> {
    fn drop(&mut self) {
        self.board.round.store(LAST, Ordering::Release);
        for helper in self.helpers.drain(..) {
            helper.thread().unpark();
            // The panic of a helper has been reported already.
            let _ = helper.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job that counts how often it was done.
    fn double(job: &mut (u64, u32)) {
        job.0 *= 2;
        job.1 += 1;
    }

    #[test]
    fn every_job_is_done_once_and_comes_back_in_its_place() {
        // Many rounds, also after the helpers fell asleep, and with more threads than jobs.
        for threads in 1..=4 {
            let mut crew = Crew::new(6, double);
            for round in 0..2_000u64 {
                let count = (round % 7) as usize;
                let mut jobs: Vec<(u64, u32)> = (0..count as u64).map(|k| (round + k, 0)).collect();
                if round % 500 == 0 {
                    thread::sleep(2 * PATIENCE);
                }
                crew.run(&mut jobs, threads);
                let expected: Vec<(u64, u32)> = (0..count as u64).map(|k| (2 * (round + k), 1)).collect();
                assert_eq!(jobs, expected, "round {round} on {threads} threads");
            }
        }
    }

    #[test]
    fn more_jobs_than_places_are_done_all_the_same() {
        // Nothing is left out, whatever the caller hands over.
        let mut crew = Crew::new(2, double);
        let mut jobs = vec![(1, 0); 5];
        crew.run(&mut jobs, 2);
        assert_eq!(jobs, vec![(2, 1); 5]);
    }

    #[test]
    fn helpers_end_with_their_crew() {
        // Dropping returns at once although a helper sleeps: no thread holds the board then.
        let mut crew = Crew::new(2, double);
        crew.run(&mut vec![(1, 0); 2], 2);
        let board = Arc::downgrade(&crew.board);
        thread::sleep(2 * PATIENCE);
        drop(crew);
        assert_eq!(board.strong_count(), 0);
    }
}
