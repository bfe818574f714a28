//! Frames: the scene over time, in MCAP with protobuf messages that Foxglove, Rerun and PlotJuggler read, and
//! soil as differences.
//!
//! `proto` and `own` are the messages, `descriptor` describes them to readers. `scene` turns visuals into
//! primitives once. `ground` encodes the ground and pressures, `deform` deforming geometry, `soil` changes of
//! patches, `soil_mesh` triangles of patches. `write` encodes frames into parts. `merge` joins them into
//! `frames.mcap` and inserts the rows of the series (`columns`), so that plots need no other file.
//! `container` reads a file that may be truncated, `read` returns frames, `forms` the scene. `stream` sends
//! the same messages to viewers during a run.
//!
//! Parts hold whole patches, so that each can be read separately. Merging turns them into differences between
//! keyframes, which depend on the frames alone and not on the division into parts.

mod columns;
mod container;
mod deform;
mod descriptor;
mod forms;
mod ground;
mod merge;
mod own;
pub(crate) mod proto;
mod read;
mod scene;
mod soil;
mod soil_mesh;
pub(crate) mod stream;
#[cfg(test)]
mod tests;
mod write;

use crate::block::{CONTACT_VALUES, POSE_VALUES};
pub(crate) use merge::merge;
pub use read::{FramesRead, read_frames};
use touchdown_sim::Simulation;
use touchdown_sim::description::Visual;
use touchdown_sim::show::{ContactName, GroundView};
pub(crate) use write::encode_part;

/// What the frames show.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Names of the bodies, in the order of the frames' poses; each names a coordinate frame.
    pub bodies: Vec<String>,
    /// Forms fixed to the bodies or to the world.
    pub visuals: Vec<Visual>,
    /// The contacts, in the order of the frames.
    pub contacts: Vec<ContactName>,
    /// The contact geometry.
    pub contact_forms: Vec<Visual>,
    /// The forms that deform, in the order of the frames' deformations.
    pub deforming: Vec<usize>,
    /// The ground.
    pub ground: Option<GroundView>,
    /// Length of a force arrow, m/N.
    pub arrow_m_per_n: f64,
    /// Simulated time of the whole run, s; zero if unknown.
    pub duration: f64,
    /// Time between frames, s; zero if unknown.
    pub frames_every: f64,
}

impl Default for Scene {
    fn default() -> Self {
        Scene {
            bodies: Vec::new(),
            visuals: Vec::new(),
            contacts: Vec::new(),
            contact_forms: Vec::new(),
            deforming: Vec::new(),
            ground: None,
            // 2 mm/N: the 200 N under a wheel of a 300 kg rover on Mars make an arrow of 0.4 m.
            arrow_m_per_n: 2e-3,
            duration: 0.0,
            frames_every: 0.0,
        }
    }
}

impl Scene {
    /// The scene of a world.
    pub fn of(world: &Simulation) -> Self {
        Scene {
            bodies: world.body_names().to_vec(),
            visuals: world.description().visuals.clone(),
            contacts: world.contact_names(),
            contact_forms: world.contact_forms(),
            deforming: world.deforming_forms(),
            ground: world.ground_view(),
            duration: world.description().duration,
            frames_every: world.description().record.frames_every,
            ..Scene::default()
        }
    }

    /// Numbers of a frame: its time, its poses, its contacts.
    pub(crate) fn frame_values(&self) -> usize {
        1 + POSE_VALUES * self.bodies.len() + CONTACT_VALUES * self.contacts.len()
    }

    /// Names of the contacts.
    pub(crate) fn contact_names(&self) -> Vec<String> {
        self.contacts.iter().map(|contact| contact.name.clone()).collect()
    }
}
