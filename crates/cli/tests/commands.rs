//! The commands that run nothing: list, show, check, schema, and how the command line itself fails.

mod common;

use common::*;
use std::io::Read;
use std::process::{Command, Stdio};
use touchdown_scenario::{EntryKind, catalogue};

#[test]
fn list_names_everything_that_is_built_in() {
    // Whatever can be run by name is listed by that name.
    let dir = temporary();
    let (all, machines) = (good(dir.path(), &["list"]), good(dir.path(), &["list", "machines"]));
    for entry in catalogue() {
        assert!(all.contains(&entry.name), "{} is missing", entry.name);
        assert_eq!(machines.contains(&entry.name), entry.kind == EntryKind::Machine, "{}", entry.name);
    }
}

#[test]
fn show_tells_question_knobs_and_quantities() {
    // A user learns from `show` alone what is asked, what can be turned and what will be answered.
    let dir = temporary();
    let page = good(dir.path(), &["show", "rover-drop-brush"]);
    for word in [
        "Samarini et al., Figs. 15, 18, 19",
        "What load",
        "drop_height_m",
        "0.01",
        "wheel_load_rear_left_n",
        "centre of mass",
    ] {
        assert!(page.contains(word), "no {word:?} in:\n{page}");
    }
    assert!(
        good(dir.path(), &["show", "exomars-samarini"]).contains("use = \"machines/exomars-samarini.toml\"")
    );
}

#[test]
fn soils_are_listed_and_shown_with_their_source() {
    // A user sees every soil's numbers at a glance, and where they come from.
    let dir = temporary();
    let list = good(dir.path(), &["list", "soils"]);
    assert!(list.contains("dlr-simulant-a") && list.contains("60300") && !list.contains("rover-drop-brush"));
    let page = good(dir.path(), &["show", "dlr-simulant-a"]);
    for word in
        ["Krenn & Hirzinger, Fig. 17", "24.8 deg", "N/m^(n+1)", "assumed", "soil = \"dlr-simulant-a\""]
    {
        assert!(page.contains(word), "no {word:?} in:\n{page}");
    }
}

#[test]
fn check_finds_every_built_in_scenario_sound() {
    // What is shipped passes its own check.
    let dir = temporary();
    for entry in catalogue().iter().filter(|entry| entry.kind == EntryKind::Scenario) {
        assert!(good(dir.path(), &["check", &entry.name]).contains("no mistakes"), "{}", entry.name);
    }
}

#[test]
fn the_resolved_scenario_is_a_scenario() {
    // What `check --resolved` prints runs to the same bytes as what it was made from.
    let dir = temporary();
    let settings = ["--set", "duration_s=0.5", "--set", "drop_height_m=0.003"];
    let with =
        |words: &[&'static str]| -> Vec<&'static str> { words.iter().chain(&settings).copied().collect() };
    let resolved = good(dir.path(), &with(&["check", "rover-drop-brush", "--resolved"]));
    std::fs::write(dir.path().join("again.toml"), resolved).expect("room on disk");
    good(dir.path(), &with(&["run", "rover-drop-brush", "--out", "a"]));
    good(dir.path(), &["run", "again.toml", "--out", "b"]);
    assert!(bytes(&dir.path().join("a"), "series.parquet") == bytes(&dir.path().join("b"), "series.parquet"));
}

#[test]
fn schema_is_json_and_has_a_text_for_people() {
    // Editors read JSON Schema; people read lines.
    let dir = temporary();
    let schema: serde_json::Value = serde_json::from_str(&good(dir.path(), &["schema"])).expect("valid JSON");
    assert!(schema["$defs"]["body"]["properties"].is_object());
    assert!(good(dir.path(), &["schema", "--text"]).contains("mass"));
}

#[test]
fn a_wrong_command_line_is_not_a_bad_scenario() {
    // Exit code 2 is kept for scenarios; usage ends with 64 and help with 0.
    let dir = temporary();
    for args in [
        &["bogus"][..],
        &["run"],
        &["run", "pendulum", "--threads", "0"],
        &["run", "pendulum", "--frobnicate"],
    ] {
        assert_eq!(touchdown(dir.path(), args).code, 64, "{args:?}");
    }
    assert_eq!(touchdown(dir.path(), &["--help"]).code, 0);
    assert_eq!(touchdown(dir.path(), &["--version"]).code, 0);
}

#[test]
fn a_closed_pipe_is_no_failure() {
    // `touchdown schema | head -1` ends quietly: the reader has seen enough.
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchdown"))
        .arg("schema")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("readable");
    assert_eq!((child.wait().expect("ended").code(), said.as_str()), (Some(0), ""));
}
