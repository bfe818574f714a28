//! What acts in the loop, behind one interface.
//!
//! A kind of interaction (a contact model, booms, the devices of a satellite) implements [`Interaction`] in its own folder and stands once in the list at the end of
//! `list.rs`. Loop, recording, checkpoint and checks of validity go through the list and name no kind. See ARCHITECTURE.md, "adding a contact model".

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

/// What is at hand while the parts of a system are made.
pub(crate) struct Making<'a> {
    pub description: &'a WorldDescription,
    pub model: &'a Model,
    /// Contact states taken so far: a kind that has any counts on.
    pub states: usize,
    /// Mass of each mesh as its carrier sees it.
    pub carried: Vec<Option<Carried>>,
}

/// How an evaluation is done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// From the motion, with derivatives where there are weights.
    Evaluated(Option<Weights>),
    /// To first order from the last evaluation, which was the linearised one of the same step; a kind without such a shortcut evaluates without derivatives.
    Followed,
}

impl How {
    /// Weights of the derivatives; `None` where none are wanted.
    pub fn weights(self) -> Option<Weights> {
        match self {
            How::Evaluated(weights) => weights,
            How::Followed => None,
        }
    }
}

/// An accepted step while it is committed.
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
    /// Whether a contact state started again, without an earlier rate.
    pub set_back: bool,
}

/// The moment after an accepted step: what happens in no time.
pub(crate) struct Moment<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a mut [f64],
    pub works: &'a mut Works,
    /// The same of each independent part.
    pub flows: &'a mut Flows,
}

/// What checks of validity look at.
pub(crate) struct Checked<'a> {
    pub system: &'a System,
    pub description: &'a WorldDescription,
    pub held: &'a History,
    pub books: &'a Books,
    /// Largest energy exchanged, J.
    pub exchanged: f64,
    /// Statics: what needs time is left out.
    pub at_rest: bool,
}

/// One kind of what acts. Functions see the whole system, because kinds meet (a flexible rim in soil, a crown on its nozzle); each writes its own parts, wrenches and
/// contact states, and nothing else.
pub(crate) trait Interaction {
    /// Its parts in messages, such as "smooth contacts".
    const NAME: &'static str;
    /// What stands on the links, with the scratch of one evaluation.
    type Parts: Clone + Debug;
    /// What it remembers of accepted steps: part of the state.
    type Memory: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// What one part went through so far: part of the state, for checks and columns.
    type Book: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// What of it was drawn: part of a recording, never of the state.
    type Drawn: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned;
    /// What a column shows of it.
    type Value: Copy + Debug + PartialEq;

    // --- start ---

    /// Puts it on the links of a compiled model.
    fn build(making: &mut Making) -> Result<Self::Parts, Vec<WorldError>>;
    /// Number of parts that have books.
    fn count(system: &System) -> usize;
    /// What it remembers at the start; sets its contact states. Needs nothing.
    fn start(_: &mut System, (_q, _v): (&[f64], &[f64]), _z: &mut [f64]) -> Self::Memory {
        Self::Memory::default()
    }
    /// An error if something stands where there is no ground. Needs kinematics.
    fn check_place(_: &mut System) -> Result<(), StepFailure> {
        Ok(())
    }
    /// Books at the start, which stands in the system.
    fn open(system: &System) -> Vec<Self::Book> {
        vec![Self::Book::default(); Self::count(system)]
    }

    // --- one evaluation: pure, of motion, time and memory ---

    /// What others read of it, before any force. Needs kinematics.
    fn prepare(_: &mut System, _at: &Instant) {}
    /// Motion ⇒ wrenches in the cache, contact states and rates; returns stored energy and powers. Needs kinematics.
    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers;

    // --- steps ---

    /// Whether its horizon is asked for.
    fn is_watched(_: &System) -> bool {
        false
    }
    /// Longest time within which nothing begins unseen, s, from the motion in the cache.
    fn horizon(_: &System) -> f64 {
        f64::INFINITY
    }
    /// The next time that a step must not pass, s. `step` is the length of fixed steps, which need not end on kinks of forces that they sum exactly.
    fn next_time(_: &System, _memory: &Self::Memory, _t: f64, _step: Option<f64>) -> f64 {
        f64::INFINITY
    }
    /// Number of its event functions.
    fn event_count(_: &System) -> usize {
        0
    }
    /// Event functions: steps of `explicit` end where one changes its sign. Needs kinematics.
    fn events(_: &mut System, _at: (f64, &[f64]), _memory: &Self::Memory, _out: &mut [f64]) {}
    /// Whether what it remembers changes with every step, so that an old Newton matrix is of no use.
    fn changes_by_steps(_: &System) -> bool {
        false
    }
    /// Whether it remembers the end of a step and not its inside: samples are then stepped onto.
    fn has_no_inside(_: &System) -> bool {
        false
    }
    /// Whether rates of contact states depend on the states themselves, so that those of an implicit step are not theirs.
    fn rates_depend_on_states(_: &System) -> bool {
        false
    }
    /// Whether it leans on ground that does not move.
    fn leans_on_ground(_: &System) -> bool {
        false
    }
    /// Pairs of bodies that it ties together; `None` is the world.
    fn ties(_: &System, _each: &mut dyn FnMut([Option<usize>; 2])) {}

    // --- accepted steps ---

    /// An error if the accepted state cannot be.
    fn check(_: &mut System, _memory: &Self::Memory) -> Result<(), StepFailure> {
        Ok(())
    }
    /// Energy that no force gave back in this step, J, counted in the flows of its independent parts, too; before the ledger.
    fn lost(_: &System, _books: &mut [Self::Book], _flows: &mut Flows) -> f64 {
        0.0
    }
    /// Books a step from `before` to `t`; the accepted state stands in the system.
    fn book(_: &System, (_before, _t): (f64, f64), _memory: &mut Self::Memory, _books: &mut [Self::Book]) {}
    /// Lets it remember an accepted step, after it was looked at.
    fn commit(_: &mut System, _step: &mut Accepted, _memory: &mut Self::Memory, _books: &mut [Self::Book]) {}
    /// Lets what happens in no time happen, after the devices' ticks: rates may jump, and energy that no force gave back is booked as work. Returns whether anything did.
    fn happen(_: &mut System, _now: &mut Moment, _memory: &mut Self::Memory) -> Result<bool, StepFailure> {
        Ok(false)
    }
    /// Lets what was read from bytes belong to this system; an error if it does not fit.
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
    /// Its described signals, whose corners are stepped onto.
    fn signals(_: &WorldDescription, _each: &mut dyn FnMut(&Signal)) {}
    /// Threads that may evaluate it side by side.
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
    /// The part that a column reads by itself, which [`Interaction::look`] can evaluate alone; `None` if it needs more than that.
    fn part_of(_: &System, _value: Self::Value) -> Option<usize> {
        None
    }
    /// Evaluates one part for its columns, as [`Interaction::evaluate`] does all; pushes nothing. Needs kinematics.
    fn look(_: &mut System, _at: &Instant, _part: usize) {}
    /// Its contacts, in the order of the arrows.
    fn contacts(_: &WorldDescription, _out: &mut Vec<ContactName>) {}
    /// Where each contact pushes. Needs an evaluation.
    fn arrows(_: &System, _each: &mut dyn FnMut(ContactArrow)) {}
    /// Forms to draw.
    fn drawings(_: &WorldDescription, _out: &mut Vec<Drawing>) {}
    /// What else of it a frame shows. Needs an evaluation.
    fn paint(_: &System, _memory: &mut Self::Memory, _frame: &mut Frame) {}
    /// What of it was drawn so far.
    fn drawn(_memory: &Self::Memory) -> Self::Drawn {
        Self::Drawn::default()
    }
    /// Goes back to what was drawn; `false` if that does not fit.
    #[must_use]
    fn restore_drawn(_memory: &mut Self::Memory, _drawn: &Self::Drawn) -> bool {
        true
    }

    // --- answers ---

    /// Checks that get no second warning: [`Interaction::warnings`] has a better line, or only the report shows them.
    const SAID_ELSEWHERE: &'static [&'static str] = &[];
    /// Whether it stayed where its model can be trusted.
    fn checks(_: &Checked) -> Vec<Check> {
        Vec::new()
    }
    /// Numbers that a run ends with.
    fn quantities(_: &WorldDescription, _memory: &Self::Memory, _out: &mut Vec<NamedValue>) {}
    /// Lines about what should be known of a run.
    fn warnings(_: &System, _t: f64, _memory: &Self::Memory, _books: &[Self::Book], _out: &mut Vec<String>) {}
    /// Tables that a run ends with.
    fn tables(_: &System, _t: f64, _memory: &Self::Memory) -> Vec<Table> {
        Vec::new()
    }
    /// Hands over what is kept of it at the end of a run.
    fn hand_over(_memory: &Self::Memory, _sink: &mut dyn Sink) -> Result<(), SinkError> {
        Ok(())
    }
}
