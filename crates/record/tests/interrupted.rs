//! Interrupted runs: cut anywhere, killed at any moment, ended twice; the results are those of the run that was not.

mod common;

use common::*;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use touchdown_record::{Options, RecordError, Recorder, read_series};
use touchdown_sim::sink::Sink;

const ROWS: u64 = 3000;
/// Tells the child process where to record.
const DIR_VARIABLE: &str = "RECORD_TEST_DIR";

fn quick_seal() -> Options {
    Options { seal_every: Duration::from_millis(3), ..Options::default() }
}

#[test]
fn bytes_do_not_depend_on_how_parts_were_cut() {
    // Equal rows and frames give equal files, whatever the checkpoints, the seals and the blocks.
    let dirs: Vec<_> = (0..3).map(|_| tempfile::tempdir().expect("a temporary folder")).collect();
    straight(dirs[0].path(), ROWS, u64::MAX, &Options::default());
    straight(dirs[1].path(), ROWS, 7, &quick_seal());
    straight(dirs[2].path(), ROWS, 1000, &Options { blocks: 2, ..Options::default() });
    assert_same_results(dirs[0].path(), dirs[1].path());
    assert_same_results(dirs[0].path(), dirs[2].path());
}

#[test]
fn row_groups_are_cut_by_row_number_alone() {
    // The same holds for a series of more than one row group, with parts that straddle its border.
    let dirs: Vec<_> = (0..2).map(|_| tempfile::tempdir().expect("a temporary folder")).collect();
    let rows = 70_000;
    straight(dirs[0].path(), rows, u64::MAX, &Options::default());
    straight(dirs[1].path(), rows, 9_999, &Options::default());
    assert_same_results(dirs[0].path(), dirs[1].path());
    assert_eq!(read_series(dirs[0].path()).expect("readable").rows() as u64, rows);
}

#[test]
fn rows_after_the_checkpoint_are_done_again() {
    // Stopped 49 rows after a checkpoint and resumed there, the run ends with the same bits.
    let (whole, broken) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    straight(whole.path(), ROWS, 100, &Options::default());
    let mut recorder = create(broken.path(), &quick_seal());
    record(&mut recorder, 0, 1249, 100).expect("room on disk");
    drop(recorder);
    assert_eq!(read_series(broken.path()).expect("parts").rows(), 1249);
    let (mut recorder, next) = resume(broken.path(), &Options::default());
    assert_eq!(next, 1200);
    assert_eq!(read_series(broken.path()).expect("parts").rows(), 1200);
    record(&mut recorder, next, ROWS, 100).expect("room on disk");
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
    assert_same_results(whole.path(), broken.path());
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    // With the newest restart point destroyed, the run continues from the one before it, to the same end.
    let (whole, broken) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    straight(whole.path(), ROWS, 100, &Options::default());
    let mut recorder = create(broken.path(), &Options::default());
    record(&mut recorder, 0, 1249, 100).expect("room on disk");
    drop(recorder);
    std::fs::write(broken.path().join("checkpoint.bin"), b"torn").expect("damaged");
    let (mut recorder, next) = resume(broken.path(), &Options::default());
    assert_eq!(next, 1100);
    record(&mut recorder, next, ROWS, 100).expect("room on disk");
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
    assert_same_results(whole.path(), broken.path());
}

#[test]
fn a_run_killed_while_it_was_ending_can_be_ended_again() {
    // Merged files without a summary are the trace of a killed end: resuming replaces them.
    let (whole, broken) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    straight(whole.path(), ROWS, 100, &Options::default());
    let mut recorder = create(broken.path(), &Options::default());
    record(&mut recorder, 0, ROWS, 100).expect("room on disk");
    drop(recorder);
    std::fs::write(broken.path().join("series.parquet"), b"stale").expect("written");
    std::fs::write(broken.path().join("frames.mcap.tmp"), b"half").expect("written");
    let (mut recorder, next) = resume(broken.path(), &Options::default());
    record(&mut recorder, next, ROWS, 100).expect("room on disk");
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
    assert_same_results(whole.path(), broken.path());
    assert!(!broken.path().join("frames.mcap.tmp").exists());
}

#[test]
fn a_run_that_stopped_early_can_be_resumed_and_a_finished_one_cannot() {
    // An interruption by the user merges and summarises, and yet the run can go on; after the end there is nothing to do.
    let (whole, broken) = (tempfile::tempdir().expect("folder"), tempfile::tempdir().expect("folder"));
    straight(whole.path(), ROWS, 100, &Options::default());
    let mut recorder = create(broken.path(), &Options::default());
    record(&mut recorder, 0, 555, 100).expect("room on disk");
    recorder.finish(&outcome(555, false), 0.0).expect("merged");
    let (mut recorder, next) = resume(broken.path(), &Options::default());
    assert_eq!(next, 500);
    record(&mut recorder, next, ROWS, 100).expect("room on disk");
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
    assert_same_results(whole.path(), broken.path());
    assert!(matches!(reopen(broken.path()).err(), Some(RecordError::Finished { .. })));
}

#[test]
fn what_a_kill_after_the_end_left_is_tidied() {
    // Killed after the summary, only the scaffold remained: it goes at the next attempt to resume, the results stay.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 100, 1000, &Options::default());
    std::fs::create_dir(dir.path().join("parts")).expect("made");
    std::fs::write(dir.path().join("checkpoint.bin"), b"old").expect("written");
    assert!(matches!(reopen(dir.path()).err(), Some(RecordError::Finished { .. })));
    assert!(!dir.path().join("parts").exists() && !dir.path().join("checkpoint.bin").exists());
    assert_eq!(read_series(dir.path()).expect("results").rows(), 100);
}

#[test]
fn resuming_another_mechanism_is_refused() {
    // A run continues only with the scenario, the columns and the bodies that it started with.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    record(&mut recorder, 0, 300, 100).expect("room on disk");
    drop(recorder);
    let mut other = columns();
    other[1].name = "body.other.z_m".into();
    let opened = reopen(dir.path()).expect("a run");
    let refused = Recorder::resume(opened, &other, &scene(), &Options::default());
    let message = refused.err().expect("refused").to_string();
    assert!(message.contains("body.other.z_m"), "{message}");
    let original = bytes(dir.path(), "resolved.toml");
    std::fs::write(dir.path().join("resolved.toml"), "duration = \"2 s\"").expect("edited");
    assert!(reopen(dir.path()).err().expect("refused").to_string().contains("resolved.toml"));
    std::fs::write(dir.path().join("resolved.toml"), original).expect("restored");
    resume(dir.path(), &Options::default());
}

#[test]
fn seals_need_no_checkpoint() {
    // A run that is killed before its first checkpoint still shows what it had a few seconds earlier.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &quick_seal());
    recorder.series(&row(0)).expect("taken");
    // The next row comes after `seal_every`: the waiting block is due.
    std::thread::sleep(Duration::from_millis(5));
    recorder.series(&row(1)).expect("taken");
    // Sealing runs beside: looks are counted, because the clock also counts what other programs take of the processor.
    let sealed = (0..20_000).any(|_| {
        std::thread::sleep(Duration::from_millis(1));
        read_series(dir.path()).expect("readable").rows() == 2
    });
    assert!(sealed, "nothing was sealed");
}

/// The child process of the next test: starts or resumes, and runs to the end unless it is killed.
#[test]
#[ignore = "started by killed_at_any_moment_the_results_are_the_same"]
fn child_that_records() {
    let Some(dir) = std::env::var_os(DIR_VARIABLE) else { return };
    let dir = Path::new(&dir);
    // Looking takes the folder's lock and gives it back.
    let is_begun = reopen(dir).is_ok();
    let (mut recorder, next) = if is_begun {
        resume(dir, &quick_seal())
    } else {
        (create(dir, &Options { overwrite: true, ..quick_seal() }), 0)
    };
    for i in next..ROWS {
        record(&mut recorder, i, i + 1, u64::MAX).expect("room on disk");
        if (i + 1) % 50 == 0 {
            recorder.checkpoint(&(i + 1).to_le_bytes(), i + 1, frames_in(i + 1)).expect("room on disk");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    recorder.finish(&outcome(ROWS, true), 0.0).expect("merged");
}

fn start_child(dir: &Path) -> Child {
    Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "child_that_records", "--ignored"])
        .env(DIR_VARIABLE, dir)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started")
}

/// Rows of a killed run are the first rows of the whole run, to the bit.
fn assert_readable_prefix(dir: &Path) {
    if !dir.join("parts").exists() && !dir.join("series.parquet").exists() {
        return;
    }
    let series = read_series(dir).expect("a killed run is readable");
    for (k, column) in series.columns.iter().enumerate() {
        assert!((0..).zip(&column.values).all(|(i, v)| v.to_bits() == row(i)[k].to_bits()));
    }
}

/// Lets a run start and kills it again and again until it has ended; returns how often it was killed.
fn run_with_kills(dir: &Path, first_delay: usize) -> usize {
    let mut kills = 0;
    while !dir.join("summary.json").exists() {
        let mut child = start_child(dir);
        // Multiples of the golden ratio spread evenly over 0 to 120 ms, some of a whole run; much longer with each kill, so that a busy machine
        // gets there too.
        let span = 0.120 * (1.0 + 0.5 * kills as f64);
        let delay = ((first_delay + kills) as f64 * 0.618_034).fract() * span;
        std::thread::sleep(Duration::from_secs_f64(delay));
        child.kill().expect("killed or gone");
        let ended = child.wait().expect("gone");
        assert!(ended.success() || ended.signal().is_some(), "the child failed: {ended}");
        kills += usize::from(ended.signal().is_some());
        assert_readable_prefix(dir);
        assert!(kills < 500, "no run gets anywhere");
    }
    kills
}

#[test]
fn killed_at_any_moment_the_results_are_the_same() {
    // SIGKILL at moments spread over start, run, seal, checkpoint and end; whenever it ends, the bytes are the same.
    let whole = tempfile::tempdir().expect("a temporary folder");
    straight(whole.path(), ROWS, 50, &Options::default());
    let mut kills = 0;
    while kills < 20 {
        let broken = tempfile::tempdir().expect("a temporary folder");
        kills += run_with_kills(broken.path(), kills);
        assert_same_results(whole.path(), broken.path());
    }
}
