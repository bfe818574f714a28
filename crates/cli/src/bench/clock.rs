//! CPU time: what the work cost, whatever else the machine did meanwhile.

use rustix::time::{ClockId, clock_gettime};

/// CPU time of this process so far, all threads together, s.
pub fn cpu_time() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// CPU time that some work takes, s, and what it returns.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = cpu_time();
    let result = work();
    (cpu_time() - before, result)
}

/// The middle one, so that a disturbed measurement does not count.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
