//! The server asked as a browser would, and as a page of another site would.

use crate::limits::Limits;
use crate::{Server, Shown};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use touchdown_record::replay::{Extent, Source};

/// Three frames of one byte each and a column that counts.
struct Counting;

impl Source for Counting {
    fn scene(&self) -> String {
        r#"{"format":1}"#.into()
    }
    fn frames(&self, from: usize) -> Vec<u8> {
        (from as u8..3).collect()
    }
    fn column(
        &self,
        name: &str,
        rows: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        if name == "time_s" {
            let _ = each(&rows.map(|row| row as f64).collect::<Vec<_>>());
        }
        Ok(())
    }
    fn extent(&self) -> Extent {
        Extent { frames: 3, rows: 4, live: true }
    }
}

fn start(folder: &Path) -> Server {
    start_with(folder, Limits::default())
}

fn start_with(folder: &Path, limits: Limits) -> Server {
    let shown = Shown { source: Arc::new(Counting), folder: folder.into() };
    Server::start_with(shown, Some(0), limits).unwrap()
}

impl Server {
    fn port(&self) -> u16 {
        self.address.port()
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port())).unwrap()
    }

    /// The first line of a question for a place behind the token.
    fn question(&self, method: &str, place: &str) -> String {
        format!("{method} /{}{place} HTTP/1.1", self.token)
    }

    /// Status, head and body of the answer to a request with these lines after the first.
    fn ask(&self, first: &str, lines: &[&str]) -> (u16, String, Vec<u8>) {
        let mut stream = self.connect();
        let head = [&[first], lines, &["Connection: close", "", ""]].concat().join("\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let split = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..split]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[split + 4..].to_vec())
    }

    fn get(&self, place: &str) -> (u16, Vec<u8>) {
        let host = format!("Host: 127.0.0.1:{}", self.port());
        let (status, _, body) = self.ask(&self.question("GET", place), &[&host]);
        (status, body)
    }

    /// Asks and reads nothing of the answer; the connection stays.
    fn leave_unread(&self, place: &str) -> TcpStream {
        let mut stream = self.connect();
        let host = format!("Host: 127.0.0.1:{}", self.port());
        // Where the server has closed it already, reading will say so.
        let _ = write!(stream, "{}\r\n{host}\r\n\r\n", self.question("GET", place));
        stream
    }
}

#[test]
fn the_page_and_the_run_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    assert!(String::from_utf8(server.get("/").1).unwrap().contains("<script"));
    assert_eq!(server.get("/view.css").0, 200);
    assert_eq!(server.get("/api/scene"), (200, br#"{"format":1}"#.to_vec()));
    assert_eq!(server.get("/api/extent"), (200, br#"{"frames":3,"rows":4,"live":true}"#.to_vec()));
    assert_eq!(server.get("/api/frames?from=1"), (200, vec![1, 2]));
    let (status, body) = server.get("/api/series?column=time_s&column=%3Cno%3E&from=2");
    let values: Vec<f64> = body.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!((status, &values[..2]), (200, &[2.0, 3.0][..]));
    assert!(values.len() == 4 && values[2].is_nan() && values[3].is_nan());
}

#[test]
fn questions_without_sense_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    for path in ["/api/frames?from=-1", "/api/frames?from=1e9", "/api/frames?form=1"] {
        let (status, body) = server.get(path);
        assert_eq!(status, 400, "{path}");
        assert!(!body.is_empty());
    }
    let many = format!("/api/series?{}", "column=a&".repeat(65));
    assert_eq!(server.get(&many).0, 400);
    assert_eq!(server.get("/nothing").0, 404);
}

#[test]
fn other_hosts_sites_and_methods_are_refused() {
    // What a page of another site can make a browser send: its own name in Host (DNS rebinding), its Origin, Sec-Fetch-Site.
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    let (port, get) = (server.port(), &server.question("GET", "/api/scene"));
    let us = format!("Host: 127.0.0.1:{port}");
    let refused = |first: &str, lines: &[&str]| server.ask(first, lines).0;
    assert_eq!(refused(get, &["Host: evil.example"]), 403);
    assert_eq!(refused(get, &[&format!("Host: evil.example:{port}")]), 403);
    assert_eq!(refused(get, &["Host: 127.0.0.1"]), 403);
    assert_eq!(refused(get, &[]), 403);
    assert_eq!(refused(get, &[&us, "Origin: http://evil.example"]), 403);
    assert_eq!(refused(get, &[&us, "Origin: null"]), 403);
    assert_eq!(refused(get, &[&us, &format!("Origin: https://127.0.0.1:{port}")]), 403);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: same-site"]), 403);
    assert_eq!(refused(&server.question("POST", "/api/scene"), &[&us, "Content-Length: 0"]), 405);
    // And those that must pass.
    assert_eq!(refused(get, &[&format!("Host: localhost:{port}")]), 200);
    assert_eq!(refused(get, &[&us, &format!("Origin: http://127.0.0.1:{port}")]), 200);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: same-origin"]), 200);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: none"]), 200);
}

#[test]
fn every_answer_forbids_guessing_framing_and_lending() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    for lines in [vec![format!("Host: 127.0.0.1:{}", server.port())], vec!["Host: evil.example".to_string()]]
    {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let head = server.ask("GET / HTTP/1.1", &lines).1.to_ascii_lowercase();
        for header in [
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "content-security-policy: default-src 'self'",
        ] {
            assert!(head.contains(header), "{header} is missing in {head}");
        }
        assert!(!head.contains("access-control-allow-origin"));
    }
}

#[test]
fn only_plain_files_of_the_folder_leave_it() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.json"), "secret").unwrap();
    let folder = outside.path().join("run");
    std::fs::create_dir_all(folder.join("parts")).unwrap();
    std::fs::write(folder.join("summary.json"), "{}").unwrap();
    std::fs::write(folder.join("parts/inner.json"), "inner").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path().join("secret.json"), folder.join("link.json")).unwrap();
    let server = start(&folder);
    assert_eq!(server.get("/run/summary.json"), (200, b"{}".to_vec()));
    let attempts = [
        "/run/../secret.json",
        "/run/..%2Fsecret.json",
        "/run/%2e%2e%2fsecret.json",
        "/run/..%5Csecret.json",
        "/run/parts%2Finner.json",
        "/run/parts",
        "/run/link.json",
        "/run/%2Fetc%2Fpasswd",
        "/run/..",
        "/run/.",
        "/run/summary.json%00",
        "/../secret.json",
        "/run//etc/passwd",
    ];
    for path in attempts {
        let (status, body) = server.get(path);
        assert!((400..500).contains(&status), "{path} gave {status}");
        assert!(!body.windows(6).any(|w| w == b"secret"), "{path} let something out");
    }
}

#[test]
fn a_dropped_server_frees_its_port() {
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path());
    let port = server.port();
    drop(server);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

/// A column that has no end; notes when it is no longer read.
struct Endless(Sender<()>);

impl Source for Endless {
    fn scene(&self) -> String {
        String::new()
    }
    fn frames(&self, _: usize) -> Vec<u8> {
        Vec::new()
    }
    fn column(
        &self,
        _: &str,
        _: Range<usize>,
        each: &mut dyn FnMut(&[f64]) -> ControlFlow<()>,
    ) -> io::Result<()> {
        while each(&[0.0; 8192]).is_continue() {}
        self.0.send(()).unwrap();
        Ok(())
    }
    fn extent(&self) -> Extent {
        Extent { frames: 0, rows: 1 << 50, live: false }
    }
}

#[test]
fn a_reader_that_stops_reading_is_given_up() {
    // Where no byte moves, the connection ends, and with it the thread that makes the answer; so does one on which nothing is asked.
    let folder = tempfile::tempdir().unwrap();
    let (sender, ended) = std::sync::mpsc::channel();
    let shown = Shown { source: Arc::new(Endless(sender)), folder: folder.path().into() };
    let limits = Limits { stalled: Duration::from_millis(100), ..Limits::default() };
    let server = Server::start_with(shown, Some(0), limits).unwrap();
    // On a busy machine this side may be so slow to ask that its connection is closed first: then it asks again.
    let mut unread = Vec::new();
    while ended.recv_timeout(10 * limits.stalled).is_err() {
        unread.push(server.leave_unread("/api/series?column=a"));
    }
    assert_eq!(server.connect().read(&mut [0]).unwrap_or(0), 0);
}

#[test]
fn who_has_shown_the_token_stays_before_others() {
    // More connections than there is room for: those without the token go, oldest first; the page's connection is answered after them all.
    let folder = tempfile::tempdir().unwrap();
    let server = start_with(folder.path(), Limits { connections: 4, ..Limits::default() });
    let mut page = server.leave_unread("/api/extent");
    let mut begun = [0; 12];
    page.read_exact(&mut begun).unwrap();
    let mut idle: Vec<TcpStream> = (0..50).map(|_| server.connect()).collect();
    assert_eq!(idle[0].read(&mut [0]).unwrap_or(0), 0, "the oldest is closed");
    let host = format!("Host: 127.0.0.1:{}", server.port());
    write!(page, "{}\r\n{host}\r\nConnection: close\r\n\r\n", server.question("GET", "/api/scene")).unwrap();
    let mut rest = String::new();
    page.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with(r#"{"format":1}"#), "{rest}");
}

#[test]
fn a_head_of_an_answer_says_its_length() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("summary.json"), "{}").unwrap();
    let server = start(folder.path());
    let host = format!("Host: 127.0.0.1:{}", server.port());
    for (place, length) in [("/run/summary.json", 2), ("/api/series?column=time_s&column=no&from=1", 48)] {
        let (status, head, body) = server.ask(&server.question("HEAD", place), &[&host]);
        assert_eq!((status, body.len()), (200, 0));
        assert!(head.to_ascii_lowercase().contains(&format!("content-length: {length}")), "{head}");
    }
}

#[test]
fn a_server_with_unread_answers_ends() {
    // Threads that make answers end with their readers.
    let folder = tempfile::tempdir().unwrap();
    std::fs::File::create(folder.path().join("large.bin")).unwrap().set_len(100_000_000).unwrap();
    let server = start(folder.path());
    let mut unread: Vec<TcpStream> = (0..8).map(|_| server.leave_unread("/run/large.bin")).collect();
    unread.iter_mut().for_each(|answer| answer.read_exact(&mut [0; 12]).unwrap());
    drop(server);
}
