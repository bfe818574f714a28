//! A full disk: the loop receives an error with the path, nothing panics, what was written stays readable.

mod common;

use common::*;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use touchdown_record::{Options, RecordError, Recorder, read_series};
use touchdown_sim::sink::{Frame, Sink, SinkError};

/// Tells the child process where to record.
const DIR_VARIABLE: &str = "RECORD_TEST_DIR";
/// Tells it what to do there.
const SCENE_VARIABLE: &str = "RECORD_TEST_SCENE";
/// Largest file that the child may write: 80 blocks, of 512 or 1024 bytes depending on the shell.
const LIMIT_BLOCKS: u32 = 80;
/// Parts that fit one by one (some 3 kB of rows, 35 kB of frames, most of it descriptions of messages) and not together.
const MANY_PARTS: u64 = 40;
/// Rows before the checkpoint: their part is smaller than the limit.
const SAFE_ROWS: u64 = 100;

/// A number from 1 to 2 whose digits have no pattern, so that compression cannot help (the mixer of SplitMix64).
fn noise(i: u64) -> f64 {
    let mut z = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from_bits(0x3ff << 52 | (z ^ z >> 31) >> 12)
}

fn noisy_row(i: u64) -> Vec<f64> {
    (0..4).map(|k| noise(4 * i + k)).collect()
}

/// Seals at checkpoints only.
fn patient() -> Options {
    Options { seal_every: Duration::from_secs(3600), ..Options::default() }
}

/// Records until the disk refuses: no checkpoint comes any more, so the next part is far above the limit.
fn record_until_refused(sink: &mut impl Sink) -> SinkError {
    (SAFE_ROWS..10_000_000).find_map(|i| sink.series(&noisy_row(i)).err()).expect("the limit is reached")
}

/// The child process of the tests below does what the variable asks for.
#[test]
#[ignore = "started by the other tests of this file"]
fn child_on_a_full_disk() {
    let (Some(dir), Ok(scene)) = (std::env::var_os(DIR_VARIABLE), std::env::var(SCENE_VARIABLE)) else {
        return;
    };
    let dir = Path::new(&dir);
    match scene.as_str() {
        "part" => part_does_not_fit(dir),
        "series" => series_do_not_fit(dir),
        _ => frames_do_not_fit(dir),
    }
}

fn part_does_not_fit(dir: &Path) {
    let mut recorder = create(dir, &patient());
    record(&mut recorder, 0, SAFE_ROWS, u64::MAX).expect("a small part fits");
    recorder.checkpoint(&SAFE_ROWS.to_le_bytes(), SAFE_ROWS, frames_in(SAFE_ROWS)).expect("fits");
    let error = record_until_refused(&mut recorder);
    assert!(error.doing.contains("series-"), "{error}");
    assert_eq!(error.source.kind(), std::io::ErrorKind::FileTooLarge, "{error}");
    // Later calls go on failing, with the first reason, instead of hanging or pretending.
    let later = recorder.checkpoint(b"late", 0, 0).expect_err("refused").to_string();
    assert!(later.contains("series-"), "{later}");
    assert!(record(&mut recorder, 0, 1_000, u64::MAX).is_err());
    assert!(recorder.finish(&outcome(1, true), 0.0).is_err());
}

/// Parts fit, the merged series does not.
fn series_do_not_fit(dir: &Path) {
    let mut recorder = create(dir, &patient());
    for i in 0..MANY_PARTS * SAFE_ROWS {
        recorder.series(&noisy_row(i)).expect("small parts fit");
        if (i + 1) % SAFE_ROWS == 0 {
            recorder.checkpoint(b"state", i + 1, 0).expect("fits");
        }
    }
    let error = recorder.finish(&outcome(1, true), 0.0).expect_err("refused");
    assert!(matches!(&error, RecordError::Io { doing, .. } if doing.contains("series.parquet")), "{error}");
}

/// Parts fit, the merged frames do not.
fn frames_do_not_fit(dir: &Path) {
    let mut recorder = create(dir, &patient());
    for i in 0..MANY_PARTS * SAFE_ROWS {
        let mut shaken = Frame { soil: Vec::new(), ..frame(i) };
        shaken.poses[0].q_WB = [noise(4 * i), noise(4 * i + 1), noise(4 * i + 2), noise(4 * i + 3)];
        recorder.frame(&shaken).expect("small parts fit");
        if (i + 1) % SAFE_ROWS == 0 {
            recorder.checkpoint(b"state", 0, i + 1).expect("fits");
        }
    }
    let error = recorder.finish(&outcome(1, true), 0.0).expect_err("refused");
    assert!(matches!(&error, RecordError::Io { doing, .. } if doing.contains("frames.mcap")), "{error}");
}

/// Runs the child with a limit on the size of files (write fails, as on a full disk) and expects it to be content.
fn run_child(dir: &Path, scene: &str) {
    let exe = std::env::current_exe().expect("this test");
    // Without the trap the kernel would kill the process; with it, write returns an error.
    let script =
        format!("trap '' XFSZ; ulimit -f {LIMIT_BLOCKS}; exec \"$0\" --exact child_on_a_full_disk --ignored");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(exe).env(DIR_VARIABLE, dir).env(SCENE_VARIABLE, scene);
    let child = command.output().expect("started");
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
fn a_full_disk_is_reported_and_survived() {
    // The loop gets an error; rows up to the checkpoint survive, the summary says why, and the run can be resumed.
    let dir = tempfile::tempdir().expect("a temporary folder");
    run_child(dir.path(), "part");
    assert_eq!(read_series(dir.path()).expect("readable").rows() as u64, SAFE_ROWS);
    let summary = String::from_utf8(bytes(dir.path(), "summary.json")).expect("text");
    assert!(summary.contains("\"finished\": false") && summary.contains("series-"), "{summary}");
    let (_, next) = resume(dir.path(), &Options::default());
    assert_eq!(next, SAFE_ROWS);
}

#[test]
fn a_disk_that_fills_at_the_end_keeps_the_parts() {
    // When there is no room for the merged file, its half is removed, the parts stay readable, and with room it ends well.
    for scene_name in ["series", "frames"] {
        let dir = tempfile::tempdir().expect("a temporary folder");
        run_child(dir.path(), scene_name);
        let rows = if scene_name == "series" { MANY_PARTS * SAFE_ROWS } else { 0 };
        assert_eq!(read_series(dir.path()).expect("readable").rows() as u64, rows);
        assert!(
            !dir.path().join("series.parquet.tmp").exists() && !dir.path().join("frames.mcap.tmp").exists()
        );
        let opened = reopen(dir.path()).expect("a run");
        let resumed = Recorder::resume(opened, &columns(), &scene(), &Options::default()).expect("resumed");
        assert_eq!(resumed.state.as_deref(), Some(&b"state"[..]));
        resumed.recorder.finish(&outcome(1, true), 0.0).expect("room now");
        assert_eq!(read_series(dir.path()).expect("merged").rows() as u64, rows);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    // The path is in the message.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("file");
    std::fs::write(&file, "in the way").expect("written");
    let refused = Recorder::create(&file.join("run"), &info(), &columns(), &scene(), &Options::default());
    let error = refused.err().expect("refused");
    assert!(matches!(&error, RecordError::Io { doing, .. } if doing.contains("file/run")), "{error}");
}
