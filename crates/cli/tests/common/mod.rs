//! Running the built command in a temporary folder.
#![allow(dead_code)] // Each test file uses its part of these.

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
