//! Bodies that move through soil in the loop: surface elements on their links, below the undisturbed surface of the ground.

mod checks;
mod columns;

use super::sides::Side;
use super::{Accepted, Checked, Drawing, How, Interaction, Making, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{Ground, IntruderBody, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::Flows;
use crate::engine::system::{ContactStates, Instant, System};
use crate::sink::{Check, ContactArrow};
use checks::IntruderBook;
use columns::IntruderValue;
use std::sync::Arc;
use touchdown_contact::intrusion::{Intruder, IntrusionForce, IntrusionTangent, STATES};
use touchdown_geometry::Shape;
use touchdown_math::{SurfaceMotion, Vec3};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::push;

/// Bodies that move through soil.
pub(crate) struct Intruders;

/// All of them, with the surface of the soil.
#[derive(Clone, Debug)]
pub(crate) struct IntruderParts {
    pub list: Vec<IntruderOnLink>,
    ground: Option<Arc<Ground>>,
}

/// A body of surface elements on its link.
#[derive(Clone, Debug)]
pub(crate) struct IntruderOnLink {
    pub name: String,
    body: usize,
    law: Arc<Intruder>,
    side: Side,
    /// Distance of its farthest element from its origin, m.
    reach: f64,
    /// First of its contact states.
    first: usize,
    /// Result of the last evaluation, and its motion.
    pub force: IntrusionForce,
    pub motion: SurfaceMotion,
}

impl Interaction for Intruders {
    const NAME: &'static str = "bodies that move through soil";
    type Parts = IntruderParts;
    type Memory = ();
    type Book = IntruderBook;
    type Drawn = ();
    type Value = IntruderValue;

    fn build(making: &mut Making) -> Result<IntruderParts, Vec<WorldError>> {
        let (description, mut errors) = (making.description, Vec::new());
        let mut list = Vec::new();
        for described in &description.intruders {
            let error = |problem: String| WorldError::Part {
                kind: "intruder",
                name: described.name.clone(),
                problem,
            };
            errors.extend(described.soil.check().into_iter().map(|problem| error(problem.to_string())));
            let law = Intruder::new(&described.mesh, described.soil);
            if law.elements.is_empty() {
                errors.push(error("has no surface".into()));
            }
            if description.ground.is_none() {
                errors.push(error("has no ground to go into".into()));
            }
            let side = Side::new(making.model, Some(described.body), &described.X_BS, law.reach());
            let (first, reach) = (making.states, law.reach());
            making.states += law.states();
            let motion = SurfaceMotion::at_rest(described.X_BS);
            let none = vec![0.0; law.states()];
            let (mut states, mut rates) = (none.clone(), none.clone());
            let force = law.evaluate(
                &motion,
                &|_, _| Some((-1e9, Vec3::z())),
                (&none, 0.0),
                (&mut states, &mut rates),
                None,
            );
            let (name, body) = (described.name.clone(), described.body);
            list.push(IntruderOnLink { name, body, law: Arc::new(law), side, reach, first, force, motion });
        }
        let ground = description.ground.as_ref().filter(|_| !list.is_empty()).cloned().map(Arc::new);
        if errors.is_empty() { Ok(IntruderParts { list, ground }) } else { Err(errors) }
    }

    fn count(system: &System) -> usize {
        system.acts.intruders.list.len()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let (mut powers, weights) = (Powers::default(), how.weights());
        let Some(ground) = system.acts.intruders.ground.clone() else { return powers };
        let surface = |x: f64, y: f64| ground.height(x, y);
        for i in 0..system.acts.intruders.list.len() {
            let motion = system.side_motion(&system.acts.intruders.list[i].side);
            let on = &mut system.acts.intruders.list[i];
            let slot = on.first..on.first + on.law.states();
            let (base, h) = match at.z {
                ContactStates::Given(z) => (&z[slot.clone()], 0.0),
                ContactStates::Implicit { base, h } => (&base[slot.clone()], h),
            };
            let out = (&mut system.z_used[slot.clone()], &mut system.z_rate[slot]);
            if let Some(depth) =
                on.clear_of(&ground, &motion.X_WS.p).filter(|_| base.iter().all(|e| *e == 0.0))
            {
                out.0.fill(0.0);
                out.1.fill(0.0);
                (on.force, on.motion) = (IntrusionForce::apart(motion.X_WS.p, depth), motion);
                continue;
            }
            let mut tangent = weights.map(|_| IntrusionTangent::zero());
            on.force = on.law.evaluate(&motion, &surface, (base, h), out, tangent.as_mut());
            on.motion = motion;
            let slope = weights.zip(tangent).map(|(w, t)| (t.K * w.q + t.D * w.v, w.q));
            let slope = slope.as_ref().map(|(A, wq)| (A, *wq));
            let place = (on.body, motion.X_WS.p);
            push::add_contact(&system.model, &mut system.cache, place, &on.force.wrench_S, slope);
            let (elastic, dissipated) = (on.force.elastic_energy, on.force.dissipated_power);
            let own = Powers { elastic, dissipated, ..Powers::default() };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_link(on.side.link), own);
        }
        powers
    }

    fn leans_on_ground(system: &System) -> bool {
        !system.acts.intruders.list.is_empty()
    }

    /// An error if a body was at a place without ground at the last evaluation.
    fn check(system: &mut System, _memory: &()) -> Result<(), StepFailure> {
        let lost = system.acts.intruders.list.iter().find_map(|on| Some((on, on.force.off_ground?)));
        let Some((on, [x, y])) = lost else { return Ok(()) };
        Err(StepFailure::OffMap { body: on.name.clone(), x, y })
    }

    /// What steps of backward Euler took from a body beyond the mean of the powers at their ends: a blow is short.
    fn lost(system: &System, books: &mut [IntruderBook], flows: &mut Flows) -> f64 {
        let Some(h) = system.euler_step else { return 0.0 };
        let mut lost = 0.0;
        for (book, on) in books.iter().zip(&system.acts.intruders.list) {
            let own = book.heat_of_step(&on.force, &on.motion, h);
            flows.lose(system.cache.parts.of_link(on.side.link), own);
            lost += own;
        }
        lost
    }

    fn book(system: &System, (_, t): (f64, f64), _memory: &mut (), books: &mut [IntruderBook]) {
        books
            .iter_mut()
            .zip(&system.acts.intruders.list)
            .for_each(|(book, on)| book.book(&on.force, &on.motion, t));
    }

    /// Anchors of elements above ground are let go.
    fn commit(system: &mut System, step: &mut Accepted, _memory: &mut (), books: &mut [IntruderBook]) {
        let Some(ground) = system.acts.intruders.ground.clone() else { return };
        system.update_kinematics(step.q, step.v);
        for (i, book) in books.iter_mut().enumerate() {
            let (on, mut lost) = (&system.acts.intruders.list[i], 0.0);
            let motion = system.side_motion(&on.side);
            let states = step.z[on.first..].chunks_exact_mut(STATES);
            for (element, e) in on.law.elements.iter().zip(states) {
                let p = motion.X_WS.point(&element.p_S);
                let held = e.iter().any(|e| *e != 0.0);
                if held && ground.height(p.x, p.y).is_none_or(|(height, _)| p.z >= height) {
                    let square: f64 = e.iter().map(|e| e * e).sum();
                    lost += 0.5 * on.law.soil.elastic_stiffness * element.area * square;
                    e.fill(0.0);
                    step.set_back = true;
                }
            }
            book.let_go(lost);
            step.works.dissipated += lost;
            step.flows.lose(system.cache.parts.of_link(on.side.link), lost);
        }
    }

    fn columns(system: &System, description: &WorldDescription, out: &mut Columns<IntruderValue>) {
        columns::add(&system.acts.intruders.list, description, out);
    }

    fn value(system: &System, _s: &Snapshot, value: IntruderValue) -> f64 {
        columns::value(&system.acts.intruders.list, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        let name =
            |on: &IntruderBody| ContactName { name: on.name.clone(), body: Some(on.body), soil: false };
        out.extend(description.intruders.iter().map(name));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for on in &system.acts.intruders.list {
            let (p_WC, wrench) = (on.force.p_WQ, on.force.wrench_S);
            let t_W = wrench.t - (p_WC - on.motion.X_WS.p).cross(&wrench.f);
            each(ContactArrow { p_WC, f_W: wrench.f, t_W });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        out.extend(description.intruders.iter().map(|on| {
            let shape = Shape::Mesh(on.mesh.clone());
            Drawing::fixed(contact_visual(on.name.clone(), Some(on.body), on.X_BS, shape))
        }));
    }

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }
}

impl IntruderOnLink {
    /// Whether it was in the ground or within a tenth of its size above it at the last evaluation.
    pub fn is_near(&self) -> bool {
        self.force.depth > -0.1 * self.reach
    }

    /// How deep it is at most, where it is certain from its origin alone that it is above plane ground.
    fn clear_of(&self, ground: &Ground, p_WS: &Vec3) -> Option<f64> {
        let Ground::Plane { point, normal } = ground else { return None };
        let depth = self.reach - normal.dot(&(p_WS - point));
        (depth < 0.0).then_some(depth)
    }
}

impl IntruderParts {
    /// Height above, and normal of, the undisturbed surface at a place.
    pub fn surface(&self, x: f64, y: f64) -> Option<(f64, Vec3)> {
        self.ground.as_ref()?.height(x, y)
    }
}
