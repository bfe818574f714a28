//! Fault injection: every single call to the disk of a campaign's shard, first to last, fails or is the last that a killed process makes. Afterwards what is there are true
//! rows of the campaign, and going on ends with the bytes of a campaign that nothing happened to.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use touchdown_campaign::{CampaignError, Ended, RESULT, Row, RunOptions, Store, make, read_study_text, run};
use touchdown_record::{Answer, Disk};

const CASES: u64 = 12;
/// Cases that are done before a shard is resumed.
const DONE: u64 = 5;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;
const STUDY: &str = r#"
scenario = "pendulum"
cases = 12
seed = 7
sampling = "sobol"
[vary]
duration_s = { uniform = [0.01, 0.02] }
"#;

/// What happens at the chosen call.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The process is killed before it.
    Kill,
    /// The process is killed in it: a write is cut in half.
    KillHalfway,
    /// It fails, once.
    Error(i32),
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
            Fault::Error(error) if n == at => Answer::Fail(error),
            _ => Answer::Go,
        }
    });
    (disk, count)
}

/// A folder with the plan, in memory where the system has a place for that.
fn planned() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    let dir = made.expect("a temporary folder");
    let study = read_study_text("study.toml", STUDY, Path::new(".")).expect("a study");
    Store::create(dir.path(), make(&study, "1", Default::default()).expect("a plan")).expect("room on disk");
    dir
}

/// Runs the only shard, until `stop` says so.
fn work(dir: &Path, disk: &Disk, stop: &(dyn Fn() -> bool + Sync)) -> Result<Ended, CampaignError> {
    let store = Store::open_on(dir, disk)?;
    let options = RunOptions {
        threads: 1,
        shard: (0, 1),
        until_decided: false,
        accept_changes: false,
        program: ("1", ""),
        stop,
    };
    run(&store, &options, &mut |_| {})
}

fn bits(row: &Row) -> (u64, Vec<u64>, &str) {
    (row.index, row.quantities.iter().map(|x| x.to_bits()).collect(), row.reason.as_str())
}

/// What is there are rows of the campaign.
fn assert_sound(dir: &Path, whole: &[Row], what: &str) {
    let found = Store::open(dir).and_then(|store| store.rows()).unwrap_or_else(|e| panic!("{what}: {e}"));
    for row in &found {
        assert_eq!(bits(row), bits(&whole[row.index as usize]), "{what}");
    }
}

/// Names of everything below a folder, in order.
fn names(dir: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in dir.read_dir().expect("readable") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            out.extend(names(&path));
        }
        out.push(path);
    }
    out
}

fn assert_ended(dir: &Path, whole: &Path, what: &str) {
    let below = |dir: &Path| {
        let mut list: Vec<_> =
            names(dir).iter().map(|p| p.strip_prefix(dir).expect("below").to_path_buf()).collect();
        list.sort();
        list
    };
    assert_eq!(below(dir), below(whole), "{what}");
    for name in [RESULT, "result.json", "plan.json"] {
        let read = |dir: &Path| std::fs::read(dir.join(name)).expect("readable");
        assert!(read(dir) == read(whole), "{what}: {name} differs");
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in from.read_dir().expect("readable") {
        let path = entry.expect("entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir_all(&to).expect("made");
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("copied");
        }
    }
}

/// Makes one thing happen at every call of a shard that begins from a copy of `start`.
fn at_every_call(start: &Path, fault: Fault) {
    let whole = planned();
    assert_eq!(
        work(whole.path(), &Disk::default(), &|| false).expect("room on disk"),
        Ended::Finished(CASES)
    );
    let rows = Store::open(whole.path()).and_then(|store| store.rows()).expect("a result");
    let prepared = || {
        let dir = planned();
        copy(start, dir.path());
        dir
    };
    let (counting, count) = disk(usize::MAX, Fault::Short);
    let counted = prepared();
    work(counted.path(), &counting, &|| false).expect("nothing happens");
    assert_ended(counted.path(), whole.path(), "without a fault");
    let calls = count.load(Ordering::SeqCst);
    assert!(calls > 30, "only {calls} calls");
    for at in 0..calls {
        let what = format!("{fault:?} at call {at} of {calls}");
        let dir = prepared();
        let ended = work(dir.path(), &disk(at, fault).0, &|| false);
        assert!(ended.is_ok() || !matches!(fault, Fault::Short), "{what}: {ended:?}");
        assert_sound(dir.path(), &rows, &what);
        let ended = work(dir.path(), &Disk::default(), &|| false).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(ended, Ended::Finished(CASES), "{what}");
        assert_ended(dir.path(), whole.path(), &what);
    }
    println!("{fault:?}: {calls} calls");
}

/// A shard that ended after some of its cases, however fast the machine: killed at the first call that leaves so many.
fn begun() -> tempfile::TempDir {
    let (counting, count) = disk(usize::MAX, Fault::Short);
    work(planned().path(), &counting, &|| false).expect("nothing happens");
    let left = (0..count.load(Ordering::SeqCst)).map(|at| {
        let dir = planned();
        let ended = work(dir.path(), &disk(at, Fault::Kill).0, &|| false);
        assert!(ended.is_err(), "{ended:?}");
        dir
    });
    let done = |dir: &tempfile::TempDir| Store::open(dir.path()).and_then(|store| store.count()).unwrap_or(0);
    left.into_iter().find(|dir| (DONE..CASES).contains(&done(dir))).expect("a call after some of the cases")
}

macro_rules! faults {
    ($($new:ident, $again:ident: $fault:expr;)*) => {$(
        #[test]
        fn $new() {
            at_every_call(planned().path(), $fault);
        }

        #[test]
        fn $again() {
            at_every_call(begun().path(), $fault);
        }
    )*};
}

faults! {
    a_shard_killed_before_any_call, a_shard_taken_up_and_killed_before_any_call: Fault::Kill;
    a_shard_killed_in_any_call, a_shard_taken_up_and_killed_in_any_call: Fault::KillHalfway;
    a_shard_with_an_io_error_at_any_call, a_shard_taken_up_with_an_io_error_at_any_call: Fault::Error(EIO);
    a_shard_on_a_full_disk_at_any_call, a_shard_taken_up_on_a_full_disk_at_any_call: Fault::Error(ENOSPC);
    a_shard_with_a_short_write_at_any_call, a_shard_taken_up_with_a_short_write_at_any_call: Fault::Short;
}
