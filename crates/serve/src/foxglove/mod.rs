//! A run in progress for Foxglove and other viewers of its WebSocket protocol (`foxglove.websocket.v1`; `foxglove.sdk.v1` has the same messages).
//!
//! ```no_run
//! # fn example(hub: std::sync::Arc<touchdown_record::stream::Hub>) -> Result<(), touchdown_serve::ServeError> {
//! let foxglove = touchdown_serve::Foxglove::start(hub, "rover", None)?;
//! println!("{}", foxglove.url());
//! # Ok(())
//! # }
//! ```
//!
//! A [`Hub`] says what there is; each viewer has a thread of its own (`viewer`), which `handshake` lets in, and `protocol` is what is said. It listens on the loopback interface unless another
//! address is asked for, only sends, and holds a bounded amount for each viewer: one that is slow loses messages, and the run does not wait.

mod handshake;
mod protocol;
#[cfg(test)]
mod tests;
mod viewer;

use crate::{PORTS, ServeError};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use touchdown_record::stream::Hub;

/// The port that Foxglove proposes; the first that is tried.
pub const FOXGLOVE_PORT: u16 = 8765;
/// Viewers at a time.
const VIEWERS: usize = 16;
/// Pause after `accept` failed, for want of descriptors mostly.
const REFUSED: Duration = Duration::from_millis(50);

/// A server at work. It ends when this is dropped.
pub struct Foxglove {
    address: SocketAddr,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the threads share.
struct Shared {
    hub: Arc<Hub>,
    /// What viewers learn about the server.
    greeting: Vec<String>,
    /// Whether names of other machines are answered to.
    is_open: bool,
    ends: Arc<AtomicBool>,
    viewers: AtomicUsize,
}

impl Foxglove {
    /// Starts to stream, at `address` or on the first free port of the loopback interface from [`FOXGLOVE_PORT`] on. `name` is shown by viewers.
    pub fn start(hub: Arc<Hub>, name: &str, address: Option<SocketAddr>) -> Result<Foxglove, ServeError> {
        let listener = listen(address)?;
        let refused = |source| ServeError::Stream { address: address.unwrap_or_else(|| local(0)), source };
        let address = listener.local_addr().map_err(refused)?;
        let ends = Arc::new(AtomicBool::new(false));
        let shared = Arc::new(Shared {
            greeting: vec![protocol::server_info(name), protocol::advertise(hub.channels())],
            hub,
            is_open: !address.ip().is_loopback(),
            ends: Arc::clone(&ends),
            viewers: AtomicUsize::new(0),
        });
        let thread = std::thread::Builder::new()
            .name("foxglove".into())
            .spawn(move || accept(&listener, &shared))
            .map_err(ServeError::Thread)?;
        Ok(Foxglove { address, ends, thread: Some(thread) })
    }

    /// What to give to a viewer.
    pub fn url(&self) -> String {
        format!("ws://{}", self.address)
    }

    /// Whether only programs of this machine can reach it.
    pub fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// Streams until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been printed by its thread.
            let _ = thread.join();
        }
    }
}

impl Drop for Foxglove {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.ends.store(true, Ordering::Relaxed);
            // It waits for a connection: this is one.
            let here =
                if self.address.ip().is_unspecified() { local(self.address.port()) } else { self.address };
            if TcpStream::connect(here).is_ok() {
                let _ = thread.join();
            }
        }
    }
}

fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// The address asked for, or a port that is free.
fn listen(address: Option<SocketAddr>) -> Result<TcpListener, ServeError> {
    let bind = |address: SocketAddr| {
        TcpListener::bind(address).map_err(|source| ServeError::Stream { address, source })
    };
    let free = || (FOXGLOVE_PORT..FOXGLOVE_PORT + PORTS).find_map(|port| bind(local(port)).ok());
    match address {
        Some(address) => bind(address),
        None => free().map_or_else(|| bind(local(0)), Ok),
    }
}

/// Lets viewers in until the end; those beyond the limit are turned away.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    while !shared.ends.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            std::thread::sleep(REFUSED);
            continue;
        };
        if shared.viewers.fetch_add(1, Ordering::Relaxed) < VIEWERS {
            let inside = Inside(Arc::clone(shared));
            let serve = move || viewer::serve(stream, &inside.0);
            // Without a thread the connection closes, and `inside` with it.
            let _: io::Result<_> = std::thread::Builder::new().name("viewer".into()).spawn(serve);
        } else {
            shared.viewers.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A viewer that counts until it has gone.
struct Inside(Arc<Shared>);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.viewers.fetch_sub(1, Ordering::Relaxed);
    }
}
