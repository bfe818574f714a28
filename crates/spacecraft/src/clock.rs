//! Ticks of sampled devices: the k-th at k/rate, counted, so that rounding does not accumulate.

use serde::{Deserialize, Serialize};

/// A regular tick. The count is its whole state; the times follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Ticks per second.
    pub rate: f64,
    /// Index of the next tick.
    pub next: u64,
}

/// A tick counts as reached this much early, in parts of its interval: another clock's time for the same instant may be rounded differently.
const EARLY: f64 = 1e-6;

impl Clock {
    /// A clock whose first tick is at t = 0.
    pub fn new(rate: f64) -> Clock {
        Clock { rate, next: 0 }
    }

    /// Time between ticks, s.
    pub fn interval(&self) -> f64 {
        1.0 / self.rate
    }

    /// Time of the next tick, s.
    pub fn next_time(&self) -> f64 {
        self.next as f64 / self.rate
    }

    /// Index of the latest tick if one came due by `t` since the last call; ticks passed over count as missed.
    pub fn due(&mut self, t: f64) -> Option<u64> {
        let ticks = t * self.rate + EARLY;
        if ticks < self.next as f64 {
            return None;
        }
        let index = ticks.floor() as u64;
        self.next = index + 1;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Polled at its own times, or in steps that do not divide its interval, a clock ticks at its rate.
    #[test]
    fn ticks_are_neither_lost_nor_doubled() {
        for step in [0.1, 0.02, 1e-3, 7e-4] {
            let mut clock = Clock::new(50.0);
            let ticks = (0..=(20.0 / step) as usize).filter_map(|k| clock.due(k as f64 * step)).count();
            let expected = if step > 0.02 { 20.0 / step + 1.0 } else { 1001.0 };
            assert!((ticks as f64 - expected).abs() <= 1.0, "{step}: {ticks}");
        }
        let mut clock = Clock::new(3.0);
        for k in 0..10_000 {
            let t = clock.next_time();
            assert_eq!(clock.due(t), Some(k));
            assert_eq!(clock.due(t), None);
        }
    }
}
