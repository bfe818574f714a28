//! CPU time: the cost of the work, independent of what else the machine does.

use std::sync::LazyLock;
use std::time::Instant;

/// Whether this system says how much processor time a process has taken.
pub const COUNTS_CPU_TIME: bool = cfg!(unix);

static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// CPU time of this process so far, all threads together, s.
#[cfg(unix)]
pub fn cpu_time() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Not known here: see [`COUNTS_CPU_TIME`].
#[cfg(not(unix))]
pub fn cpu_time() -> f64 {
    f64::NAN
}

/// Time on the wall, s, from some moment on.
pub fn wall_time() -> f64 {
    BEGIN.elapsed().as_secs_f64()
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
