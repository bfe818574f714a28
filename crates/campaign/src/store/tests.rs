//! The store at a million cases, filled by a generator: planned and assessed in seconds of processor time, in memory that does not grow with the cases.

use super::{BLOCK, Store, part};
use crate::assess::{Verdict, assess};
use crate::case::{Row, Status};
use crate::{make, read_study_text};
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;

const STUDY: &str = r#"
scenario = "pendulum"
cases = 1_000_000
seed = 3
sampling = "sobol"
quantities = ["x_end_m", "y_end_m"]

[vary]
duration_s = { uniform = [0.5, 2.0] }

[requirement.right]
quantity = "x_end_m"
at_least = 0.0
probability = 0.9
confidence = 0.95
"#;
/// Processor time for a plan, and for an assessment, s.
const PLAN_TIME: f64 = 5.0;
const ASSESS_TIME: f64 = 60.0;
/// What reading may hold at a time, KiB. A million rows take at least 88 bytes each and two allocations, twice as much.
const MEMORY: u64 = 64 * 1024;

/// Processor time of this thread, s.
fn time() -> f64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec as f64 + 1e-9 * t.tv_nsec as f64
}

/// An entry of `/proc/self/status`, KiB.
fn memory(entry: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux says how much memory there is");
    let line = text.lines().find_map(|line| line.strip_prefix(entry)).expect(entry);
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("a number")
}

/// By how much the peak of memory rises while something is done, and the processor time that it takes.
fn cost<T>(what: impl FnOnce() -> T) -> (T, u64, f64) {
    // The peak starts again from what is held now (proc(5), clear_refs).
    std::fs::write("/proc/self/clear_refs", "5").expect("the peak can be reset");
    let (before, start) = (memory("VmRSS"), time());
    let out = what();
    (out, memory("VmHWM").saturating_sub(before), time() - start)
}

#[test]
fn a_million_cases_are_planned_in_seconds_and_assessed_in_a_minute_in_flat_memory() {
    let shm = Path::new("/dev/shm");
    let folder = if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.unwrap();
    let (store, rise, seconds) = cost(|| {
        let study = read_study_text("study.toml", STUDY, Path::new(".")).unwrap();
        Store::create(folder.path(), make(&study, "0.1.0", Default::default()).unwrap()).unwrap()
    });
    println!("plan: {seconds:.2} s, {rise} KiB");
    assert!(seconds < PLAN_TIME, "{seconds} s");
    let cases = store.planned.plan.cases;
    let place = store.shard(0).unwrap();
    let checks = vec![Some(true); store.planned.plan.checks.len()];
    let row = |index: u64| Row {
        index,
        // One case in twelve breaks the requirement: 91.7 % keep it.
        quantities: vec![if index % 12 == 5 { -1.0 } else { 1.0 }, 0.25],
        checks: checks.clone(),
        status: Status::Ok,
        reason: String::new(),
    };
    for block in 0..cases.div_ceil(BLOCK) {
        let rows: Vec<Row> = (block * BLOCK..((block + 1) * BLOCK).min(cases)).map(row).collect();
        part::write(&place, &format!("part-{block}.parquet"), block, &rows, &store.planned).unwrap();
    }
    let (finished, rise, seconds) = cost(|| store.finish(cases).unwrap());
    println!("put together: {seconds:.2} s, {rise} KiB");
    assert!(finished.cases == cases && rise < MEMORY, "{rise} KiB");
    let (assessed, rise, seconds) = cost(|| assess(&store).unwrap());
    println!("assessed: {seconds:.2} s, {rise} KiB");
    let right = &assessed.requirements[0];
    assert_eq!((right.verdict, right.counts.broken), (Verdict::Pass, cases / 12));
    assert!(seconds < ASSESS_TIME && rise < MEMORY, "{seconds} s, {rise} KiB");
}
