//! Feet in the loop: the plane below each foot, its force and states, and the footprint that follows at
//! accepted steps.
//!
//! Evaluation is a pure function of motion and contact states; only `commit` changes a footprint. Footprints
//! left behind are shared by all feet. Ground is a plane, or the tangent plane of smooth ground at the point
//! closest to the foot.

mod columns;
mod foot;
mod whole;

use super::{Accepted, Checked, Drawing, How, Interaction, Making, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::books::validity::at_most;
use crate::description::{FootContact, Walker, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, same_count};
use crate::engine::system::{ContactStates, Instant, System};
use crate::sink::{Check, ContactArrow};
use columns::{FeetValue, FootAt};
use foot::FootOnLink;
use serde::{Deserialize, Serialize};
use touchdown_contact::foot::{FootprintMemory, Footprints, STATES, SurfaceMotion};
use touchdown_contact::tyre::NoGround;

use touchdown_math::Elementary;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{kinematics, push};

/// Feet of legged robots.
pub(crate) struct Feet;

/// Feet on their links.
#[derive(Clone, Debug)]
pub(crate) struct FeetParts {
    /// The parts of those with their own law, foot by foot.
    pub list: Vec<FootOnLink>,
    /// All feet, in the order of the description.
    all: Vec<FootAt>,
    /// The foot that each of them is compared with.
    compare: Vec<Option<usize>>,
    /// Walking machines.
    walkers: Vec<Walker>,
}

/// Memory of feet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FeetHistory {
    /// The footprint under each foot.
    pub memories: Vec<FootprintMemory>,
    /// Footprints that feet left behind.
    pub footprints: Footprints,
}

/// Extremes of one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FootBook {
    /// First time at which it left its range of validity, s.
    out_of_range: Option<f64>,
}

impl Interaction for Feet {
    const NAME: &'static str = "feet";
    type Parts = FeetParts;
    type Memory = FeetHistory;
    type Book = FootBook;
    type Drawn = ();
    type Value = FeetValue;

    fn build(making: &mut Making) -> Result<FeetParts, Vec<WorldError>> {
        let description = making.description;
        let list = FootOnLink::all(description, making.model, making.states)?;
        making.states += list.len() * STATES;
        let walkers = description.walkers.clone();
        let compare = description.feet.iter().map(|foot| foot.compare).collect();
        Ok(FeetParts { list, all: FootAt::all(description), compare, walkers })
    }

    fn count(system: &System) -> usize {
        system.acts.feet.list.len()
    }

    /// Contact states of feet that were pressed slowly to their positions.
    fn start(system: &mut System, (q, v): (&[f64], &[f64]), z: &mut [f64]) -> FeetHistory {
        let mut held = FeetHistory::default();
        if system.acts.feet.list.is_empty() {
            return held;
        }
        system.update_kinematics(q, v);
        held.footprints = Footprints::with_room();
        for i in 0..system.acts.feet.list.len() {
            let motion = system.foot_motion(i);
            let on = &mut system.acts.feet.list[i];
            on.stand(&system.ground, &motion);
            let mut memory = FootprintMemory::default();
            let mut states = on.foot.settled(&motion, &on.plane);
            on.foot.commit(&motion, &on.plane, (&mut memory, &mut held.footprints), &mut states);
            z[on.first..on.first + STATES].copy_from_slice(&states);
            held.memories.push(memory);
        }
        held
    }

    fn check_place(system: &mut System) -> Result<(), StepFailure> {
        Feet::check(system, &FeetHistory::default())
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let (mut powers, weights) = (Powers::default(), how.weights());
        for i in 0..system.acts.feet.list.len() {
            let motion = system.foot_motion(i);
            let on = &mut system.acts.feet.list[i];
            on.stand(&system.ground, &motion);
            let (base, h) = match at.z {
                ContactStates::Given(z) => (on.states(z), 0.0),
                ContactStates::Implicit { base, h } => (on.states(base), h),
            };
            let Some(body) = on.side.body else { continue };
            let place = (body, motion.X_WS.p);
            let slot = on.first..on.first + STATES;
            let used = match weights {
                None => {
                    let (force, used) = on.foot.calc_force_at(&motion, &on.plane, &base, h);
                    on.force = force;
                    push::add_contact(&system.model, &mut system.cache, place, &force.wrench_F, None);
                    used
                }
                Some(w) => {
                    let (force, tangent, used) = on.foot.calc_force_implicit(&motion, &on.plane, &base, h);
                    on.force = force;
                    let slope = tangent.K * w.q + tangent.D * w.v;
                    let slope = Some((&slope, w.q));
                    push::add_contact(&system.model, &mut system.cache, place, &force.wrench_F, slope);
                    used
                }
            };
            let v = motion.v_WS + motion.w_WS.cross(&(on.force.p_WQ - motion.X_WS.p));
            on.slip = (v - on.plane.normal * on.plane.normal.dot(&v)).norm();
            system.z_used[slot.clone()].copy_from_slice(&used);
            system.z_rate[slot].copy_from_slice(&on.force.state_rate);
            let own = Powers {
                elastic: on.force.elastic_energy,
                dissipated: on.force.dissipated_power,
                ..Powers::default()
            };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_link(on.side.link), own);
        }
        powers
    }

    fn event_count(system: &System) -> usize {
        system.acts.feet.list.len()
    }

    /// Distance of each foot from the present ground, m.
    fn events(system: &mut System, (_, z): (f64, &[f64]), _memory: &FeetHistory, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            let motion = system.foot_motion(i);
            let on = &mut system.acts.feet.list[i];
            on.stand(&system.ground, &motion);
            *out = on.foot.calc_gap(&motion, &on.plane, &on.states(z));
        }
    }

    fn leans_on_ground(system: &System) -> bool {
        !system.acts.feet.list.is_empty()
    }

    /// An error if a foot was at a place without ground at the last evaluation.
    fn check(system: &mut System, _memory: &FeetHistory) -> Result<(), StepFailure> {
        let lost = system.acts.feet.list.iter().find_map(|on| Some((on, on.lost?)));
        let Some((on, NoGround { at, why })) = lost else { return Ok(()) };
        Err(StepFailure::no_ground(why, &on.name, at))
    }

    fn book(system: &System, (_, t): (f64, f64), _memory: &mut FeetHistory, books: &mut [FootBook]) {
        for (on, book) in system.acts.feet.list.iter().zip(books) {
            if !on.force.in_range {
                book.out_of_range = book.out_of_range.or(Some(t));
            }
        }
    }

    /// Footprints follow; feet in the air that moved on get fresh soil.
    fn commit(system: &mut System, step: &mut Accepted, memory: &mut FeetHistory, _: &mut [FootBook]) {
        if system.acts.feet.list.is_empty() {
            return;
        }
        let mut lost = 0.0;
        system.update_kinematics(step.q, step.v);
        for i in 0..system.acts.feet.list.len() {
            let motion = system.foot_motion(i);
            let on = &mut system.acts.feet.list[i];
            on.stand(&system.ground, &motion);
            let before = on.states(step.z);
            let mut states = before;
            let print = (&mut memory.memories[i], &mut memory.footprints);
            on.foot.commit(&motion, &on.plane, print, &mut states);
            if states != before {
                // Energy of the deflection that is dropped.
                let stored = |z: &[f64; STATES]| on.foot.calc_force(&motion, &on.plane, z).elastic_energy;
                let gone = stored(&before) - stored(&states);
                lost += gone;
                step.flows.lose(system.cache.parts.of_link(on.side.link), gone);
                step.set_back = true;
                step.z[on.first..on.first + STATES].copy_from_slice(&states);
            }
        }
        step.works.dissipated += lost;
    }

    fn settle(system: &System, memory: &mut FeetHistory) -> Result<(), CheckpointError> {
        same_count("footprints", memory.memories.len(), system.acts.feet.list.len())
    }

    fn columns(system: &System, description: &WorldDescription, out: &mut Columns<FeetValue>) {
        columns::add(&system.acts.feet, description, out);
    }

    fn value(system: &System, s: &Snapshot, value: FeetValue) -> f64 {
        columns::value(system, s, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        let name = |f: &FootContact| ContactName { name: f.name.clone(), body: Some(f.body), soil: false };
        out.extend(with_law(description).map(name));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        let feet = &system.acts.feet;
        for whole in (0..feet.feet()).map(|foot| feet.whole(foot)) {
            let (p_WC, t_W) = if whole.normal > 0.0 {
                (whole.centre_W, whole.torque_W - (whole.centre_W - whole.middle_W).cross(&whole.force_W))
            } else {
                (whole.middle_W, whole.torque_W)
            };
            each(ContactArrow { p_WC, f_W: whole.force_W, t_W });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        out.extend(with_law(description).map(|foot| {
            let (X_FG, shape) = foot.law.shape.form();
            let X_BG = foot.X_BF.compose(&X_FG);
            Drawing::fixed(contact_visual(foot.name.clone(), Some(foot.body), X_BG, shape))
        }));
    }

    const SAID_ELSEWHERE: &'static [&'static str] = &["feet_out_of_range"];

    fn checks(on: &Checked) -> Vec<Check> {
        if on.system.acts.feet.list.is_empty() {
            return Vec::new();
        }
        let feet = &on.system.acts.feet;
        let left = (0..feet.feet()).filter(|foot| feet.out_of_range(*foot, &on.books.feet).is_some()).count();
        let about = "feet that left the range of their laws: round feet deeper than their radius, or tilted by more than 30 deg";
        vec![at_most("feet_out_of_range", 0.0, "1", about).check(left as f64)]
    }

    fn warnings(system: &System, _t: f64, _memory: &FeetHistory, books: &[FootBook], out: &mut Vec<String>) {
        let feet = &system.acts.feet;
        out.extend((0..feet.feet()).filter_map(|foot| {
            let (_, on) = feet.parts_of(foot).next()?;
            let (name, since) = (&on.name, feet.out_of_range(foot, books)?);
            Some(format!(
                "foot \"{name}\" left its range of validity (round feet not deeper than their radius, tilt below 30 deg) at t = {since:.4} s"
            ))
        }));
    }
}

/// Feet with their own law; the others are bodies in soil.
fn with_law(description: &WorldDescription) -> impl Iterator<Item = &FootContact> {
    description.feet.iter().filter(|foot| foot.soil_body.is_none() && foot.intruder.is_none())
}

impl System {
    /// Motion of a foot. Needs kinematics.
    pub(crate) fn foot_motion(&self, i: usize) -> SurfaceMotion {
        self.side_motion(&self.acts.feet.list[i].side)
    }

    /// Angle between a body's z axis and the direction against gravity, rad. Needs kinematics.
    pub(crate) fn lean(&self, body: usize) -> f64 {
        let X_WB = kinematics::body_pose(&self.model, &self.cache, body);
        let up = crate::engine::gravity::up(&self.model.gravity, &X_WB.p);
        X_WB.R.column(2).dot(&up).clamp(-1.0, 1.0).arccosine()
    }
}
