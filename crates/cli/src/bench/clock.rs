//! CPU time: the cost of the work, independent of what else the machine does.

use rustix::time::{ClockId, clock_gettime};

/// CPU time of this process so far, all threads together, s.
pub fn cpu_time() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Time on the wall, s, from some moment on.
pub fn wall_time() -> f64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Memory of this process that is resident, bytes; `None` where the system does not say.
pub fn resident_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024.0 * kilobytes)
}

/// The middle one, so that a disturbed measurement does not count.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
