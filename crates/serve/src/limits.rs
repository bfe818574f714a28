//! What clients may take of the server, whoever they are.

use std::time::Duration;

/// Limits of a server; the defaults suit one user with some pages open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at a time. A browser opens six to a server.
    pub connections: usize,
    /// A connection on which no byte moves for so long is closed: nothing was asked, or the answer is not read.
    pub stalled: Duration,
    /// Pause after `accept` failed, for want of descriptors mostly.
    pub refused: Duration,
    /// Bytes that the system keeps of an answer that is not read.
    pub send_buffer: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 64,
            // A page in a background tab asks again when it is shown; its browser then opens a new connection.
            stalled: Duration::from_secs(60),
            refused: Duration::from_millis(50),
            send_buffer: 256 << 10,
        }
    }
}
