//! What a run folder promises: it is checked from end to end, a changed input or program is refused by name, damage is found before stepping on,
//! signals close it in order, and it can be moved.

mod common;

use common::*;
use std::fs;
use std::path::{Path, PathBuf};

/// No data at (2 m, 0 m).
const HOLE: Option<(usize, usize)> = Some((3, 1));

/// A run that stopped over the hole of its map, in the folder `a`.
fn run_on_hole(dir: &Path) {
    fs::create_dir(dir.join("maps")).expect("made");
    fs::write(dir.join("maps/map.asc"), map(HOLE)).expect("written");
    fs::write(dir.join("carriage.toml"), CARRIAGE.replace("map.asc", "maps/map.asc")).expect("written");
    let ended = touchdown(dir, &["run", "carriage.toml", "--out", "a"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
}

#[test]
fn an_edited_input_is_refused_by_name_or_recorded() {
    // The map is changed between stop and resume: exit code 2 and its name; accepted, it is in the manifest and in the report.
    let dir = temporary();
    run_on_hole(dir.path());
    fs::write(dir.path().join("maps/map.asc"), map(None)).expect("written");
    let ended = touchdown(dir.path(), &["resume", "a"]);
    assert!(ended.code == 2 && ended.stderr.contains("input maps/map.asc: was "), "{}", ended.stderr);
    let ended = touchdown(dir.path(), &["resume", "a", "--accept-changes"]);
    assert!(ended.code == 3 && ended.stderr.contains("left the map at x = 3"), "{}", ended.stderr);
    let run = dir.path().join("a");
    assert_eq!(json(&run, "manifest.json")["accepted"][0]["what"], "input maps/map.asc");
    let page = String::from_utf8(bytes(&run, "report.html")).expect("text");
    assert!(page.contains("changed during the run") && page.contains("input maps/map.asc"));
    good(dir.path(), &["verify", "a"]);
}

#[test]
fn a_folder_that_was_moved_is_all_that_is_needed() {
    // Scenario and map are gone, the folder lies elsewhere: it resumes to the same stop, and its resolved.toml runs.
    let dir = temporary();
    run_on_hole(dir.path());
    let manifest = json(&dir.path().join("a"), "manifest.json");
    let inputs = manifest["inputs"].as_array().expect("a list");
    let map = inputs.iter().find(|input| input["name"] == "maps/map.asc").expect("the map");
    assert_eq!(map["copy"], "maps__map.asc");
    let elsewhere = temporary();
    fs::rename(dir.path().join("a"), elsewhere.path().join("b")).expect("moved");
    drop(dir);
    let ended = touchdown(elsewhere.path(), &["resume", "b"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    let ended = touchdown(elsewhere.path(), &["run", "b/resolved.toml", "--out", "c"]);
    assert_eq!(ended.code, 3, "{}", ended.stderr);
    // A copy that is damaged is named.
    fs::write(elsewhere.path().join("b/inputs/maps__map.asc"), "changed").expect("written");
    let ended = touchdown(elsewhere.path(), &["resume", "b"]);
    assert!(ended.code == 2 && ended.stderr.contains("inputs/maps__map.asc"), "{}", ended.stderr);
    assert_eq!(touchdown(elsewhere.path(), &["verify", "b"]).code, 1);
}

#[test]
fn the_program_says_which_build_it_is_and_another_one_is_refused() {
    // A manifest that names another commit and compiler is sealed by the other program; here it is made by hand, hash and all.
    let dir = temporary();
    let version: serde_json::Value =
        serde_json::from_str(&good(dir.path(), &["--version", "--json"])).expect("JSON");
    for key in ["version", "commit", "dirty", "source", "profile", "target", "features", "compiler"] {
        assert!(!version[key].is_null(), "no {key}");
    }
    interrupted(dir.path(), "a");
    let path = dir.path().join("a/manifest.json");
    let text = fs::read_to_string(&path).expect("text");
    let compiler = version["compiler"].as_str().expect("text");
    let (body, _) = text.rsplit_once(",\n  \"blake3\"").expect("a hash");
    let other = body.replace(compiler, "rustc 1.0.0") + "\n}\n";
    let hash = touchdown_record::InputFile::of("", other.as_bytes()).blake3;
    fs::write(&path, format!("{},\n  \"blake3\": \"{hash}\"\n}}\n", other.trim_end_matches("\n}\n")))
        .expect("written");
    let ended = touchdown(dir.path(), &["resume", "a"]);
    assert!(ended.code == 2 && ended.stderr.contains("compiler: was rustc 1.0.0"), "{}", ended.stderr);
    fs::remove_file(dir.path().join("a/checkpoint.previous.bin")).expect("there");
    let child = start(dir.path(), &["resume", "a", "--accept-changes"]);
    assert_eq!(stop(child, &dir.path().join("a"), "INT"), Some(130));
    assert_eq!(json(&dir.path().join("a"), "manifest.json")["accepted"][0]["now"], compiler);
}

/// The first part of a stream.
fn part(run: &Path, stream: &str) -> PathBuf {
    let parts = run.join("parts").read_dir().expect("parts").map(|entry| entry.expect("entry").path());
    let of_stream =
        |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(stream));
    parts.filter(of_stream).min().expect("a part")
}

#[test]
fn damage_is_found_named_and_gone_back_from() {
    // A frames part with a length of 10^18 bytes, a changed row: verify says 1 and names it, resume goes back and on.
    for stream in ["frames", "series"] {
        let dir = temporary();
        let run = dir.path().join("a");
        interrupted(dir.path(), "a");
        good(dir.path(), &["verify", "a"]);
        let damaged = part(&run, stream);
        let mut content = fs::read(&damaged).expect("read");
        content[9..17].copy_from_slice(&1_000_000_000_000_000_000_u64.to_le_bytes());
        fs::write(&damaged, content).expect("written");
        let name = damaged.file_name().expect("a name").to_string_lossy().into_owned();
        let ended = touchdown(dir.path(), &["verify", "a", "--json"]);
        assert!(ended.code == 1 && ended.stdout.contains(&name), "{}", ended.stdout);
        fs::remove_file(run.join("checkpoint.previous.bin")).expect("there");
        let child = start(dir.path(), &["resume", "a"]);
        assert_eq!(stop(child, &run, "INT"), Some(130));
        good(dir.path(), &["verify", "a"]);
    }
}

#[test]
fn signals_close_the_folder_in_order() {
    // SIGINT 130, SIGTERM 143; what is left is intact, and an orphan of a checkpoint is cleared when the run continues.
    let dir = temporary();
    let run = dir.path().join("a");
    assert_eq!(stopped(dir.path(), "a", "INT"), Some(130));
    assert!(good(dir.path(), &["verify", "a"]).contains("has not reached its end"));
    fs::write(run.join("checkpoint.new.bin"), "orphan").expect("written");
    let rows = touchdown_record::read_series(&run).expect("readable").rows();
    fs::remove_file(run.join("checkpoint.previous.bin")).expect("there");
    let child = start(dir.path(), &["resume", "a"]);
    assert_eq!(stop(child, &run, "TERM"), Some(143));
    assert!(touchdown_record::read_series(&run).expect("readable").rows() >= rows);
    let new = fs::read(run.join("checkpoint.new.bin")).unwrap_or_default();
    assert_ne!(new, b"orphan");
}

#[test]
fn a_finished_run_is_verified_and_gets_its_report() {
    // Every result with one byte changed is found; a run killed before its report gets it when it is resumed.
    let dir = temporary();
    let run = dir.path().join("a");
    good(dir.path(), &["run", "pendulum", "--quiet", "--out", "a", "--csv", "--set", "duration_s=0.1"]);
    good(dir.path(), &["verify", "a"]);
    for name in [
        "manifest.json",
        "resolved.toml",
        "series.parquet",
        "frames.mcap",
        "series.csv",
        "summary.json",
        "report.html",
    ] {
        let good = bytes(&run, name);
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        fs::write(run.join(name), bad).expect("written");
        let ended = touchdown(dir.path(), &["verify", "a"]);
        assert!(ended.code == 1 && ended.stdout.contains(name), "{name}: {}", ended.stdout);
        fs::write(run.join(name), good).expect("written");
    }
    assert_eq!(touchdown(dir.path(), &["verify", "nowhere"]).code, 2);
    let report = bytes(&run, "report.html");
    fs::remove_file(run.join("report.html")).expect("removed");
    assert!(good(dir.path(), &["resume", "a"]).contains("report: a/report.html"));
    assert!(report == bytes(&run, "report.html"));
}
