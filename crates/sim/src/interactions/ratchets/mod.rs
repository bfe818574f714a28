//! Ratchets in the loop: pawls hold during steps; between two steps they advance to the next tooth, are
//! lifted or engage.

mod columns;

use super::sides::{Side, both_sides};
use super::{Drawing, How, Interaction, Making, Moment, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{InputTarget, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::system::{Instant, System};
use columns::RatchetValue;
use serde::{Deserialize, Serialize};
use touchdown_geometry::Shape;
use touchdown_math::{Mat6, Signal, Vec3, Wrench};
use touchdown_multibody::description::Attachment;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_spacecraft::ratchet::{FREE, RatchetForce, RatchetLaw};

/// Description of a ratchet between two points.
#[derive(Clone, Debug)]
pub struct Ratchet {
    /// Unique name.
    pub name: String,
    /// Its points.
    pub between: [Attachment; 2],
    /// Teeth and stiffness.
    pub law: RatchetLaw,
    /// Whether its pawl is in the teeth at the start.
    pub engaged: bool,
}

/// State of a pawl.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Pawl {
    Lifted,
    Behind(i64),
}

/// Memory of a ratchet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RatchetMemory {
    /// Distance of the points at the start, from which teeth are counted, m.
    start: f64,
    pub pawl: Pawl,
}

/// Ratchets between two points.
pub(crate) struct Ratchets;

/// A ratchet on its links.
#[derive(Clone, Debug)]
pub(crate) struct RatchetOnLinks {
    pub name: String,
    law: RatchetLaw,
    sides: [Side; 2],
    engaged: Signal,
    /// Result of the last evaluation.
    force: RatchetForce,
}

impl RatchetOnLinks {
    /// Position and velocity of the first point relative to the second. Needs kinematics.
    fn motion(&self, system: &System) -> (Vec3, Vec3) {
        let [first, second] = [0, 1].map(|k| system.side_motion(&self.sides[k]));
        (first.X_WS.p - second.X_WS.p, first.v_WS - second.v_WS)
    }

    /// Its present force. Needs kinematics.
    fn now(&self, system: &System, memory: &RatchetMemory) -> RatchetForce {
        let Pawl::Behind(tooth) = memory.pawl else { return FREE };
        let (p, v) = self.motion(system);
        self.law.evaluate(self.law.place(memory.start, tooth), &p, &v)
    }

    /// State of its pawl after a step. Needs kinematics.
    fn next(&self, system: &System, memory: &RatchetMemory, t: f64) -> Pawl {
        let passed = || self.law.tooth(memory.start, self.motion(system).0.norm());
        match (self.engaged.value(t) > 0.5, memory.pawl) {
            (false, _) => Pawl::Lifted,
            (true, Pawl::Lifted) => Pawl::Behind(passed()),
            (true, Pawl::Behind(tooth)) => Pawl::Behind(tooth.max(passed())),
        }
    }
}

fn engaged(on: bool) -> Signal {
    Signal::Constant(f64::from(u8::from(on)))
}

impl Interaction for Ratchets {
    const NAME: &'static str = "ratchets";
    type Parts = Vec<RatchetOnLinks>;
    type Memory = Vec<RatchetMemory>;
    type Book = ();
    type Drawn = ();
    type Value = RatchetValue;

    fn build(making: &mut Making) -> Result<Vec<RatchetOnLinks>, Vec<WorldError>> {
        let (mut ratchets, mut errors) = (Vec::new(), Vec::new());
        for ratchet in &making.description.ratchets {
            let name = ratchet.name.clone();
            if let Err(problem) = ratchet.law.check() {
                errors.push(WorldError::Part { kind: "ratchet", name, problem: problem.to_string() });
                continue;
            }
            let side =
                |k: usize| Side::new(making.model, ratchet.between[k].body, &ratchet.between[k].X_BF, 0.0);
            let (sides, engaged) = ([side(0), side(1)], engaged(ratchet.engaged));
            ratchets.push(RatchetOnLinks { name, law: ratchet.law, sides, engaged, force: FREE });
        }
        if errors.is_empty() { Ok(ratchets) } else { Err(errors) }
    }

    fn count(system: &System) -> usize {
        system.acts.ratchets.len()
    }

    fn start(system: &mut System, (q, v): (&[f64], &[f64]), _z: &mut [f64]) -> Vec<RatchetMemory> {
        if system.acts.ratchets.is_empty() {
            return Vec::new();
        }
        system.update_kinematics(q, v);
        let first = |on: &RatchetOnLinks| {
            let pawl = if on.engaged.value(0.0) > 0.5 { Pawl::Behind(0) } else { Pawl::Lifted };
            RatchetMemory { start: on.motion(system).0.norm(), pawl }
        };
        system.acts.ratchets.iter().map(first).collect()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        for i in 0..system.acts.ratchets.len() {
            let [first, second] = [0, 1].map(|k| system.side_motion(&system.acts.ratchets[i].sides[k]));
            let (p, v) = (first.X_WS.p - second.X_WS.p, first.v_WS - second.v_WS);
            let on = &mut system.acts.ratchets[i];
            on.force = FREE;
            let Some(memory) = at.held.acts.ratchets.get(i) else { continue };
            let Pawl::Behind(tooth) = memory.pawl else { continue };
            let place = on.law.place(memory.start, tooth);
            on.force = on.law.evaluate(place, &p, &v);
            let own =
                Powers { elastic: on.force.stored, dissipated: on.force.dissipated, ..Powers::default() };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| on.sides[k].link)), own);
            if on.force.size == 0.0 {
                continue;
            }
            let wrench = Wrench::new(Vec3::zeros(), on.force.force);
            let slope = how.weights().map(|w| {
                let (by_place, by_velocity) = on.law.tangent(place, &p, &v);
                let (mut K, mut D) = (Mat6::zeros(), Mat6::zeros());
                K.fixed_view_mut::<3, 3>(3, 3).copy_from(&by_place);
                D.fixed_view_mut::<3, 3>(3, 3).copy_from(&by_velocity);
                (both_sides((&K, &D), (w.q, w.v), &wrench, &first, &second), w.q)
            });
            let sides = on.sides.clone();
            system.push_sides(&sides, &first.X_WS.p, &wrench, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }

    fn is_watched(system: &System) -> bool {
        !system.acts.ratchets.is_empty()
    }

    /// Time within which no points move by more than a tooth.
    fn horizon(system: &System) -> f64 {
        let time = |on: &RatchetOnLinks| system.time_to_approach(on.law.pitch, on.motion(system).1.norm());
        system.acts.ratchets.iter().map(time).fold(f64::INFINITY, f64::min)
    }

    fn event_count(system: &System) -> usize {
        system.acts.ratchets.len()
    }

    /// Points reach the tooth that holds them, or leave it.
    fn events(system: &mut System, _at: (f64, &[f64]), memory: &Vec<RatchetMemory>, out: &mut [f64]) {
        for ((on, memory), out) in system.acts.ratchets.iter().zip(memory).zip(out) {
            *out = match memory.pawl {
                Pawl::Behind(_) => on.now(system, memory).behind,
                Pawl::Lifted => on.law.pitch,
            };
        }
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.ratchets.iter().for_each(|on| each([0, 1].map(|k| on.sides[k].body)));
    }

    /// Pawls advance; if one is lifted, the energy stored in its spring is lost.
    fn happen(
        system: &mut System,
        now: &mut Moment,
        memory: &mut Vec<RatchetMemory>,
    ) -> Result<bool, StepFailure> {
        if system.acts.ratchets.is_empty() {
            return Ok(false);
        }
        system.update_kinematics(now.q, now.v);
        let mut happened = false;
        for (i, memory) in memory.iter_mut().enumerate() {
            let on = &system.acts.ratchets[i];
            let next = on.next(system, memory, now.t);
            if next == Pawl::Lifted && memory.pawl != Pawl::Lifted {
                let stored = on.now(system, memory).stored;
                now.works.dissipated += stored;
                let links = [0, 1].map(|k| on.sides[k].link);
                now.flows.lose(system.cache.parts.of_links(links), stored);
                happened = true;
            }
            memory.pawl = next;
        }
        Ok(happened)
    }

    fn settle(system: &System, memory: &mut Vec<RatchetMemory>) -> Result<(), CheckpointError> {
        same_count("ratchets", memory.len(), system.acts.ratchets.len())
    }

    fn signal(description: &WorldDescription, target: &InputTarget) -> Option<Signal> {
        match *target {
            InputTarget::Ratchet(k) => Some(engaged(description.ratchets[k].engaged)),
            _ => None,
        }
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        if let InputTarget::Ratchet(k) = *target {
            system.acts.ratchets[k].engaged = signal.clone();
        }
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<RatchetValue>) {
        columns::add(&system.acts.ratchets, out);
    }

    fn value(system: &System, s: &Snapshot, (i, value): RatchetValue) -> f64 {
        columns::value(&system.acts.ratchets[i], &s.held.acts.ratchets[i], value)
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        for ratchet in &description.ratchets {
            for (k, other) in ["", "/other"].iter().enumerate() {
                let at = &ratchet.between[k];
                let (name, shape) =
                    (format!("{}{other}", ratchet.name), Shape::Sphere { radius: 2.0 * ratchet.law.pitch });
                out.push(Drawing::fixed(contact_visual(name, at.body, at.X_BF, shape)));
            }
        }
    }
}
