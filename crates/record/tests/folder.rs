//! The run folder: its content after a successful or failed run, and when it is refused.

mod common;

use common::*;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use std::fs::File;
use touchdown_record::{Manifest, Options, RecordError, Recorder, read_series};
use touchdown_sim::sink::{NamedWord, Outcome, Sink, SoilNode, SoilPatch};

fn json(dir: &std::path::Path, name: &str) -> Value {
    serde_json::from_slice(&bytes(dir, name)).expect("valid JSON")
}

#[test]
fn a_finished_run_leaves_results_and_no_scaffold() {
    // After the end there are exactly the files that the user was promised.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 1000, 300, &Options { csv: true, ..Options::default() });
    let mut names: Vec<_> = dir
        .path()
        .read_dir()
        .expect("readable")
        .map(|e| e.expect("entry").file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected =
        ["frames.mcap", "manifest.json", "resolved.toml", "series.csv", "series.parquet", "summary.json"];
    assert_eq!(names, expected);
    assert_eq!(bytes(dir.path(), "resolved.toml"), info().resolved_toml.as_bytes());
}

#[test]
fn rows_come_back_to_the_same_bits() {
    // What is read is what was recorded, with unit, frame and definition of each column.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 1000, 300, &Options::default());
    let series = read_series(dir.path()).expect("readable");
    assert_eq!(series.rows(), 1000);
    for (k, column) in columns().iter().enumerate() {
        let read = &series.columns[k];
        assert_eq!((&read.name, &read.about), (&column.name, &column.about));
        assert_eq!((read.unit.as_str(), read.frame.as_str()), (column.unit, column.frame));
        assert!((0..1000).all(|i| read.values[i].to_bits() == row(i as u64)[k].to_bits()));
    }
    assert_eq!(series.column("time_s").map(|t| t[10]), Some(10.0 * STEP));
    assert!(series.column("nothing").is_none());
}

#[test]
fn parquet_explains_itself_to_readers_without_arrow() {
    // The file's own key-value entries repeat what the columns mean, and the data are compressed with zstd.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 100, 1000, &Options::default());
    let file = File::open(dir.path().join("series.parquet")).expect("there");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let field = builder.schema().field(2).clone();
    assert_eq!(field.metadata().get("unit").map(String::as_str), Some("N"));
    let metadata = builder.metadata().file_metadata();
    let entries = metadata.key_value_metadata().expect("entries");
    let entry = entries.iter().find(|e| e.key == "touchdown.columns").expect("our entry");
    let about: Value = serde_json::from_str(entry.value.as_deref().expect("a value")).expect("JSON");
    assert_eq!(about["tyre.left.normal_force_n"]["unit"], "N");
    assert_eq!(about["tyre.left.normal_force_n"]["frame"], "ground");
    let compression = builder.metadata().row_group(0).column(0).compression();
    assert!(matches!(compression, parquet::basic::Compression::ZSTD(_)));
}

#[test]
fn csv_holds_the_same_numbers() {
    // Every number of the text parses to the bits of the series.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 50, 20, &Options { csv: true, ..Options::default() });
    let text = String::from_utf8(bytes(dir.path(), "series.csv")).expect("text");
    let mut lines = text.lines();
    assert_eq!(lines.next().map(|l| l.split(',').count()), Some(columns().len()));
    for (i, line) in (0..).zip(lines.by_ref()) {
        let parsed: Vec<f64> = line.split(',').map(|n| n.parse().expect("a number")).collect();
        assert_eq!(parsed, row(i));
    }
    assert_eq!(text.lines().count(), 51);
}

#[test]
fn manifest_names_what_ran() {
    // Hashes are those of the content; everything that identifies the run is there.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 10, 100, &Options::default());
    let manifest = Manifest::read(dir.path()).expect("readable");
    assert_eq!(manifest.resolved_blake3, blake3::hash(info().resolved_toml.as_bytes()).to_hex().to_string());
    assert_eq!(manifest.inputs, info().inputs);
    assert_eq!((manifest.seed, manifest.threads, manifest.version.as_str()), (7, 1, "0.0.0"));
    assert_eq!(manifest.columns.len(), columns().len());
    assert_eq!((manifest.build, manifest.run_blake3.len()), (build(), 64));
}

#[test]
fn a_failed_run_says_why_and_stays_valid_json() {
    // Numbers that are not finite become null; the reason is in the summary; rows so far are merged.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    record(&mut recorder, 0, 70, 30).expect("room on disk");
    let word = NamedWord { name: "branch".into(), word: "stable".into(), about: "stable or not".into() };
    recorder.finish(&Outcome { words: vec![word], ..outcome(70, false) }, 0.25).expect("merged");
    let summary = json(dir.path(), "summary.json");
    assert_eq!(summary["finished"], false);
    assert_eq!(summary["quantities"]["branch"]["value"], "stable");
    assert!(summary["stopped_because"].as_str().expect("a reason").contains("wheel"));
    assert_eq!(summary["quantities"]["broken_m"]["value"], Value::Null);
    assert_eq!(summary["quantities"]["distance_m"]["value"], 1.25);
    assert_eq!(summary["quantities"]["distance_m"]["unit"], "m");
    assert_eq!(summary["ledger"]["residual_m"]["value"], Value::Null);
    assert_eq!(summary["warnings"].as_array().map(Vec::len), Some(2));
    assert_eq!(summary["wall_time_s"], 0.25);
    assert_eq!(read_series(dir.path()).expect("readable").rows(), 70);
    assert!(dir.path().join("series.parquet").exists());
}

#[test]
fn rows_that_are_not_finite_are_kept() {
    // The last rows of a diverged run are what its author wants to see.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    recorder.series(&[0.0, f64::NAN, f64::INFINITY, -0.0]).expect("taken");
    recorder.finish(&outcome(1, false), 0.0).expect("merged");
    let series = read_series(dir.path()).expect("readable");
    assert!(series.columns[1].values[0].is_nan());
    assert_eq!(series.columns[2].values, [f64::INFINITY]);
    assert!(series.columns[3].values[0].is_sign_negative());
}

#[test]
fn an_empty_run_is_a_folder_too() {
    // A run that fails before its first row still leaves files that open.
    let dir = tempfile::tempdir().expect("a temporary folder");
    create(dir.path(), &Options::default()).finish(&outcome(0, false), 0.0).expect("merged");
    let series = read_series(dir.path()).expect("readable");
    assert_eq!((series.rows(), series.columns.len()), (0, columns().len()));
}

#[test]
fn a_run_is_not_overwritten_unless_asked() {
    // Results are not lost to a repeated command; when asked to, nothing of the old run remains.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 100, 1000, &Options { csv: true, ..Options::default() });
    let refused = Recorder::create(dir.path(), &info(), &columns(), &scene(), &Options::default());
    assert!(matches!(refused.err(), Some(RecordError::Exists { .. })));
    assert_eq!(read_series(dir.path()).expect("untouched").rows(), 100);
    assert!(!dir.path().join("parts").exists() && !dir.path().join(".lock").exists());
    std::fs::write(dir.path().join("notes.txt"), "mine").expect("a user's file");
    let overwrite = Options { overwrite: true, ..Options::default() };
    straight(dir.path(), 40, 1000, &overwrite);
    assert_eq!(read_series(dir.path()).expect("new").rows(), 40);
    assert!(!dir.path().join("series.csv").exists());
    assert!(dir.path().join("notes.txt").exists());
}

#[test]
fn two_recorders_do_not_share_a_folder() {
    // The second one is refused while the first one lives.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let first = create(dir.path(), &Options::default());
    let overwrite = Options { overwrite: true, ..Options::default() };
    let second = Recorder::create(dir.path(), &info(), &columns(), &scene(), &overwrite);
    assert!(matches!(second.err(), Some(RecordError::Busy { .. })));
    drop(first);
    create(dir.path(), &overwrite);
}

#[test]
fn wrong_sizes_are_refused() {
    // A row, frame or checkpoint that does not fit what was announced is an error, not a shifted table.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    assert!(recorder.series(&[1.0]).is_err());
    let mut short = frame(0);
    short.poses.pop();
    assert!(recorder.frame(&short).is_err());
    recorder.series(&row(0)).expect("taken");
    recorder.checkpoint(b"state", 2, 0).expect("handed over");
    let error = recorder.flush().expect_err("one row, not two").to_string();
    assert!(error.contains("rows at a checkpoint"), "{error}");
}

#[test]
fn few_blocks_lose_nothing() {
    // With the smallest pool the loop waits for the disk again and again, and every row arrives in order.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 20_000, 1_000, &Options { blocks: 0, ..Options::default() });
    let series = read_series(dir.path()).expect("readable");
    let time = series.column("time_s").expect("time");
    assert!(time.len() == 20_000 && (0..).zip(time).all(|(i, &t)| t == row(i)[0]));
}

#[test]
fn the_soil_at_the_end_is_a_table() {
    // Node by node, numbers to the bit; a new run in the same folder removes it.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    let node = |i: i32| SoilNode {
        x: 0.01 * f64::from(i),
        y: -0.3,
        height: -0.02 * f64::from(i % 7),
        undisturbed: 1e-3 * f64::from(i),
    };
    let nodes: Vec<SoilNode> = (0..70_000).map(node).collect();
    record(&mut recorder, 0, 10, 100).expect("room on disk");
    recorder.surface(&nodes).expect("room on disk");
    recorder.finish(&outcome(10, true), 0.1).expect("merged");
    let table = read_series(&dir.path().join("soil.parquet")).expect("readable");
    type Read = fn(&SoilNode) -> f64;
    let read: [(&str, Read); 4] = [
        ("x_m", |n| n.x),
        ("y_m", |n| n.y),
        ("height_m", |n| n.height),
        ("undisturbed_m", |n| n.undisturbed),
    ];
    for (name, read) in read {
        assert_eq!(table.column(name), Some(&nodes.iter().map(read).collect::<Vec<f64>>()[..]), "{name}");
    }
    assert_eq!(table.columns[2].unit, "m");
    let again = create(dir.path(), &Options { overwrite: true, ..Options::default() });
    assert!(!dir.path().join("soil.parquet").exists());
    drop(again);
}

#[test]
fn a_patch_with_too_few_heights_is_refused() {
    // What was announced and what came must agree.
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut recorder = create(dir.path(), &Options::default());
    let mut bad = frame(0);
    bad.soil.push(SoilPatch { nx: 4, ny: 4, spacing: 0.01, heights: vec![0.0; 15], ..SoilPatch::default() });
    let error = recorder.frame(&bad).expect_err("15 of 16 heights");
    assert!(error.to_string().contains("heights of a patch"), "{error}");
}

#[test]
fn frames_hold_every_row_between_them_in_order_of_time() {
    // Plots need no other file: each row is a message with all its numbers, to the bit, and rows and poses come as time goes on, however the run was cut into parts.
    let dir = tempfile::tempdir().expect("a temporary folder");
    straight(dir.path(), 3000, 300, &Options::default());
    let data = bytes(dir.path(), "frames.mcap");
    let messages: Vec<mcap::Message> =
        mcap::MessageStream::new(&data).expect("MCAP").collect::<Result<_, _>>().expect("whole");
    let timed = messages.iter().filter(|m| ["/series", "/tf"].contains(&m.channel.topic.as_str()));
    assert!(timed.map(|m| m.log_time).is_sorted());
    let rows: Vec<&mcap::Message> = messages.iter().filter(|m| m.channel.topic == "/series").collect();
    assert_eq!(rows.len(), 3000);
    for (i, message) in (0..).zip(&rows) {
        let expected = row(i);
        assert_eq!((message.sequence, message.log_time), (i as u32, (expected[0] * 1e9).round() as u64));
        let has = |x: &f64| message.data.windows(8).any(|bytes| bytes == x.to_bits().to_le_bytes());
        assert!(expected[1..].iter().all(has), "row {i}");
    }
    let schema = rows[0].channel.schema.as_ref().expect("a schema");
    let described = |part: &str| schema.data.windows(part.len()).any(|bytes| bytes == part.as_bytes());
    assert!(columns()[1..].iter().all(|column| column.name.split('.').all(described)));
}
