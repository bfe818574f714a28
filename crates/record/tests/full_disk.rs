//! A disk that takes no more: the loop is told with the path, nothing panics, what was written stays readable.

mod common;

use common::*;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use touchdown_record::{Options, RecordError, read_series};
use touchdown_sim::sink::{Sink, SinkError};

/// Tells the child process where to record.
const DIR_VARIABLE: &str = "RECORD_TEST_DIR";
/// Largest file that the child may write: 64 blocks of 512 bytes.
const LIMIT_BLOCKS: u32 = 64;
/// Rows before the checkpoint: their part is smaller than the limit.
const SAFE_ROWS: u64 = 100;

/// Records until the disk refuses; parts are only sealed when they are larger than the limit.
fn record_until_refused(sink: &mut impl Sink) -> SinkError {
    for i in SAFE_ROWS.. {
        // Digits without a pattern, so that compression cannot help.
        let noise =
            |k: u64| f64::from_bits(0x3ff << 52 | (i * 4 + k).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12);
        if let Err(error) = sink.series(&[noise(0), noise(1), noise(2), noise(3)]) {
            return error;
        }
        assert!(i < 10_000_000, "the limit was never reached");
    }
    unreachable!("the loop ends by one of its conditions")
}

/// The child process of the next test.
#[test]
#[ignore = "started by a_full_disk_is_reported_and_survived"]
fn child_on_a_full_disk() {
    let Some(dir) = std::env::var_os(DIR_VARIABLE) else { return };
    let mut recorder =
        create(Path::new(&dir), &Options { seal_every: Duration::from_secs(3600), ..Options::default() });
    record(&mut recorder, 0, SAFE_ROWS, u64::MAX).expect("a small part fits");
    recorder.checkpoint(&SAFE_ROWS.to_le_bytes(), SAFE_ROWS, frames_in(SAFE_ROWS)).expect("fits");
    let error = record_until_refused(&mut recorder);
    assert!(error.doing.contains("series-"), "{error}");
    assert_eq!(error.source.kind(), std::io::ErrorKind::FileTooLarge, "{error}");
    // Later calls go on failing instead of hanging or pretending.
    assert!(record(&mut recorder, 0, 1_000, u64::MAX).is_err());
    assert!(recorder.checkpoint(b"late", 0, 0).is_err());
    assert!(recorder.finish(&outcome(1, true), 0.0).is_err());
}

#[test]
fn a_full_disk_is_reported_and_survived() {
    // The child may not write files above a limit (as on a full disk, write fails); rows up to its checkpoint survive.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let exe = std::env::current_exe().expect("this test");
    // Without the trap the kernel would kill the process; with it, write returns an error.
    let script =
        format!("trap '' XFSZ; ulimit -f {LIMIT_BLOCKS}; exec \"$0\" --exact child_on_a_full_disk --ignored");
    let child = Command::new("sh")
        .args(["-c", &script])
        .arg(exe)
        .env(DIR_VARIABLE, dir.path())
        .output()
        .expect("started");
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success(), "{said}{}", String::from_utf8_lossy(&child.stderr));
    assert!(said.contains("1 passed"), "{said}");
    let series = read_series(dir.path()).expect("readable");
    assert_eq!(series.rows() as u64, SAFE_ROWS);
    let summary = String::from_utf8(bytes(dir.path(), "summary.json")).expect("text");
    assert!(summary.contains("\"finished\": false") && summary.contains("recording failed"), "{summary}");
    let (_, next) = resume(dir.path(), &Options::default());
    assert_eq!(next, SAFE_ROWS);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    // The path is in the message.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("file");
    std::fs::write(&file, "in the way").expect("written");
    let refused = touchdown_record::Recorder::create(
        &file.join("run"),
        &info(),
        &columns(),
        &scene(),
        &Options::default(),
    );
    let error = refused.err().expect("refused");
    assert!(matches!(&error, RecordError::Io { doing, .. } if doing.contains("file/run")), "{error}");
}
