//! Soil in the loop: evaluates the contacts of all bodies with it, commits accepted steps, and saves it.

use crate::crew::Crew;
use crate::description::{Ground, WorldDescription};
use crate::flexible::FlexPart;
use crate::history::History;
use crate::method::StepFailure;
use crate::phases::{SoilPhase, SoilWatch};
use crate::system::{Contacts, Instant, System};
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use touchdown_contact::soil::{
    BekkerWidth, ContactState, FrictionLaw, NodePressure, NodePush, Region, Soil, SoilContact, SoilForce,
    SoilOptions, SoilState, SurfaceMotion, TangentWeights,
};
use touchdown_geometry::{Missing, Relief};
use touchdown_math::{Mat3, Mat6, Pose, Vec3};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::tangent::Weights;
use touchdown_multibody::rigid::{WORLD, push};

/// Contacts of bodies with soil.
#[derive(Clone, Debug)]
pub(crate) struct SoilParts {
    /// The soil as it lies before anything touches it.
    pub fresh: Arc<Soil>,
    #[expect(clippy::vec_box, reason = "they go to the crew and back at every evaluation, by pointer")]
    pub bodies: Vec<Box<BodyOnSoil>>,
    crew: Crew<Evaluation>,
    /// Threads that may evaluate side by side.
    pub threads: usize,
    /// Jobs for the crew; empty between evaluations.
    jobs: Vec<Evaluation>,
    /// Tells where the time goes while it is being measured.
    pub watch: Option<SoilWatch>,
}

/// One body's contact, with what its last evaluation gave.
#[derive(Clone, Debug)]
pub(crate) struct BodyOnSoil {
    contact: SoilContact,
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

/// What soil and bodies remember of accepted steps.
#[derive(Clone, Debug)]
pub(crate) struct SoilHistory {
    /// Shared with the crew while it evaluates and with states that were cloned; what is written is copied first.
    pub soil: Arc<Soil>,
    /// What each body keeps of the nodes it touched.
    contacts: Vec<ContactState>,
    /// A soil that was read from bytes and does not lie on its ground yet.
    unsettled: Option<SoilState>,
}

impl PartialEq for SoilHistory {
    fn eq(&self, other: &SoilHistory) -> bool {
        self.soil == other.soil && self.contacts == other.contacts
    }
}

impl Serialize for SoilHistory {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.soil.save(), &self.contacts).serialize(to)
    }
}

/// What stands in for a soil until it lies on its ground.
fn nowhere() -> Soil {
    let options = SoilOptions {
        width: BekkerWidth::Footprint,
        friction: FrictionLaw::Janosi,
        deposition: false,
        erosion: false,
        spread_exponent: 1.0,
        move_every: 1,
        sweeps: 1,
    };
    Soil::new(Relief::Plane { height: 0.0, gradient: [0.0; 2] }, 1.0, Vec::new(), Vec::new(), options)
}

impl<'de> Deserialize<'de> for SoilHistory {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (unsettled, contacts) = <(SoilState, Vec<ContactState>)>::deserialize(from)?;
        let soil = Arc::new(nowhere());
        Ok(SoilHistory { soil, contacts, unsettled: Some(unsettled) })
    }
}

impl SoilHistory {
    /// As it lies before anything touches it.
    pub fn new(parts: &SoilParts) -> SoilHistory {
        let contacts = vec![ContactState::default(); parts.bodies.len()];
        SoilHistory { soil: Arc::clone(&parts.fresh), contacts, unsettled: None }
    }

    /// Lays a soil that was read from bytes on the ground it belongs to; `false` if it does not fit.
    #[must_use]
    pub fn settle(&mut self, parts: &SoilParts) -> bool {
        if let Some(state) = self.unsettled.take() {
            let mut soil = (*parts.fresh).clone();
            if !soil.restore(state) {
                return false;
            }
            self.soil = Arc::new(soil);
        }
        self.contacts.len() == parts.bodies.len() && self.contacts.iter().all(|c| c.fits(&self.soil))
    }
}

impl SoilParts {
    /// The contacts of a description on soil, if it has any.
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
    pub fn evaluate_at_rest(&mut self, held: &SoilHistory, body: usize, p: Vec3) -> SoilForce {
        let contact = &held.contacts[body];
        let body = &mut self.bodies[body];
        body.contact.look_as(contact);
        body.motion = SurfaceMotion {
            X_WS: Pose { R: body.motion.X_WS.R, p },
            v_WC: Vec3::zeros(),
            w_WB: Vec3::zeros(),
        };
        body.force = body.contact.evaluate(&held.soil, &body.motion, 0.0, None);
        body.force
    }

    /// Commits what was last evaluated.
    pub fn commit(&mut self, t: f64, held: &mut SoilHistory) {
        let soil = Arc::make_mut(&mut held.soil);
        self.exchange(&mut held.contacts);
        let contacts = self.bodies.iter_mut().map(|b| &mut b.contact);
        match &mut self.watch {
            None => soil.advance(t, contacts),
            Some(watch) => {
                watch.start();
                soil.advance_in_stages(t, contacts, |stage| watch.stop(stage.into()));
            }
        }
        self.exchange(&mut held.contacts);
    }

    fn exchange(&mut self, held: &mut [ContactState]) {
        self.bodies.iter_mut().zip(held).for_each(|(body, held)| body.contact.exchange(held));
    }

    /// motions ⇒ forces and, with weights, tangents.
    fn evaluate(&mut self, held: &SoilHistory, t: f64, weights: Option<Weights>) {
        let soil = &held.soil;
        let since = soil.since(t);
        for (body, contact) in self.bodies.iter_mut().zip(&held.contacts) {
            body.contact.look_as(contact);
        }
        let weights = weights.map(|w| TangentWeights { q: w.q, v: w.v });
        self.bodies.iter_mut().for_each(|body| body.weights = weights);
        if self.watch.is_some() {
            return self.evaluate_watched(soil, since);
        }
        // Bodies that touched a moment ago still do; the others are done before anybody could help.
        let touching = self.bodies.iter().filter(|b| b.force.nodes > 0).count();
        let threads = if touching > 1 { self.threads.min(touching) } else { 1 };
        if threads < 2 {
            self.bodies.iter_mut().for_each(|body| body.evaluate(soil, since));
            return;
        }
        let job = |body| Evaluation { body, soil: Some(Arc::clone(soil)), since };
        self.jobs.extend(self.bodies.drain(..).map(job));
        self.crew.run(&mut self.jobs, threads);
        self.bodies.extend(self.jobs.drain(..).map(|job| job.body));
    }

    /// The same by halves, each timed.
    fn evaluate_watched(&mut self, soil: &Soil, since: f64) {
        let Some(watch) = &mut self.watch else { return };
        watch.start();
        for body in &mut self.bodies {
            body.force = body.contact.find(soil, &body.motion, since);
        }
        watch.stop(SoilPhase::Detection);
        for body in &mut self.bodies {
            let tangent = body.weights.map(|w| (w, &mut body.tangent));
            body.contact.sum(soil, tangent, &mut body.force);
        }
        watch.stop(SoilPhase::Force);
    }

    /// motions very near those of the last evaluation, which had tangents ⇒ forces to first order.
    fn follow(&mut self, soil: &Soil, t: f64) {
        let since = soil.since(t);
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
        self.state.held.soil.as_ref().map(|held| &*held.soil)
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
        let (Some(held), Some(mut parts)) = (&at.held.soil, self.soil.take()) else { return powers };
        for i in 0..parts.bodies.len() {
            parts.bodies[i].motion = self.surface_motion(i);
            self.deform(i, &mut parts.bodies[i]);
        }
        let weights = match how {
            Contacts::Evaluated(weights) => {
                parts.evaluate(held, at.t, weights);
                weights
            }
            Contacts::Followed => {
                parts.follow(&held.soil, at.t);
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

    /// Commits an accepted step, which must be the last that was evaluated.
    pub(crate) fn commit_soil(&mut self, t: f64, held: &mut Option<SoilHistory>) {
        if let (Some(parts), Some(held)) = (&mut self.soil, held) {
            parts.commit(t, held);
        }
    }

    /// An error if a body stands where there is no ground.
    pub(crate) fn check_ground(&self, held: &History) -> Result<(), StepFailure> {
        let (Some(parts), Some(held)) = (&self.soil, &held.soil) else { return Ok(()) };
        let lost = parts.bodies.iter().position(|b| b.force.missing.is_some());
        if let Some(i) = lost
            && let Some([x, y]) = parts.bodies[i].force.missing
        {
            let why = held.soil.relief().why_missing(x, y).unwrap_or(Missing::OffMap);
            return Err(StepFailure::no_ground(why, &self.soil_bodies[i].name, [x, y]));
        }
        Ok(())
    }
}
