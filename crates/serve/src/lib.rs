//! The 3-D page on 127.0.0.1: serves the page, the scene and the frames of one run to a browser on this machine, and to nobody else.
//!
//! [`Server::start`] takes a [`Source`] (a folder or a run in progress) and answers on a thread of its own. `guard` turns away
//! whatever a page of another site could send; `routes` is all there is to ask for; `files` lets whole files of the run folder out.
//!
//! Invariants: it listens on the loopback interface only, changes nothing, and reads nothing outside the folder.

mod files;
mod guard;
mod routes;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
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
    /// No thread.
    #[error("starting the server's thread: {0}")]
    Thread(#[source] io::Error),
}

/// A server at work. It ends when this is dropped.
pub struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to answer, on `port` or on the first free one from [`PORT`] on.
    pub fn start(shown: Shown, port: Option<u16>) -> Result<Server, ServeError> {
        let listener = listen(port)?;
        let failed = |source| ServeError::Listen { port: port.unwrap_or(0), source };
        let address = listener.local_addr().map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().build().map_err(ServeError::Thread)?;
        let (stop, stopped) = oneshot::channel();
        let work = async move {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            let answering = async { axum::serve(listener, routes::router(shown, address.port())).await };
            tokio::select! { _ = answering => {}, _ = stopped => {} }
        };
        let thread = std::thread::Builder::new()
            .name("server".into())
            .spawn(move || runtime.block_on(work))
            .map_err(ServeError::Thread)?;
        Ok(Server { address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where a browser finds the page.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
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

/// The port asked for, or one that is free.
fn listen(port: Option<u16>) -> Result<TcpListener, ServeError> {
    let bind = |port: u16| {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|source| ServeError::Listen { port, source })
    };
    match port {
        Some(port) => bind(port),
        None => (PORT..PORT + PORTS).find_map(|port| bind(port).ok()).map_or_else(|| bind(0), Ok),
    }
}
