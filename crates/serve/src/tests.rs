//! The server asked as a browser would, and as a page of another site would.

use crate::{Server, Shown};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
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
    fn series(&self, columns: &[&str], from: usize) -> Vec<Option<Vec<f64>>> {
        let count = || (from..4).map(|row| row as f64).collect();
        columns.iter().map(|name| (*name == "time_s").then(count)).collect()
    }
    fn extent(&self) -> Extent {
        Extent { frames: 3, rows: 4, live: true }
    }
}

fn start(folder: &Path) -> (Server, u16) {
    let server = Server::start(Shown { source: Arc::new(Counting), folder: folder.into() }, Some(0)).unwrap();
    let port = server.address.port();
    (server, port)
}

/// Status and body of a request with these lines after the first.
fn ask(port: u16, first: &str, lines: &[&str]) -> (u16, String, Vec<u8>) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = [&[first], lines, &["Connection: close", "", ""]].concat().join("\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let split = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..split]).into_owned();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head, answer[split + 4..].to_vec())
}

fn get(port: u16, path: &str) -> (u16, Vec<u8>) {
    let (status, _, body) = ask(port, &format!("GET {path} HTTP/1.1"), &[&format!("Host: 127.0.0.1:{port}")]);
    (status, body)
}

#[test]
fn the_page_and_the_run_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, port) = start(folder.path());
    assert!(String::from_utf8(get(port, "/").1).unwrap().contains("<script"));
    assert_eq!(get(port, "/view.css").0, 200);
    assert_eq!(get(port, "/api/scene"), (200, br#"{"format":1}"#.to_vec()));
    assert_eq!(get(port, "/api/extent"), (200, br#"{"frames":3,"rows":4,"live":true}"#.to_vec()));
    assert_eq!(get(port, "/api/frames?from=1"), (200, vec![1, 2]));
    let (status, body) = get(port, "/api/series?column=time_s&column=%3Cno%3E&from=2");
    let values: Vec<f64> = body.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!((status, &values[..2]), (200, &[2.0, 3.0][..]));
    assert!(values.len() == 4 && values[2].is_nan() && values[3].is_nan());
}

#[test]
fn questions_without_sense_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, port) = start(folder.path());
    for path in ["/api/frames?from=-1", "/api/frames?from=1e9", "/api/frames?form=1"] {
        let (status, body) = get(port, path);
        assert_eq!(status, 400, "{path}");
        assert!(!body.is_empty());
    }
    let many = format!("/api/series?{}", "column=a&".repeat(65));
    assert_eq!(get(port, &many).0, 400);
    assert_eq!(get(port, "/nothing").0, 404);
}

#[test]
fn other_hosts_sites_and_methods_are_refused() {
    // What a page of another site can make a browser send: its own name in Host (DNS rebinding), its Origin, Sec-Fetch-Site.
    let folder = tempfile::tempdir().unwrap();
    let (_server, port) = start(folder.path());
    let (us, get) = (format!("Host: 127.0.0.1:{port}"), "GET /api/scene HTTP/1.1");
    let refused = |first: &str, lines: &[&str]| ask(port, first, lines).0;
    assert_eq!(refused(get, &["Host: evil.example"]), 403);
    assert_eq!(refused(get, &[&format!("Host: evil.example:{port}")]), 403);
    assert_eq!(refused(get, &["Host: 127.0.0.1"]), 403);
    assert_eq!(refused(get, &[]), 403);
    assert_eq!(refused(get, &[&us, "Origin: http://evil.example"]), 403);
    assert_eq!(refused(get, &[&us, "Origin: null"]), 403);
    assert_eq!(refused(get, &[&us, &format!("Origin: https://127.0.0.1:{port}")]), 403);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: cross-site"]), 403);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: same-site"]), 403);
    assert_eq!(refused("POST /api/scene HTTP/1.1", &[&us, "Content-Length: 0"]), 405);
    // And those that must pass.
    assert_eq!(refused(get, &[&format!("Host: localhost:{port}")]), 200);
    assert_eq!(refused(get, &[&us, &format!("Origin: http://127.0.0.1:{port}")]), 200);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: same-origin"]), 200);
    assert_eq!(refused(get, &[&us, "Sec-Fetch-Site: none"]), 200);
}

#[test]
fn every_answer_forbids_guessing_framing_and_lending() {
    let folder = tempfile::tempdir().unwrap();
    let (_server, port) = start(folder.path());
    for lines in [vec![format!("Host: 127.0.0.1:{port}")], vec!["Host: evil.example".to_string()]] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let head = ask(port, "GET / HTTP/1.1", &lines).1.to_ascii_lowercase();
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
    let (_server, port) = start(&folder);
    assert_eq!(get(port, "/run/summary.json"), (200, b"{}".to_vec()));
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
        let (status, body) = get(port, path);
        assert!((400..500).contains(&status), "{path} gave {status}");
        assert!(!body.windows(6).any(|w| w == b"secret"), "{path} let something out");
    }
}

#[test]
fn a_dropped_server_frees_its_port() {
    let folder = tempfile::tempdir().unwrap();
    let (server, port) = start(folder.path());
    drop(server);
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}
