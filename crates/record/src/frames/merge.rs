//! Parts ⇒ `frames.mcap`: copies what is small, and turns whole patches of soil into differences between keyframes.
//!
//! When a keyframe comes is counted in what was written, not in bytes or parts: the bytes of the file depend on the frames alone.

use super::container::{Event, walk};
use super::own::{SoilPatch, SoilUpdate};
use super::soil::{self, Known, whole};
use super::soil_mesh::surface;
use super::write::{FrameWriter, SCENE, SOIL, SOIL_MESH, timestamp};
use super::{Scene, write};
use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{Folder, Part, Stream};
use mcap::records::MessageHeader;
use prost::Message;
use std::collections::BTreeSet;
use std::io::{Seek, Write};

/// Frames between keyframes, at least.
const KEYFRAME_FRAMES: u32 = 50;
/// Frames between meshes for other viewers, at least: triangles weigh a hundred times what differences do.
const MESH_FRAMES: u32 = 25;

/// Merges the parts of the folder; they stay where they are.
pub(crate) fn merge(place: &Place, scene: &Scene) -> Result<(), RecordError> {
    let (replacement, file) = place.start(&Stream::Frames.merged())?;
    let mut writer = FrameWriter::new(file, replacement.doing())?;
    writer.write_scene(scene)?;
    let mut soil = Soil::default();
    for part in Folder::new(place.path()).unbroken(Stream::Frames)? {
        add_part(&part, &mut soil, &mut writer)?;
    }
    soil.draw(&mut writer)?;
    replacement.commit(writer.finish()?)
}

/// Copies the messages of a part; one that is not whole is refused.
fn add_part<W: Write + Seek>(
    part: &Part,
    soil: &mut Soil,
    writer: &mut FrameWriter<W>,
) -> Result<(), RecordError> {
    let damaged =
        |why: String| RecordError::Format { doing: format!("reading {}", part.path.display()), why };
    let mut added = Ok(());
    part.check()?;
    let notes = walk(&part.path, &mut |event| {
        // A gap is reported by a note.
        if let (Ok(()), Event::Message { channel, header, data }) = (&added, event) {
            added = match channel {
                // What does not change is written already.
                SCENE | write::GROUND | write::CONTACT_GEOMETRY => Ok(()),
                SOIL => match SoilUpdate::decode(data) {
                    Ok(update) => soil.add(update, &header, writer),
                    Err(error) => Err(damaged(error.to_string())),
                },
                channel => writer.write(channel, header.log_time, header.sequence, data),
            };
        }
    })?;
    added?;
    notes.into_iter().next().map_or(Ok(()), |note| Err(damaged(format!("it {note}"))))
}

/// The soil so far.
#[derive(Default)]
struct Soil {
    known: Known,
    /// Numbers written since the last keyframe.
    written: usize,
    /// Frame of the last keyframe; `None` before the first.
    keyframe: Option<u32>,
    /// Patches that changed since the last mesh, its frame, and the time and frame of the last update.
    undrawn: BTreeSet<(i32, i32)>,
    drawn: u32,
    last: (u64, u32),
}

impl Soil {
    /// The soil of a frame, as whole patches ⇒ what changed, or all of it.
    fn add<W: Write + Seek>(
        &mut self,
        update: SoilUpdate,
        header: &MessageHeader,
        writer: &mut FrameWriter<W>,
    ) -> Result<(), RecordError> {
        let (time, frame) = (header.log_time, header.sequence);
        self.last = (time, frame);
        self.known.spacing = update.spacing;
        let mut messages = Vec::new();
        for message in &update.patches {
            let patch = soil::patch_of(message).map_err(|why| RecordError::Format {
                doing: format!("merging frame {frame}"),
                why: why.into(),
            })?;
            let place = patch.place();
            if let Some(message) = self.known.learn(patch) {
                self.undrawn.insert(place);
                messages.push(message);
            }
        }
        let keyframe = self.keyframe_is_due(frame);
        if keyframe {
            messages = self.known.patches().map(whole).collect();
            (self.keyframe, self.written) = (Some(frame), 0);
        } else {
            self.written += messages.iter().map(numbers).sum::<usize>();
        }
        if !messages.is_empty() {
            let update = soil::update(messages, self.known.spacing, timestamp(time), keyframe);
            writer.write(SOIL, time, frame, &update.encode_to_vec())?;
        }
        if frame.wrapping_sub(self.drawn) >= MESH_FRAMES { self.draw(writer) } else { Ok(()) }
    }

    /// A keyframe pays off when about as much was written since the last one as it has itself.
    fn keyframe_is_due(&self, frame: u32) -> bool {
        let Some(last) = self.keyframe else { return true };
        let nodes = || self.known.patches().map(|patch| patch.change.len()).sum::<usize>();
        frame.wrapping_sub(last) >= KEYFRAME_FRAMES && self.written >= nodes()
    }

    /// Triangles of what changed since they were last written.
    fn draw<W: Write + Seek>(&mut self, writer: &mut FrameWriter<W>) -> Result<(), RecordError> {
        let (time, frame) = self.last;
        self.drawn = frame;
        if self.undrawn.is_empty() {
            return Ok(());
        }
        let patches = self.undrawn.iter().filter_map(|place| self.known.get(*place));
        let mesh = surface(patches, self.known.spacing, timestamp(time));
        self.undrawn.clear();
        writer.write(SOIL_MESH, time, frame, &mesh.encode_to_vec())
    }
}

fn numbers(patch: &SoilPatch) -> usize {
    patch.undisturbed.len() + patch.runs.len() + patch.changes.len()
}
