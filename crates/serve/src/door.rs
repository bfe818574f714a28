//! Accepts connections, a bounded number at a time, and continues after any error of `accept`.
//!
//! Who comes is let in. Where that makes too many, the connection goes that has moved no byte for the longest, first among those that have not
//! shown the token: other accounts of the machine can hold up each other, not the user.

use crate::limits::Limits;
use crate::line::Line;
use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use rustix::event::{PollFd, PollFlags, Timespec};
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// The listener and those it let in.
pub(crate) struct Door {
    listener: TcpListener,
    limits: Limits,
    clock: Arc<AtomicU64>,
    guests: Vec<Weak<Guest>>,
}

/// What is known of a connection; it lives as long as that.
pub(crate) struct Guest {
    /// Whether it has shown the token.
    known: AtomicBool,
    /// Count of the last movement.
    moved: AtomicU64,
    clock: Arc<AtomicU64>,
    /// Asked to leave.
    pub leave: Notify,
}

impl Guest {
    fn new(clock: &Arc<AtomicU64>) -> Arc<Guest> {
        let guest = Guest {
            known: AtomicBool::new(false),
            moved: AtomicU64::new(0),
            clock: Arc::clone(clock),
            leave: Notify::new(),
        };
        guest.moves();
        Arc::new(guest)
    }

    /// Bytes have moved.
    pub fn moves(&self) {
        self.moved.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// It has shown the token.
    pub fn shows_token(&self) {
        self.known.store(true, Ordering::Relaxed);
    }

    /// Who goes first has the smallest.
    fn rank(&self) -> (bool, u64) {
        (self.known.load(Ordering::Relaxed), self.moved.load(Ordering::Relaxed))
    }
}

impl Door {
    pub fn new(listener: TcpListener, limits: Limits) -> Door {
        Door { listener, limits, clock: Arc::default(), guests: Vec::new() }
    }

    fn is_somebody_waiting(&self) -> bool {
        let mut listener = [PollFd::new(&self.listener, PollFlags::IN)];
        rustix::event::poll(&mut listener, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Asks guests to leave until no more than `most` are left, and lets them go.
    async fn make_room(&mut self, most: usize) {
        self.guests.retain(|guest| guest.strong_count() > 0);
        let too_many = self.guests.len().saturating_sub(most);
        self.guests.sort_by_cached_key(|guest| guest.upgrade().map(|guest| guest.rank()));
        for guest in self.guests.drain(..too_many).filter_map(|guest| guest.upgrade()) {
            guest.leave.notify_one();
        }
        if too_many > 0 {
            tokio::task::yield_now().await;
        }
    }
}

impl Listener for Door {
    type Io = Line;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Line, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, from)) => {
                    self.make_room(self.limits.connections - 1).await;
                    let guest = Guest::new(&self.clock);
                    self.guests.push(Arc::downgrade(&guest));
                    return (Line::new(stream, guest, self.limits.stalled), from);
                }
                // One that went away again while it waited.
                Err(error) if is_of_the_client(&error) => {}
                Err(_) => {
                    // No descriptors, here or in the system: reported even when no connection waits. Connections that end return theirs.
                    if self.is_somebody_waiting() {
                        self.make_room(self.guests.len() / 2).await;
                    }
                    tokio::time::sleep(self.limits.refused).await;
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The guest that a request comes from.
#[derive(Clone)]
pub(crate) struct Caller(pub Arc<Guest>);

impl Connected<IncomingStream<'_, Door>> for Caller {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Caller {
        Caller(stream.io().guest())
    }
}
