//! A run as messages for viewers during the run: the channels of `frames.mcap`, encoded only on request.

use super::columns::{Columns, SERIES};
use super::soil::{self, Known, whole};
use super::soil_mesh::surface;
use super::write::{self, CHANNELS, MOVING, SOIL, SOIL_MESH, STILL, nanoseconds, timestamp};
use super::{Scene, descriptor};
use crate::block::Block;
use crate::patch::Patch;
use crate::words::Varying;
use prost::Message;
use touchdown_sim::sink::{Column, Frame};

/// A channel as announced to viewers; its messages are protobuf.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Such as `/tf`.
    pub topic: &'static str,
    /// Name of its message.
    pub schema: &'static str,
    /// The encoded `FileDescriptorSet` of the message.
    pub descriptor: Vec<u8>,
}

/// Number of the channel of the rows.
pub const ROWS: usize = CHANNELS.len();

/// The last state of a run.
pub struct Stream {
    scene: Scene,
    columns: Columns,
    row: Vec<f64>,
    /// The last frame, flattened, and its parts of variable size.
    frame: Block,
    varying: Varying,
    /// All soil so far, and the places that the last frame changed.
    known: Known,
    changed: Vec<(i32, i32)>,
}

impl Stream {
    /// For a run with these columns and this scene.
    pub fn new(columns: &[Column], scene: &Scene) -> Stream {
        Stream {
            scene: scene.clone(),
            columns: Columns::of(columns),
            row: Vec::new(),
            frame: Block::default(),
            varying: Varying::default(),
            known: Known::default(),
            changed: Vec::new(),
        }
    }

    /// All channels; a channel's number is its place.
    pub fn channels(&self) -> Vec<Channel> {
        let fixed =
            |(topic, schema)| Channel { topic, schema, descriptor: descriptor::descriptor_of(schema) };
        let (topic, schema) = SERIES;
        let rows = Channel { topic, schema, descriptor: self.columns.descriptor() };
        CHANNELS.into_iter().map(fixed).chain([rows]).collect()
    }

    /// Numbers of the channels that a frame can change.
    pub fn of_frames() -> impl Iterator<Item = usize> {
        MOVING.into_iter().chain([SOIL_MESH])
    }

    /// Stores a row.
    pub fn take_row(&mut self, row: &[f64]) {
        self.row.clear();
        self.row.extend_from_slice(row);
    }

    /// Stores a frame.
    pub fn take_frame(&mut self, frame: &Frame) {
        self.frame.clear();
        self.frame.push_frame(frame);
        self.varying.patches.clear();
        self.varying.patches.extend(frame.soil.iter().map(Patch::of));
        if let Some(first) = frame.soil.first() {
            (self.varying.spacing, self.known.spacing) = (first.spacing, first.spacing);
        }
        self.varying.pressures.clone_from(&frame.pressures);
        self.varying.deformations.clone_from(&frame.deformations);
        self.changed.clear();
        for patch in &self.varying.patches {
            if self.known.learn(patch.clone()).is_some() {
                self.changed.push(patch.place());
            }
        }
    }

    /// Time of the last frame or row of a channel, ns.
    fn time(&self, channel: usize) -> u64 {
        let values = if channel == ROWS { &self.row } else { &self.frame.frames };
        values.first().map_or(0, |time| nanoseconds(*time))
    }

    /// The messages of the last row or frame on a channel, with their time, ns; of the soil the changed
    /// patches, complete.
    pub fn news(&self, channel: usize) -> Option<(u64, Vec<u8>)> {
        let time = self.time(channel);
        let bytes = match channel {
            ROWS => (!self.row.is_empty()).then(|| self.columns.message(&self.row)),
            SOIL_MESH => {
                let patches = self.changed.iter().filter_map(|place| self.known.get(*place));
                let mesh = || surface(patches, self.known.spacing, timestamp(time)).encode_to_vec();
                (!self.changed.is_empty()).then(mesh)
            }
            _ if self.frame.frames.is_empty() => None,
            _ => write::moving(channel, &self.scene, &self.frame.frames, &self.varying),
        };
        Some((time, bytes?))
    }

    /// The complete state of a channel for a viewer that joins now, with its time, ns.
    pub fn whole(&self, channel: usize) -> Option<(u64, Vec<u8>)> {
        let (time, mut patches) = (self.time(channel), self.known.patches().peekable());
        if STILL.contains(&channel) {
            return Some((0, write::still(channel, &self.scene)?));
        }
        if ![SOIL, SOIL_MESH].contains(&channel) {
            return self.news(channel);
        }
        patches.peek()?;
        let bytes = if channel == SOIL {
            let patches = patches.map(whole).collect();
            soil::update(patches, self.known.spacing, timestamp(time), true).encode_to_vec()
        } else {
            surface(patches, self.known.spacing, timestamp(time)).encode_to_vec()
        };
        Some((time, bytes))
    }
}
