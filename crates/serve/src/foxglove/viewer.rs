//! One viewer: its thread sends what is queued for it and reads its requests.

use super::Shared;
use super::handshake::Entry;
use super::protocol::{self, Asked};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::Duration;
use touchdown_record::stream::Listener;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

/// How long a viewer may take to say who it is.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long its thread listens before it looks at what waits.
const LISTEN: Duration = Duration::from_millis(20);
/// A viewer that takes nothing for so long is closed.
const STALLED: Duration = Duration::from_secs(30);
/// Bytes of what a viewer may say at once: it subscribes to some channels.
const MOST_SAID: usize = 1 << 20;

/// Serves a viewer until it or the server ends; any error of its connection ends it.
pub(super) fn serve(stream: TcpStream, shared: &Shared) {
    if let Some(mut viewer) = let_in(stream, shared) {
        let _ = viewer.stay(shared);
        let _ = viewer.socket.close(None);
        let _ = viewer.socket.flush();
    }
}

fn let_in(stream: TcpStream, shared: &Shared) -> Option<Viewer> {
    stream.set_read_timeout(Some(HANDSHAKE)).ok()?;
    stream.set_write_timeout(Some(STALLED)).ok()?;
    stream.set_nodelay(true).ok()?;
    let config = WebSocketConfig::default()
        .max_message_size(Some(MOST_SAID))
        .max_frame_size(Some(MOST_SAID))
        .read_buffer_size(4096);
    let entry = Entry { is_open: shared.is_open };
    let socket = tungstenite::accept_hdr_with_config(stream, entry, Some(config)).ok()?;
    socket.get_ref().set_read_timeout(Some(LISTEN)).ok()?;
    Some(Viewer { socket, listener: shared.hub.join(), subscriptions: BTreeMap::new(), time: None })
}

struct Viewer {
    socket: WebSocket<TcpStream>,
    listener: Listener,
    /// Channels with their subscriptions.
    subscriptions: BTreeMap<usize, u32>,
    /// The last time that was sent, ns.
    time: Option<u64>,
}

impl Viewer {
    fn stay(&mut self, shared: &Shared) -> Result<(), Error> {
        for text in &shared.greeting {
            self.socket.send(Message::text(text.as_str()))?;
        }
        while !shared.ends.load(Ordering::Relaxed) {
            self.send_waiting()?;
            match self.socket.read() {
                Ok(Message::Text(text)) => self.hear(&text)?,
                Ok(Message::Binary(_)) => self.say(protocol::ERROR, "nothing can be published here")?,
                // Pings are answered by the library.
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => {}
                Err(Error::Io(error)) if is_silence(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn send_waiting(&mut self) -> Result<(), Error> {
        let (waiting, lost) = self.listener.take();
        for said in &waiting {
            let Some(subscription) = self.subscriptions.get(&said.channel) else { continue };
            // What never changes has the time 0, also for who comes late.
            if self.time.is_none_or(|time| time < said.time) {
                self.time = Some(said.time);
                self.socket.write(Message::binary(protocol::time(said.time)))?;
            }
            self.socket.write(Message::binary(protocol::message(*subscription, said)))?;
        }
        if lost {
            self.say(
                protocol::WARNING,
                "the run goes on faster than this viewer takes its messages: some were left out",
            )?;
        }
        self.socket.flush()
    }

    fn hear(&mut self, text: &str) -> Result<(), Error> {
        match protocol::read(text) {
            Ok(Asked::Subscribe(wanted)) => wanted.into_iter().try_for_each(|one| self.subscribe(one)),
            Ok(Asked::Unsubscribe(ids)) => ids.into_iter().try_for_each(|id| self.unsubscribe(id)),
            Ok(Asked::Other(op)) => {
                self.say(protocol::WARNING, &format!("this server does not offer \"{op}\""))
            }
            Err(why) => self.say(protocol::ERROR, &format!("a message was not understood: {why}")),
        }
    }

    fn subscribe(&mut self, (id, channel): (u32, usize)) -> Result<(), Error> {
        if self.subscriptions.contains_key(&channel) || self.subscriptions.values().any(|known| *known == id)
        {
            return self
                .say(protocol::ERROR, &format!("subscription {id} or channel {channel} is in use already"));
        }
        if !self.listener.subscribe(channel) {
            return self.say(protocol::ERROR, &format!("there is no channel {channel}"));
        }
        self.subscriptions.insert(channel, id);
        Ok(())
    }

    fn unsubscribe(&mut self, id: u32) -> Result<(), Error> {
        let Some(channel) =
            self.subscriptions.iter().find(|(_, known)| **known == id).map(|(channel, _)| *channel)
        else {
            return self.say(protocol::WARNING, &format!("there is no subscription {id}"));
        };
        self.subscriptions.remove(&channel);
        self.listener.unsubscribe(channel);
        Ok(())
    }

    fn say(&mut self, level: u8, words: &str) -> Result<(), Error> {
        self.socket.send(Message::text(protocol::status(level, words)))
    }
}

/// Nothing was said meanwhile.
fn is_silence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted)
}
