//! Fault injection: every single call to the disk that a campaign of three shards makes fails (a full disk), is cut short, or is the last of a killed process.
//! Nothing that was finished is lost, and going on ends with the bytes of a campaign that nothing happened to.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_campaign::{CampaignError, RunOptions, Store, make, read_study_text, report, run};
use touchdown_record::{Answer, Disk};

const STUDY: &str = r#"
scenario = "pendulum"
cases = 6
seed = 7
sampling = "latin-hypercube"
set = ["integrator={name=\"realtime\", step=\"1 ms\"}"]

[vary]
duration_s = { uniform = [0.01, 0.02] }

[requirement.keeps_energy]
quantity = "energy_drift_relative"
at_most = 1e-3
probability = 0.9
confidence = 0.9
"#;
const SHARDS: u64 = 3;
const PROGRAM: (&str, &str) = ("0.1.0", "");
const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// What happens at the chosen call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The process is killed before it: this and all later calls are not made.
    Kill,
    /// The process is killed in it: a write is cut in half.
    KillHalfway,
    /// The disk is full, once.
    Full,
    /// A write takes half of its bytes, once, and says so.
    Short,
}

/// A disk that counts calls and lets the `at`-th (from 0) meet its fault.
fn disk(at: usize, fault: Fault) -> (Disk, Arc<AtomicUsize>) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let disk = Disk::asking(move |_| {
        let n = counted.fetch_add(1, Ordering::SeqCst);
        match fault {
            Fault::Kill if n >= at => Answer::Fail(EIO),
            Fault::KillHalfway if n > at => Answer::Fail(EIO),
            Fault::KillHalfway | Fault::Short if n == at => Answer::Short,
            Fault::Full if n == at => Answer::Fail(ENOSPC),
            _ => Answer::Go,
        }
    });
    (disk, count)
}

/// In memory where the system has a place for that: thousands of syncs would take minutes on a disk.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// Works on all shards, from what is there to the page.
fn go_on(dir: &Path, disk: &Disk) -> Result<(), CampaignError> {
    let store = Store::open_on(dir, disk)?;
    for i in 0..SHARDS {
        let options = RunOptions {
            threads: 1,
            shard: (i, SHARDS),
            until_decided: true,
            accept_changes: false,
            program: PROGRAM,
            stop: &|| false,
        };
        run(&store, &options, &mut |_| {})?;
    }
    report::write(&store).map(|_| ())
}

/// The result, how it ended, and the page.
fn result(dir: &Path) -> [Vec<u8>; 3] {
    ["cases.parquet", "result.json", "report.html"].map(|name| std::fs::read(dir.join(name)).expect(name))
}

fn every_call_meets(fault: Fault) {
    let study = read_study_text("study.toml", STUDY, Path::new(".")).expect("a study");
    let planned = make(&study, PROGRAM.0, Default::default()).expect("a plan");
    let fresh = || {
        let folder = folder();
        Store::create(folder.path(), planned.clone()).expect("planned");
        folder
    };
    let whole = fresh();
    let (counting, calls) = disk(usize::MAX, fault);
    go_on(whole.path(), &counting).expect("nothing is wrong");
    let (expected, calls) = (result(whole.path()), calls.load(Ordering::SeqCst));
    assert!(calls > 50, "{calls} calls");
    for at in 0..calls {
        let folder = fresh();
        let ended = go_on(folder.path(), &disk(at, fault).0);
        let what = format!("{fault:?} at call {at} of {calls}");
        match ended {
            Err(error) if fault == Fault::Full => {
                let (text, place) = (error.to_string(), folder.path().display().to_string());
                assert!(text.contains("No space left") && text.contains(&place), "{what}: {text}");
            }
            Err(error) => assert!(fault != Fault::Short, "{what}: {error}"),
            Ok(()) => {}
        }
        let before =
            Store::open(folder.path()).and_then(|s| s.count()).unwrap_or_else(|e| panic!("{what}: {e}"));
        go_on(folder.path(), &Disk::default()).unwrap_or_else(|e| panic!("{what}, going on: {e}"));
        assert!(result(folder.path()) == expected, "{what}: other bytes, {before} cases were there");
    }
}

macro_rules! faults {
    ($($name:ident: $fault:expr;)*) => { $(#[test] fn $name() { every_call_meets($fault); })* };
}

faults! {
    a_campaign_is_killed_before_any_call: Fault::Kill;
    a_campaign_is_killed_in_the_middle_of_any_write: Fault::KillHalfway;
    a_disk_is_full_at_any_call: Fault::Full;
    a_write_takes_only_half_of_its_bytes: Fault::Short;
}
