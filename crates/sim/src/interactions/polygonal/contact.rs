//! A polygonal contact on its links: its form over time, and the effect of accepting a motion.
//!
//! The method, the rows and the commit all need the forces of an accepted state: the result of an evaluation
//! with memory is cached until the motion or the anchors change.

use crate::description::{Opening, PolygonalContact, PolygonalPair};
use crate::interactions::sides::Side;
use touchdown_contact::polygonal::mesh::MeshScratch;
use touchdown_contact::polygonal::{Commit, PolygonalForce, PolygonalState, PolygonalTangent, SurfaceMotion};
use touchdown_math::Signal;
use touchdown_multibody::rigid::Model;

/// A polygonal contact on its links.
#[derive(Clone, Debug)]
pub(crate) struct PolygonalOnLinks {
    pub name: String,
    pub pair: PolygonalPair,
    /// The side that carries the area, and the reference.
    pub sides: [Side; 2],
    /// The side whose wrench is reported.
    pub reported: usize,
    pub has_memory: bool,
    /// It acts above a half; otherwise it has no force and no memory.
    pub on: Signal,
    opening: Option<Opening>,
    /// Parameter of the opening and its rate that a controller commands.
    commanded: Option<(f64, f64)>,
    /// Present parameter of the form, and its rate.
    pub opened: (f64, f64),
    /// Largest speed of its surface, m/s.
    pub opening_speed: f64,
    /// Group with which it is recorded.
    pub group: Option<String>,
    /// Largest approach in one step, m.
    pub threshold: f64,
    /// Penetration up to which the layers are linear, m.
    pub limit: f64,
    pub kept: Option<Kept>,
    /// Anchors after the commit of `kept`.
    pub next: PolygonalState,
    pub scratch: MeshScratch,
    pub tangent: PolygonalTangent,
    /// Result of the last evaluation. Written by `evaluate_polygonal`.
    pub force: PolygonalForce,
}

/// A switch.
pub(super) fn switched(on: bool) -> Signal {
    Signal::Constant(f64::from(u8::from(on)))
}

/// An evaluation at the anchors of a committed step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    commits: u64,
    motions: [SurfaceMotion; 2],
    opened: (f64, f64),
    done: Commit,
}

impl PolygonalOnLinks {
    /// That of a description.
    pub fn new(contact: &PolygonalContact, model: &Model) -> PolygonalOnLinks {
        let side = |k: usize| {
            let side = &contact.sides[k];
            let reach = side.mesh.vertices.iter().map(|p| p.norm()).fold(0.0, f64::max);
            Side::new(model, side.body, &side.X_BS, reach)
        };
        PolygonalOnLinks {
            name: contact.name.clone(),
            pair: contact.pair.clone(),
            sides: [side(0), side(1)],
            reported: usize::from(contact.tells_reference),
            has_memory: contact.pair.has_memory(),
            on: switched(contact.on),
            opening: contact.opening.clone(),
            commanded: None,
            opened: (f64::NAN, 0.0),
            opening_speed: contact.opening.as_ref().map_or(0.0, Opening::speed_max),
            group: contact.group.clone(),
            threshold: contact.threshold,
            limit: contact.pair.penetration_limit(),
            kept: None,
            next: PolygonalState::default(),
            scratch: MeshScratch::default(),
            tangent: PolygonalTangent::zero(),
            force: PolygonalForce::new(),
        }
    }
}

impl PolygonalOnLinks {
    /// Whether it acts.
    pub fn is_on(&self, t: f64) -> bool {
        self.on.value(t) > 0.5
    }

    /// Changes the form of a reference that opens in time.
    pub fn open(&mut self, t: f64) {
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

    /// Trial commit of this motion, cached for the last motion.
    pub fn try_commit(
        &mut self,
        motions: [SurfaceMotion; 2],
        (anchors, commits): (&PolygonalState, u64),
    ) -> Commit {
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

    /// Sets another function of time for the opening.
    pub fn follow(&mut self, parameter: Signal) {
        if let Some(opening) = &mut self.opening {
            opening.parameter = parameter;
            self.opening_speed = opening.speed_max();
        }
    }

    /// The parameter of the opening and its rate for the next evaluation, in place of the function of time.
    /// To be called before each evaluation.
    pub fn set_opening(&mut self, value: f64, rate: f64) {
        self.commanded = Some((value, rate));
    }
}
