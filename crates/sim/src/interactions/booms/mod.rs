//! Booms in the loop: the motion of both ends ⇒ wrenches on their bodies, powers of the ledger.
//!
//! A boom has no state. Its length is a function of time, or the value set by [`BoomOnLinks::set_length`]
//! before the evaluation.

mod checks;
mod columns;
mod draw;

use super::sides::{Side, both_sides, end_motion, end_tangent};
use super::{Checked, Drawing, How, Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{Boom, InputTarget, WorldDescription};
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use crate::sink::Check;
use checks::BoomBook;
use columns::BoomValue;
use touchdown_math::{Mat3, Signal, Vec3, Wrench};
use touchdown_multibody::rigid::Model;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_spacecraft::boom::{BoomForce, BoomParameters, EndMotion};

/// Extendable booms between bodies.
pub(crate) struct Booms;

/// A boom on its links.
#[derive(Clone, Debug)]
pub(crate) struct BoomOnLinks {
    pub name: String,
    pub law: BoomParameters,
    /// Tip and root.
    sides: [Side; 2],
    length: Signal,
    /// Length and rate that a controller commands, m and m/s.
    commanded: Option<(f64, f64)>,
    /// Length and rate of the last evaluation. Written by `evaluate`.
    pub driven: (f64, f64),
    /// Result of the last evaluation, and the position of the tip. Written by `evaluate`.
    pub force: BoomForce,
    pub motion: EndMotion,
}

impl BoomOnLinks {
    fn new(boom: &Boom, model: &Model) -> BoomOnLinks {
        let side =
            |at: &touchdown_multibody::description::Attachment| Side::new(model, at.body, &at.X_BF, 0.0);
        let length = boom.length.value(0.0);
        let straight =
            EndMotion { d: Vec3::z() * length, R: Mat3::identity(), d_dot: Vec3::zeros(), w: Vec3::zeros() };
        BoomOnLinks {
            name: boom.name.clone(),
            law: boom.law,
            sides: [side(&boom.tip), side(&boom.root)],
            length: boom.length.clone(),
            commanded: None,
            driven: (length, 0.0),
            force: boom.law.evaluate(&straight, (length, 0.0)),
            motion: straight,
        }
    }

    /// The length (m) and its rate (m/s) for the next evaluation, in place of the function of time. To be
    /// called before each evaluation.
    pub fn set_length(&mut self, value: f64, rate: f64) {
        self.commanded = Some((value, rate));
    }

    /// Bodies of tip and root.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.sides[k].body)
    }

    fn length_at(&self, t: f64) -> (f64, f64) {
        self.commanded.unwrap_or_else(|| {
            let [value, rate, _] = self.length.jet(t);
            (value, rate)
        })
    }
}

impl Interaction for Booms {
    const NAME: &'static str = "booms";
    type Parts = Vec<BoomOnLinks>;
    type Memory = ();
    type Book = BoomBook;
    type Drawn = ();
    type Value = BoomValue;

    fn build(making: &mut Making) -> Result<Vec<BoomOnLinks>, Vec<WorldError>> {
        let boom = |boom: &Boom| BoomOnLinks::new(boom, making.model);
        Ok(making.description.booms.iter().map(boom).collect())
    }

    fn count(system: &System) -> usize {
        system.acts.booms.len()
    }

    fn open(system: &System) -> Vec<BoomBook> {
        system.acts.booms.iter().map(BoomBook::new).collect()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let (mut powers, t, weights) = (Powers::default(), at.t, how.weights());
        for i in 0..system.acts.booms.len() {
            let [tip, root] = [0, 1].map(|k| system.side_motion(&system.acts.booms[i].sides[k]));
            let boom = &mut system.acts.booms[i];
            boom.driven = boom.length_at(t);
            boom.motion = end_motion(&tip, &root);
            let R = root.X_WS.R;
            let turned = |W: &Wrench| Wrench::new(R * W.t, R * W.f);
            let slope = match weights {
                None => {
                    boom.force = boom.law.evaluate(&boom.motion, boom.driven);
                    None
                }
                Some(w) => {
                    let (force, tangent) = boom.law.evaluate_with_tangent(&boom.motion, boom.driven);
                    boom.force = force;
                    let (K, D) = end_tangent((&tangent.K, &tangent.D), &root);
                    let W = turned(&force.wrench);
                    Some((both_sides((&K, &D), (w.q, w.v), &W, &tip, &root), w.q))
                }
            };
            let own = Powers {
                elastic: boom.force.elastic_energy,
                dissipated: boom.force.dissipated_power,
                drives: boom.force.drive_power,
                loads: 0.0,
            };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| boom.sides[k].link)), own);
            let (W, sides) = (turned(&boom.force.wrench), boom.sides.clone());
            system.push_sides(&sides, &tip.X_WS.p, &W, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.booms.iter().for_each(|boom| each(boom.bodies()));
    }

    fn book(system: &System, _times: (f64, f64), _memory: &mut (), books: &mut [BoomBook]) {
        books.iter_mut().zip(&system.acts.booms).for_each(|(book, boom)| book.book(boom));
    }

    fn signal(description: &WorldDescription, target: &InputTarget) -> Option<Signal> {
        match *target {
            InputTarget::Boom(k) => Some(description.booms[k].length.clone()),
            _ => None,
        }
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        if let InputTarget::Boom(k) = *target {
            system.acts.booms[k].length = signal.clone();
        }
    }

    fn signals(description: &WorldDescription, each: &mut dyn FnMut(&Signal)) {
        description.booms.iter().for_each(|boom| each(&boom.length));
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<BoomValue>) {
        columns::add(&system.acts.booms, out);
    }

    fn value(system: &System, _s: &Snapshot, value: BoomValue) -> f64 {
        columns::value(&system.acts.booms, value)
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        out.extend(description.booms.iter().enumerate().map(|(i, boom)| draw::drawing(i, boom)));
    }

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }
}
