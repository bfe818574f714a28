//! Interactions in the loop, behind one interface.
//!
//! A kind of interaction (a contact model, booms, the devices of a satellite) implements [`Interaction`] in
//! its own folder and has one entry in the list at the end of `list.rs`. Loop, recording, checkpoint and
//! checks of validity use the list and name no kind. See ARCHITECTURE.md, "adding a contact model".

pub(crate) mod booms;
pub(crate) mod bumpers;
pub(crate) mod captures;
mod drawing;
pub(crate) mod feet;
pub(crate) mod flexible;
pub(crate) mod ground;
pub(crate) mod intruders;
pub(crate) mod latches;
mod list;
pub(crate) mod magnets;
pub(crate) mod motors;
pub(crate) mod orbit;
pub(crate) mod polygonal;
pub(crate) mod ratchets;
pub(crate) mod sides;
pub(crate) mod smooth;
pub(crate) mod soil;
#[cfg(test)]
mod tests;
pub(crate) mod tyres;

pub use flexible::{Drawn as FlexDrawn, FlexBook, RimOnSoil, energy_of_rows, modes_checks};
pub use soil::{SoilPress, soil_volume};
pub use tyres::Statics;

pub(crate) use drawing::{Drawing, contact_visual, z_onto};
pub(crate) use list::{
    Books, DrawnParts, InteractionKind, Interactions, Memories, Reading, contact_names, described_signal,
    described_signals, drawings, is_said_elsewhere,
};

use crate::books::channels::{Columns, Snapshot};
use crate::books::ledger::Works;
use crate::description::{InputTarget, WorldDescription};
use crate::engine::history::History;
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, Flows};
use crate::engine::system::{Instant, System};
use crate::sink::{Check, ContactArrow, Frame, NamedValue, Sink, SinkError, Table};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use touchdown_math::Signal;
use touchdown_multibody::carried::Carried;
use touchdown_multibody::rigid::Model;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;

/// Context of building the parts of a system.
pub(crate) struct Making<'a> {
    pub description: &'a WorldDescription,
    pub model: &'a Model,
    /// Contact states used so far: a kind with states advances the count.
    pub states: usize,
    /// Mass of each mesh that belongs to its carrier.
    pub carried: Vec<Option<Carried>>,
}

/// Mode of an evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// From the motion, with derivatives if there are weights.
    Evaluated(Option<Weights>),
    /// To first order from the last evaluation, which was the linearised one of the same step; a kind without
    /// this shortcut evaluates without derivatives.
    Followed,
}

impl How {
    /// Weights of the derivatives; `None` if not requested.
    pub fn weights(self) -> Option<Weights> {
        match self {
            How::Evaluated(weights) => weights,
            How::Followed => None,
        }
    }
}

/// An accepted step during its commit.
pub(crate) struct Accepted<'a> {
    /// Its beginning and end, s.
    pub before: f64,
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub z: &'a mut [f64],
    pub works: &'a mut Works,
    /// The same of each independent part.
    pub flows: &'a mut Flows,
    /// Whether a contact state restarted, without an earlier rate.
    pub set_back: bool,
}

/// The instant after an accepted step, for instantaneous events.
pub(crate) struct Moment<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a mut [f64],
    pub works: &'a mut Works,
    /// The same of each independent part.
    pub flows: &'a mut Flows,
}

/// Input of checks of validity.
pub(crate) struct Checked<'a> {
    pub system: &'a System,
    pub description: &'a WorldDescription,
    pub held: &'a History,
    pub books: &'a Books,
    /// Largest energy exchanged, J.
    pub exchanged: f64,
    /// Statics: checks that need time are left out.
    pub at_rest: bool,
}

/// One kind of interaction. Functions have access to the whole system, because kinds interact (a flexible rim
/// in soil, a crown on its nozzle); each writes only its own parts, wrenches and contact states.
pub(crate) trait Interaction {
    /// Name of its parts in messages, such as "smooth contacts".
    const NAME: &'static str;
    /// Its parts on the links, with the scratch of one evaluation.
    type Parts: Clone + Debug;
    /// Its memory of accepted steps: part of the state.
    type Memory: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// Books of one part: part of the state, for checks and columns.
    type Book: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// Drawing marks: part of a recording, never of the state.
    type Drawn: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// A value shown by a column.
    type Value: Copy + Debug + PartialEq;

    // --- start ---

    /// Attaches it to the links of a compiled model.
    fn build(making: &mut Making) -> Result<Self::Parts, Vec<WorldError>>;
    /// Number of parts that have books.
    fn count(system: &System) -> usize;
    /// Its initial memory; sets its contact states. Has no precondition.
    fn start(_: &mut System, (_q, _v): (&[f64], &[f64]), _z: &mut [f64]) -> Self::Memory {
        Self::Memory::default()
    }
    /// An error if a part is at a place without ground. Needs kinematics.
    fn check_place(_: &mut System) -> Result<(), StepFailure> {
        Ok(())
    }
    /// Books at the start, which must be evaluated in the system.
    fn open(system: &System) -> Vec<Self::Book> {
        vec![Self::Book::default(); Self::count(system)]
    }

    // --- one evaluation: pure, of motion, time and memory ---

    /// Prepares data for other kinds, before any force. Needs kinematics.
    fn prepare(_: &mut System, _at: &Instant) {}
    /// Motion ⇒ wrenches in the cache, contact states and rates; returns stored energy and powers. Needs kinematics.
    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers;

    // --- steps ---

    /// Whether it has a horizon.
    fn is_watched(_: &System) -> bool {
        false
    }
    /// Longest time within which no interaction can begin undetected, s, from the motion in the cache.
    fn horizon(_: &System) -> f64 {
        f64::INFINITY
    }
    /// The next time that a step must not pass, s. `step` is the length of fixed steps, which need not end on
    /// kinks of forces that they integrate exactly.
    fn next_time(_: &System, _memory: &Self::Memory, _t: f64, _step: Option<f64>) -> f64 {
        f64::INFINITY
    }
    /// Number of its event functions.
    fn event_count(_: &System) -> usize {
        0
    }
    /// Event functions: steps of `explicit` end where one changes its sign. Needs kinematics.
    fn events(_: &mut System, _at: (f64, &[f64]), _memory: &Self::Memory, _out: &mut [f64]) {}
    /// Whether its memory changes with every step, so that an old Newton matrix cannot be reused.
    fn changes_by_steps(_: &System) -> bool {
        false
    }
    /// Whether it stores only the end of a step: steps then end on samples.
    fn has_no_inside(_: &System) -> bool {
        false
    }
    /// Whether rates of contact states depend on the states themselves, so that those of an implicit step
    /// cannot be used.
    fn rates_depend_on_states(_: &System) -> bool {
        false
    }
    /// Whether it rests on fixed ground.
    fn leans_on_ground(_: &System) -> bool {
        false
    }
    /// Whether the form at the last evaluation is one that its bodies can take: nothing is inside out.
    fn is_sound(_: &mut System) -> bool {
        true
    }
    /// Pairs of bodies that it connects; `None` is the world.
    fn ties(_: &System, _each: &mut dyn FnMut([Option<usize>; 2])) {}

    // --- accepted steps ---

    /// An error if the accepted state is invalid.
    fn check(_: &mut System, _memory: &Self::Memory) -> Result<(), StepFailure> {
        Ok(())
    }
    /// Energy lost without a force in this step, J, also counted in the flows of its independent parts;
    /// before the ledger.
    fn lost(_: &System, _books: &mut [Self::Book], _flows: &mut Flows) -> f64 {
        0.0
    }
    /// Books a step from `before` to `t`; the accepted state must be evaluated in the system.
    fn book(_: &System, (_before, _t): (f64, f64), _memory: &mut Self::Memory, _books: &mut [Self::Book]) {}
    /// Commits an accepted step, after its observation.
    fn commit(_: &mut System, _step: &mut Accepted, _memory: &mut Self::Memory, _books: &mut [Self::Book]) {}
    /// Applies instantaneous events, after the devices' ticks: rates may jump, and the change of energy is
    /// booked as work. Returns whether there were any.
    fn happen(_: &mut System, _now: &mut Moment, _memory: &mut Self::Memory) -> Result<bool, StepFailure> {
        Ok(false)
    }
    /// Adapts data read from bytes to this system; an error if they do not fit.
    fn settle(_: &System, _memory: &mut Self::Memory) -> Result<(), CheckpointError> {
        Ok(())
    }

    // --- what can be commanded ---

    /// The described signal of one of its inputs.
    fn signal(_: &WorldDescription, _target: &InputTarget) -> Option<Signal> {
        None
    }
    /// Follows another signal.
    fn follow(_: &mut System, _target: &InputTarget, _signal: &Signal) {}
    /// Its described signals; steps end on their corners.
    fn signals(_: &WorldDescription, _each: &mut dyn FnMut(&Signal)) {}
    /// Threads that may evaluate it in parallel.
    fn use_threads(_: &mut System, _threads: usize) {}

    // --- wheels that drives turn ---

    /// The part that is a wheel on a body.
    fn wheel_on(_: &System, _body: usize) -> Option<usize> {
        None
    }
    /// Speed of a wheel's hub along the ground, m/s. Needs kinematics.
    fn hub_speed(_: &System, _wheel: usize) -> Option<f64> {
        None
    }

    // --- what is seen of it ---

    /// Its columns.
    fn columns(_: &System, _description: &WorldDescription, _out: &mut Columns<Self::Value>) {}
    /// A number of a column. Needs an evaluation.
    fn value(_: &System, _s: &Snapshot, _value: Self::Value) -> f64 {
        f64::NAN
    }
    /// The single part that a column reads, which [`Interaction::look`] can evaluate alone; `None` if it
    /// needs more.
    fn part_of(_: &System, _value: Self::Value) -> Option<usize> {
        None
    }
    /// Evaluates one part for its columns, like [`Interaction::evaluate`], but without adding forces. Needs
    /// kinematics.
    fn look(_: &mut System, _at: &Instant, _part: usize) {}
    /// Its contacts, in the order of the arrows.
    fn contacts(_: &WorldDescription, _out: &mut Vec<ContactName>) {}
    /// Forces of each contact. Needs an evaluation.
    fn arrows(_: &System, _each: &mut dyn FnMut(ContactArrow)) {}
    /// Forms to draw.
    fn drawings(_: &WorldDescription, _out: &mut Vec<Drawing>) {}
    /// Its further content of a frame. Needs an evaluation.
    fn paint(_: &System, _memory: &mut Self::Memory, _frame: &mut Frame) {}
    /// Its drawing marks.
    fn drawn(_memory: &Self::Memory) -> Self::Drawn {
        Self::Drawn::default()
    }
    /// Restores drawing marks; `false` if they do not fit.
    #[must_use]
    fn restore_drawn(_memory: &mut Self::Memory, _drawn: &Self::Drawn) -> bool {
        true
    }

    // --- answers ---

    /// Checks without the default warning: [`Interaction::warnings`] has a better line, or only the report
    /// shows them.
    const SAID_ELSEWHERE: &'static [&'static str] = &[];
    /// Whether it stayed within the range of its model.
    fn checks(_: &Checked) -> Vec<Check> {
        Vec::new()
    }
    /// Quantities at the end of a run.
    fn quantities(_: &WorldDescription, _memory: &Self::Memory, _out: &mut Vec<NamedValue>) {}
    /// Warnings of a run.
    fn warnings(_: &System, _t: f64, _memory: &Self::Memory, _books: &[Self::Book], _out: &mut Vec<String>) {}
    /// Tables at the end of a run.
    fn tables(_: &System, _t: f64, _memory: &Self::Memory) -> Vec<Table> {
        Vec::new()
    }
    /// Sends its final data at the end of a run.
    fn hand_over(_memory: &Self::Memory, _sink: &mut dyn Sink) -> Result<(), SinkError> {
        Ok(())
    }
}
