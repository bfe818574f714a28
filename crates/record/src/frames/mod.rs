//! Frames: what the scene looked like, in MCAP with protobuf messages that Foxglove, Rerun and PlotJuggler know.
//!
//! `proto` are the messages, `descriptor` describes them to readers, `scene` turns visuals into primitives once, `soil`
//! patches of soil into triangles, `write` encodes frames into parts and merges them.

mod descriptor;
mod proto;
mod scene;
mod soil;
#[cfg(test)]
mod tests;
mod write;

use crate::block::{CONTACT_VALUES, POSE_VALUES};
use touchdown_sim::description::Visual;
pub(crate) use write::{encode_part, merge};

/// What the frames show.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Names of the bodies, in the order of the frames' poses; each names a coordinate frame.
    pub bodies: Vec<String>,
    /// Forms fixed to the bodies or to the world.
    pub visuals: Vec<Visual>,
    /// Names of the contacts, in the order of the frames.
    pub contacts: Vec<String>,
    /// Length of a force arrow, m/N.
    pub arrow_m_per_n: f64,
}

impl Default for Scene {
    fn default() -> Self {
        // 2 mm/N: the 200 N under a wheel of a 300 kg rover on Mars make an arrow of 0.4 m.
        Scene { bodies: Vec::new(), visuals: Vec::new(), contacts: Vec::new(), arrow_m_per_n: 2e-3 }
    }
}

impl Scene {
    /// Numbers of a frame: its time, its poses, its contacts.
    pub(crate) fn frame_values(&self) -> usize {
        1 + POSE_VALUES * self.bodies.len() + CONTACT_VALUES * self.contacts.len()
    }
}
