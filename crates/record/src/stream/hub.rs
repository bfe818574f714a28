//! Distribution of rows and frames to listeners. One lock orders everything: a subscriber receives the
//! complete state of a channel first, then every later message.

use super::{Channel, ROWS, Stream};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use touchdown_sim::sink::Frame;

/// Most bytes that wait for a listener; a single message can be larger.
const MOST_BYTES: usize = 16 << 20;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Number of its channel.
    pub channel: usize,
    /// Simulated time, ns.
    pub time: u64,
    /// The encoded message, shared by all listeners.
    pub data: Arc<[u8]>,
}

/// Where listeners join a run.
pub struct Hub {
    channels: Vec<Channel>,
    room: Mutex<Room>,
}

struct Room {
    stream: Stream,
    seats: BTreeMap<u64, Seat>,
    next: u64,
}

/// The subscriptions of a listener, and the messages that wait for it.
#[derive(Default)]
struct Seat {
    wants: BTreeSet<usize>,
    waiting: Vec<Said>,
    bytes: usize,
    /// Channels that have lost messages for it.
    behind: BTreeSet<usize>,
}

impl Seat {
    fn put(&mut self, said: Said) {
        if self.bytes > 0 && self.bytes + said.data.len() > MOST_BYTES || self.behind.contains(&said.channel)
        {
            self.behind.insert(said.channel);
            return;
        }
        // An empty message also takes memory.
        self.bytes += said.data.len() + size_of::<Said>();
        self.waiting.push(said);
    }
}

impl Room {
    fn say(&mut self, channel: usize) {
        if !self.seats.values().any(|seat| seat.wants.contains(&channel)) {
            return;
        }
        let Some((time, data)) = self.stream.news(channel) else { return };
        let said = Said { channel, time, data: data.into() };
        for seat in self.seats.values_mut().filter(|seat| seat.wants.contains(&channel)) {
            seat.put(said.clone());
        }
    }

    fn whole(&self, channel: usize) -> Option<Said> {
        let (time, data) = self.stream.whole(channel)?;
        Some(Said { channel, time, data: data.into() })
    }
}

impl Hub {
    pub(super) fn new(stream: Stream) -> Hub {
        let channels = stream.channels();
        Hub { channels, room: Mutex::new(Room { stream, seats: BTreeMap::new(), next: 0 }) }
    }

    /// The channels; a channel's number is its index.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// A new listener without subscriptions.
    pub fn join(self: &Arc<Self>) -> Listener {
        let mut room = self.lock();
        let seat = room.next;
        room.next += 1;
        room.seats.insert(seat, Seat::default());
        Listener { hub: Arc::clone(self), seat }
    }

    pub(super) fn row(&self, row: &[f64]) {
        let mut room = self.lock();
        room.stream.take_row(row);
        room.say(ROWS);
    }

    pub(super) fn frame(&self, frame: &Frame) {
        let mut room = self.lock();
        room.stream.take_frame(frame);
        Stream::of_frames().for_each(|channel| room.say(channel));
    }

    fn lock(&self) -> MutexGuard<'_, Room> {
        // A panic while the lock was held leaves at most a frame without some of its messages.
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A listener; dropping it ends its subscriptions.
pub struct Listener {
    hub: Arc<Hub>,
    seat: u64,
}

impl Listener {
    /// Subscribes to a channel: first its complete state, then every new message. `false` if there is no such
    /// channel.
    pub fn subscribe(&self, channel: usize) -> bool {
        let mut room = self.hub.lock();
        let whole = room.whole(channel);
        let Some(seat) = room.seats.get_mut(&self.seat).filter(|_| channel < self.hub.channels.len()) else {
            return false;
        };
        if seat.wants.insert(channel) {
            whole.into_iter().for_each(|said| seat.put(said));
        }
        true
    }

    /// Unsubscribes from a channel.
    pub fn unsubscribe(&self, channel: usize) {
        if let Some(seat) = self.hub.lock().seats.get_mut(&self.seat) {
            seat.wants.remove(&channel);
            seat.behind.remove(&channel);
            seat.waiting.retain(|said| said.channel != channel);
        }
    }

    /// Takes the waiting messages in order, and whether messages were lost since the last call. In that case
    /// the complete state of the affected channels comes last.
    pub fn take(&self) -> (Vec<Said>, bool) {
        let mut room = self.hub.lock();
        let behind =
            room.seats.get_mut(&self.seat).map(|seat| std::mem::take(&mut seat.behind)).unwrap_or_default();
        let caught_up: Vec<Said> = behind.iter().filter_map(|channel| room.whole(*channel)).collect();
        let Some(seat) = room.seats.get_mut(&self.seat) else { return (Vec::new(), false) };
        let mut said = std::mem::take(&mut seat.waiting);
        seat.bytes = 0;
        said.extend(caught_up);
        (said, !behind.is_empty())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.lock().seats.remove(&self.seat);
    }
}
