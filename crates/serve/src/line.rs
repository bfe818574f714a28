//! A connection that ends when no byte moves for too long, or when it is asked to.

use crate::door::Guest;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

pub(crate) struct Line {
    stream: TcpStream,
    guest: Arc<Guest>,
    patience: Duration,
    /// Runs out `patience` after the last byte.
    stalled: Pin<Box<Sleep>>,
    /// Comes when the guest is asked to leave.
    leaving: Pin<Box<dyn Future<Output = ()> + Send>>,
    is_over: bool,
}

impl Line {
    pub fn new(stream: TcpStream, guest: Arc<Guest>, patience: Duration) -> Line {
        let asked = Arc::clone(&guest);
        let leaving = Box::pin(async move { asked.leave.notified().await });
        Line {
            stream,
            guest,
            patience,
            stalled: Box::pin(tokio::time::sleep(patience)),
            leaving,
            is_over: false,
        }
    }

    pub fn guest(&self) -> Arc<Guest> {
        Arc::clone(&self.guest)
    }

    /// What the stream answered, unless the connection is over.
    fn watch<T>(&mut self, context: &mut Context, answer: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if answer.is_ready() {
            self.guest.moves();
            self.stalled.as_mut().reset(Instant::now() + self.patience);
            return answer;
        }
        self.is_over = self.is_over
            || self.leaving.as_mut().poll(context).is_ready()
            || self.stalled.as_mut().poll(context).is_ready();
        if self.is_over { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { Poll::Pending }
    }
}

impl AsyncRead for Line {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        let answer = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watch(context, answer)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let answer = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, answer)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context,
        bytes: &[io::IoSlice],
    ) -> Poll<io::Result<usize>> {
        let answer = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.watch(context, answer)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
