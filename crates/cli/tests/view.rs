//! `touchdown view` and `touchdown run --view`, asked over their socket as a browser would.

mod common;

use common::{good, touchdown};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A command that serves a page; ended with the test.
struct Serving {
    child: Child,
    port: u16,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the command and waits for the address that it prints.
fn serve(args: &[&str], folder: &Path) -> Serving {
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchdown"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let port = lines.find_map(|line| line.split("http://127.0.0.1:").nth(1)?.split('/').next()?.parse().ok());
    // The rest is read, so that the command never waits for its reader.
    std::thread::spawn(move || lines.for_each(drop));
    Serving { child, port: port.expect("an address is printed") }
}

fn get(port: u16, path: &str) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")
        .expect("it listens");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let split = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a head");
    let status = String::from_utf8_lossy(&answer[9..12]).parse().expect("a status");
    (status, answer[split + 4..].to_vec())
}

fn extent(port: u16) -> serde_json::Value {
    serde_json::from_slice(&get(port, "/api/extent").1).expect("JSON")
}

fn scene(port: u16) -> serde_json::Value {
    serde_json::from_slice(&get(port, "/api/scene").1).expect("JSON")
}

#[test]
fn a_finished_run_is_shown_with_its_report() {
    let folder = tempfile::tempdir().expect("a folder");
    good(folder.path(), &["run", "pendulum", "--out", "a", "--quiet"]);
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    assert!(String::from_utf8_lossy(&get(page.port, "/").1).contains("view.js"));
    assert_eq!(scene(page.port)["scenario"], "pendulum");
    let extent = extent(page.port);
    assert!(
        extent["live"] == false && extent["frames"].as_u64() > Some(1) && extent["rows"].as_u64() > Some(1)
    );
    assert!(!get(page.port, "/api/frames?from=0").1.is_empty());
    assert!(String::from_utf8_lossy(&get(page.port, "/run/report.html").1).starts_with("<!DOCTYPE html>"));
    assert!(get(page.port, "/run/..%2Fsecret").0 >= 400);
}

#[test]
fn a_damaged_run_is_shown_and_says_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    good(folder.path(), &["run", "pendulum", "--out", "a", "--quiet"]);
    let run = folder.path().join("a");
    let frames = std::fs::read(run.join("frames.mcap")).expect("recorded");
    std::fs::write(run.join("frames.mcap"), &frames[..frames.len() / 2]).expect("writable");
    std::fs::remove_file(run.join("series.parquet")).expect("recorded");
    std::fs::remove_file(run.join("manifest.json")).expect("recorded");
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    let notes = scene(page.port)["notes"].to_string();
    for missing in ["frames", "series", "manifest"] {
        assert!(notes.contains(missing), "{missing} is not named in {notes}");
    }
}

#[test]
fn a_folder_without_a_run_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = touchdown(folder.path(), &["view", "."]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("holds no run") && ended.stderr.contains("hint:"));
}

#[test]
fn a_run_in_progress_is_shown_while_it_goes_on() {
    // Long enough not to be over before the first question; frames grow from one question to the next.
    let folder = tempfile::tempdir().expect("a folder");
    let args = [
        "run",
        "rover-straight-brush",
        "--out",
        "a",
        "--quiet",
        "--view",
        "--port",
        "0",
        "--set",
        "duration=4000 s",
    ];
    let page = serve(&args, folder.path());
    let first = extent(page.port);
    assert_eq!(first["live"], true);
    // A run that stopped would say so: waiting needs no limit of its own.
    let grown = loop {
        std::thread::sleep(Duration::from_millis(50));
        let now = extent(page.port);
        if now["frames"].as_u64() > first["frames"].as_u64() && now["rows"].as_u64() > first["rows"].as_u64()
        {
            break now;
        }
        assert_eq!(now["live"], true, "nothing more came after {first}");
    };
    assert_eq!(grown["live"], true);
    let from = first["frames"].as_u64().expect("a number");
    assert!(!get(page.port, &format!("/api/frames?from={from}")).1.is_empty());
}
