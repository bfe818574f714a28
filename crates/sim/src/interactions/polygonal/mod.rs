//! Polygonal contact in the loop: evaluates the pairs, commits the anchors of their faces at accepted steps, and saves them.
//!
//! Evaluation is a pure function of the state and of the anchors of the last accepted step; only `commit` changes these.

mod checks;
mod columns;
mod contact;
mod draw;

use super::sides::both_sides;
use super::{Accepted, Checked, Drawing, How, Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{InputTarget, PolygonalPair, WorldDescription};
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::system::{Instant, System};
use crate::sink::{Check, ContactArrow};
use checks::PolygonalBook;
use columns::{Group, PolygonalValue};
use contact::{PolygonalOnLinks, switched};
use serde::{Deserialize, Serialize};
use touchdown_contact::polygonal::{PolygonalForce, PolygonalState, Slopes};
use touchdown_geometry::revolution::Section;
use touchdown_math::{Pose, Signal, SurfaceMotion, Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;

/// Polygonal contacts.
pub(crate) struct PolygonalContacts;

/// Polygonal contacts on their links.
#[derive(Clone, Debug)]
pub(crate) struct PolygonalParts {
    pub list: Vec<PolygonalOnLinks>,
    /// Groups recorded as one.
    pub groups: Vec<Group>,
    /// Working memory.
    slopes: Box<Slopes>,
}

/// Memory of polygonal contacts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PolygonalHistory {
    /// Anchors of each contact.
    pub anchors: Vec<PolygonalState>,
    /// Steps committed so far: results with the anchors of another step are invalid.
    pub commits: u64,
}

impl Interaction for PolygonalContacts {
    const NAME: &'static str = "polygonal contacts";
    type Parts = PolygonalParts;
    type Memory = PolygonalHistory;
    type Book = PolygonalBook;
    type Drawn = ();
    type Value = PolygonalValue;

    fn build(making: &mut Making) -> Result<PolygonalParts, Vec<WorldError>> {
        let (description, model) = (making.description, making.model);
        let list = description.polygonal.iter().map(|contact| PolygonalOnLinks::new(contact, model));
        let list: Vec<_> = list.collect();
        let groups = Group::all(&list, description);
        Ok(PolygonalParts { list, groups, slopes: Box::default() })
    }

    fn count(system: &System) -> usize {
        system.acts.polygonal.list.len()
    }

    /// Fresh anchors for touching faces.
    fn start(system: &mut System, at: (&[f64], &[f64]), _z: &mut [f64]) -> PolygonalHistory {
        let list = &mut system.acts.polygonal.list;
        list.iter_mut().for_each(|p| p.kept = None);
        let anchors = vec![PolygonalState::default(); list.len()];
        let mut memory = PolygonalHistory { anchors, commits: 0 };
        system.commit_polygonal((0.0, 0.0), at, &mut memory, |_, _, _| {});
        memory
    }

    fn open(system: &System) -> Vec<PolygonalBook> {
        let book = |p: &PolygonalOnLinks| {
            let mut book = PolygonalBook::default();
            book.book(&p.force, 0.0, 0.0);
            book
        };
        system.acts.polygonal.list.iter().map(book).collect()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let (mut powers, weights) = (Powers::default(), how.weights());
        for i in 0..system.acts.polygonal.list.len() {
            let memory = &at.held.acts.polygonal;
            let [first, second] = system.evaluate_polygonal(i, at.t, memory, weights.is_some());
            let p = &system.acts.polygonal.list[i];
            let own = Powers {
                elastic: p.force.elastic_energy,
                dissipated: p.force.dissipated_power,
                drives: p.force.surface_power,
                loads: 0.0,
            };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| p.sides[k].link)), own);
            if p.force.polygons == 0 {
                continue;
            }
            let W = p.force.wrench_C;
            let slope = weights
                .map(|w| (both_sides((&p.tangent.K, &p.tangent.D), (w.q, w.v), &W, &first, &second), w.q));
            let sides = p.sides.clone();
            let slope = slope.as_ref().map(|(A, wq)| (A, *wq));
            system.push_sides(&sides, &first.X_WS.p, &W, slope);
        }
        powers
    }

    fn is_watched(system: &System) -> bool {
        !system.acts.polygonal.list.is_empty()
    }

    /// Time within which no two sides approach by more than their threshold.
    fn horizon(system: &System) -> f64 {
        let list = system.acts.polygonal.list.iter().enumerate();
        let time =
            |(i, p): (usize, &PolygonalOnLinks)| system.time_to_approach(p.threshold, system.approach(i));
        list.map(time).fold(f64::INFINITY, f64::min)
    }

    fn changes_by_steps(system: &System) -> bool {
        !system.acts.polygonal.list.is_empty()
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        (0..system.acts.polygonal.list.len()).for_each(|i| each(system.polygonal_bodies(i)));
    }

    /// Anchors follow; faces stick or break away.
    fn commit(
        system: &mut System,
        step: &mut Accepted,
        memory: &mut PolygonalHistory,
        books: &mut [PolygonalBook],
    ) {
        let h = step.t - step.before;
        let (works, flows) = (&mut *step.works, &mut *step.flows);
        system.commit_polygonal((step.t, h), (step.q, step.v), memory, |p, part, (i, heat, travel)| {
            books[i].book(&p.force, h, heat);
            books[i].travel = books[i].travel.max(travel);
            works.dissipated += heat;
            flows.lose(part, heat);
        });
    }

    fn settle(system: &System, memory: &mut PolygonalHistory) -> Result<(), CheckpointError> {
        same_count("anchors of polygonal contacts", memory.anchors.len(), system.acts.polygonal.list.len())
    }

    fn signal(description: &WorldDescription, target: &InputTarget) -> Option<Signal> {
        match *target {
            InputTarget::Opening(k) => {
                description.polygonal[k].opening.as_ref().map(|opening| opening.parameter.clone())
            }
            InputTarget::Contact(k) => Some(switched(description.polygonal[k].on)),
            _ => None,
        }
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        match *target {
            InputTarget::Opening(k) => system.acts.polygonal.list[k].follow(signal.clone()),
            InputTarget::Contact(k) => system.acts.polygonal.list[k].on = signal.clone(),
            _ => {}
        }
    }

    fn signals(description: &WorldDescription, each: &mut dyn FnMut(&Signal)) {
        let openings = description.polygonal.iter().filter_map(|contact| contact.opening.as_ref());
        openings.for_each(|opening| each(&opening.parameter));
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<PolygonalValue>) {
        columns::add(&system.acts.polygonal, out);
    }

    fn value(system: &System, s: &Snapshot, value: PolygonalValue) -> f64 {
        columns::value(system, &s.books.polygonal, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        out.extend(description.polygonal.iter().map(|c| {
            let body = c.sides[usize::from(c.tells_reference)].body;
            ContactName { name: c.name.clone(), body, soil: false }
        }));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for i in 0..system.acts.polygonal.list.len() {
            let (p_WC, W) = system.polygonal_resultant(i);
            each(ContactArrow { p_WC, f_W: W.f, t_W: W.t });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        draw::add(description, out);
    }

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }
}

impl System {
    /// Motions of both sides. Needs kinematics.
    pub(crate) fn polygonal_motions(&self, i: usize) -> [SurfaceMotion; 2] {
        [0, 1].map(|k| self.side_motion(&self.acts.polygonal.list[i].sides[k]))
    }

    /// Motions ⇒ force of contact `i`, at the anchors held. Needs kinematics.
    fn evaluate_polygonal(
        &mut self,
        i: usize,
        t: f64,
        held: &PolygonalHistory,
        tangents: bool,
    ) -> [SurfaceMotion; 2] {
        self.acts.polygonal.list[i].open(t);
        let motions @ [body, reference] = self.polygonal_motions(i);
        let anchors = &held.anchors[i];
        let p = &mut self.acts.polygonal.list[i];
        if !p.is_on(t) {
            p.force = PolygonalForce::new();
            return motions;
        }
        match (&p.pair, tangents) {
            _ if p.has_memory && !tangents => {
                p.force = p.try_commit([body, reference], (anchors, held.commits)).force;
            }
            (PolygonalPair::Revolution(pair), false) => {
                p.force = pair.evaluate(anchors, &body, &reference);
            }
            (PolygonalPair::Revolution(pair), true) => {
                (p.force, p.tangent) =
                    pair.evaluate_with_slopes(anchors, &body, &reference, &mut self.acts.polygonal.slopes);
            }
            (PolygonalPair::Mesh(pair), false) => {
                p.force = pair.evaluate(anchors, &body, &reference, &mut p.scratch);
            }
            (PolygonalPair::Mesh(pair), true) => {
                (p.force, p.tangent) = pair.evaluate_with_tangent(anchors, &body, &reference, &mut p.scratch);
            }
        }
        motions
    }

    /// Accepts a step of `h` that ended at this state. `book` gets each contact, its independent part, its
    /// index, the heat released, J, and the approach over its threshold.
    fn commit_polygonal(
        &mut self,
        (t, h): (f64, f64),
        (q, v): (&[f64], &[f64]),
        memory: &mut PolygonalHistory,
        mut book: impl FnMut(&PolygonalOnLinks, usize, (usize, f64, f64)),
    ) {
        if self.acts.polygonal.list.is_empty() {
            return;
        }
        self.update_kinematics(q, v);
        for i in 0..self.acts.polygonal.list.len() {
            let motions = self.polygonal_motions(i);
            let travel = self.travel_over_threshold(i, h);
            let p = &mut self.acts.polygonal.list[i];
            let part = self.cache.parts.of_links([0, 1].map(|k| p.sides[k].link));
            if !p.is_on(t) {
                // When switched on, it begins with fresh anchors.
                memory.anchors[i] = PolygonalState::default();
                p.force = PolygonalForce::new();
                book(p, part, (i, 0.0, 0.0));
                continue;
            }
            if !p.has_memory {
                // The last evaluation was that of the accepted state, or of a row within its step.
                book(p, part, (i, 0.0, travel));
                continue;
            }
            p.open(t);
            let done = p.try_commit(motions, (&memory.anchors[i], memory.commits));
            std::mem::swap(&mut memory.anchors[i], &mut p.next);
            p.force = done.force;
            book(p, part, (i, done.heat, travel));
        }
        memory.commits += 1;
    }

    /// Upper bound of the approach speed of the sides of contact `i`, m/s, from the motion in the cache.
    fn approach(&self, i: usize) -> f64 {
        let p = &self.acts.polygonal.list[i];
        let [a, b] = self.polygonal_motions(i);
        let reach = p.sides[0].reach.max(if p.sides[0].body.is_none() { p.sides[1].reach } else { 0.0 });
        let shift = a.v_WS - b.v_WS - b.w_WS.cross(&(a.X_WS.p - b.X_WS.p));
        p.opening_speed + shift.norm() + (a.w_WS - b.w_WS).norm() * reach
    }

    /// Possible approach of the sides of contact `i` in a step of `h` over the threshold of the contact; zero
    /// for bodies that are too far apart to touch.
    fn travel_over_threshold(&self, i: usize, h: f64) -> f64 {
        let p = &self.acts.polygonal.list[i];
        let travel = self.approach(i) * h;
        let [a, b] = self.polygonal_motions(i);
        // The world has no size here: it is always near.
        let is_far = p.sides.iter().all(|side| side.body.is_some())
            && (a.X_WS.p - b.X_WS.p).norm() > p.sides[0].reach + p.sides[1].reach + travel;
        if is_far { 0.0 } else { travel / p.threshold }
    }

    /// Bodies of a contact's sides.
    pub(crate) fn polygonal_bodies(&self, i: usize) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.acts.polygonal.list[i].sides[k].body)
    }

    /// Frames of a contact's sides in the world. Needs kinematics.
    pub(crate) fn polygonal_frames(&self, i: usize) -> [Pose; 2] {
        self.polygonal_motions(i).map(|m| m.X_WS)
    }

    /// Section of a contact's reference, if it is a body of revolution.
    pub(crate) fn polygonal_section(&self, i: usize) -> Option<&Section> {
        match &self.acts.polygonal.list[i].pair {
            PolygonalPair::Revolution(pair) => Some(&pair.reference.section),
            PolygonalPair::Mesh(_) => None,
        }
    }

    /// The wrench on the side that carries the area, about the origin of its form, and that origin. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_side_wrench(&self, i: usize) -> (Vec3, Wrench) {
        let [first, _] = self.polygonal_motions(i);
        (first.X_WS.p, self.acts.polygonal.list[i].force.wrench_C)
    }

    /// The wrench that is reported, about the origin of that side's form, world axes; and that origin, m. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_wrench(&self, i: usize) -> (Vec3, Wrench) {
        let p = &self.acts.polygonal.list[i];
        let [first, second] = self.polygonal_motions(i);
        let W = p.force.wrench_C;
        if p.reported == 0 {
            return (first.X_WS.p, W);
        }
        let W = W.shifted(&(second.X_WS.p - first.X_WS.p));
        (second.X_WS.p, Wrench { t: -W.t, f: -W.f })
    }

    /// Point of the resultant, with its force and torque there. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_resultant(&self, i: usize) -> (Vec3, Wrench) {
        let (origin, W) = self.polygonal_wrench(i);
        let place = if self.acts.polygonal.list[i].force.polygons > 0 {
            self.acts.polygonal.list[i].force.p_WQ
        } else {
            origin
        };
        (place, W.shifted(&(place - origin)))
    }
}
