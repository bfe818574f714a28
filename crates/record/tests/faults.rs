//! Fault injection: every single call to the disk, first to last, of a run and of a resumed run fails or is the last that a killed process makes.
//! Afterwards the folder is readable and intact, and going on ends with the bytes of a run that nothing happened to.

mod common;

use common::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use touchdown_record::{
    Answer, Disk, Options, RecordError, Recorder, Resumed, Resumption, read_series, report, verify,
};
use touchdown_sim::sink::{Sink, SoilNode};

const ROWS: u64 = 60;
const CHECKPOINT_EVERY: u64 = 20;
/// Rows of the run that is resumed: the last ten come after its last checkpoint.
const ROWS_BEFORE: u64 = 50;
const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// What happens at the chosen call.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The process is killed before it: this and all later calls are not made.
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

/// In memory where the system has a place for that: thousands of syncs would take minutes on a disk.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary folder")
}

/// Seals at checkpoints only, so that every run makes the same calls.
fn options(disk: &Disk) -> Options {
    let seal_every = Duration::from_secs(3600);
    Options { csv: true, seal_every, disk: disk.clone(), ..Options::default() }
}

/// Records from a row to the end, closes the folder and makes the report.
fn to_the_end(mut recorder: Recorder, from: u64, dir: &Path, disk: &Disk) -> Result<(), RecordError> {
    let failed = |error| RecordError::Format { doing: "recording".into(), why: format!("{error}") };
    record(&mut recorder, from, ROWS, CHECKPOINT_EVERY).map_err(failed)?;
    recorder.flush()?;
    recorder.surface(&[SoilNode { x: 0.5, ..SoilNode::default() }]).map_err(failed)?;
    recorder.finish(&outcome(ROWS, true), 0.0)?;
    report::write_on(dir, disk).map(|_| ())
}

fn run(dir: &Path, disk: &Disk) -> Result<(), RecordError> {
    let recorder = Recorder::create(dir, &info(), &columns(), &scene(), &options(disk))?;
    to_the_end(recorder, 0, dir, disk)
}

/// What a user does with a folder whose run did not end: resumes it; runs it again where it had not begun.
fn go_on(dir: &Path, disk: &Disk) -> Result<(), RecordError> {
    match Resumption::open(dir, (VERSION, &build()), false, disk) {
        Ok(resumption) => {
            let resumed = Recorder::resume(resumption, &columns(), &scene(), &options(disk))?;
            let Resumed { recorder, state, notes } = resumed;
            assert!(notes.is_empty(), "{notes:?}");
            to_the_end(recorder, state.map_or(0, row_of), dir, disk)
        }
        Err(RecordError::Finished { .. }) => report::write_on(dir, disk).map(|_| ()),
        Err(RecordError::Refused { .. }) => run(dir, disk),
        Err(error) => Err(error),
    }
}

/// Nothing that is there is damaged, and rows are the first ones of the run.
fn assert_sound(dir: &Path, what: &str) {
    match verify(dir) {
        Ok(found) => assert!(found.intact, "{what}: {found:#?}"),
        Err(error) => assert!(matches!(error, RecordError::NoRun { .. }), "{what}: {error}"),
    }
    if dir.join("series.parquet").exists() || dir.join("parts").exists() {
        let series = read_series(dir).unwrap_or_else(|error| panic!("{what}: {error}"));
        for (k, column) in series.columns.iter().enumerate() {
            assert!((0..).zip(&column.values).all(|(i, v)| v.to_bits() == row(i)[k].to_bits()), "{what}");
        }
    }
}

/// The run has ended as if nothing had happened, and nothing else is left.
fn assert_ended(dir: &Path, whole: &Path, what: &str) {
    let names = |dir: &Path| {
        let mut names: Vec<_> =
            dir.read_dir().expect("readable").map(|e| e.expect("entry").file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(dir), names(whole), "{what}");
    for name in
        ["series.parquet", "frames.mcap", "series.csv", "soil.parquet", "resolved.toml", "manifest.json"]
    {
        assert!(bytes(dir, name) == bytes(whole, name), "{what}: {name} differs");
    }
    let found = verify(dir).expect("a run");
    assert!(found.intact && found.finished && found.others.is_empty(), "{what}: {found:#?}");
}

fn copy(from: &Path, to: &Path) {
    for entry in from.read_dir().expect("readable") {
        let path: PathBuf = entry.expect("entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            std::fs::create_dir(&to).expect("made");
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("copied");
        }
    }
}

/// Makes one thing happen at every call of `work`, which starts from a copy of `start`.
fn at_every_call(start: Option<&Path>, fault: Fault, work: fn(&Path, &Disk) -> Result<(), RecordError>) {
    let whole = folder();
    run(whole.path(), &Disk::default()).expect("room on disk");
    let prepared = || {
        let dir = folder();
        start.into_iter().for_each(|start| copy(start, dir.path()));
        dir
    };
    let (counting, count) = disk(usize::MAX, Fault::Short);
    let counted = prepared();
    work(counted.path(), &counting).expect("nothing happens");
    assert_ended(counted.path(), whole.path(), "without a fault");
    let calls = count.load(Ordering::SeqCst);
    assert!(calls > 50, "only {calls} calls");
    for at in 0..calls {
        let what = format!("{fault:?} at call {at} of {calls}");
        let dir = prepared();
        let ended = work(dir.path(), &disk(at, fault).0);
        assert!(ended.is_ok() || !matches!(fault, Fault::Short), "{what}: {ended:?}");
        assert_sound(dir.path(), &what);
        go_on(dir.path(), &Disk::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_ended(dir.path(), whole.path(), &what);
    }
    println!("{fault:?}: {calls} calls");
}

/// A run that was killed ten rows after its last checkpoint.
fn interrupted() -> tempfile::TempDir {
    let dir = folder();
    let mut recorder = create(dir.path(), &options(&Disk::default()));
    record(&mut recorder, 0, ROWS_BEFORE, CHECKPOINT_EVERY).expect("room on disk");
    drop(recorder);
    dir
}

macro_rules! faults {
    ($($run:ident, $resume:ident: $fault:expr;)*) => {$(
        #[test]
        fn $run() {
            at_every_call(None, $fault, run);
        }

        #[test]
        fn $resume() {
            at_every_call(Some(interrupted().path()), $fault, go_on);
        }
    )*};
}

faults! {
    a_run_killed_before_any_call, a_resume_killed_before_any_call: Fault::Kill;
    a_run_killed_in_any_call, a_resume_killed_in_any_call: Fault::KillHalfway;
    a_run_with_an_io_error_at_any_call, a_resume_with_an_io_error_at_any_call: Fault::Error(EIO);
    a_run_on_a_full_disk_at_any_call, a_resume_on_a_full_disk_at_any_call: Fault::Error(ENOSPC);
    a_run_with_a_short_write_at_any_call, a_resume_with_a_short_write_at_any_call: Fault::Short;
}
