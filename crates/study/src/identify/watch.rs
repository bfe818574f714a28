//! The bounds of a search: how often a model may be evaluated and how long that may take. What reaches one ends without a result,
//! and says so: a fit that was cut short is none.

use super::file::FitChoice;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts evaluations and watches the time of one stage.
pub(super) struct Watch {
    most: usize,
    longest: Duration,
    begun: Instant,
    evaluations: AtomicUsize,
    late: AtomicBool,
}

impl Watch {
    pub fn new(choice: &FitChoice) -> Watch {
        Watch {
            most: choice.evaluations,
            longest: Duration::from_secs_f64(choice.seconds),
            begun: Instant::now(),
            evaluations: AtomicUsize::new(0),
            late: AtomicBool::new(false),
        }
    }

    /// Whether there is time for more; asked before an evaluation and within long ones.
    pub fn has_time(&self) -> bool {
        let late = self.late.load(Ordering::Relaxed) || self.begun.elapsed() > self.longest;
        self.late.store(late, Ordering::Relaxed);
        !late
    }

    /// Counts one evaluation; false if it must not be made.
    pub fn counts_one(&self) -> bool {
        self.evaluations.fetch_add(1, Ordering::Relaxed) < self.most && self.has_time()
    }

    /// Which bound was reached, in words.
    pub fn exceeded(&self) -> Option<String> {
        if self.late.load(Ordering::Relaxed) {
            let made = self.evaluations.load(Ordering::Relaxed);
            return Some(format!(
                "{} s ({made} evaluations of the model), fit.seconds",
                self.longest.as_secs_f64()
            ));
        }
        let made = self.evaluations.load(Ordering::Relaxed);
        (made > self.most).then(|| format!("{} evaluations of the model, fit.evaluations", self.most))
    }
}
