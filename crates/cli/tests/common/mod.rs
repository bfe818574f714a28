//! Running the built command in a temporary folder.
#![allow(dead_code)] // Each test file uses its part of these.

pub mod serving;

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// How a command ended.
pub struct Ended {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchdown"));
    command.args(args).current_dir(dir).stdin(Stdio::null());
    command
}

/// Runs the command to its end in `dir`.
pub fn touchdown(dir: &Path, args: &[&str]) -> Ended {
    let output = command(dir, args).output().expect("the command starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Ended {
        code: output.status.code().expect("no signal ends it"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// Runs it and insists on success.
pub fn good(dir: &Path, args: &[&str]) -> String {
    let ended = touchdown(dir, args);
    assert_eq!(ended.code, 0, "touchdown {} said:\n{}", args.join(" "), ended.stderr);
    ended.stdout
}

/// Starts it and returns at once.
pub fn start(dir: &Path, args: &[&str]) -> Child {
    command(dir, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// A file of a run folder.
pub fn bytes(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).unwrap_or_else(|e| panic!("{}/{name}: {e}", dir.display()))
}

/// A JSON file of a run folder.
pub fn json(dir: &Path, name: &str) -> serde_json::Value {
    serde_json::from_slice(&bytes(dir, name)).expect("valid JSON")
}

pub fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Lets a run without end record into `out`, and stops it with a signal once it has a checkpoint. Says how it ended.
pub fn stopped(dir: &Path, out: &str, signal: &str) -> Option<i32> {
    let settings = ["--set", "record.checkpoint_every=10 ms", "--set", "duration_s=100000"];
    let args = [&["run", "rover-drop-brush", "--out", out][..], &settings].concat();
    stop(start(dir, &args), &dir.join(out), signal)
}

/// Stops a run with a signal once it has a checkpoint.
pub fn stop(mut child: Child, run: &Path, signal: &str) -> Option<i32> {
    while !run.join("checkpoint.previous.bin").exists() {
        assert!(child.try_wait().expect("known").is_none(), "it ended early");
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().expect("kill is there").success());
    child.wait().expect("ended").code()
}

/// A run that was stopped half-way.
pub fn interrupted(dir: &Path, out: &str) {
    assert_eq!(stopped(dir, out, "TERM"), Some(143));
}

/// A carriage moves east from the origin at a given speed; under it a wheel rolls, free to sink and turn.
pub const CARRIAGE: &str = r#"
title = "A wheel on a map"
duration = "20 s"
gravity = "earth"
integrator = { name = "realtime", step = "1 ms" }
[terrain]
shape = "map"
file = "map.asc"
soil = "dlr-simulant-a"
[body.carriage]
mass = "1 kg"
point_mass = true
[joint.travel]
type = "prismatic"
child = "carriage"
axis = [1, 0, 0]
[constraint.travel]
type = "prescribed"
joint = "travel"
motion = { line = { start = "0 m", rate = "0.2 m/s" } }
[body.hub]
mass = "5 kg"
point_mass = true
[joint.slide]
type = "prismatic"
parent = "carriage"
child = "hub"
axis = [0, 0, 1]
position = "1.1 m"
[body.wheel]
mass = "5 kg"
uniform = { cylinder = ["0.1 m", "0.1 m"], along = [0, 1, 0] }
[joint.axle]
type = "revolute"
parent = "hub"
child = "wheel"
axis = [0, 1, 0]
[wheel.wheel]
body = "wheel"
radius = "0.1 m"
width = "0.1 m"
"#;

/// Level ground 1 m high, nodes every metre from (-1 m, -1 m) to (3 m, 1 m), rows from the north; `hole` takes one node out.
pub fn map(hole: Option<(usize, usize)>) -> String {
    let mut text =
        "ncols 5\nnrows 3\nxllcenter -1\nyllcenter -1\ncellsize 1\nNODATA_value -9999\n".to_string();
    for row in 0..3 {
        let heights = (0..5).map(|column| if hole == Some((column, row)) { "-9999" } else { "1" });
        text += &(heights.collect::<Vec<_>>().join(" ") + "\n");
    }
    text
}
