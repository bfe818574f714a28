//! Answers that are made while they are read: as far ahead of their reader as two pieces, however long they are.

use axum::body::{Body, Bytes};
use futures_util::stream;
use std::io::{self, BufWriter, Write};
use tokio::sync::mpsc::{self, Sender};

/// Bytes of a piece.
const PIECE: usize = 64 << 10;
/// Pieces that wait for their reader.
const AHEAD: usize = 2;

/// A body that `write` makes on a thread of its own. It waits where the reader is slow, and ends where the reader has gone; where it
/// fails, the connection breaks off.
pub(crate) fn made_while_read(write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send + 'static) -> Body {
    let (sender, mut receiver) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        let mut out = BufWriter::with_capacity(PIECE, Outlet(&sender));
        if let Err(error) = write(&mut out).and_then(|()| out.flush()) {
            // The reader has gone: there is no one to report to.
            let _ = sender.blocking_send(Err(error));
        }
    });
    Body::from_stream(stream::poll_fn(move |context| receiver.poll_recv(context)))
}

/// Sends what is written, a piece at a time.
struct Outlet<'a>(&'a Sender<io::Result<Bytes>>);

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Bytes::copy_from_slice(&bytes[..bytes.len().min(PIECE)]);
        let length = piece.len();
        self.0.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
