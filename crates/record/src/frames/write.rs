//! Frames into MCAP: the parts that the writer thread seals.
//!
//! Times are simulated times and the sequence number is the frame's index, so that the bytes depend on the
//! frames alone.

use super::columns::{Columns, SERIES};
use super::own::{Contact, Contacts};
use super::proto::{FrameTransform, FrameTransforms, Quaternion, SceneEntity, SceneUpdate};
use super::scene::{WORLD, arrow, forms, vector};
use super::{Scene, deform, descriptor, ground, soil};
use crate::block::{CONTACT_VALUES, POSE_VALUES};
use crate::error::{Doing, RecordError};
use crate::words::{self, Varying};
use mcap::records::MessageHeader;
use mcap::{WriteOptions, Writer};
use prost::Message;
use prost_types::Timestamp;
use std::collections::BTreeMap;
use std::io::{Cursor, Seek, Write};
use touchdown_math::Vec3;
use touchdown_sim::show::ContactName;
use touchdown_sim::sink::Column;

/// Target size of a compressed chunk before compression, bytes.
const CHUNK_BYTES: u64 = 1 << 20;
const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// Channels and their schemas, in the order of their numbers.
pub(crate) const CHANNELS: [(&str, &str); 10] = [
    ("/scene", "foxglove.SceneUpdate"),
    ("/tf", "foxglove.FrameTransforms"),
    ("/contacts", "touchdown.Contacts"),
    ("/contact_arrows", "foxglove.SceneUpdate"),
    ("/soil", "touchdown.SoilUpdate"),
    ("/soil_mesh", "foxglove.SceneUpdate"),
    ("/pressures", "touchdown.Pressures"),
    ("/ground", "touchdown.Ground"),
    ("/contact_geometry", "foxglove.SceneUpdate"),
    ("/deformations", "touchdown.Deformations"),
];
pub(crate) const SCENE: usize = 0;
pub(crate) const POSES: usize = 1;
pub(crate) const CONTACTS: usize = 2;
const ARROWS: usize = 3;
pub(crate) const SOIL: usize = 4;
pub(crate) const SOIL_MESH: usize = 5;
pub(crate) const PRESSURES: usize = 6;
pub(crate) const GROUND: usize = 7;
pub(crate) const CONTACT_GEOMETRY: usize = 8;
pub(crate) const DEFORMATIONS: usize = 9;

/// An MCAP file that is written frame by frame.
pub(super) struct FrameWriter<W: Write + Seek> {
    mcap: Writer<W>,
    channels: [u16; CHANNELS.len()],
    /// The channel of the rows and their conversion into messages; absent in parts.
    series: Option<(u16, Columns)>,
    doing: String,
}

impl<W: Write + Seek> FrameWriter<W> {
    pub fn new(sink: W, doing: String) -> Result<Self, RecordError> {
        let mut mcap = WriteOptions::new()
            .library("touchdown")
            .chunk_size(Some(CHUNK_BYTES))
            .compression_threads(0)
            .create(sink)
            .doing(|| doing.clone())?;
        let mut channels = [0; CHANNELS.len()];
        for ((topic, name), channel) in CHANNELS.iter().zip(&mut channels) {
            let schema = mcap
                .add_schema(name, "protobuf", &descriptor::descriptor_of(name))
                .doing(|| doing.clone())?;
            *channel =
                mcap.add_channel(schema, topic, "protobuf", &BTreeMap::new()).doing(|| doing.clone())?;
        }
        Ok(FrameWriter { mcap, channels, series: None, doing })
    }

    /// Declares the channel for rows of these columns.
    pub fn with_series(mut self, columns: &[Column]) -> Result<Self, RecordError> {
        let (columns, (topic, name)) = (Columns::of(columns), SERIES);
        let mut add = || {
            let schema = self.mcap.add_schema(name, "protobuf", &columns.descriptor())?;
            self.mcap.add_channel(schema, topic, "protobuf", &BTreeMap::new())
        };
        let channel = add().doing(|| self.doing.clone())?;
        self.series = Some((channel, columns));
        Ok(self)
    }

    /// A row of the series.
    pub fn write_row(&mut self, index: u64, row: &[f64]) -> Result<(), RecordError> {
        let Some((channel_id, columns)) = &self.series else { return Ok(()) };
        let time = nanoseconds(row[0]);
        // As for frames, the field has only 32 bits.
        let header = MessageHeader {
            channel_id: *channel_id,
            sequence: index as u32,
            log_time: time,
            publish_time: time,
        };
        self.mcap.write_to_known_channel(&header, &columns.message(row)).doing(|| self.doing.clone())
    }

    pub fn write(
        &mut self,
        channel: usize,
        time: u64,
        sequence: u32,
        data: &[u8],
    ) -> Result<(), RecordError> {
        let header = MessageHeader {
            channel_id: self.channels[channel],
            sequence,
            log_time: time,
            publish_time: time,
        };
        self.mcap.write_to_known_channel(&header, data).doing(|| self.doing.clone())
    }

    /// Writes the constant messages.
    pub fn write_scene(&mut self, scene: &Scene) -> Result<(), RecordError> {
        for channel in STILL {
            if let Some(data) = still(channel, scene) {
                self.write(channel, 0, 0, &data)?;
            }
        }
        Ok(())
    }

    /// One frame of flattened numbers: see `Block`.
    fn write_frame(
        &mut self,
        scene: &Scene,
        index: u64,
        values: &[f64],
        varying: &Varying,
    ) -> Result<(), RecordError> {
        let time = nanoseconds(values[0]);
        for channel in MOVING {
            if let Some(data) = moving(channel, scene, values, varying) {
                // MCAP has 32 bits for the sequence number; after 2³² frames it starts again.
                self.write(channel, time, index as u32, &data)?;
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<W, RecordError> {
        self.mcap.finish().doing(|| self.doing.clone())?;
        Ok(self.mcap.into_inner())
    }
}

/// Channels of constant messages, and of those of a frame, in the order of a file. The mesh of the soil is
/// derived from the channels before it.
pub(super) const STILL: [usize; 3] = [SCENE, CONTACT_GEOMETRY, GROUND];
pub(super) const MOVING: [usize; 6] = [POSES, SOIL, DEFORMATIONS, CONTACTS, ARROWS, PRESSURES];

/// The constant message of a channel, if it has one.
pub(super) fn still(channel: usize, scene: &Scene) -> Option<Vec<u8>> {
    match channel {
        SCENE => Some(forms(&scene.bodies, &scene.visuals).encode_to_vec()),
        CONTACT_GEOMETRY if !scene.contact_forms.is_empty() => {
            Some(forms(&scene.bodies, &scene.contact_forms).encode_to_vec())
        }
        GROUND => scene.ground.as_ref().map(|view| ground::ground(view).encode_to_vec()),
        _ => None,
    }
}

/// The message of a frame of flattened numbers on a channel, if there is one. Patches of soil are complete.
pub(super) fn moving(channel: usize, scene: &Scene, values: &[f64], varying: &Varying) -> Option<Vec<u8>> {
    let time = nanoseconds(values[0]);
    let (poses, contacts) = values[1..].split_at(POSE_VALUES * scene.bodies.len());
    let touching = !scene.contacts.is_empty();
    let bytes = match channel {
        POSES => transforms(scene, time, poses).encode_to_vec(),
        SOIL if !varying.patches.is_empty() => {
            let patches = varying.patches.iter().map(soil::whole).collect();
            soil::update(patches, varying.spacing, timestamp(time), false).encode_to_vec()
        }
        DEFORMATIONS if !varying.deformations.is_empty() => {
            deform::deformations(scene, time, &varying.deformations).encode_to_vec()
        }
        CONTACTS if touching => contact_table(scene, time, contacts).encode_to_vec(),
        ARROWS if touching => arrows(scene, time, contacts).encode_to_vec(),
        PRESSURES if touching && !varying.pressures.is_empty() => {
            ground::pressures(scene, time, &varying.pressures).encode_to_vec()
        }
        _ => return None,
    };
    Some(bytes)
}

/// Simulated time in nanoseconds; times before zero or not finite become zero (the cast saturates).
pub(super) fn nanoseconds(time: f64) -> u64 {
    (time * NANOS_PER_SECOND as f64).round() as u64
}

pub(super) fn timestamp(time: u64) -> Timestamp {
    // Quotient and remainder of a u64 by 1e9 fit their fields.
    Timestamp { seconds: (time / NANOS_PER_SECOND) as i64, nanos: (time % NANOS_PER_SECOND) as i32 }
}

fn transforms(scene: &Scene, time: u64, poses: &[f64]) -> FrameTransforms {
    let transform = |(name, pose): (&String, &[f64])| FrameTransform {
        timestamp: Some(timestamp(time)),
        parent_frame_id: WORLD.into(),
        child_frame_id: name.clone(),
        translation: Some(vector(&Vec3::new(pose[0], pose[1], pose[2]))),
        rotation: Some(Quaternion { w: pose[3], x: pose[4], y: pose[5], z: pose[6] }),
    };
    FrameTransforms {
        transforms: scene.bodies.iter().zip(poses.chunks_exact(POSE_VALUES)).map(transform).collect(),
    }
}

/// Point, force and torque of a flattened contact.
fn contact_vectors(contact: &[f64]) -> [Vec3; 3] {
    [0, 3, 6].map(|i| Vec3::new(contact[i], contact[i + 1], contact[i + 2]))
}

fn contact_table(scene: &Scene, time: u64, contacts: &[f64]) -> Contacts {
    let contact = |(of, contact): (&ContactName, &[f64])| {
        let [point, force, torque] = contact_vectors(contact).map(|v| Some(vector(&v)));
        let body = of.body.and_then(|i| scene.bodies.get(i)).cloned().unwrap_or_default();
        Contact { name: of.name.clone(), point, force, torque, body, soil: of.soil }
    };
    let contacts = scene.contacts.iter().zip(contacts.chunks_exact(CONTACT_VALUES)).map(contact).collect();
    Contacts { timestamp: Some(timestamp(time)), contacts }
}

fn arrows(scene: &Scene, time: u64, contacts: &[f64]) -> SceneUpdate {
    let draw = |contact: &[f64]| {
        let [p_WC, f_W, _] = contact_vectors(contact);
        arrow(&p_WC, &f_W, scene.arrow_m_per_n)
    };
    let entity = SceneEntity {
        timestamp: Some(timestamp(time)),
        frame_id: WORLD.into(),
        id: "contacts".into(),
        arrows: contacts.chunks_exact(CONTACT_VALUES).filter_map(draw).collect(),
        ..Default::default()
    };
    SceneUpdate { entities: vec![entity] }
}

/// Flattened frames as the bytes of an MCAP file; the part that starts the run carries the scene.
pub(crate) fn encode_part(
    (values, mut words): (&[f64], &[u32]),
    scene: &Scene,
    first: u64,
    doing: String,
) -> Result<Vec<u8>, RecordError> {
    let mut writer = FrameWriter::new(Cursor::new(Vec::new()), doing)?;
    if first == 0 {
        writer.write_scene(scene)?;
    }
    for (index, frame) in (first..).zip(values.chunks_exact(scene.frame_values())) {
        writer.write_frame(scene, index, frame, &words::take(&mut words))?;
    }
    Ok(writer.finish()?.into_inner())
}
