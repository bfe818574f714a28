//! Parts ⇒ `frames.mcap`: copies small messages, replaces whole patches of soil by differences between
//! keyframes, and inserts the rows of the series at their times.
//!
//! The interval between keyframes is counted in numbers written, not in bytes or parts: the bytes of the file
//! depend on the frames alone.

use super::container::{Event, walk};
use super::own::{SoilPatch, SoilUpdate};
use super::soil::{self, Known, whole};
use super::soil_mesh::surface;
use super::write::{FrameWriter, SCENE, SOIL, SOIL_MESH, timestamp};
use super::{Scene, write};
use crate::disk::Place;
use crate::error::RecordError;
use crate::files::{Folder, Part, Stream};
use crate::series::Rows;
use mcap::records::MessageHeader;
use prost::Message;
use std::collections::BTreeSet;
use std::io::{Seek, Write};
use touchdown_sim::sink::Column;

/// Frames between keyframes, at least.
const KEYFRAME_FRAMES: u32 = 50;
/// Frames between meshes for other viewers, at least: triangles are a hundred times larger than differences.
const MESH_FRAMES: u32 = 25;

/// Merges the parts of the folder; they stay where they are.
pub(crate) fn merge(place: &Place, columns: &[Column], scene: &Scene) -> Result<(), RecordError> {
    let (replacement, file) = place.start(&Stream::Frames.merged())?;
    let mut writer = FrameWriter::new(file, replacement.doing())?.with_series(columns)?;
    writer.write_scene(scene)?;
    let folder = Folder::new(place.path());
    let (mut soil, mut rows) = (Soil::default(), Rows::of(&folder, columns.len())?);
    for part in folder.unbroken(Stream::Frames)? {
        add_part(&part, (&mut soil, &mut rows), &mut writer)?;
    }
    soil.draw(&mut writer)?;
    add_rows(&mut rows, u64::MAX, &mut writer)?;
    replacement.commit(writer.finish()?)
}

/// Writes the rows up to a time.
fn add_rows<W: Write + Seek>(
    rows: &mut Rows,
    until: u64,
    writer: &mut FrameWriter<W>,
) -> Result<(), RecordError> {
    while let Some((index, row)) = rows.next_if(|time| write::nanoseconds(time) <= until)? {
        writer.write_row(index, row)?;
    }
    Ok(())
}

/// Copies the messages of a part, and the rows up to them; refuses a damaged part.
fn add_part<W: Write + Seek>(
    part: &Part,
    (soil, rows): (&mut Soil, &mut Rows),
    writer: &mut FrameWriter<W>,
) -> Result<(), RecordError> {
    let damaged =
        |why: String| RecordError::Format { doing: format!("reading {}", part.path.display()), why };
    let mut added = Ok(());
    part.check()?;
    let notes = walk(&part.path, &mut |event| {
        // A gap is reported by a note.
        if let (Ok(()), Event::Message { channel, header, data }) = (&added, event) {
            added = add_rows(rows, header.log_time, writer).and_then(|()| match channel {
                // Constant messages are written already.
                SCENE | write::GROUND | write::CONTACT_GEOMETRY => Ok(()),
                SOIL => match SoilUpdate::decode(data) {
                    Ok(update) => soil.add(update, &header, writer),
                    Err(error) => Err(damaged(error.to_string())),
                },
                channel => writer.write(channel, header.log_time, header.sequence, data),
            });
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
    /// The soil of a frame as whole patches ⇒ the changes, or all of it in a keyframe.
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

    /// A keyframe is written once the changes since the last one are about as large as a keyframe.
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
