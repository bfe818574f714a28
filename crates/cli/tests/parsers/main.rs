//! Broken inputs for every parser: none may make it panic, abort, run without end or take memory without bound.
//!
//! Good inputs are broken by seeded dice: case n of a target is the same input on every machine. Cases run in children with limits of
//! processor time and address space, so that an abort or an endless loop is a finding like any other; time is the processor's, not the
//! clock's. Inputs that once broke something lie in `tests/broken` and are read first.
//!
//! `make fuzz` runs as long as one likes: FUZZ_CASES cases in all (from case FUZZ_FROM on), or rounds of that until FUZZ_SECONDS have
//! passed. An input that breaks something is written to `target/fuzz`.

mod dice;
mod mutate;
mod suspended;
mod targets;

use dice::Dice;
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use targets::{TARGETS, Target};

/// Cases of a run in CI.
const CASES: u64 = 24_000;
/// Cases of one child.
const BATCH: u64 = 250;
/// Processor time of one case at most, s. The slowest legal ones, chains of 100 000 links, take a second.
const CASE_SECONDS: f64 = 5.0;
/// Processor time of a child, s: an endless loop ends here.
const CHILD_SECONDS: u64 = 120;
/// Address space of a child, bytes.
const CHILD_MEMORY: u64 = 4 << 30;

/// What a child is to do, where it writes how far it got, and where recorded files lie.
const ORDER: &str = "TOUCHDOWN_PARSERS_ORDER";
const FOLDER: &str = "TOUCHDOWN_PARSERS_FOLDER";
const RECORDED: &str = "TOUCHDOWN_PARSERS_RECORDED";

/// Cases of a target, one after the other.
#[derive(Clone, Copy)]
struct Batch {
    target: &'static Target,
    first: u64,
    count: u64,
}

/// A case that broke something.
struct Finding {
    target: &'static Target,
    case: u64,
    what: String,
}

fn input(target: &Target, seeds: &[Vec<u8>], case: u64) -> Vec<u8> {
    let mut dice = Dice::of(target.name, case);
    let seed = dice.roll(seeds.len());
    mutate::mutated(&seeds[seed], seeds, target.text, &mut dice)
}

fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// What is wrong with how a target takes an input, if anything.
fn trouble(target: &Target, bytes: &[u8], folder: &Path) -> Option<String> {
    let begun = processor_seconds();
    let result = catch_unwind(AssertUnwindSafe(|| (target.read)(bytes, folder)));
    let took = processor_seconds() - begun;
    match result {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            Some(format!(
                "panic: {}",
                text.or(panic.downcast_ref::<&str>().map(|s| s.to_string())).unwrap_or_default()
            ))
        }
        Ok(()) if took > CASE_SECONDS => Some(format!("took {took:.1} s of processor time")),
        Ok(()) => None,
    }
}

/// A child: carries out its order under limits. Not a test of its own.
#[test]
#[ignore = "the harness starts it"]
fn child() {
    let (Ok(order), Ok(folder)) = (std::env::var(ORDER), std::env::var(FOLDER)) else { return };
    let words: Vec<&str> = order.split(' ').collect();
    let [name, first, count] = words[..] else { panic!("order {order}") };
    let (first, count): (u64, u64) = (first.parse().expect("a number"), count.parse().expect("a number"));
    let target = TARGETS.iter().find(|t| t.name == name).expect("a target");
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::Cpu, limit(CHILD_SECONDS)).expect("a limit of time");
    setrlimit(Resource::As, limit(CHILD_MEMORY)).expect("a limit of memory");
    let folder = PathBuf::from(folder);
    let seeds = (target.seeds)(Path::new(&std::env::var(RECORDED).expect("the folder of a run")));
    for case in first..first + count {
        fs::write(folder.join("case"), case.to_string()).expect("room on disk");
        if let Some(what) = trouble(target, &input(target, &seeds, case), &folder) {
            fs::write(folder.join("what"), what).expect("room on disk");
            std::process::exit(1);
        }
    }
    fs::write(folder.join("done"), "").expect("room on disk");
}

/// Runs a batch in children; one that ends early is a finding, and another goes on behind it.
fn carry_out(batch: Batch, recorded: &Path) -> Vec<Finding> {
    let (mut findings, mut first, end) = (Vec::new(), batch.first, batch.first + batch.count);
    while first < end {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let order = format!("{} {first} {}", batch.target.name, end - first);
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .env(ORDER, order)
            .env(FOLDER, folder.path())
            .env(RECORDED, recorded)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .output()
            .expect("a child starts");
        if folder.path().join("done").exists() {
            break;
        }
        let said = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
        let case = said("case").parse().unwrap_or(first);
        let ended = || format!("ended by {}: {}", output.status, last_line(&output.stderr));
        let what = Some(said("what")).filter(|what| !what.is_empty()).unwrap_or_else(ended);
        findings.push(Finding { target: batch.target, case, what });
        first = case + 1;
    }
    findings
}

fn last_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).lines().last().unwrap_or_default().to_string()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A short run whose files are broken.
fn record(folder: &Path) -> PathBuf {
    let out = folder.join("run");
    let status = Command::new(env!("CARGO_BIN_EXE_touchdown"))
        .args(["run", "pendulum", "--quiet", "--no-report", "--set", "duration_s=0.2", "--out"])
        .arg(&out)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("the command starts").success());
    out
}

/// Every parser reads thousands of broken inputs without panic, abort, endless loop or unbounded memory.
#[test]
fn broken_inputs_are_harmless() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recorded = record(folder.path());
    let cases = number("FUZZ_CASES").unwrap_or(CASES);
    let begun = std::time::Instant::now();
    let (mut from, mut done, mut findings) = (number("FUZZ_FROM").unwrap_or(0), 0, Vec::new());
    loop {
        let batches = batches(from, cases);
        done += batches.iter().map(|b| b.count).sum::<u64>();
        findings.extend(all(&batches, &recorded));
        from += cases;
        if number("FUZZ_SECONDS").is_none_or(|most| begun.elapsed().as_secs() >= most) {
            break;
        }
        println!("{done} cases, {} findings, {:.0} s", findings.len(), begun.elapsed().as_secs_f64());
    }
    println!("{done} cases, {} findings, {:.0} s", findings.len(), begun.elapsed().as_secs_f64());
    let lines: Vec<String> = findings.iter().map(|finding| kept(finding, &recorded)).collect();
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

fn batches(from: u64, cases: u64) -> Vec<Batch> {
    let of = |target: &'static Target| {
        let (first, count) = (from * target.share / 1000, cases * target.share / 1000);
        let starts = (0..count.div_ceil(BATCH)).map(move |k| k * BATCH);
        starts.map(move |k| Batch { target, first: first + k, count: BATCH.min(count - k) })
    };
    TARGETS.iter().flat_map(of).collect()
}

/// Batches on all cores.
fn all(batches: &[Batch], recorded: &Path) -> Vec<Finding> {
    let (next, findings) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = carry_out(*batch, recorded);
                    findings.lock().expect("no worker panics").extend(found);
                }
            });
        }
    });
    findings.into_inner().expect("no worker panics")
}

/// Writes the input of a finding down; says where.
fn kept(finding: &Finding, recorded: &Path) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../fuzz");
    let Finding { target, case, what } = finding;
    let path = folder.join(format!("{}-{case}", target.name));
    let bytes = input(target, &(target.seeds)(recorded), *case);
    let _ = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, bytes));
    format!("{} case {case}: {what} ({})", target.name, path.display())
}

/// Inputs that once broke something stay harmless. The name of a file begins with its target: `stl-….bin`.
#[test]
fn inputs_that_broke_something_stay_harmless() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let mut tried = 0;
    for entry in fs::read_dir(folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let target = TARGETS.iter().find(|t| name.split('-').next() == Some(t.name));
        let target = target.unwrap_or_else(|| panic!("{name} names no target"));
        let bytes = fs::read(&path).expect("a file");
        assert_eq!(trouble(target, &bytes, scratch.path()), None, "{name}");
        tried += 1;
    }
    assert!(tried > 0, "the corpus is empty");
}
