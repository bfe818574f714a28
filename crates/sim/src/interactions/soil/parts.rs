//! The contacts of all bodies with soil: evaluated in parallel, committed together.

use super::crew::Crew;
use super::memory::LaidSoil;
use super::phases::{SoilPhase, SoilWatch};
use crate::description::{Ground, WorldDescription};
use crate::interactions::flexible;
use std::sync::Arc;
use touchdown_contact::soil::{
    ContactState, NodePressure, NodePush, Soil, SoilContact, SoilForce, SurfaceMotion, TangentWeights,
};
use touchdown_math::{Mat6, Pose, Vec3};
use touchdown_multibody::rigid::tangent::Weights;

/// Contacts of bodies with soil.
#[derive(Clone, Debug)]
pub(crate) struct SoilParts {
    /// The undisturbed soil.
    pub fresh: Arc<Soil>,
    #[expect(clippy::vec_box, reason = "they go to the crew and back at every evaluation, by pointer")]
    pub bodies: Vec<Box<BodyOnSoil>>,
    crew: Crew<Evaluation>,
    /// Threads that may evaluate in parallel.
    pub threads: usize,
    /// Jobs for the crew; empty between evaluations.
    jobs: Vec<Evaluation>,
    /// Timer of the phases, while they are measured.
    pub watch: Option<SoilWatch>,
}

/// One body's contact, with the result of its last evaluation.
#[derive(Clone, Debug)]
pub(crate) struct BodyOnSoil {
    pub contact: SoilContact,
    pub motion: SurfaceMotion,
    pub force: SoilForce,
    pub tangent: Mat6,
    /// Weights of the tangent; `None` if the last evaluation had none.
    weights: Option<TangentWeights>,
}

/// A body's evaluation as a job for a thread, with all data that it reads and writes.
#[derive(Clone, Debug)]
struct Evaluation {
    body: Box<BodyOnSoil>,
    /// Its place among the bodies.
    index: usize,
    /// `None` once it is done, so that the soil is free to change.
    laid: Option<Arc<LaidSoil>>,
    since: f64,
}

impl Evaluation {
    fn run(&mut self) {
        if let Some(laid) = self.laid.take() {
            self.body.evaluate((&laid.soil, &laid.contacts[self.index]), self.since);
        }
    }
}

impl BodyOnSoil {
    /// motion ⇒ force and, with weights, tangent.
    fn evaluate(&mut self, on: (&Soil, &ContactState), since: f64) {
        let tangent = self.weights.map(|w| (w, &mut self.tangent));
        self.force = self.contact.evaluate(on, &self.motion, since, tangent);
    }

    /// Forces of its loaded nodes at the last evaluation, if it deforms.
    pub fn pushes(&self) -> &[NodePush] {
        self.contact.pushes()
    }

    /// Its loaded nodes at the last evaluation.
    pub fn pressures(&self) -> impl Iterator<Item = NodePressure> + '_ {
        self.contact.pressures()
    }
}

impl SoilParts {
    /// The contacts of a description on soil, if it has any.
    pub fn new(description: &WorldDescription) -> Option<SoilParts> {
        let Some(Ground::Soil(ground)) = &description.ground else { return None };
        let soil = ground.lay();
        let at_rest = SurfaceMotion::at_rest(Pose::identity());
        let contact = |d: &crate::description::SoilBody| match &d.skin {
            None => SoilContact::new(&d.surface),
            Some(skin) => {
                let form = flexible::skin_of(description, skin).form;
                SoilContact::deforming(form, d.surface.carried_layer)
            }
        };
        let body = |d: &crate::description::SoilBody| {
            Box::new(BodyOnSoil {
                contact: contact(d),
                motion: at_rest,
                force: SoilForce::default(),
                tangent: Mat6::zeros(),
                weights: None,
            })
        };
        let bodies: Vec<_> = description.soil_bodies.iter().map(body).collect();
        Some(SoilParts {
            fresh: Arc::new(soil),
            crew: Crew::new(bodies.len(), Evaluation::run),
            threads: 1,
            jobs: Vec::with_capacity(bodies.len()),
            watch: None,
            bodies,
        })
    }

    /// Force on one body at rest with the origin of its surface at `p`.
    pub fn evaluate_at_rest(&mut self, laid: &LaidSoil, body: usize, p: Vec3) -> SoilForce {
        let on = (&laid.soil, &laid.contacts[body]);
        let body = &mut self.bodies[body];
        body.motion = SurfaceMotion::at_rest(Pose { R: body.motion.X_WS.R, p });
        body.force = body.contact.evaluate(on, &body.motion, 0.0, None);
        body.force
    }

    /// Force on one body with this motion, for observation.
    pub fn look(&mut self, laid: &LaidSoil, t: f64, (body, motion): (usize, SurfaceMotion)) -> SoilForce {
        let on = (&laid.soil, &laid.contacts[body]);
        let body = &mut self.bodies[body];
        (body.motion, body.weights) = (motion, None);
        body.evaluate(on, laid.soil.since(t));
        body.force
    }

    /// Sinkage of one body with this motion, without its force.
    pub fn sinkage(&self, laid: &LaidSoil, (body, motion): (usize, SurfaceMotion)) -> f64 {
        self.bodies[body].contact.sinkage(&laid.soil, &motion.X_WS)
    }

    /// Commits the last evaluation.
    pub fn commit(&mut self, t: f64, LaidSoil { soil, contacts }: &mut LaidSoil) {
        let contacts = self.bodies.iter_mut().map(|b| &mut b.contact).zip(contacts);
        match &mut self.watch {
            None => soil.advance(t, contacts),
            Some(watch) => {
                watch.start();
                soil.advance_in_stages(t, contacts, |stage| watch.stop(stage.into()));
            }
        }
    }

    /// motions ⇒ forces and, with weights, tangents.
    pub fn evaluate(&mut self, laid: &Arc<LaidSoil>, t: f64, weights: Option<Weights>) {
        let since = laid.soil.since(t);
        let weights = weights.map(|w| TangentWeights { q: w.q, v: w.v });
        self.bodies.iter_mut().for_each(|body| body.weights = weights);
        if self.watch.is_some() {
            return self.evaluate_watched(laid, since);
        }
        // Bodies that touched at the last evaluation probably still do; the others are finished before a
        // helper could start.
        let touching = self.bodies.iter().filter(|b| b.force.nodes > 0).count();
        let threads = if touching > 1 { self.threads.min(touching) } else { 1 };
        if threads < 2 {
            for (body, contact) in self.bodies.iter_mut().zip(&laid.contacts) {
                body.evaluate((&laid.soil, contact), since);
            }
            return;
        }
        let job = |(index, body)| Evaluation { body, index, laid: Some(Arc::clone(laid)), since };
        self.jobs.extend(self.bodies.drain(..).enumerate().map(job));
        self.crew.run(&mut self.jobs, threads);
        self.bodies.extend(self.jobs.drain(..).map(|job| job.body));
    }

    /// The same by halves, each timed.
    fn evaluate_watched(&mut self, laid: &LaidSoil, since: f64) {
        let Some(watch) = &mut self.watch else { return };
        watch.start();
        for (body, contact) in self.bodies.iter_mut().zip(&laid.contacts) {
            body.force = body.contact.find((&laid.soil, contact), &body.motion, since);
        }
        watch.stop(SoilPhase::Detection);
        for body in &mut self.bodies {
            let tangent = body.weights.map(|w| (w, &mut body.tangent));
            body.contact.sum(&laid.soil, tangent, &mut body.force);
        }
        watch.stop(SoilPhase::Force);
    }

    /// motions very near those of the last evaluation, which had tangents ⇒ forces to first order.
    pub fn follow(&mut self, soil: &Soil, t: f64) {
        let since = soil.since(t);
        for body in &mut self.bodies {
            if let Some(w) = body.weights {
                body.contact.follow(&body.motion, since, (w, &body.tangent), &mut body.force);
            }
        }
    }
}
