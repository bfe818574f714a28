//! Blocks that carry rows and frames from the step loop to the writer thread, and the fixed pool they come
//! from.
//!
//! Recording uses no memory beyond a pool of N blocks: when all are in use, the loop waits. It allocates
//! nothing once it runs.

use crate::words;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, sync_channel};
use touchdown_sim::sink::Frame;

/// Numbers of one pose: position, then quaternion {w, x, y, z}.
pub(crate) const POSE_VALUES: usize = 7;
/// Numbers of one contact: point, force, torque.
pub(crate) const CONTACT_VALUES: usize = 9;

/// Rows and frames, flattened.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Rows one after the other.
    pub rows: Vec<f64>,
    /// Frames one after the other: time, poses, contacts.
    pub frames: Vec<f64>,
    /// The parts of these frames that vary in size: see `words`.
    pub words: Vec<u32>,
}

impl Block {
    pub fn with_capacity(row_values: usize, frame_values: usize) -> Self {
        Block {
            rows: Vec::with_capacity(row_values),
            frames: Vec::with_capacity(frame_values),
            words: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.frames.is_empty()
    }

    pub fn clear(&mut self) {
        self.rows.clear();
        self.frames.clear();
        self.words.clear();
    }

    pub fn push_frame(&mut self, frame: &Frame) {
        self.frames.push(frame.time);
        for pose in &frame.poses {
            self.frames.extend_from_slice(pose.p_WB.as_slice());
            self.frames.extend_from_slice(&pose.q_WB);
        }
        for contact in &frame.contacts {
            for vector in [&contact.p_WC, &contact.f_W, &contact.t_W] {
                self.frames.extend_from_slice(vector.as_slice());
            }
        }
        words::push(&mut self.words, frame);
    }
}

/// The loop gets empty blocks here.
pub(crate) struct Pool {
    empty: Receiver<Block>,
}

/// The writer returns used blocks here.
pub(crate) struct Returns {
    back: SyncSender<Block>,
}

/// A pool of `count` blocks, all empty and free.
pub(crate) fn pool(count: usize, make: impl Fn() -> Block) -> (Pool, Returns) {
    let (back, empty) = sync_channel(count);
    for _ in 0..count {
        // The channel has room for all of them, and its receiver is alive: this cannot fail.
        let _ = back.try_send(make());
    }
    (Pool { empty }, Returns { back })
}

impl Pool {
    /// Waits for an empty block; an error means that the writer has ended.
    pub fn take(&self) -> Result<Block, RecvError> {
        self.empty.recv()
    }

    /// An empty block, if one is free.
    #[cfg(test)]
    pub fn try_take(&self) -> Result<Block, std::sync::mpsc::TryRecvError> {
        self.empty.try_recv()
    }
}

impl Returns {
    /// Returns a block to the pool.
    pub fn give(&self, mut block: Block) {
        block.clear();
        // Fails only when the loop has ended, and then the block is not needed.
        let _ = self.back.try_send(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::TryRecvError;

    #[test]
    fn the_loop_waits_when_all_blocks_are_in_use() {
        // N blocks exist: block N+1 can be taken only after one has been returned.
        let (pool, returns) = pool(3, || Block::with_capacity(8, 0));
        let mut used: Vec<Block> = (0..3).map(|_| pool.try_take().expect("three at home")).collect();
        assert_eq!(pool.try_take().err(), Some(TryRecvError::Empty));
        returns.give(used.remove(0));
        assert!(pool.try_take().is_ok());
        assert_eq!(pool.try_take().err(), Some(TryRecvError::Empty));
    }

    #[test]
    fn blocks_come_back_empty_with_their_memory() {
        // Steady recording allocates nothing: a returned block keeps its capacity and loses its content.
        let (pool, returns) = pool(1, || Block::with_capacity(100, 50));
        let mut block = pool.take().expect("at home");
        block.rows.extend([1.0; 100]);
        let memory = block.rows.as_ptr();
        returns.give(block);
        let again = pool.take().expect("back home");
        assert!(again.is_empty());
        assert_eq!(again.rows.as_ptr(), memory);
    }

    #[test]
    fn a_dead_writer_does_not_hang_the_loop() {
        // When the writer has ended, waiting for a block ends with an error.
        let (pool, returns) = pool(1, Block::default);
        let _used = pool.take();
        drop(returns);
        assert!(pool.take().is_err());
    }
}
