//! Polygonal contact in the loop: evaluates the pairs, commits the anchors of their faces at accepted steps, and saves them.
//!
//! Evaluation is a pure function of the state and of the anchors of the last accepted step; only `commit_polygonal` changes these. The forces of an accepted state
//! are wanted by the method, by its rows and by the commit: what an evaluation with memory finds is kept until the motion or the anchors change.

use crate::description::{Opening, PolygonalContact, PolygonalPair, WorldDescription};
use crate::sides::{Moving, Side, both_sides};
use crate::system::{Instant, System};
use serde::{Deserialize, Serialize};
use touchdown_contact::polygonal::mesh::MeshScratch;
use touchdown_contact::polygonal::{Commit, PairForce, PairState, PairTangent, SurfaceMotion};
use touchdown_geometry::revolution::Section;
use touchdown_math::{Pose, Signal, Vec3, Wrench};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::Model;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;

/// A polygonal contact on its links.
#[derive(Clone, Debug)]
pub(crate) struct PolygonalOnLinks {
    pub name: String,
    pair: PolygonalPair,
    /// The side that carries the area, and the reference.
    sides: [Side; 2],
    /// The side whose wrench is told.
    told: usize,
    has_memory: bool,
    opening: Option<Opening>,
    /// Parameter of the opening and its rate that a controller commands.
    commanded: Option<(f64, f64)>,
    /// Parameter that the form stands at, and its rate.
    pub opened: (f64, f64),
    /// Speed at which its surface moves at most, m/s.
    opening_speed: f64,
    /// Where it is recorded together with others.
    pub group: Option<String>,
    /// Way of approach in one step at most, m.
    pub threshold: f64,
    /// Penetration up to which the layers are linear, m.
    pub limit: f64,
    kept: Option<Kept>,
    /// Anchors that `kept` would leave.
    next: PairState,
    scratch: MeshScratch,
    tangent: PairTangent,
    /// What the last evaluation gave. Written by `update_polygonal`.
    pub force: PairForce,
}

/// What polygonal contacts remember of the last accepted step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PolygonalHistory {
    /// Anchors of each contact.
    pub anchors: Vec<PairState>,
    /// Steps committed so far: what was found with the anchors of another step does not hold any more.
    commits: u64,
}

/// An evaluation at the anchors that a step left.
#[derive(Clone, Copy, Debug)]
struct Kept {
    commits: u64,
    motions: [SurfaceMotion; 2],
    opened: (f64, f64),
    done: Commit,
}

impl PolygonalOnLinks {
    /// All of a description.
    pub fn all(description: &WorldDescription, model: &Model) -> Vec<PolygonalOnLinks> {
        description.polygonal.iter().map(|contact| PolygonalOnLinks::new(contact, model)).collect()
    }

    fn new(contact: &PolygonalContact, model: &Model) -> PolygonalOnLinks {
        let side = |k: usize| {
            let side = &contact.sides[k];
            let reach = side.mesh.vertices.iter().map(|p| p.norm()).fold(0.0, f64::max);
            Side::new(model, side.body, &side.X_BS, reach)
        };
        PolygonalOnLinks {
            name: contact.name.clone(),
            pair: contact.pair.clone(),
            sides: [side(0), side(1)],
            told: usize::from(contact.tells_reference),
            has_memory: contact.pair.has_memory(),
            opening: contact.opening.clone(),
            commanded: None,
            opened: (f64::NAN, 0.0),
            opening_speed: contact.opening.as_ref().map_or(0.0, Opening::speed_max),
            group: contact.group.clone(),
            threshold: contact.threshold,
            limit: contact.pair.penetration_limit(),
            kept: None,
            next: PairState::default(),
            scratch: MeshScratch::default(),
            tangent: PairTangent::zero(),
            force: PairForce::new(),
        }
    }
}

impl PolygonalOnLinks {
    /// Changes the form of a reference that opens in time.
    fn open(&mut self, t: f64) {
        let (Some(opening), PolygonalPair::Revolution(pair)) = (&self.opening, &mut self.pair) else {
            return;
        };
        let (parameter, rate) = self.commanded.unwrap_or_else(|| {
            let [parameter, rate, _] = opening.parameter.jet(t);
            (parameter, rate)
        });
        if parameter != self.opened.0 {
            pair.reference = opening.family.at(parameter);
        }
        pair.reference_rate = rate;
        self.opened = (parameter, rate);
    }

    /// What accepting this motion would do, known already if it was the last that was asked for.
    fn try_commit(&mut self, motions: [SurfaceMotion; 2], (anchors, commits): (&PairState, u64)) -> Commit {
        let same = |k: &Kept| k.commits == commits && k.motions == motions && k.opened == self.opened;
        if let Some(kept) = self.kept.filter(same) {
            return kept.done;
        }
        let [body, reference] = &motions;
        let done = match &self.pair {
            PolygonalPair::Revolution(pair) => pair.try_commit(anchors, body, reference, &mut self.next),
            PolygonalPair::Mesh(pair) => {
                pair.try_commit(anchors, (body, reference), &mut self.next, &mut self.scratch)
            }
        };
        self.kept = Some(Kept { commits, motions, opened: self.opened, done });
        done
    }

    /// Opens by another function of time.
    pub fn follow(&mut self, parameter: Signal) {
        if let Some(opening) = &mut self.opening {
            opening.parameter = parameter;
            self.opening_speed = opening.speed_max();
        }
    }

    /// The parameter of the opening and its rate at the evaluations to come, in place of the function of time: once before each of them.
    pub fn set_opening(&mut self, value: f64, rate: f64) {
        self.commanded = Some((value, rate));
    }
}

fn surface(m: &Moving) -> SurfaceMotion {
    SurfaceMotion { X_WS: m.X_WS, v_WC: m.v, w_WB: m.w }
}

impl System {
    pub(crate) fn polygonal_motions(&self, i: usize) -> [Moving; 2] {
        [0, 1].map(|k| self.moving(&self.polygonal[i].sides[k]))
    }

    /// Motions ⇒ force of contact `i`, at the anchors held. Needs kinematics.
    fn evaluate_one(&mut self, i: usize, t: f64, held: &PolygonalHistory, tangents: bool) -> [Moving; 2] {
        self.polygonal[i].open(t);
        let moving = self.polygonal_motions(i);
        let [body, reference] = moving.map(|m| surface(&m));
        let anchors = &held.anchors[i];
        let p = &mut self.polygonal[i];
        match (&p.pair, tangents) {
            _ if p.has_memory && !tangents => {
                p.force = p.try_commit([body, reference], (anchors, held.commits)).force;
            }
            (PolygonalPair::Revolution(pair), false) => {
                p.force = pair.evaluate(anchors, &body, &reference);
            }
            (PolygonalPair::Revolution(pair), true) => {
                (p.force, p.tangent) =
                    pair.evaluate_with_slopes(anchors, &body, &reference, &mut self.slopes);
            }
            (PolygonalPair::Mesh(pair), false) => {
                p.force = pair.evaluate(anchors, &body, &reference, &mut p.scratch);
            }
            (PolygonalPair::Mesh(pair), true) => {
                (p.force, p.tangent) = pair.evaluate_with_tangent(anchors, &body, &reference, &mut p.scratch);
            }
        }
        moving
    }

    /// Polygonal contacts ⇒ wrenches on their bodies. Needs kinematics.
    pub(crate) fn update_polygonal(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        for i in 0..self.polygonal.len() {
            let [first, second] = self.evaluate_one(i, at.t, &at.held.polygonal, weights.is_some());
            let p = &self.polygonal[i];
            powers.elastic += p.force.elastic_energy;
            powers.dissipated += p.force.dissipated_power;
            powers.drives += p.force.surface_power;
            if p.force.polygons == 0 {
                continue;
            }
            let W = p.force.wrench_C;
            let slope = weights
                .map(|w| (both_sides((&p.tangent.K, &p.tangent.D), (w.q, w.v), &W, &first, &second), w.q));
            let sides = p.sides.clone();
            let slope = slope.as_ref().map(|(A, wq)| (A, *wq));
            self.push_sides(&sides, &first.X_WS.p, &W, slope);
        }
        powers
    }

    /// Fresh anchors where faces touch at a start.
    pub(crate) fn start_polygonal(&mut self, q: &[f64], v: &[f64]) -> PolygonalHistory {
        self.polygonal.iter_mut().for_each(|p| p.kept = None);
        let anchors = vec![PairState::default(); self.polygonal.len()];
        let mut held = PolygonalHistory { anchors, commits: 0 };
        self.commit_polygonal((0.0, 0.0), (q, v), &mut held, |_, _, _, _| {});
        held
    }

    /// Accepts a step of `h` that ended at this state: anchors follow, faces stick or let go. `book` gets each contact's index, its force, the heat of letting
    /// go, J, and the way of approach over its threshold.
    pub(crate) fn commit_polygonal(
        &mut self,
        (t, h): (f64, f64),
        (q, v): (&[f64], &[f64]),
        held: &mut PolygonalHistory,
        mut book: impl FnMut(usize, &PairForce, f64, f64),
    ) {
        if self.polygonal.is_empty() {
            return;
        }
        self.update_kinematics(q, v);
        for i in 0..self.polygonal.len() {
            let motions = self.polygonal_motions(i).map(|m| surface(&m));
            let way = self.way_over_threshold(i, h);
            let p = &mut self.polygonal[i];
            if !p.has_memory {
                // The last evaluation was that of the accepted state, or of a row within its step.
                book(i, &p.force, 0.0, way);
                continue;
            }
            p.open(t);
            let done = p.try_commit(motions, (&held.anchors[i], held.commits));
            std::mem::swap(&mut held.anchors[i], &mut p.next);
            p.force = done.force;
            book(i, &done.force, done.heat, way);
        }
        held.commits += 1;
    }

    /// Speed at which the sides of contact `i` approach each other at most, m/s, from the motion in the cache.
    fn approach(&self, i: usize) -> f64 {
        let p = &self.polygonal[i];
        let [a, b] = self.polygonal_motions(i);
        let reach = p.sides[0].reach.max(if p.sides[0].body.is_none() { p.sides[1].reach } else { 0.0 });
        let shift = a.v - b.v - b.w.cross(&(a.X_WS.p - b.X_WS.p));
        p.opening_speed + shift.norm() + (a.w - b.w).norm() * reach
    }

    /// Way by which the sides of contact `i` may have approached in a step of `h` over the threshold of the contact; zero for bodies that are too far apart to
    /// touch.
    fn way_over_threshold(&self, i: usize, h: f64) -> f64 {
        let p = &self.polygonal[i];
        let way = self.approach(i) * h;
        let [a, b] = self.polygonal_motions(i);
        // The world has no size here: it is always near.
        let is_far = p.sides.iter().all(|side| side.body.is_some())
            && (a.X_WS.p - b.X_WS.p).norm() > p.sides[0].reach + p.sides[1].reach + way;
        if is_far { 0.0 } else { way / p.threshold }
    }

    /// Longest time in which no two sides approach by more than their threshold, from the motion in the cache. Infinite without contacts.
    pub(crate) fn polygonal_horizon(&self) -> f64 {
        let mut horizon = f64::INFINITY;
        for (i, p) in self.polygonal.iter().enumerate() {
            let speed = self.approach(i);
            let fall = match self.model.gravity {
                Gravity::Uniform(g) => 2.0 * g.norm(),
                Gravity::Central { .. } => 0.0,
            };
            // threshold = speed·h + fall·h²/2
            let root = (speed * speed + 2.0 * fall * p.threshold).sqrt();
            if root > 0.0 {
                horizon = horizon.min(2.0 * p.threshold / (speed + root));
            }
        }
        horizon
    }

    /// Bodies of a contact's sides.
    pub(crate) fn polygonal_bodies(&self, i: usize) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.polygonal[i].sides[k].body)
    }

    /// Frames of a contact's sides in the world. Needs kinematics.
    pub(crate) fn polygonal_frames(&self, i: usize) -> [Pose; 2] {
        self.polygonal_motions(i).map(|m| m.X_WS)
    }

    /// Section of a contact's reference, if it is a body of revolution.
    pub(crate) fn polygonal_section(&self, i: usize) -> Option<&Section> {
        match &self.polygonal[i].pair {
            PolygonalPair::Revolution(pair) => Some(&pair.reference.section),
            PolygonalPair::Mesh(_) => None,
        }
    }

    /// The wrench on the side that carries the area, about the origin of its form, and that origin. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_side_wrench(&self, i: usize) -> (Vec3, Wrench) {
        let [first, _] = self.polygonal_motions(i);
        (first.X_WS.p, self.polygonal[i].force.wrench_C)
    }

    /// The wrench that a contact tells, about the origin of that side's form, world axes; and that origin, m. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_wrench(&self, i: usize) -> (Vec3, Wrench) {
        let p = &self.polygonal[i];
        let [first, second] = self.polygonal_motions(i);
        let W = p.force.wrench_C;
        if p.told == 0 {
            return (first.X_WS.p, W);
        }
        let W = W.shifted(&(second.X_WS.p - first.X_WS.p));
        (second.X_WS.p, Wrench { t: -W.t, f: -W.f })
    }

    /// Where the resultant acts, with its force and torque there. Needs kinematics and an evaluation.
    pub(crate) fn polygonal_resultant(&self, i: usize) -> (Vec3, Wrench) {
        let (origin, W) = self.polygonal_wrench(i);
        let place = if self.polygonal[i].force.polygons > 0 { self.polygonal[i].force.p_WQ } else { origin };
        (place, W.shifted(&(place - origin)))
    }
}
