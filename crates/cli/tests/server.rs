//! The server of the 3-D page attacked by another account of the same machine: many connections, no descriptors left, answers that are not read, no token.
//!
//! Connections, descriptors and memory are counted; nothing is timed.
#![cfg(target_os = "linux")]

mod common;

use common::serving::{Serving, serve};
use common::{good, temporary};
use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit, setrlimit};
use std::io::Read;
use std::net::TcpStream;

/// Two thousand connections need as many descriptors on this side.
fn raise_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).expect("up to the hard limit");
}

/// The page of a short run.
fn pendulum() -> (tempfile::TempDir, Serving) {
    let folder = temporary();
    good(folder.path(), &["run", "pendulum", "--out", "a", "--quiet"]);
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    (folder, page)
}

/// Numbers of the descriptors that are open.
fn descriptors(page: &Serving) -> Vec<u64> {
    let open = std::fs::read_dir(format!("/proc/{}/fd", page.pid())).expect("it runs");
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    open.filter_map(|entry| number(entry.ok()?)).collect()
}

/// Sets how many more descriptors the server may open. The limit is one of their numbers, and some of these may be free in between.
fn leave_room(page: &Serving, more: usize) {
    let open = descriptors(page);
    let end = (0..).filter(|number| !open.contains(number)).nth(more);
    let limit = Rlimit { current: end, ..getrlimit(Resource::Nofile) };
    prlimit(Pid::from_raw(page.pid().cast_signed()), Resource::Nofile, limit).expect("its limit");
}

/// Waits until an answer has begun.
fn begin(answer: &mut TcpStream) {
    let mut start = [0; 12];
    answer.read_exact(&mut start).expect("an answer");
    assert_eq!(&start, b"HTTP/1.1 200");
}

#[test]
fn two_thousand_idle_connections_keep_nobody_out() {
    // They cost the server a bounded number of descriptors, and a browser that comes after them is answered.
    raise_descriptors();
    let (_folder, page) = pendulum();
    let idle: Vec<TcpStream> = (0..2000).map(|_| page.connect()).collect();
    assert_eq!(page.get("api/extent").0, 200);
    let open = descriptors(&page).len();
    assert!(open < 200, "{open} descriptors are open for {} connections", idle.len());
}

#[test]
fn a_server_without_descriptors_goes_on() {
    // Room for ten more: the eleventh connection fails in `accept`. The server makes room, and answers.
    let (_folder, page) = pendulum();
    leave_room(&page, 10);
    let idle: Vec<TcpStream> = (0..100).map(|_| page.connect()).collect();
    assert_eq!(page.get("api/extent").0, 200, "with {} idle connections", idle.len());
    drop(idle);
    assert_eq!(page.get("run/report.html").0, 200);
}

#[test]
fn rows_that_cannot_be_read_now_are_not_answered_by_none() {
    // Room for a connection and no file: the answer breaks off. Not a number is the answer for rows that a recording does not hold.
    let (_folder, page) = pendulum();
    leave_room(&page, 1);
    let length = 8 * page.json("api/extent")["rows"].as_u64().expect("a number") as usize;
    let mut answer = Vec::new();
    // It may break off before it begins.
    let _ = page.ask("api/series?from=0&column=time_s").read_to_end(&mut answer);
    assert!(answer.len() < length, "{} bytes for {length} that cannot be read", answer.len());
    leave_room(&page, 10);
    let (status, times) = page.get("api/series?from=0&column=time_s");
    assert_eq!((status, times.len()), (200, length));
}

#[test]
fn unread_answers_are_not_held() {
    // Eight readers ask for a file of 300 MB and read its first bytes: the server holds pieces, not files.
    let (folder, page) = pendulum();
    let file = std::fs::File::create(folder.path().join("a/large.bin")).expect("writable");
    file.set_len(300_000_000).expect("a sparse file");
    let mut answers: Vec<TcpStream> = (0..8).map(|_| page.ask("run/large.bin")).collect();
    answers.iter_mut().for_each(begin);
    assert_eq!(page.get("api/extent").0, 200);
    let most = page.megabytes("VmHWM");
    assert!(most < 200.0, "{most} MB for eight unread answers");
}

#[test]
fn a_million_rows_are_shown_in_bounded_memory() {
    // Eight unread answers of 512 MB each, and one that is read to its end.
    let folder = temporary();
    let often = ["--set", "record.series_every=10 us"];
    good(folder.path(), &[&["run", "pendulum", "--out", "a", "--quiet"][..], &often].concat());
    let page = serve(&["view", "a", "--port", "0"], folder.path());
    let rows = page.json("api/extent")["rows"].as_u64().expect("a number");
    assert!(rows > 1_000_000, "{rows} rows");
    let question = format!("api/series?from=0{}", "&column=time_s&column=point.bob.x_m".repeat(32));
    let mut answers: Vec<TcpStream> = (0..8).map(|_| page.ask(&question)).collect();
    answers.iter_mut().for_each(begin);
    let (status, times) = page.get("api/series?from=0&column=time_s");
    assert_eq!((status, times.len() as u64), (200, 8 * rows));
    let last = f64::from_le_bytes(times[times.len() - 8..].try_into().expect("eight bytes"));
    assert!((last - 10.0).abs() < 1e-9, "the last row is at {last} s");
    let most = page.megabytes("VmHWM");
    assert!(most < 300.0, "{most} MB for a run of {rows} rows");
}

#[test]
fn other_accounts_of_the_machine_do_not_see_the_run() {
    // The port can be found by trying; the token in the address cannot. Every place is refused without it, in words.
    let (_folder, mut page) = pendulum();
    let (_other, second) = pendulum();
    let (right, wrong) = (page.base.clone(), second.base.clone());
    assert!(right.len() >= 34, "a token of 128 bits at least in {right}");
    assert_ne!(right, wrong, "each server has a token of its own");
    let cut = format!("{}/", &right[..right.len() - 2]);
    for base in ["/".to_string(), wrong, cut, right.to_uppercase(), format!("/{right}")] {
        page.base = base;
        for place in ["", "view.js", "api/scene", "api/series?column=time_s", "run/report.html", "nothing"] {
            let (status, body) = page.get(place);
            assert_eq!(status, 403, "{}{place}", page.base);
            let words = String::from_utf8_lossy(&body).into_owned();
            assert!(words.contains("touchdown printed"), "{words}");
        }
    }
    page.base = right;
    for place in ["", "view.js", "api/scene", "run/report.html"] {
        assert_eq!(page.get(place).0, 200, "{place}");
    }
}
