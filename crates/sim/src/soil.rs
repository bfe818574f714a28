//! Soil in the loop: evaluates the contacts of all bodies with it, commits accepted steps, and saves it.

use crate::crew::Crew;
use crate::description::{Ground, WorldDescription};
use crate::flexible::FlexPart;
use crate::method::StepFailure;
use crate::phases::{SoilPhase, SoilWatch};
use crate::system::{Contacts, Instant, System};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_contact::soil::{
    ContactState, DrawnMarks, NodePressure, NodePush, Region, Soil, SoilContact, SoilForce, SoilState,
    SurfaceMotion, TangentWeights,
};
use touchdown_geometry::Missing;
use touchdown_math::{Mat3, Mat6, Pose, Vec3};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{WORLD, push};

/// The soil and the bodies on it.
#[derive(Clone, Debug)]
pub(crate) struct SoilParts {
    /// Shared with the crew while it evaluates, and with nobody when it changes.
    pub soil: Arc<Soil>,
    #[expect(clippy::vec_box, reason = "they go to the crew and back at every evaluation, by pointer")]
    pub bodies: Vec<Box<BodyOnSoil>>,
    crew: Crew<Evaluation>,
    /// Jobs for the crew; empty between evaluations.
    jobs: Vec<Evaluation>,
    /// Tells where the time goes while it is being measured.
    pub watch: Option<SoilWatch>,
}

/// One body's contact, with what its last evaluation gave.
#[derive(Clone, Debug)]
pub(crate) struct BodyOnSoil {
    contact: SoilContact,
    /// A second contact of the same surface, for evaluations that are not to be committed.
    shown: SoilContact,
    motion: SurfaceMotion,
    force: SoilForce,
    tangent: Mat6,
    /// Weights of the tangent; `None` if the last evaluation had none.
    weights: Option<TangentWeights>,
}

/// A body's evaluation as a job for a thread: all that it reads and writes.
#[derive(Clone, Debug)]
struct Evaluation {
    body: Box<BodyOnSoil>,
    /// `None` once it is done, so that the soil is free to change.
    soil: Option<Arc<Soil>>,
    since: f64,
}

impl Evaluation {
    fn run(&mut self) {
        if let Some(soil) = self.soil.take() {
            self.body.evaluate(&soil, self.since);
        }
    }
}

impl BodyOnSoil {
    /// motion ⇒ force and, with weights, tangent.
    fn evaluate(&mut self, soil: &Soil, since: f64) {
        let tangent = self.weights.map(|w| (w, &mut self.tangent));
        self.force = self.contact.evaluate(soil, &self.motion, since, tangent);
    }

    /// What the nodes that carry it did at the last evaluation, if it deforms.
    pub fn pushes(&self) -> &[NodePush] {
        self.contact.pushes()
    }

    /// The nodes that carry it at the last evaluation.
    pub fn pressures(&self) -> impl Iterator<Item = NodePressure> + '_ {
        self.contact.pressures()
    }
}

/// What a restart needs of the soil.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedSoil {
    soil: SoilState,
    contacts: Vec<ContactState>,
    drawn: DrawnMarks,
}

impl SoilParts {
    /// The soil of a description, if it has any.
    pub fn new(description: &WorldDescription, flexible: &[FlexPart]) -> Option<SoilParts> {
        let Some(Ground::Soil(ground)) = &description.ground else { return None };
        let region = |r: &crate::description::SoilRegion| Region { from: r.from, to: r.to, soil: r.soil };
        let regions = ground.regions.iter().map(region).collect();
        let (relief, soils) = (ground.relief.clone(), ground.soils.clone());
        let mut soil = Soil::new(relief, ground.spacing, soils, regions, ground.options);
        for heap in &ground.heaps {
            soil.add_heap(heap.centre, heap.radius, heap.height);
        }
        let at_rest = SurfaceMotion { X_WS: Pose::identity(), v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
        let contact = |d: &crate::description::SoilBody| {
            let skin = d.skin.as_ref().and_then(|s| flexible[s.flexible].skin.as_ref());
            match skin {
                None => SoilContact::new(&d.surface),
                Some((_, skin)) => SoilContact::deforming(skin.form.clone(), d.surface.carried_layer),
            }
        };
        let body = |d: &crate::description::SoilBody| {
            Box::new(BodyOnSoil {
                contact: contact(d),
                shown: contact(d),
                motion: at_rest,
                force: SoilForce::default(),
                tangent: Mat6::zeros(),
                weights: None,
            })
        };
        let bodies: Vec<_> = description.soil_bodies.iter().map(body).collect();
        Some(SoilParts {
            soil: Arc::new(soil),
            crew: Crew::new(bodies.len(), Evaluation::run),
            jobs: Vec::with_capacity(bodies.len()),
            watch: None,
            bodies,
        })
    }

    /// All that a restart needs.
    pub fn save(&self) -> SavedSoil {
        SavedSoil {
            soil: self.soil.save(),
            contacts: self.bodies.iter().map(|b| b.contact.state()).collect(),
            drawn: self.soil.marks(),
        }
    }

    /// Goes back; `false` if it does not fit.
    #[must_use]
    pub fn restore(&mut self, saved: SavedSoil) -> bool {
        let soil = Arc::make_mut(&mut self.soil);
        let mut bodies = self.bodies.iter_mut().zip(&saved.contacts);
        saved.contacts.len() == bodies.len()
            && soil.restore(saved.soil)
            && soil.restore_marks(&saved.drawn)
            && bodies.all(|(body, state)| body.contact.restore(state, soil))
    }

    /// Force on one body at rest with the origin of its surface at `p`.
    pub fn evaluate_at_rest(&mut self, body: usize, p: Vec3) -> SoilForce {
        let (soil, body) = (&self.soil, &mut self.bodies[body]);
        body.motion = SurfaceMotion {
            X_WS: Pose { R: body.motion.X_WS.R, p },
            v_WC: Vec3::zeros(),
            w_WB: Vec3::zeros(),
        };
        body.force = body.contact.evaluate(soil, &body.motion, 0.0, None);
        body.force
    }

    /// Commits what was last evaluated.
    pub fn commit(&mut self, t: f64) {
        // Nobody shares it now, so nothing is copied.
        let soil = Arc::make_mut(&mut self.soil);
        let contacts = self.bodies.iter_mut().map(|b| &mut b.contact);
        match &mut self.watch {
            None => soil.advance(t, contacts),
            Some(watch) => {
                watch.start();
                soil.advance_in_stages(t, contacts, |stage| watch.stop(stage.into()));
            }
        }
    }

    /// motions ⇒ forces and, with weights, tangents.
    fn evaluate(&mut self, t: f64, weights: Option<Weights>) {
        let since = self.soil.since(t);
        let weights = weights.map(|w| TangentWeights { q: w.q, v: w.v });
        self.bodies.iter_mut().for_each(|body| body.weights = weights);
        if self.watch.is_some() {
            return self.evaluate_watched(since);
        }
        // Bodies that touched a moment ago still do; the others are done before anybody could help.
        let touching = self.bodies.iter().filter(|b| b.force.nodes > 0).count();
        let threads = if touching > 1 { rayon::current_num_threads().min(touching) } else { 1 };
        if threads < 2 {
            self.bodies.iter_mut().for_each(|body| body.evaluate(&self.soil, since));
            return;
        }
        let soil = &self.soil;
        let job = |body| Evaluation { body, soil: Some(Arc::clone(soil)), since };
        self.jobs.extend(self.bodies.drain(..).map(job));
        self.crew.run(&mut self.jobs, threads);
        self.bodies.extend(self.jobs.drain(..).map(|job| job.body));
    }

    /// The same by halves, each timed.
    fn evaluate_watched(&mut self, since: f64) {
        let Some(watch) = &mut self.watch else { return };
        watch.start();
        for body in &mut self.bodies {
            body.force = body.contact.find(&self.soil, &body.motion, since);
        }
        watch.stop(SoilPhase::Detection);
        for body in &mut self.bodies {
            let tangent = body.weights.map(|w| (w, &mut body.tangent));
            body.contact.sum(&self.soil, tangent, &mut body.force);
        }
        watch.stop(SoilPhase::Force);
    }

    /// motions very near those of the last evaluation, which had tangents ⇒ forces to first order.
    fn follow(&mut self, t: f64) {
        let since = self.soil.since(t);
        for body in &mut self.bodies {
            if let Some(w) = body.weights {
                body.contact.follow(&body.motion, since, (w, &body.tangent), &mut body.force);
            }
        }
    }
}

impl World {
    /// The soil, for looking at.
    pub fn soil(&self) -> Option<&Soil> {
        self.system.soil.as_ref().map(|parts| &*parts.soil)
    }

    /// What the soil did to each body at the last evaluation.
    pub fn soil_forces(&self) -> &[SoilForce] {
        &self.system.soil_forces
    }
}

impl System {
    /// Soil ⇒ wrenches on its bodies. Needs kinematics.
    pub(crate) fn update_soil(&mut self, at: &Instant, how: Contacts) -> Powers {
        let mut powers = Powers::default();
        let Some(mut parts) = self.soil.take() else { return powers };
        for i in 0..parts.bodies.len() {
            parts.bodies[i].motion = self.surface_motion(i);
            self.deform(i, &mut parts.bodies[i]);
        }
        let weights = match how {
            Contacts::Evaluated(weights) => {
                parts.evaluate(at.t, weights);
                weights
            }
            Contacts::Followed => {
                parts.follow(at.t);
                None
            }
        };
        for (i, body) in parts.bodies.iter().enumerate() {
            // What pushes a flexible body acts on its nodes: `update_flexible`.
            if self.soil_bodies[i].flexible.is_none() {
                let place = (self.soil_bodies[i].body, body.motion.X_WS.p);
                let slope = weights.map(|w| (&body.tangent, w.q));
                push::add_contact(&self.model, &mut self.cache, place, &body.force.wrench_C, slope);
            }
            powers.dissipated += body.force.dissipated_power;
            self.soil_forces[i] = body.force;
        }
        self.soil = Some(parts);
        powers
    }

    /// Shows the soil the present form of a flexible body, in world axes.
    fn deform(&mut self, i: usize, body: &mut BodyOnSoil) {
        let part = self.soil_bodies[i].flexible.map(|k| &mut self.flexible[k]);
        if let Some(FlexPart { skin: Some((_, skin)), mesh, e, e_rate, .. }) = part {
            body.motion.X_WS.R = Mat3::identity();
            body.contact.deform(skin.place(mesh, e, e_rate, &body.motion.X_WS.p));
        }
    }

    fn surface_motion(&self, i: usize) -> SurfaceMotion {
        let on = &self.soil_bodies[i];
        let motion = self.soil_motion(i);
        let R = if on.link == WORLD { on.R_LS } else { self.cache.R_WL[on.link] * on.R_LS };
        SurfaceMotion { X_WS: Pose { R, p: motion.p_WC }, v_WC: motion.v_WC, w_WB: motion.w_WB }
    }

    /// Rows and frames are evaluated between two of these calls: the contacts keep what the accepted step left in them for its commit.
    pub(crate) fn swap_soil_contacts(&mut self) {
        for body in self.soil.iter_mut().flat_map(|parts| &mut parts.bodies) {
            std::mem::swap(&mut body.contact, &mut body.shown);
            body.contact.look_as(&body.shown);
        }
    }

    /// Commits an accepted step, which must be the last that was evaluated.
    pub(crate) fn commit_soil(&mut self, t: f64) {
        if let Some(parts) = &mut self.soil {
            parts.commit(t);
        }
    }

    /// An error if a body stands where there is no ground.
    pub(crate) fn check_ground(&self) -> Result<(), StepFailure> {
        let Some(parts) = &self.soil else { return Ok(()) };
        let lost = parts.bodies.iter().position(|b| b.force.missing.is_some());
        if let Some(i) = lost
            && let Some([x, y]) = parts.bodies[i].force.missing
        {
            let why = parts.soil.relief().why_missing(x, y).unwrap_or(Missing::OffMap);
            return Err(StepFailure::no_ground(why, &self.soil_bodies[i].name, [x, y]));
        }
        Ok(())
    }
}
