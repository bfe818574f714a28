//! Reads frames from `frames.mcap`, or from the sealed parts of a run that has not ended or was killed.
//! Damaged frames are left out and named.

use super::container::{Event, walk};
use super::own::{Contacts, Deformations, Ground, Pressures, SoilUpdate};
use super::proto::{FrameTransforms, SceneUpdate};
use super::soil::Known;
use super::write::{CONTACT_GEOMETRY, CONTACTS, DEFORMATIONS, GROUND, POSES, PRESSURES, SCENE, SOIL};
use super::{Scene, deform, forms, ground};
use crate::files::{Folder, Stream};
use crate::manifest::Manifest;
use mcap::records::MessageHeader;
use prost::{DecodeError, Message};
use std::path::{Path, PathBuf};
use touchdown_math::Vec3;
use touchdown_sim::show::ContactName;
use touchdown_sim::sink::{BodyPose, ContactArrow, Frame, PressureNode, SoilPatch};

/// Result of reading the frames of a folder.
#[derive(Clone, Debug, Default)]
pub struct FramesRead {
    /// The scene.
    pub scene: Scene,
    /// Number of frames.
    pub frames: usize,
    /// What is missing or damaged, in words.
    pub notes: Vec<String>,
}

/// Passes the frames of a run folder to `each`, in sequence. All have the same numbers of poses and contacts.
/// Their soil is rounded to 0.1 mm, and patches that changed by less are left out.
pub fn read_frames(dir: &Path, mut each: impl FnMut(&Frame)) -> FramesRead {
    let folder = Folder::new(dir);
    let mut notes = Vec::new();
    let mut reading = Reading::new(&mut each);
    match Manifest::read(dir) {
        Ok(manifest) => reading.expect(manifest),
        Err(error) => notes.push(error.to_string()),
    }
    let mut files = files_of(&folder, &mut notes);
    while let Some(path) = files.next() {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        match walk(&path, &mut |event| reading.take(event)) {
            Ok(found) => notes.extend(found.into_iter().map(|what| format!("{name} {what}"))),
            Err(error) => notes.push(error.to_string()),
        }
        reading.end_of_file();
        // The merged file is unreadable, but its parts may still exist.
        if reading.frames == 0 && files.len() == 0 && name == "frames.mcap" {
            files = parts_of(&folder, &mut notes);
        }
    }
    if reading.frames == 0 {
        notes.push("there are no frames".into());
    }
    notes.append(&mut reading.notes);
    FramesRead { frames: reading.frames, scene: reading.scene(), notes }
}

type Files = std::vec::IntoIter<PathBuf>;

fn files_of(folder: &Folder, notes: &mut Vec<String>) -> Files {
    let merged = folder.merged(Stream::Frames);
    if merged.exists() {
        return vec![merged].into_iter();
    }
    if !folder.summary().exists() {
        notes.push("the run has not ended: what it has recorded so far is shown".into());
    } else {
        notes.push("frames.mcap is missing".into());
    }
    parts_of(folder, notes)
}

fn parts_of(folder: &Folder, notes: &mut Vec<String>) -> Files {
    let parts = folder.list(Stream::Frames).unwrap_or_else(|error| {
        notes.push(error.to_string());
        Vec::new()
    });
    let mut next = 0;
    for part in &parts {
        if part.first > next {
            notes.push(format!("frames {next} to {} are missing", part.first - 1));
        }
        next = next.max(part.end);
    }
    parts.into_iter().map(|part| part.path).collect::<Vec<_>>().into_iter()
}

/// Assembles frames from messages.
struct Reading<'a> {
    each: &'a mut dyn FnMut(&Frame),
    bodies: Vec<String>,
    contacts: Vec<ContactName>,
    visuals: SceneUpdate,
    touching: SceneUpdate,
    ground: Option<Ground>,
    /// Names of the forms that deform.
    deforming: Vec<String>,
    known: Known,
    /// Scratch: patches that an update changed.
    changed: Vec<(i32, i32)>,
    frame: Frame,
    /// Times of the whole run and between frames, s, from the manifest.
    duration: f64,
    frames_every: f64,
    /// Time of the last frame, s.
    reached: f64,
    /// The frame being assembled.
    sequence: Option<u32>,
    /// Index of the next frame.
    next: u32,
    frames: usize,
    notes: Vec<String>,
}

impl<'a> Reading<'a> {
    fn new(each: &'a mut dyn FnMut(&Frame)) -> Self {
        Reading {
            each,
            bodies: Vec::new(),
            contacts: Vec::new(),
            visuals: SceneUpdate::default(),
            touching: SceneUpdate::default(),
            ground: None,
            deforming: Vec::new(),
            known: Known::default(),
            changed: Vec::new(),
            frame: Frame::default(),
            duration: 0.0,
            frames_every: 0.0,
            reached: 0.0,
            sequence: None,
            next: 0,
            frames: 0,
            notes: Vec::new(),
        }
    }

    /// What the manifest announces.
    fn expect(&mut self, manifest: Manifest) {
        (self.duration, self.frames_every) = (manifest.duration_s, manifest.frames_every_s);
        self.bodies = manifest.bodies;
        let contact = |name| ContactName { name, body: None, soil: false };
        self.contacts = manifest.contacts.into_iter().map(contact).collect();
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Gap => {
                // Part of the frame being assembled may be lost.
                self.sequence = None;
                self.known.clear();
            }
            Event::Message { channel, header, data } => {
                if let Err(error) = self.message(channel, &header, data) {
                    self.notes.push(format!("frame {}: {error}", header.sequence));
                }
            }
        }
    }

    fn message(&mut self, channel: usize, header: &MessageHeader, data: &[u8]) -> Result<(), DecodeError> {
        match channel {
            SCENE => self.visuals = SceneUpdate::decode(data)?,
            CONTACT_GEOMETRY => self.touching = SceneUpdate::decode(data)?,
            GROUND => self.ground = Some(Ground::decode(data)?),
            POSES => {
                let poses = FrameTransforms::decode(data)?;
                self.start(header, &poses);
            }
            // Soil is accepted even if its frame is lost, because later changes are relative to it.
            SOIL => self.soil(header.sequence, SoilUpdate::decode(data)?),
            _ if self.sequence != Some(header.sequence) => {}
            CONTACTS => self.contacts(&Contacts::decode(data)?),
            PRESSURES => self.pressures(&Pressures::decode(data)?),
            DEFORMATIONS => self.deformations(Deformations::decode(data)?),
            _ => {}
        }
        Ok(())
    }

    /// Poses begin a frame.
    fn start(&mut self, header: &MessageHeader, poses: &FrameTransforms) {
        self.end_of_file();
        let sequence = header.sequence;
        // Parts of a run that was killed during its resumption can overlap.
        if sequence < self.next {
            return;
        }
        if self.bodies.is_empty() && self.frames == 0 {
            self.bodies = poses.transforms.iter().map(|t| t.child_frame_id.clone()).collect();
        }
        self.frame.time = header.log_time as f64 * 1e-9;
        self.frame.poses.clear();
        self.frame.poses.extend(poses.transforms.iter().map(|t| {
            let (p, q) = (t.translation.unwrap_or_default(), t.rotation.unwrap_or_default());
            BodyPose { p_WB: Vec3::new(p.x, p.y, p.z), q_WB: [q.w, q.x, q.y, q.z] }
        }));
        if self.frame.poses.len() != self.bodies.len() {
            self.notes.push(format!("frame {sequence} has other bodies and is skipped"));
            return;
        }
        self.sequence = Some(sequence);
    }

    fn contacts(&mut self, message: &Contacts) {
        if self.contacts.len() != message.contacts.len() && self.frames == 0 {
            let unnamed = ContactName { name: String::new(), body: None, soil: false };
            self.contacts = vec![unnamed; message.contacts.len()];
        }
        self.frame.contacts.clear();
        for (contact, known) in message.contacts.iter().zip(&mut self.contacts) {
            let vector = |v| ground::vec3(v).unwrap_or_default();
            let (p_WC, f_W, t_W) = (vector(contact.point), vector(contact.force), vector(contact.torque));
            self.frame.contacts.push(ContactArrow { p_WC, f_W, t_W });
            if known.body.is_none() {
                let body = self.bodies.iter().position(|name| *name == contact.body);
                *known = ContactName { name: contact.name.clone(), body, soil: contact.soil };
            }
        }
    }

    fn soil(&mut self, sequence: u32, update: SoilUpdate) {
        // After a gap, changes of unknown patches wait for the next keyframe.
        let _ = self.known.apply(update, &mut self.changed);
        if self.sequence != Some(sequence) {
            return;
        }
        self.frame.soil.resize_with(self.changed.len(), SoilPatch::default);
        for (place, out) in self.changed.iter().zip(&mut self.frame.soil) {
            if let Some(patch) = self.known.get(*place) {
                patch.fill(self.known.spacing, out);
            }
        }
    }

    fn pressures(&mut self, message: &Pressures) {
        self.frame.pressures.resize_with(message.bodies.len(), Vec::<PressureNode>::new);
        for (body, out) in message.bodies.iter().zip(&mut self.frame.pressures) {
            ground::nodes_of(body, out);
        }
    }

    fn deformations(&mut self, message: Deformations) {
        self.frame.deformations.resize_with(message.forms.len(), Vec::new);
        for (form, out) in message.forms.iter().zip(&mut self.frame.deformations) {
            deform::corners_of(message.unit, form, out);
        }
        if self.deforming.is_empty() {
            self.deforming = message.forms.into_iter().map(|form| form.form).collect();
        }
    }

    /// The messages of the present frame are complete.
    fn end_of_file(&mut self) {
        if let Some(sequence) = self.sequence.take() {
            let nothing = ContactArrow { p_WC: Vec3::zeros(), f_W: Vec3::zeros(), t_W: Vec3::zeros() };
            self.frame.contacts.resize(self.contacts.len(), nothing);
            (self.each)(&self.frame);
            self.frames += 1;
            self.reached = self.frame.time;
            self.next = sequence.wrapping_add(1);
        }
        self.frame.contacts.clear();
        self.frame.soil.clear();
        self.frame.pressures.clear();
        self.frame.deformations.clear();
    }

    fn scene(&self) -> Scene {
        let contact_forms = forms::visuals(&self.bodies, &self.touching);
        // A lost form keeps its number, so that the numbers of the others do not change.
        let place =
            |name: &String| contact_forms.iter().position(|form| form.name == *name).unwrap_or(usize::MAX);
        Scene {
            bodies: self.bodies.clone(),
            visuals: forms::visuals(&self.bodies, &self.visuals),
            contacts: self.contacts.clone(),
            deforming: self.deforming.iter().map(place).collect(),
            contact_forms,
            ground: self.ground.clone().and_then(ground::ground_of),
            duration: if self.duration > 0.0 { self.duration } else { self.reached },
            frames_every: if self.frames_every > 0.0 {
                self.frames_every
            } else {
                self.reached / self.frames.saturating_sub(1).max(1) as f64
            },
            ..Scene::default()
        }
    }
}
