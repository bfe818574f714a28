//! Smooth contact in the loop: evaluates the pairs of surfaces, commits their candidates at accepted steps, and saves them.
//!
//! Evaluation is a pure function of the state and of the candidates of the last accepted step; only `commit_pairs` changes these.

use crate::description::{Ground, SmoothContact, WorldDescription};
use crate::method::StepFailure;
use crate::sides::Side;
use crate::system::{ContactStates, Instant, System};
use crate::world::WorldError;
use serde::{Deserialize, Serialize};
use touchdown_contact::surface::{
    ContactPoint, Form, MOST, NormalLaw, PairForce, PairScratch, PairState, PairTangent, STATES, SideMotion,
    SurfacePair,
};
use touchdown_geometry::surface::{BodySurface, HeightForm, HeightSurface};
use touchdown_math::{Pose, Vec3, Wrench};
use touchdown_multibody::description::Gravity;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{Model, push};

/// A pair of smooth surfaces on their links.
#[derive(Clone, Debug)]
pub(crate) struct PairOnLinks {
    pub name: String,
    pub pair: SurfacePair,
    pub law: NormalLaw,
    pub threshold: f64,
    /// Slots for candidates.
    pub most: usize,
    /// Smallest radius of the second side, m: what a penetration is compared with.
    pub radius: f64,
    sides: [Side; 2],
    /// First contact state.
    z: usize,
    nz: usize,
    scratch: PairScratch,
    tangent: Box<PairTangent>,
    /// What the last evaluation gave. Written by `update_pairs`.
    pub force: Box<PairForce>,
}

/// What the pairs remember of the last accepted step: its time, and the candidates of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairsHistory {
    pub at: f64,
    pub held: Vec<PairState>,
}

impl PairOnLinks {
    /// Bodies of both sides; `None` is the world.
    pub fn bodies(&self) -> [Option<usize>; 2] {
        [0, 1].map(|k| self.sides[k].body)
    }

    /// All of a description, behind `nz` contact states of others.
    pub fn all(
        description: &WorldDescription,
        model: &Model,
        mut nz: usize,
    ) -> Result<Vec<PairOnLinks>, Vec<WorldError>> {
        let (mut pairs, mut errors) = (Vec::new(), Vec::new());
        for contact in &description.contacts {
            match PairOnLinks::new(contact, description, model, nz) {
                Ok(pair) => {
                    nz += pair.nz;
                    pairs.push(pair);
                }
                Err(problems) => errors.extend(problems),
            }
        }
        if errors.is_empty() { Ok(pairs) } else { Err(errors) }
    }

    fn new(
        contact: &SmoothContact,
        description: &WorldDescription,
        model: &Model,
        z: usize,
    ) -> Result<PairOnLinks, Vec<WorldError>> {
        let name = contact.name.clone();
        let one = match &contact.one {
            Some(side) => side.form.clone(),
            None => match description.ground.as_ref().and_then(as_surface) {
                Some(surface) => Form::Height(surface),
                None => return Err(vec![WorldError::NoSurface { contact: name }]),
            },
        };
        let reach = |form: &Form| extent(form).1;
        let on_link = |body: usize, X_BS: &Pose, form: &Form| Side::new(model, Some(body), X_BS, reach(form));
        let ground = || Side::new(model, None, &Pose::identity(), 0.0);
        let first = contact.one.as_ref().map_or_else(ground, |s| on_link(s.body, &s.X_BS, &s.form));
        let two = &contact.two;
        let sides = [first, on_link(two.body, &two.X_BS, &two.form)];
        let options = contact.options;
        let pair = SurfacePair::new(one, two.form.clone(), contact.law, options).map_err(|problems| {
            let error = |problem| WorldError::Contact { contact: name.clone(), problem };
            problems.into_iter().map(error).collect::<Vec<_>>()
        })?;
        Ok(PairOnLinks {
            name,
            law: contact.law.normal,
            threshold: options.threshold,
            most: options.most,
            radius: extent(&two.form).0,
            sides,
            z,
            nz: pair.states(),
            pair,
            scratch: PairScratch::default(),
            tangent: Box::default(),
            force: Box::default(),
        })
    }

    /// Contact states.
    pub fn states(&self) -> usize {
        self.nz
    }

    /// The candidate with the smallest gap at the last evaluation.
    pub fn nearest(&self) -> Option<&ContactPoint> {
        self.candidates().min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// All candidates of the last evaluation.
    pub fn candidates(&self) -> impl Iterator<Item = &ContactPoint> {
        self.force.contacts[..self.force.count].iter()
    }

    /// Candidates that touch.
    pub fn touching(&self) -> usize {
        self.candidates().filter(|c| c.gap < 0.0).count()
    }

    /// What the law has its kink at, beside touching: positive where it pushes.
    fn push_sign(&self, c: &ContactPoint) -> f64 {
        match self.law {
            NormalLaw::Linear { stiffness, damping } => -stiffness * c.gap - damping * c.gap_rate,
            NormalLaw::HuntCrossley { damping, .. } | NormalLaw::Hertz { damping, .. } => {
                1.0 - damping * c.gap_rate
            }
        }
    }
}

/// The ground as a smooth surface; `None` for soil and for a wall.
fn as_surface(ground: &Ground) -> Option<HeightSurface> {
    match ground {
        Ground::Surface(surface) => Some((**surface).clone()),
        Ground::Plane { point, normal } if normal.z > 0.0 => {
            let gradient = [-normal.x / normal.z, -normal.y / normal.z];
            let height = point.z - gradient[0] * point.x - gradient[1] * point.y;
            Some(HeightSurface::new(HeightForm::Plane { height, gradient }))
        }
        Ground::Plane { .. } | Ground::Soil(_) => None,
    }
}

/// Smallest radius of a form, and the distance of its farthest point from its frame's origin, m.
fn extent(form: &Form) -> (f64, f64) {
    match form {
        Form::Height(_) => (f64::INFINITY, 0.0),
        Form::Body(BodySurface::Sphere { radius }) => (*radius, *radius),
        Form::Body(BodySurface::Ellipsoid { semi_axes }) => {
            let (least, most) = (
                semi_axes.iter().copied().fold(f64::INFINITY, f64::min),
                semi_axes.iter().copied().fold(0.0, f64::max),
            );
            (least, most)
        }
        Form::Body(BodySurface::Cylinder { radius, half_length }) => (*radius, radius.hypot(*half_length)),
        Form::Body(BodySurface::Torus { radius, tube }) => (*tube, radius + tube),
        Form::Mesh { mesh, radius } => {
            (*radius, mesh.vertices.iter().map(|p| p.norm()).fold(0.0, f64::max) + radius)
        }
    }
}

impl System {
    /// Motion of both sides of a pair. Needs kinematics.
    fn side_motions(&self, i: usize) -> [SideMotion; 2] {
        [0, 1].map(|k| {
            let moving = self.moving(&self.pairs[i].sides[k]);
            SideMotion { X_WS: moving.X_WS, v_WS: moving.v, w_WS: moving.w }
        })
    }

    /// Motions ⇒ forces of pair `i`, at the candidates held. Needs kinematics.
    fn evaluate_pair(
        &mut self,
        i: usize,
        at: (f64, ContactStates),
        held: &PairsHistory,
        tangents: bool,
    ) -> [SideMotion; 2] {
        let sides = self.side_motions(i);
        let since = at.0 - held.at;
        let p = &mut self.pairs[i];
        let (base, h) = match at.1 {
            ContactStates::Given(z) => (&z[p.z..p.z + p.nz], 0.0),
            ContactStates::Implicit { base, h } => (&base[p.z..p.z + p.nz], h),
        };
        let tangent = tangents.then_some(&mut *p.tangent);
        *p.force = p.pair.evaluate(&sides, &held.held[i], since, base, h, tangent, &mut p.scratch);
        for k in 0..p.nz {
            self.z_rate[p.z + k] = p.force.state_rate[k];
            self.z_used[p.z + k] = base[k] + h * p.force.state_rate[k];
        }
        sides
    }

    /// Pairs ⇒ wrenches on their bodies. Needs kinematics.
    pub(crate) fn update_pairs(&mut self, at: &Instant, weights: Option<Weights>) -> Powers {
        let mut powers = Powers::default();
        for i in 0..self.pairs.len() {
            let sides = self.evaluate_pair(i, (at.t, at.z), &at.held.pairs, weights.is_some());
            let p = &self.pairs[i];
            powers.elastic += p.force.elastic_energy;
            powers.dissipated += p.force.dissipated_power;
            let slope =
                |a: usize, b: usize| weights.map(|w| p.tangent.K[a][b] * w.q + p.tangent.D[a][b] * w.v);
            for (k, side) in p.sides.iter().enumerate() {
                let Some(body) = side.body else { continue };
                let own = slope(k, k);
                let own = own.as_ref().zip(weights).map(|(A, w)| (A, w.q));
                let place = (body, sides[k].X_WS.p);
                push::add_contact(&self.model, &mut self.cache, place, &p.force.wrenches[k], own);
            }
            for (a, b) in [(0, 1), (1, 0)] {
                if let Some(A) = slope(a, b) {
                    let ends = [a, b].map(|k| (p.sides[k].link, sides[k].X_WS.p));
                    push::add_coupling(&mut self.cache, ends, &A);
                }
            }
        }
        powers
    }

    /// Event functions of the pairs: gap and sign of the push for every slot; one where it holds no candidate.
    pub(crate) fn pair_events(&mut self, t: f64, z: &[f64], held: &PairsHistory, out: &mut [f64]) {
        let mut at = 0;
        for i in 0..self.pairs.len() {
            self.evaluate_pair(i, (t, ContactStates::Given(z)), held, false);
            let p = &self.pairs[i];
            let mine = &mut out[at..at + 2 * p.most];
            mine.fill(1.0);
            for c in p.candidates() {
                mine[2 * c.slot] = c.gap;
                // Far apart its sign means nothing, and the next touch begins with a push.
                mine[2 * c.slot + 1] = p.push_sign(c);
            }
            at += 2 * p.most;
        }
    }

    /// Evaluates the pairs alone at a state.
    pub(crate) fn evaluate_pairs(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        z: &[f64],
        held: &PairsHistory,
    ) {
        self.update_kinematics(q, v);
        for i in 0..self.pairs.len() {
            self.evaluate_pair(i, (t, ContactStates::Given(z)), held, false);
        }
    }

    /// Number of event functions of the pairs.
    pub(crate) fn pair_event_count(&self) -> usize {
        self.pairs.iter().map(|p| 2 * p.most).sum()
    }

    /// Finds the candidates at a start.
    pub(crate) fn start_pairs(&mut self, t: f64, q: &[f64], v: &[f64]) -> PairsHistory {
        if self.pairs.is_empty() {
            return PairsHistory { at: t, held: Vec::new() };
        }
        self.update_kinematics(q, v);
        let mut held = Vec::with_capacity(self.pairs.len());
        for i in 0..self.pairs.len() {
            let sides = self.side_motions(i);
            let p = &mut self.pairs[i];
            held.push(p.pair.start(&sides, &mut p.scratch));
        }
        PairsHistory { at: t, held }
    }

    /// Accepts a step that ended at this state: candidates are tracked to it, found and let go; returns whether a contact state of `z` was set
    /// back.
    pub(crate) fn commit_pairs(
        &mut self,
        t: f64,
        (q, v): (&[f64], &[f64]),
        z: &mut [f64],
        held: &mut PairsHistory,
    ) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        self.update_kinematics(q, v);
        let since = t - held.at;
        let mut changed = false;
        for i in 0..self.pairs.len() {
            let sides = self.side_motions(i);
            let p = &mut self.pairs[i];
            let z = &mut z[p.z..p.z + p.nz];
            let before: [f64; STATES * MOST] = std::array::from_fn(|k| z.get(k).copied().unwrap_or(0.0));
            p.pair.commit(&sides, since, &mut held.held[i], z, &mut p.scratch);
            changed |= z.iter().zip(&before).any(|(a, b)| a != b);
        }
        held.at = t;
        changed
    }

    /// Longest time in which no pair comes nearer by more than its threshold, from the motion in the cache: within it no contact can begin
    /// unseen. Infinite without pairs.
    pub(crate) fn pairs_horizon(&self) -> f64 {
        let mut horizon = f64::INFINITY;
        for i in 0..self.pairs.len() {
            let (sides, p) = (self.side_motions(i), &self.pairs[i]);
            let reach = |k: usize| sides[k].v_WS.norm() + sides[k].w_WS.norm() * p.sides[k].reach;
            // Twice gravity, for what else may push.
            let fall = match self.model.gravity {
                Gravity::Uniform(g) => 2.0 * g.norm(),
                Gravity::Central { .. } => 0.0,
            };
            // threshold = speed·h + fall·h²/2
            let speed = reach(0) + reach(1);
            let root = (speed * speed + 2.0 * fall * p.threshold).sqrt();
            if root > 0.0 {
                horizon = horizon.min(2.0 * p.threshold / (speed + root));
            }
        }
        horizon
    }

    /// An error if a body stands where there is no ground.
    pub(crate) fn check_pairs(&self) -> Result<(), StepFailure> {
        for p in &self.pairs {
            if let Some((why, at)) = p.force.missing {
                return Err(StepFailure::no_ground(why, &p.name, at));
            }
        }
        Ok(())
    }

    /// Where the resultant of a pair acts on its second side, with its force and torque there. Needs an evaluation.
    pub(crate) fn pair_resultant(&self, i: usize) -> (Vec3, Wrench) {
        let p = &self.pairs[i];
        let origin = self.side_motions(i)[1].X_WS.p;
        let (mut place, mut load) = (Vec3::zeros(), 0.0);
        for c in p.candidates() {
            place += c.p_W * c.normal_force;
            load += c.normal_force;
        }
        let place = if load > 0.0 { place / load } else { p.nearest().map_or(origin, |c| c.p_W) };
        (place, p.force.wrenches[1].shifted(&(place - origin)))
    }
}
