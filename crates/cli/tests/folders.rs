//! Whose folder it is: nothing that touchdown did not make is deleted, replaced or written through.

mod common;

use common::*;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const SHORT: [&str; 5] = ["run", "pendulum", "--quiet", "--set", "duration_s=0.1"];

fn short<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SHORT.into_iter().chain(more.iter().copied()).collect()
}

fn write(path: impl AsRef<Path>, text: &str) {
    fs::write(path, text).expect("room on disk");
}

/// Runs a command that must be refused with exit code 2 and leave these files as they are.
fn refused(dir: &Path, args: &[&str], files: &[&str]) {
    let before: Vec<Vec<u8>> = files.iter().map(|file| bytes(dir, file)).collect();
    let ended = touchdown(dir, args);
    assert_eq!(ended.code, 2, "{args:?}: {}", ended.stderr);
    let after: Vec<Vec<u8>> = files.iter().map(|file| bytes(dir, file)).collect();
    assert!(before == after, "{args:?} changed a file");
}

#[test]
fn a_run_does_not_touch_what_it_did_not_make() {
    // Parts, reports and summaries of the user's, and a manifest of another program: refused, with and without --force.
    let dir = temporary();
    let files =
        ["p/parts/w.step", "p/x.tmp", "p/report.html", "p/summary.json", "p/series.csv", "p/soil.parquet"];
    fs::create_dir_all(dir.path().join("p/parts")).expect("made");
    files.iter().for_each(|file| write(dir.path().join(file), "CAD"));
    refused(dir.path(), &short(&["--out", "p"]), &files);
    refused(dir.path(), &short(&["--out", "p", "--force"]), &files);
    assert!(!dir.path().join("p/.lock").exists() && !dir.path().join("p/manifest.json").exists());
    write(dir.path().join("p/manifest.json"), r#"{ "name": "a web page", "icons": [] }"#);
    refused(dir.path(), &short(&["--out", "p", "--force"]), &files);
    // report has nothing of a run to tell either.
    fs::remove_file(dir.path().join("p/summary.json")).expect("removed");
    fs::remove_file(dir.path().join("p/manifest.json")).expect("removed");
    refused(dir.path(), &["report", "p"], &["p/report.html"]);
}

#[test]
fn a_replaced_run_leaves_the_user_his_files() {
    // --force replaces the run; files beside it, also in its folders, stay.
    let dir = temporary();
    good(dir.path(), &short(&["--out", "a", "--csv"]));
    let own = ["a/notes.txt", "a/x.tmp", "a/parts/w.step", "a/figures/mine.svg", "a/inputs/mine.stl"];
    for file in own {
        fs::create_dir_all(dir.path().join(file).parent().expect("a folder")).expect("made");
        write(dir.path().join(file), "mine");
    }
    good(dir.path(), &short(&["--out", "a", "--force"]));
    assert!(own.iter().all(|file| bytes(dir.path(), file) == b"mine"));
    assert!(!dir.path().join("a/series.csv").exists());
}

#[test]
fn links_in_a_run_folder_are_not_followed() {
    // Whatever name a link lies under, what it leads to keeps its content.
    let dir = temporary();
    let mine = dir.path().join("mine");
    write(&mine, "precious");
    fs::create_dir(dir.path().join("outside")).expect("made");
    // An empty folder but for a lock that leads elsewhere.
    fs::create_dir(dir.path().join("b")).expect("made");
    symlink(&mine, dir.path().join("b/.lock")).expect("linked");
    assert_ne!(touchdown(dir.path(), &short(&["--out", "b"])).code, 0);
    good(dir.path(), &short(&["--out", "a"]));
    for name in ["report.html.tmp", ".lock", "series.parquet.tmp", "checkpoint.bin", "report.html"] {
        let _ = fs::remove_file(dir.path().join("a").join(name));
        symlink(&mine, dir.path().join("a").join(name)).expect("linked");
    }
    touchdown(dir.path(), &["report", "a"]);
    touchdown(dir.path(), &short(&["--out", "a", "--force"]));
    let _ = fs::remove_file(dir.path().join("a/.lock"));
    symlink(dir.path().join("outside"), dir.path().join("a/parts")).expect("linked");
    touchdown(dir.path(), &short(&["--out", "a", "--force"]));
    assert_eq!(bytes(dir.path(), "mine"), b"precious");
    assert_eq!(dir.path().join("outside").read_dir().expect("readable").count(), 0);
}

#[test]
fn a_scenario_named_by_dots_stays_below_runs() {
    // `...toml` is called "..", which must not lead out of runs/.
    let dir = temporary();
    write(dir.path().join("...toml"), &good(dir.path(), &["check", "pendulum", "--resolved"]));
    let said = good(dir.path(), &["run", "...toml", "--quiet", "--set", "duration_s=0.1"]);
    assert!(said.ends_with("results: runs/run\n"), "{said}");
    assert!(!dir.path().join("manifest.json").exists());
}

#[test]
fn files_of_other_commands_are_refused_too() {
    // validate, converge, terrain and identify replace what they made before, and nothing else.
    let dir = temporary();
    let claim = "title = \"mine\"\n[[claim]]\nscenario = \"pendulum\"\nset = [\"duration_s=0.1\"]\nwhat = \"w\"\nsource = \"s\"\n\
                 kind = \"exact form\"\nvalue = \"total_mass_kg\"\ntarget = 1.0\nwithin = 0.001\nwhy = \"y\"\n";
    write(dir.path().join("c.toml"), claim);
    write(dir.path().join("mine.html"), "<html>mine</html>");
    refused(dir.path(), &["validate", "c.toml", "--out", "mine.html"], &["mine.html"]);
    refused(dir.path(), &["validate", "c.toml", "--json", "mine.html"], &["mine.html"]);
    for _ in 0..2 {
        good(dir.path(), &["validate", "c.toml", "--json", "rows.json"]);
    }
    let map = "ncols 3\nnrows 3\nxllcenter 0\nyllcenter 0\ncellsize 1\n1 2 3\n2 3 4\n3 4 5\n";
    write(dir.path().join("map.asc"), map);
    refused(dir.path(), &["terrain", "map.asc", "--out", "map.asc"], &["map.asc"]);
    refused(dir.path(), &["terrain", "map.asc", "--out", "./c.toml"], &["c.toml"]);
    for _ in 0..2 {
        good(dir.path(), &["terrain", "map.asc"]);
    }
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/feet/group-1.toml");
    fs::create_dir(dir.path().join("thesis")).expect("made");
    write(dir.path().join("thesis/summary.json"), "{}");
    refused(dir.path(), &["identify", study, "--out", "thesis"], &["thesis/summary.json"]);
    for _ in 0..2 {
        good(dir.path(), &["identify", study, "--out", "fit"]);
    }
}
