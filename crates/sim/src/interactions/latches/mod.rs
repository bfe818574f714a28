//! Latches in the loop: they close between two steps, hold during steps, and open or break between two steps.

mod columns;
mod moment;

use super::sides::{Side, both_sides, end_motion, end_tangent};
use super::{Drawing, How, Interaction, Making, Moment, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{InputTarget, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::system::{Instant, System};
use columns::LatchValue;
pub(crate) use moment::{Hold, LatchMemory};
use touchdown_geometry::Shape;
use touchdown_math::{Mat3, Signal, Vec3, Wrench};
use touchdown_multibody::description::Attachment;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_spacecraft::boom::EndMotion;
use touchdown_spacecraft::latch::{LatchForce, LatchLaw};

/// Description of a latch.
#[derive(Clone, Debug)]
pub struct Latch {
    /// Unique name.
    pub name: String,
    /// Its frames: their z axes must agree, and the first is drawn along that of the second.
    pub between: [Attachment; 2],
    /// Conditions of closing, stiffness, and breaking load.
    pub law: LatchLaw,
    /// Whether it is armed at the start.
    pub armed: bool,
}

/// Latches between two frames.
pub(crate) struct Latches;

/// A latch on its links.
#[derive(Clone, Debug)]
pub(crate) struct LatchOnLinks {
    pub name: String,
    law: LatchLaw,
    sides: [Side; 2],
    armed: Signal,
    /// Motion of the first frame in the second. Written by `evaluate`.
    motion: EndMotion,
    /// Result of the last evaluation; zero while it is open.
    force: LatchForce,
}

/// The force of an open latch.
const NOTHING: LatchForce = LatchForce {
    wrench: Wrench { t: Vec3::new(0.0, 0.0, 0.0), f: Vec3::new(0.0, 0.0, 0.0) },
    stored: 0.0,
    dissipated: 0.0,
    drawn: 0.0,
};

impl LatchOnLinks {
    /// Relative motion of its frames. Needs kinematics.
    fn motion(&self, system: &System) -> EndMotion {
        let [first, second] = [0, 1].map(|k| system.side_motion(&self.sides[k]));
        end_motion(&first, &second)
    }

    /// The independent part that it belongs to.
    fn part(&self, system: &System) -> usize {
        system.cache.parts.of_links([0, 1].map(|k| self.sides[k].link))
    }

    fn is_armed(&self, t: f64) -> bool {
        self.armed.value(t) > 0.5
    }
}

fn armed(on: bool) -> Signal {
    Signal::Constant(f64::from(u8::from(on)))
}

impl Interaction for Latches {
    const NAME: &'static str = "latches";
    type Parts = Vec<LatchOnLinks>;
    type Memory = Vec<LatchMemory>;
    type Book = ();
    type Drawn = ();
    type Value = LatchValue;

    fn build(making: &mut Making) -> Result<Vec<LatchOnLinks>, Vec<WorldError>> {
        let (mut latches, mut errors) = (Vec::new(), Vec::new());
        for latch in &making.description.latches {
            if let Err(problem) = latch.law.check() {
                let (name, problem) = (latch.name.clone(), problem.to_string());
                errors.push(WorldError::Part { kind: "latch", name, problem });
                continue;
            }
            let side = |k: usize| Side::new(making.model, latch.between[k].body, &latch.between[k].X_BF, 0.0);
            let motion =
                EndMotion { d: Vec3::zeros(), R: Mat3::identity(), d_dot: Vec3::zeros(), w: Vec3::zeros() };
            latches.push(LatchOnLinks {
                name: latch.name.clone(),
                law: latch.law,
                sides: [side(0), side(1)],
                armed: armed(latch.armed),
                motion,
                force: NOTHING,
            });
        }
        if errors.is_empty() { Ok(latches) } else { Err(errors) }
    }

    fn count(system: &System) -> usize {
        system.acts.latches.len()
    }

    fn start(system: &mut System, _at: (&[f64], &[f64]), _z: &mut [f64]) -> Vec<LatchMemory> {
        vec![LatchMemory::default(); system.acts.latches.len()]
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        for i in 0..system.acts.latches.len() {
            let [first, second] = [0, 1].map(|k| system.side_motion(&system.acts.latches[i].sides[k]));
            let on = &mut system.acts.latches[i];
            on.motion = end_motion(&first, &second);
            on.force = NOTHING;
            let Some(Hold::Closed(met)) = at.held.acts.latches.get(i).map(|memory| &memory.hold) else {
                continue;
            };
            let met = met.met();
            on.force = on.law.evaluate(&on.motion, &met, at.t);
            let LatchForce { stored, dissipated, drawn, .. } = on.force;
            let own = Powers { elastic: stored, dissipated, drives: drawn, loads: 0.0 };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| on.sides[k].link)), own);
            let R = second.X_WS.R;
            let wrench = Wrench::new(R * on.force.wrench.t, R * on.force.wrench.f);
            let slope = how.weights().map(|w| {
                let (K, D) = on.law.tangent(&on.motion, &met);
                let (K, D) = end_tangent((&K, &D), &second);
                (both_sides((&K, &D), (w.q, w.v), &wrench, &first, &second), w.q)
            });
            let sides = on.sides.clone();
            system.push_sides(&sides, &first.X_WS.p, &wrench, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }

    fn is_watched(system: &System) -> bool {
        !system.acts.latches.is_empty()
    }

    /// Time within which the frames of no open latch approach by more than its reach.
    fn horizon(system: &System) -> f64 {
        let time = |on: &LatchOnLinks| system.time_to_approach(on.law.reach, on.motion(system).d_dot.norm());
        system.acts.latches.iter().map(time).fold(f64::INFINITY, f64::min)
    }

    /// The end of drawing by the hooks.
    fn next_time(system: &System, memory: &Vec<LatchMemory>, t: f64, _step: Option<f64>) -> f64 {
        let ends = system.acts.latches.iter().zip(memory).filter_map(|(on, memory)| match &memory.hold {
            Hold::Closed(met) if on.law.draws[0] > 0.0 => Some(met.t + on.law.draws[1]),
            _ => None,
        });
        ends.filter(|end| *end > t).fold(f64::INFINITY, f64::min)
    }

    fn event_count(system: &System) -> usize {
        system.acts.latches.len()
    }

    /// Frames come within reach; the force reaches the breaking load.
    fn events(system: &mut System, (t, _): (f64, &[f64]), memory: &Vec<LatchMemory>, out: &mut [f64]) {
        for ((on, memory), out) in system.acts.latches.iter().zip(memory).zip(out) {
            *out = match &memory.hold {
                Hold::Open => on.motion(system).d.norm() - on.law.reach,
                Hold::Closed(met) if on.law.breaks_at.is_finite() => {
                    on.law.breaks_at - on.law.evaluate(&on.motion(system), &met.met(), t).wrench.f.norm()
                }
                Hold::Closed(_) | Hold::Broken => on.law.reach,
            };
        }
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.latches.iter().for_each(|on| each([0, 1].map(|k| on.sides[k].body)));
    }

    fn happen(
        system: &mut System,
        now: &mut Moment,
        memory: &mut Vec<LatchMemory>,
    ) -> Result<bool, StepFailure> {
        moment::happen(system, now, memory)
    }

    fn settle(system: &System, memory: &mut Vec<LatchMemory>) -> Result<(), CheckpointError> {
        same_count("latches", memory.len(), system.acts.latches.len())
    }

    fn signal(description: &WorldDescription, target: &InputTarget) -> Option<Signal> {
        match *target {
            InputTarget::Latch(k) => Some(armed(description.latches[k].armed)),
            _ => None,
        }
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        if let InputTarget::Latch(k) = *target {
            system.acts.latches[k].armed = signal.clone();
        }
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<LatchValue>) {
        columns::add(&system.acts.latches, out);
    }

    fn value(system: &System, s: &Snapshot, (i, value): LatchValue) -> f64 {
        columns::value(&system.acts.latches[i], &s.held.acts.latches[i], value)
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        for latch in &description.latches {
            for (k, other) in ["", "/other"].iter().enumerate() {
                let (at, radius) = (&latch.between[k], 0.5 * latch.law.reach);
                let (name, shape) = (format!("{}{other}", latch.name), Shape::Sphere { radius });
                out.push(Drawing::fixed(contact_visual(name, at.body, at.X_BF, shape)));
            }
        }
    }

    fn warnings(_: &System, _t: f64, memory: &Vec<LatchMemory>, _: &[()], out: &mut Vec<String>) {
        let broken = memory.iter().filter(|memory| matches!(memory.hold, Hold::Broken)).count();
        if broken > 0 {
            out.push(format!("{broken} latch(es) broke: their force passed what they hold"));
        }
    }
}
