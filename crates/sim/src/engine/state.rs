//! State: everything that influences later results, as a plain value; and the progress of a recording beside
//! it.

use crate::books::ledger::{Ledger, Works};
use crate::books::quantities::Accumulator;
use crate::books::vehicle::Odometer;
use crate::engine::course::Course;
use crate::engine::history::History;
use crate::engine::system::WORKS;
use crate::engine::time_error::TimeError;
use crate::interactions::{Books, DrawnParts};
use serde::{Deserialize, Serialize};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_solve::{explicit, implicit};

/// Memory of the integration method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum MethodMemory {
    Explicit(explicit::Memory),
    Implicit(Box<implicit::Memory>),
    Realtime,
}

/// Powers at the last accepted step, W, for the trapezoidal rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct LastPowers {
    pub dissipated: f64,
    pub drives: f64,
    pub loads: f64,
}

impl From<Powers> for LastPowers {
    fn from(powers: Powers) -> LastPowers {
        LastPowers { dissipated: powers.dissipated, drives: powers.drives, loads: powers.loads }
    }
}

/// Integrated powers of one independent part, and its powers at the last accepted step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flow {
    pub works: Works,
    pub last: LastPowers,
}

/// Those of all independent parts; none if the system is one part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flows(pub Vec<Flow>);

impl Flows {
    /// At a start, from the powers there.
    pub fn start(parts: &[Powers]) -> Flows {
        Flows(parts.iter().map(|p| Flow { works: Works::default(), last: (*p).into() }).collect())
    }

    /// Trapezoidal rule over one step.
    pub fn add(&mut self, parts: &[Powers], h: f64) {
        for (flow, after) in self.0.iter_mut().zip(parts) {
            flow.works.add(&flow.last, after, h);
            flow.last = (*after).into();
        }
    }

    /// The next step begins with these powers.
    pub fn begin_with(&mut self, parts: &[Powers]) {
        self.0.iter_mut().zip(parts).for_each(|(flow, now)| flow.last = (*now).into());
    }

    /// Heat of a part that is not work of a force, J.
    pub fn lose(&mut self, part: usize, heat: f64) {
        if let Some(flow) = self.0.get_mut(part) {
            flow.works.dissipated += heat;
        }
    }

    /// Additional power of the drives of a part at the beginning of the next step, W.
    pub fn add_drive_power(&mut self, part: usize, power: f64) {
        if let Some(flow) = self.0.get_mut(part) {
            flow.last.drives += power;
        }
    }
}

/// Everything that influences later results, and nothing else: clone it to branch a simulation, compare it,
/// save it, restore it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Simulated time, s.
    pub t: f64,
    /// Accepted steps.
    pub steps: u64,
    /// Evaluations of the forces, or Newton iterations.
    pub evaluations: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Rates.
    pub v: Vec<f64>,
    /// Contact states.
    pub z: Vec<f64>,
    /// Integrated powers.
    pub works: Works,
    /// The energy ledger.
    pub ledger: Ledger,
    pub(crate) last_powers: LastPowers,
    /// The same of each independent part.
    pub(crate) flows: Flows,
    pub(crate) method: MethodMemory,
    /// Memory of contacts and devices.
    pub(crate) held: History,
    /// Whether devices and impulses of the start have acted.
    pub(crate) begun: bool,
    /// Samples taken so far, and the time of the last, s.
    pub(crate) samples: u64,
    pub(crate) last_sample: f64,
    /// For each body whose path is recorded: length so far and speed at the last sample.
    pub(crate) paths: Vec<(f64, f64)>,
    /// Odometer of each vehicle.
    pub(crate) odometers: Vec<Odometer>,
    /// Progress of a gradability study.
    pub(crate) course: Option<Course>,
    /// Running reductions of the quantities, over the samples.
    pub(crate) accumulators: Vec<Accumulator>,
    /// Books of the parts of all interactions.
    pub(crate) books: Books,
    /// Impulses that have acted.
    pub(crate) impulses: u64,
    /// Number of commands of the schedule already given.
    pub(crate) scheduled: u64,
    /// Differences caused by steps half as long, at several times.
    pub(crate) time_error: TimeError,
}

impl State {
    /// BLAKE3 hash of its bytes, in hexadecimal digits: two runs with the same hash continue with the same
    /// bits. Recording is not part of it.
    pub fn blake3(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        match postcard::to_io(self, &mut hasher) {
            Ok(hasher) => hasher.finalize().to_hex().to_string(),
            Err(_) => unreachable!("a state is plain data, and a hash takes any number of bytes"),
        }
    }

    /// Writes integrated powers as the quadrature states of the explicit integrator.
    pub(crate) fn works_to(&self, out: &mut [f64]) {
        let all = std::iter::once(&self.works).chain(self.flows.0.iter().map(|flow| &flow.works));
        out.chunks_exact_mut(WORKS).zip(all).for_each(|(out, works)| out.copy_from_slice(&works.to_array()));
    }

    /// Reads them back.
    pub(crate) fn works_from(&mut self, quadratures: &[f64]) {
        let all = std::iter::once(&mut self.works).chain(self.flows.0.iter_mut().map(|flow| &mut flow.works));
        quadratures.chunks_exact(WORKS).zip(all).for_each(|(w, works)| *works = Works::from_slice(w));
    }

    /// An error if another state belongs to another model.
    pub(crate) fn check_fit(&self, other: &State) -> Result<(), CheckpointError> {
        let sizes = |s: &State| {
            [
                ("coordinates", s.q.len()),
                ("rates", s.v.len()),
                ("contact states", s.z.len()),
                ("vehicles", s.odometers.len()),
                ("paths", s.paths.len()),
                ("quantities", s.accumulators.len()),
                ("links", s.time_error.links()),
                ("independent parts", s.flows.0.len()),
                ("inputs", s.held.inputs.len()),
                ("inputs that are followed", s.held.followed.len()),
            ]
        };
        for ((what, expected), (_, found)) in sizes(self).into_iter().zip(sizes(other)) {
            same_count(what, found, expected)?;
        }
        self.books.check_fit(&other.books)?;
        if std::mem::discriminant(&self.method) != std::mem::discriminant(&other.method) {
            return Err(CheckpointError::OtherIntegrator);
        }
        Ok(())
    }
}

/// Progress of a recording: part of a checkpoint, but not of the state, which it cannot influence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recording {
    /// Rows and frames handed to the sink so far.
    pub rows: u64,
    pub frames: u64,
    /// Time of the last row, s.
    pub last_row: f64,
}

/// Format of the checkpoint payload; a change of `State` changes it.
const CHECKPOINT_VERSION: u32 = 16;

/// As bytes for a checkpoint.
pub(crate) fn to_bytes(state: &State, recording: &Recording) -> Vec<u8> {
    let drawn = state.held.acts.drawn();
    match postcard::to_stdvec(&(CHECKPOINT_VERSION, state, recording, drawn)) {
        Ok(bytes) => bytes,
        Err(_) => unreachable!("a state is plain data, and memory is its only limit"),
    }
}

/// From the bytes of a checkpoint.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<(State, Recording, DrawnParts), CheckpointError> {
    let (version, _) = postcard::take_from_bytes::<u32>(bytes).map_err(|_| CheckpointError::Damaged)?;
    if version != CHECKPOINT_VERSION {
        return Err(CheckpointError::Version { found: version, expected: CHECKPOINT_VERSION });
    }
    let (_, state, recording, drawn): (u32, State, Recording, DrawnParts) =
        postcard::from_bytes(bytes).map_err(|_| CheckpointError::Damaged)?;
    Ok((state, recording, drawn))
}

/// An error if a count in a state differs from that of the model.
pub(crate) fn same_count(what: &'static str, found: usize, expected: usize) -> Result<(), CheckpointError> {
    if found == expected { Ok(()) } else { Err(CheckpointError::OtherModel { what, found, expected }) }
}

/// Errors of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or cut off.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// Written by another version.
    #[error(
        "the checkpoint has format {found}, this program reads format {expected}; run the scenario again"
    )]
    Version {
        /// Its format.
        found: u32,
        /// Ours.
        expected: u32,
    },
    /// Written by another integrator.
    #[error("the checkpoint was written by another integrator than the scenario asks for")]
    OtherIntegrator,
    /// It does not fit the scenario.
    #[error("the checkpoint belongs to another model: it has {found} {what}, the scenario {expected}")]
    OtherModel {
        /// The counted items.
        what: &'static str,
        /// In the checkpoint.
        found: usize,
        /// In the scenario.
        expected: usize,
    },
}
