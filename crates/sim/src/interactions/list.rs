//! The list of all kinds, and the items generated from it: one struct each for parts, memories and books, and
//! a function for each call of the loop.

use super::booms::Booms;
use super::bumpers::Bumpers;
use super::captures::Captures;
use super::feet::Feet;
use super::flexible::FlexibleBodies;
use super::intruders::Intruders;
use super::latches::Latches;
use super::magnets::Magnets;
use super::motors::Motors;
use super::orbit::Environment;
use super::polygonal::PolygonalContacts;
use super::ratchets::Ratchets;
use super::smooth::SmoothContacts;
use super::soil::SoilBodies;
use super::tyres::Tyres;
use super::{Accepted, Checked, Drawing, How, Interaction, Making, Moment};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{InputTarget, WorldDescription};
use crate::devices::Devices;
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, Flows, State, same_count};
use crate::engine::system::{Instant, System};
use crate::sink::{Check, Column, ContactArrow, Frame, NamedValue, Sink, SinkError, Table};
use serde::{Deserialize, Serialize};
use touchdown_math::Signal;
use touchdown_multibody::rigid::elements::Powers;

macro_rules! interactions {
    ($($field:ident: $kind:ident),* $(,)?) => {
        /// The parts of every kind.
        #[derive(Clone, Debug)]
        pub(crate) struct Interactions {
            $(pub $field: <$kind as Interaction>::Parts,)*
        }

        /// Memory of every kind.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct Memories {
            $(pub $field: <$kind as Interaction>::Memory,)*
        }

        /// Books of every part.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct Books {
            $(pub $field: Vec<<$kind as Interaction>::Book>,)*
        }

        /// Drawing marks of every kind.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(crate) struct DrawnParts {
            $(pub $field: <$kind as Interaction>::Drawn,)*
        }

        /// The kind and number that a column shows.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Reading {
            $($kind(<$kind as Interaction>::Value),)*
        }

        /// A kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum InteractionKind {
            $($kind,)*
        }

        impl Interactions {
            /// Attaches all interactions of a description to the links of a compiled model. Reports the
            /// errors of all kinds.
            pub fn build(making: &mut Making) -> Result<Interactions, Vec<WorldError>> {
                let mut errors = Vec::new();
                $(let $field = <$kind>::build(making).map_err(|e| errors.extend(e)).ok();)*
                match ($($field,)*) {
                    ($(Some($field),)*) => Ok(Interactions { $($field,)* }),
                    _ => Err(errors),
                }
            }
        }

        impl Memories {
            /// At the start; sets contact states.
            pub fn start(system: &mut System, at: (&[f64], &[f64]), z: &mut [f64]) -> Memories {
                Memories { $($field: <$kind>::start(system, at, z),)* }
            }

            /// Adapts data read from bytes to this system; an error if they do not fit.
            pub fn settle(&mut self, system: &System) -> Result<(), CheckpointError> {
                $(<$kind>::settle(system, &mut self.$field)?;)*
                Ok(())
            }

            /// Its drawing marks.
            pub fn drawn(&self) -> DrawnParts {
                DrawnParts { $($field: <$kind>::drawn(&self.$field),)* }
            }

            /// Restores drawing marks; `false` if they do not fit.
            #[must_use]
            pub fn restore_drawn(&mut self, drawn: &DrawnParts) -> bool {
                true $(&& <$kind>::restore_drawn(&mut self.$field, &drawn.$field))*
            }

            /// Sends final data at the end of a run.
            pub fn hand_over(&self, sink: &mut dyn Sink) -> Result<(), SinkError> {
                $(<$kind>::hand_over(&self.$field, sink)?;)*
                Ok(())
            }

            /// Content of a frame other than forms and arrows.
            pub fn paint(&mut self, system: &System, frame: &mut Frame) {
                $(<$kind>::paint(system, &mut self.$field, frame);)*
            }
        }

        impl Books {
            /// At the start, which must be evaluated in the system.
            pub fn open(system: &System) -> Books {
                Books { $($field: <$kind>::open(system),)* }
            }

            /// Energy lost without a force in this step, J; also counted for its independent parts.
            pub fn lost(&mut self, system: &System, flows: &mut Flows) -> f64 {
                let mut lost = 0.0;
                $(lost += <$kind>::lost(system, &mut self.$field, flows);)*
                lost
            }

            /// Books a step from `before` to `t`; the accepted state must be evaluated in the system.
            pub fn book(&mut self, system: &System, times: (f64, f64), memories: &mut Memories) {
                $(<$kind>::book(system, times, &mut memories.$field, &mut self.$field);)*
            }

            /// An error if other books belong to another model.
            pub fn check_fit(&self, other: &Books) -> Result<(), CheckpointError> {
                $(same_count(<$kind>::NAME, other.$field.len(), self.$field.len())?;)*
                Ok(())
            }
        }

        impl State {
            /// Commits an accepted step that began at `before`; returns whether contact states restarted.
            pub(crate) fn commit(&mut self, system: &mut System, before: f64) -> bool {
                let State { t, q, v, z, works, flows, held, books, .. } = self;
                let mut step =
                    Accepted { before, t: *t, q, v, z, works, flows, set_back: false };
                $(<$kind>::commit(system, &mut step, &mut held.acts.$field, &mut books.$field);)*
                step.set_back
            }

            /// Applies instantaneous events; returns whether there were any.
            pub(crate) fn let_happen(&mut self, system: &mut System) -> Result<bool, StepFailure> {
                let State { t, q, v, works, flows, held, .. } = self;
                let mut now = Moment { t: *t, q, v, works, flows };
                let mut happened = false;
                $(happened |= <$kind>::happen(system, &mut now, &mut held.acts.$field)?;)*
                Ok(happened)
            }

            /// The next time that no step must pass; infinite if there is none. `step`: the length of fixed steps, s.
            pub(crate) fn next_time(&self, system: &System, step: Option<f64>) -> f64 {
                let mut next = f64::INFINITY;
                $(next = next.min(<$kind>::next_time(system, &self.held.acts.$field, self.t, step));)*
                next
            }

            /// Quantities at the end of a run.
            pub(crate) fn quantities(&self, description: &WorldDescription, out: &mut Vec<NamedValue>) {
                $(<$kind>::quantities(description, &self.held.acts.$field, out);)*
            }

            /// Warnings of a run.
            pub(crate) fn warnings(&self, system: &System) -> Vec<String> {
                let mut out = Vec::new();
                $(<$kind>::warnings(system, self.t, &self.held.acts.$field, &self.books.$field, &mut out);)*
                out
            }

            /// Tables at the end of a run.
            pub(crate) fn tables(&self, system: &System) -> Vec<Table> {
                let mut out = Vec::new();
                $(out.extend(<$kind>::tables(system, self.t, &self.held.acts.$field));)*
                out
            }
        }

        impl System {
            /// Finds the ground below all parts; an error if there is none. Needs kinematics.
            pub(crate) fn check_places(&mut self) -> Result<(), StepFailure> {
                $(<$kind>::check_place(self)?;)*
                Ok(())
            }

            /// Interactions ⇒ wrenches, contact states and rates, powers. Needs kinematics.
            #[inline]
            pub(crate) fn update_interactions(&mut self, at: &Instant, how: How) -> Powers {
                $(<$kind>::prepare(self, at);)*
                let mut powers = Powers::default();
                $({
                    let own = <$kind>::evaluate(self, at, how);
                    powers += own;
                })*
                powers
            }

            /// Whether there is a horizon.
            pub(crate) fn is_watched(&self) -> bool {
                false $(|| <$kind>::is_watched(self))*
            }

            /// Longest time within which no interaction can begin undetected, s, from the motion in the
            /// cache.
            pub(crate) fn horizon(&self) -> f64 {
                let mut horizon = f64::INFINITY;
                $(horizon = horizon.min(<$kind>::horizon(self));)*
                horizon
            }

            /// Number of event functions of interactions.
            pub(crate) fn interaction_event_count(&self) -> usize {
                0 $(+ <$kind>::event_count(self))*
            }

            /// Event functions of interactions. Needs kinematics.
            pub(crate) fn interaction_events(
                &mut self,
                at: (f64, &[f64]),
                memories: &Memories,
                mut out: &mut [f64],
            ) {
                $({
                    let (own, rest) = out.split_at_mut(<$kind>::event_count(self));
                    <$kind>::events(self, at, &memories.$field, own);
                    out = rest;
                })*
                debug_assert!(out.is_empty());
            }

            /// Whether a Newton matrix of an earlier step cannot be reused.
            pub(crate) fn changes_by_steps(&self) -> bool {
                false $(|| <$kind>::changes_by_steps(self))*
            }

            /// Whether a state inside a step cannot be interpolated.
            pub(crate) fn has_no_inside(&self) -> bool {
                false $(|| <$kind>::has_no_inside(self))*
            }

            /// Whether rates of contact states depend on the states themselves.
            pub(crate) fn rates_depend_on_states(&self) -> bool {
                false $(|| <$kind>::rates_depend_on_states(self))*
            }

            /// Whether anything rests on fixed ground.
            pub(crate) fn leans_on_ground(&self) -> bool {
                false $(|| <$kind>::leans_on_ground(self))*
            }

            /// Whether the forms at the last evaluation are ones that bodies can take.
            pub(crate) fn is_sound(&mut self) -> bool {
                true $(&& <$kind>::is_sound(self))*
            }

            /// All pairs of bodies that are connected.
            pub(crate) fn each_tie(&self, each: &mut dyn FnMut([Option<usize>; 2])) {
                $(<$kind>::ties(self, each);)*
            }

            /// Whether a predicate holds for all connected pairs of bodies.
            pub(crate) fn all_ties(&self, is_such: impl Fn([Option<usize>; 2]) -> bool) -> bool {
                let mut all = true;
                self.each_tie(&mut |bodies| all = all && is_such(bodies));
                all
            }

            /// An error if the accepted state is invalid.
            pub(crate) fn check_interactions(&mut self, memories: &Memories) -> Result<(), StepFailure> {
                $(<$kind>::check(self, &memories.$field)?;)*
                Ok(())
            }

            /// Follows another signal.
            pub(crate) fn follow(&mut self, target: &InputTarget, signal: &Signal) {
                $(<$kind>::follow(self, target, signal);)*
            }

            /// Threads that may evaluate in parallel.
            pub(crate) fn use_threads(&mut self, threads: usize) {
                $(<$kind>::use_threads(self, threads);)*
            }

            /// The wheel that stands on a body.
            pub(crate) fn wheel_on(&self, body: usize) -> Option<(InteractionKind, usize)> {
                $(if let Some(wheel) = <$kind>::wheel_on(self, body) {
                    return Some((InteractionKind::$kind, wheel));
                })*
                None
            }

            /// Speed of a wheel's hub along the ground, m/s. Needs kinematics.
            pub(crate) fn hub_speed(&self, (kind, wheel): (InteractionKind, usize)) -> Option<f64> {
                match kind {
                    $(InteractionKind::$kind => <$kind>::hub_speed(self, wheel),)*
                }
            }

            /// Columns of interactions.
            pub(crate) fn columns(&self, description: &WorldDescription) -> Vec<(Reading, Column)> {
                let mut out = Vec::new();
                $({
                    let mut own = Columns::default();
                    <$kind>::columns(self, description, &mut own);
                    out.extend(own.into_iter().map(|(value, column)| (Reading::$kind(value), column)));
                })*
                out
            }

            /// A number of a column. Needs an evaluation.
            pub(crate) fn read(&self, s: &Snapshot, reading: Reading) -> f64 {
                match reading {
                    $(Reading::$kind(value) => <$kind>::value(self, s, value),)*
                }
            }

            /// The single part that a column reads; `None` if it needs more.
            pub(crate) fn part_of(&self, reading: Reading) -> Option<(InteractionKind, usize)> {
                match reading {
                    $(Reading::$kind(value) => Some((InteractionKind::$kind, <$kind>::part_of(self, value)?)),)*
                }
            }

            /// Evaluates one part for its columns. Needs kinematics.
            pub(crate) fn look_at(&mut self, at: &Instant, (kind, part): (InteractionKind, usize)) {
                match kind {
                    $(InteractionKind::$kind => <$kind>::look(self, at, part),)*
                }
            }

            /// Forces of each contact. Needs an evaluation.
            pub(crate) fn arrows(&self, each: &mut dyn FnMut(ContactArrow)) {
                $(<$kind>::arrows(self, each);)*
            }
        }

        impl Checked<'_> {
            /// The checks of all kinds.
            pub fn checks(&self) -> Vec<Check> {
                let mut out = Vec::new();
                $(out.extend(<$kind>::checks(self));)*
                out
            }
        }

        /// Whether a failed check has its own warning elsewhere.
        pub(crate) fn is_said_elsewhere(check: &str) -> bool {
            false $(|| <$kind>::SAID_ELSEWHERE.contains(&check))*
        }

        /// The described signal of an input.
        pub(crate) fn described_signal(
            description: &WorldDescription,
            target: &InputTarget,
        ) -> Option<Signal> {
            $(if let Some(signal) = <$kind>::signal(description, target) {
                return Some(signal);
            })*
            None
        }

        /// All described signals of interactions.
        pub(crate) fn described_signals(description: &WorldDescription, each: &mut dyn FnMut(&Signal)) {
            $(<$kind>::signals(description, each);)*
        }

        /// Names of the contacts, in the order of the arrows.
        pub(crate) fn contact_names(description: &WorldDescription) -> Vec<ContactName> {
            let mut out = Vec::new();
            $(<$kind>::contacts(description, &mut out);)*
            out
        }

        /// Forms to draw: deformable ones first.
        pub(crate) fn drawings(description: &WorldDescription) -> Vec<Drawing> {
            let mut all = Vec::new();
            $(<$kind>::drawings(description, &mut all);)*
            let (changing, fixed): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|drawing: &Drawing| drawing.displace.is_some());
            changing.into_iter().chain(fixed).collect()
        }
    };
}

// The order in which everything is evaluated, committed, recorded and checked.
interactions! {
    tyres: Tyres,
    soil: SoilBodies,
    smooth: SmoothContacts,
    polygonal: PolygonalContacts,
    orbit: Environment,
    devices: Devices,
    booms: Booms,
    feet: Feet,
    flexible: FlexibleBodies,
    captures: Captures,
    bumpers: Bumpers,
    motors: Motors,
    intruders: Intruders,
    magnets: Magnets,
    latches: Latches,
    ratchets: Ratchets,
}
