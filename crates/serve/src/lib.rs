//! The 3-D page on 127.0.0.1: serves the page, the scene and the frames of one run to a browser on this machine, and to no other. It also streams a run in progress to Foxglove ([`Foxglove`]).
//!
//! ```no_run
//! use std::sync::Arc;
//! use touchdown_record::replay::FolderSource;
//! use touchdown_serve::{Server, Shown};
//!
//! let folder = std::path::PathBuf::from("runs/pendulum");
//! let server = Server::start(Shown { source: Arc::new(FolderSource::open(&folder)?), folder }, None)?;
//! println!("{}", server.url());
//! server.wait();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Server::start`] takes a [`Source`] (a folder or a run in progress) and answers on a thread of its own. `door` accepts connections,
//! a bounded number at a time, as `line`s that end when they stall. `guard` turns away whoever does not know the `token`, and
//! whatever a page of another site could send; `routes` is all there is to ask for; `files` lets whole files of the run folder out;
//! `pieces` are answers that are made while they are read.
//!
//! Invariants of the page: it listens on the loopback interface only, changes nothing, and reads nothing outside the folder. What it holds does not
//! grow with the size of answers, and no client can end it.

mod door;
mod files;
mod foxglove;
mod guard;
mod limits;
mod line;
mod pieces;
mod routes;
#[cfg(test)]
mod tests;
mod token;

pub use crate::foxglove::{FOXGLOVE_PORT, Foxglove};

use crate::door::{Caller, Door};
use crate::guard::Guard;
use crate::limits::Limits;
use crate::token::Token;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use touchdown_record::replay::Source;

/// The first port that is tried.
pub const PORT: u16 = 8317;
/// Ports tried one after the other before any free one is taken.
const PORTS: u16 = 20;

/// What is shown.
#[derive(Clone)]
pub struct Shown {
    /// Scene, frames and series.
    pub source: Arc<dyn Source>,
    /// The run folder, for the report and the files in it.
    pub folder: PathBuf,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No port.
    #[error("listening on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port asked for; 0 for any.
        port: u16,
        /// The cause.
        source: io::Error,
    },
    /// No address to stream at.
    #[error("listening on {address}: {source}")]
    Stream {
        /// The address asked for.
        address: SocketAddr,
        /// The cause.
        source: io::Error,
    },
    /// No thread.
    #[error("starting the server's thread: {0}")]
    Thread(#[source] io::Error),
    /// No random numbers.
    #[error("asking the system for a random token: {0}")]
    Token(#[source] io::Error),
}

/// A server at work. It ends when this is dropped.
pub struct Server {
    address: SocketAddr,
    token: Token,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to answer, on `port` or on the first free one from [`PORT`] on.
    pub fn start(shown: Shown, port: Option<u16>) -> Result<Server, ServeError> {
        Server::start_with(shown, port, Limits::default())
    }

    fn start_with(shown: Shown, port: Option<u16>, limits: Limits) -> Result<Server, ServeError> {
        let token = Token::random().map_err(ServeError::Token)?;
        let runtime = runtime(limits).map_err(ServeError::Thread)?;
        let listener = listen(&runtime, port, limits)?;
        let failed = |source| ServeError::Listen { port: port.unwrap_or(0), source };
        let address = listener.local_addr().map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let guard = Guard { port: address.port(), token: token.clone() };
        let routes = routes::router(shown, guard).into_make_service_with_connect_info::<Caller>();
        let work = async move {
            let answering = async { axum::serve(Door::new(listener, limits), routes).await };
            tokio::select! { _ = answering => {}, _ = stopped => {} }
        };
        let thread = std::thread::Builder::new()
            .name("server".into())
            .spawn(move || runtime.block_on(work))
            .map_err(ServeError::Thread)?;
        Ok(Server { address, token, stop: Some(stop), thread: Some(thread) })
    }

    /// Where a browser finds the page. Whoever knows this address can read the run.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// Answers until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic of the server has been printed by its thread.
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let (Some(stop), Some(thread)) = (self.stop.take(), self.thread.take()) {
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

/// One thread that answers, and one for each answer that is made while it is read.
fn runtime(limits: Limits) -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().max_blocking_threads(limits.connections).build()
}

/// The port asked for, or one that is free.
fn listen(runtime: &Runtime, port: Option<u16>, limits: Limits) -> Result<TcpListener, ServeError> {
    let _inside = runtime.enter();
    let bind = |port: u16| open(port, limits).map_err(|source| ServeError::Listen { port, source });
    match port {
        Some(port) => bind(port),
        None => (PORT..PORT + PORTS).find_map(|port| bind(port).ok()).map_or_else(|| bind(0), Ok),
    }
}

fn open(port: u16, limits: Limits) -> io::Result<TcpListener> {
    /// Connections that wait to be accepted.
    const WAITING: u32 = 1024;
    let socket = TcpSocket::new_v4()?;
    // A port whose last connections linger can be taken again at once.
    socket.set_reuseaddr(true)?;
    // Accepted connections inherit it.
    socket.set_send_buffer_size(limits.send_buffer)?;
    socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
    socket.listen(WAITING)
}
