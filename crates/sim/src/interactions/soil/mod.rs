//! Soil in the loop: evaluates the contacts of all bodies with it, commits accepted steps, and saves it.

mod checks;
mod columns;
mod crew;
mod draw;
mod memory;
mod on_link;
mod parts;
mod phases;
mod press;
mod surface;

pub use checks::soil_volume;
pub(crate) use memory::{LaidSoil, SoilHistory};
pub(crate) use on_link::SoilOnLink;
pub(crate) use parts::SoilParts;
pub use press::SoilPress;

use super::{Accepted, Checked, Drawing, How, Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{Ground, SoilBody, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::{Simulation, WorldError};
use crate::engine::state::CheckpointError;
use crate::engine::system::{Instant, System};
use crate::interactions::flexible::FlexPart;
use crate::sink::{Check, ContactArrow, Frame, NamedValue, Sink, SinkError};
use checks::SoilBook;
use columns::{Needs, Part, SoilValue};
use parts::BodyOnSoil;
use touchdown_contact::soil::{DrawnMarks, Soil, SoilForce, SurfaceMotion};
use touchdown_geometry::Missing;
use touchdown_math::{Mat3, Pose};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{WORLD, push};

/// Bodies in soil.
pub(crate) struct SoilBodies;

/// Bodies in soil on their links, the force of the soil on each at the last evaluation, and their contacts.
#[derive(Clone, Debug)]
pub(crate) struct SoilInLoop {
    pub bodies: Vec<SoilOnLink>,
    pub forces: Vec<SoilForce>,
    /// `None` without soil, and while they are evaluated.
    pub parts: Option<Box<SoilParts>>,
}

impl Interaction for SoilBodies {
    const NAME: &'static str = "bodies in soil";
    type Parts = SoilInLoop;
    type Memory = SoilHistory;
    type Book = SoilBook;
    type Drawn = Option<DrawnMarks>;
    type Value = SoilValue;

    fn build(making: &mut Making) -> Result<SoilInLoop, Vec<WorldError>> {
        let bodies = SoilOnLink::all(making.description, making.model);
        let parts = SoilParts::new(making.description).map(Box::new);
        Ok(SoilInLoop { forces: vec![SoilForce::default(); bodies.len()], bodies, parts })
    }

    fn count(system: &System) -> usize {
        system.acts.soil.bodies.len()
    }

    fn start(system: &mut System, _at: (&[f64], &[f64]), _z: &mut [f64]) -> SoilHistory {
        system.acts.soil.parts.as_deref().map_or(SoilHistory::None, SoilHistory::new)
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        let (Some(laid), Some(mut parts)) = (at.held.acts.soil.laid(), system.acts.soil.parts.take()) else {
            return powers;
        };
        for (i, body) in parts.bodies.iter_mut().enumerate() {
            body.motion = system.surface_motion(i);
            system.deform(i, body);
        }
        match how {
            How::Evaluated(weights) => parts.evaluate(laid, at.t, weights),
            How::Followed => parts.follow(&laid.soil, at.t),
        }
        for (i, body) in parts.bodies.iter().enumerate() {
            let on = &system.acts.soil.bodies[i];
            // Forces on a flexible body act on its nodes, when that is evaluated.
            if on.flexible.is_none() {
                let place = (on.body, body.motion.X_WS.p);
                let slope = how.weights().map(|w| (&body.tangent, w.q));
                push::add_contact(&system.model, &mut system.cache, place, &body.force.wrench_C, slope);
            }
            let own = Powers { dissipated: body.force.dissipated_power, ..Powers::default() };
            powers += own;
            let part = match on.flexible {
                Some(k) => system.acts.flexible[k].own_part,
                None => system.cache.parts.of_link(system.model.bodies[on.body].link),
            };
            system.cache.parts.book(part, own);
            system.acts.soil.forces[i] = body.force;
        }
        system.acts.soil.parts = Some(parts);
        powers
    }

    fn changes_by_steps(system: &System) -> bool {
        system.acts.soil.parts.is_some()
    }

    fn has_no_inside(system: &System) -> bool {
        system.acts.soil.parts.is_some()
    }

    fn leans_on_ground(system: &System) -> bool {
        system.acts.soil.parts.is_some()
    }

    fn check(system: &mut System, memory: &SoilHistory) -> Result<(), StepFailure> {
        let (Some(parts), Some(laid)) = (&system.acts.soil.parts, memory.laid()) else { return Ok(()) };
        let lost = parts.bodies.iter().position(|b| b.force.missing.is_some());
        if let Some(i) = lost
            && let Some([x, y]) = parts.bodies[i].force.missing
        {
            let why = laid.soil.relief().why_missing(x, y).unwrap_or(Missing::OffMap);
            return Err(StepFailure::no_ground(why, &system.acts.soil.bodies[i].name, [x, y]));
        }
        Ok(())
    }

    fn book(system: &System, (before, t): (f64, f64), _memory: &mut SoilHistory, books: &mut [SoilBook]) {
        for (i, (book, force)) in books.iter_mut().zip(&system.acts.soil.forces).enumerate() {
            if force.nodes > 0 {
                book.book(&system.acts.soil.bodies[i], &system.soil_motion(i), force, t - before);
            }
        }
    }

    fn commit(system: &mut System, step: &mut Accepted, memory: &mut SoilHistory, _: &mut [SoilBook]) {
        if let (Some(parts), Some(laid)) = (&mut system.acts.soil.parts, memory.laid_mut()) {
            parts.commit(step.t, laid);
        }
    }

    fn settle(system: &System, memory: &mut SoilHistory) -> Result<(), CheckpointError> {
        let fits = memory.settle(system.acts.soil.parts.as_deref());
        if fits { Ok(()) } else { Err(CheckpointError::Damaged) }
    }

    fn use_threads(system: &mut System, threads: usize) {
        if let Some(parts) = &mut system.acts.soil.parts {
            parts.threads = threads;
        }
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<SoilValue>) {
        columns::add(&system.acts.soil.bodies, out);
    }

    fn value(system: &System, _s: &Snapshot, value: SoilValue) -> f64 {
        columns::value(system, value)
    }

    /// The force of the soil on a rigid body depends only on its own motion; sinkage needs no force, and slip
    /// does not need the soil.
    fn part_of(system: &System, (body, value): SoilValue) -> Option<usize> {
        let bodies = &system.acts.soil.bodies;
        let looked_at = Part { body, needs: value.needs() };
        bodies[body].flexible.is_none().then(|| looked_at.number(bodies.len()))
    }

    fn look(system: &mut System, at: &Instant, part: usize) {
        let Part { body, needs } = Part::of(part, system.acts.soil.bodies.len());
        let motion = system.surface_motion(body);
        let (Some(parts), Some(laid)) = (&mut system.acts.soil.parts, at.held.acts.soil.laid()) else {
            return;
        };
        let force = &mut system.acts.soil.forces[body];
        match needs {
            Needs::Force => *force = parts.look(laid, at.t, (body, motion)),
            Needs::Sinkage => force.sinkage = parts.sinkage(laid, (body, motion)),
            Needs::Motion => {}
        }
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        let name = |b: &SoilBody| ContactName { name: b.name.clone(), body: Some(b.body), soil: true };
        out.extend(description.soil_bodies.iter().map(name));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for (i, force) in system.acts.soil.forces.iter().enumerate() {
            // At the point of the resultant, the torque is reduced by that of the force.
            let (p_WC, W) = (system.soil_motion(i).p_WC, &force.wrench_C);
            let p_WQ = if force.nodes > 0 { force.p_WQ } else { p_WC };
            each(ContactArrow { p_WC: p_WQ, f_W: W.f, t_W: W.t - (p_WQ - p_WC).cross(&W.f) });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        let rigid = description.soil_bodies.iter().filter(|body| body.skin.is_none());
        out.extend(rigid.flat_map(draw::forms).map(Drawing::fixed));
    }

    fn paint(system: &System, memory: &mut SoilHistory, frame: &mut Frame) {
        if let Some(parts) = &system.acts.soil.parts {
            frame.pressures.resize(parts.bodies.len(), Vec::new());
            parts.press(&mut frame.pressures);
        }
        if let Some(laid) = memory.laid_mut() {
            laid.draw(&mut frame.soil);
        }
    }

    fn drawn(memory: &SoilHistory) -> Option<DrawnMarks> {
        memory.laid().map(|laid| laid.soil.marks())
    }

    fn restore_drawn(memory: &mut SoilHistory, drawn: &Option<DrawnMarks>) -> bool {
        match (memory.laid_mut(), drawn) {
            (Some(laid), Some(marks)) => laid.soil.restore_marks(marks),
            _ => true,
        }
    }

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }

    fn quantities(description: &WorldDescription, memory: &SoilHistory, out: &mut Vec<NamedValue>) {
        let Some(laid) = memory.laid() else { return };
        let has_heaps = matches!(&description.ground, Some(Ground::Soil(ground)) if !ground.heaps.is_empty());
        checks::quantities(&laid.soil, has_heaps, out);
    }

    fn hand_over(memory: &SoilHistory, sink: &mut dyn Sink) -> Result<(), SinkError> {
        memory.laid().map_or(Ok(()), |laid| laid.hand_surface(sink))
    }
}

impl Simulation {
    /// The soil, for inspection.
    pub fn soil(&self) -> Option<&Soil> {
        self.state.held.acts.soil.laid().map(|laid| &laid.soil)
    }

    /// Force of the soil on each body at the last evaluation.
    pub fn soil_forces(&self) -> &[SoilForce] {
        &self.system.acts.soil.forces
    }
}

impl System {
    /// Passes the present form of a flexible body to the soil, in world axes.
    fn deform(&mut self, i: usize, body: &mut BodyOnSoil) {
        let part = self.acts.soil.bodies[i].flexible.map(|k| &mut self.acts.flexible[k]);
        if let Some(FlexPart { skin: Some((_, skin)), mesh, e, e_rate, .. }) = part {
            body.motion.X_WS.R = Mat3::identity();
            body.contact.deform(skin.place(mesh, e, e_rate, &body.motion.X_WS.p));
        }
    }

    fn surface_motion(&self, i: usize) -> SurfaceMotion {
        let on = &self.acts.soil.bodies[i];
        let motion = self.soil_motion(i);
        let R = if on.link == WORLD { on.R_LS } else { self.cache.R_WL[on.link] * on.R_LS };
        SurfaceMotion { X_WS: Pose { R, p: motion.p_WC }, v_WS: motion.v_WC, w_WS: motion.w_WB }
    }
}
