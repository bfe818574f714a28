//! A command that serves the 3-D page, and questions over its socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A command that serves a page; ended with the test.
pub struct Serving {
    child: Child,
    pub port: u16,
    /// Where its addresses begin, from the first slash to the last.
    pub base: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the command and waits for the address that it prints.
pub fn serve(args: &[&str], folder: &Path) -> Serving {
    let mut child = Command::new(env!("CARGO_BIN_EXE_touchdown"))
        .args(args)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines().map_while(Result::ok);
    let address = |line: String| {
        let (port, path) = line.split("http://127.0.0.1:").nth(1)?.split_once('/')?;
        let path = path.split_whitespace().next().unwrap_or_default();
        Some((port.parse().ok()?, format!("/{path}")))
    };
    let (port, base) = lines.find_map(address).expect("an address is printed");
    // The rest is read, so that the command never waits for its reader.
    std::thread::spawn(move || lines.for_each(drop));
    Serving { child, port, base }
}

impl Serving {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// A connection on which nothing has been said.
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).expect("it listens")
    }

    /// Asks for a place below the address and reads nothing of the answer.
    pub fn ask(&self, place: &str) -> TcpStream {
        let (mut stream, base, port) = (self.connect(), &self.base, self.port);
        let head =
            format!("GET {base}{place} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("it listens");
        stream
    }

    /// Status and body of the answer to that question.
    pub fn get(&self, place: &str) -> (u16, Vec<u8>) {
        let mut answer = Vec::new();
        self.ask(place).read_to_end(&mut answer).expect("it answers");
        let split = answer.windows(4).position(|w| w == b"\r\n\r\n").expect("a head");
        let status = String::from_utf8_lossy(&answer[9..12]).parse().expect("a status");
        (status, answer[split + 4..].to_vec())
    }

    pub fn json(&self, place: &str) -> serde_json::Value {
        serde_json::from_slice(&self.get(place).1).expect("JSON")
    }

    /// A figure of `/proc/PID/status`, MB: `VmHWM` is the most memory it ever held.
    pub fn megabytes(&self, entry: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("it runs");
        let line = status.lines().find(|line| line.starts_with(entry)).expect("an entry");
        let kibibytes: f64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
        kibibytes * 1024.0 / 1e6
    }
}
