//! Brush tyres in the loop: contact of each wheel with rigid ground, its force and states.

mod checks;
mod columns;
mod draw;
mod lift_off;
mod statics;

pub use statics::Statics;

use super::ground::RigidGround;
use super::{Checked, Drawing, How, Interaction, Making};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{Ground, Tyre, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::system::{ContactStates, Instant, System};
use crate::sink::{Check, ContactArrow};
use checks::TyreBook;
use columns::TyreValue;
use touchdown_contact::tyre::{
    BrushParameters, BrushTyre, Footing, GroundPlane, NoGround, STATES, TyreForce, WheelMotion,
};
use touchdown_geometry::surface::{HeightJet, Patch};
use touchdown_math::Vec3;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::{Model, push};

/// Tyres on rigid ground.
pub(crate) struct Tyres;

/// A tyre on its link.
#[derive(Clone, Debug)]
pub(crate) struct TyreOnLink {
    pub name: String,
    pub tyre: BrushTyre,
    pub body: usize,
    link: usize,
    p_LC: Vec3,
    axis_L: Vec3,
    /// First contact state.
    first: usize,
    /// Its contact with the ground. Written by `update_standing`.
    pub standing: Standing,
    /// Force at the last evaluation.
    pub force: TyreForce,
}

/// A wheel on rigid ground at the last evaluation. Nothing here is memory: the patch is only a cache.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    /// Tangent plane under the wheel.
    pub footing: Footing,
    /// Place of missing ground, if any.
    lost: Option<NoGround>,
    patch: Option<Patch>,
}

impl TyreOnLink {
    fn new(d: &Tyre, tyre: BrushTyre, model: &Model, first: usize) -> TyreOnLink {
        let at = &model.bodies[d.body];
        let (p_LC, axis_L) = (at.X_LB.point(&d.centre), at.X_LB.R * d.axis);
        let plane = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
        let footing = Footing { plane, jet: HeightJet::default(), second: 0.0 };
        let standing = Standing { footing, lost: None, patch: None };
        let (name, force) = (d.name.clone(), apart());
        TyreOnLink { name, tyre, body: d.body, link: at.link, p_LC, axis_L, first, standing, force }
    }

    /// Rolling radius at the last evaluation, m.
    pub(super) fn rolling_radius(&self) -> f64 {
        let p = self.tyre.params();
        p.radius - p.rolling_share * self.force.deformation
    }
}

impl Interaction for Tyres {
    const NAME: &'static str = "tyres";
    type Parts = Vec<TyreOnLink>;
    type Memory = ();
    type Book = TyreBook;
    type Drawn = ();
    type Value = TyreValue;

    fn build(making: &mut Making) -> Result<Vec<TyreOnLink>, Vec<WorldError>> {
        let (description, mut errors, mut tyres) = (making.description, Vec::new(), Vec::new());
        for d in &description.tyres {
            match BrushTyre::new(d.law) {
                Ok(law) => {
                    tyres.push(TyreOnLink::new(d, law, making.model, making.states));
                    making.states += STATES;
                }
                Err(problems) => {
                    let error = |problem| WorldError::Tyre { tyre: d.name.clone(), problem };
                    errors.extend(problems.into_iter().map(error));
                }
            }
            if matches!(description.ground, None | Some(Ground::Soil(_))) {
                errors.push(WorldError::NoGround { tyre: d.name.clone() });
            }
        }
        if errors.is_empty() { Ok(tyres) } else { Err(errors) }
    }

    fn count(system: &System) -> usize {
        system.acts.tyres.len()
    }

    fn check_place(system: &mut System) -> Result<(), StepFailure> {
        (0..system.acts.tyres.len()).for_each(|i| _ = system.update_standing(i));
        Tyres::check(system, &())
    }

    fn open(system: &System) -> Vec<TyreBook> {
        system.acts.tyres.iter().map(TyreBook::new).collect()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        for i in 0..system.acts.tyres.len() {
            if !system.update_standing(i) {
                return powers;
            }
            let motion = system.wheel_motion(i);
            let on = &mut system.acts.tyres[i];
            let (first, footing) = (on.first, on.standing.footing);
            let (base, h) = match at.z {
                ContactStates::Given(z) => ([z[first], z[first + 1]], 0.0),
                ContactStates::Implicit { base, h } => ([base[first], base[first + 1]], h),
            };
            let place = (on.body, motion.p_WC);
            let (force, used) = match how.weights() {
                None => {
                    let (force, used) = on.tyre.calc_force_at(&motion, &footing.plane, &base, h);
                    push::add_contact(&system.model, &mut system.cache, place, &force.wrench_C, None);
                    (force, used)
                }
                Some(w) => {
                    let (force, tangent, used) = on.tyre.calc_force_on(&motion, &footing, &base, h);
                    let slope = tangent.K * w.q + tangent.D * w.v;
                    let slope = Some((&slope, w.q));
                    push::add_contact(&system.model, &mut system.cache, place, &force.wrench_C, slope);
                    (force, used)
                }
            };
            system.z_used[first..first + STATES].copy_from_slice(&used);
            system.z_rate[first..first + STATES].copy_from_slice(&force.state_rate);
            let own = Powers {
                elastic: force.elastic_energy,
                dissipated: force.dissipated_power,
                ..Powers::default()
            };
            powers += own;
            on.force = force;
            let part = system.cache.parts.of_link(system.model.bodies[place.0].link);
            system.cache.parts.book(part, own);
        }
        for (radius, wheel) in system.rolling_radius.iter_mut().zip(&system.drive_wheel) {
            if let Some((super::InteractionKind::Tyres, i)) = *wheel {
                *radius = system.acts.tyres[i].rolling_radius();
            }
        }
        powers
    }

    fn event_count(system: &System) -> usize {
        if system.ground.is_some() { system.acts.tyres.len() } else { 0 }
    }

    fn events(system: &mut System, _at: (f64, &[f64]), _memory: &(), out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            system.update_standing(i);
            *out = system.wheel_gap(i);
        }
    }

    fn rates_depend_on_states(system: &System) -> bool {
        !system.acts.tyres.is_empty()
    }

    fn leans_on_ground(system: &System) -> bool {
        !system.acts.tyres.is_empty()
    }

    fn check(system: &mut System, _memory: &()) -> Result<(), StepFailure> {
        let lost = system.acts.tyres.iter().find_map(|on| Some((on, on.standing.lost?)));
        let Some((on, NoGround { at, why })) = lost else { return Ok(()) };
        Err(StepFailure::no_ground(why, &on.name, at))
    }

    fn book(system: &System, times: (f64, f64), _memory: &mut (), books: &mut [TyreBook]) {
        for (i, (book, on)) in books.iter_mut().zip(&system.acts.tyres).enumerate() {
            book.book(on, &system.wheel_motion(i), times);
        }
    }

    fn wheel_on(system: &System, body: usize) -> Option<usize> {
        system.acts.tyres.iter().position(|on| on.body == body)
    }

    fn hub_speed(system: &System, wheel: usize) -> Option<f64> {
        let motion = system.wheel_motion(wheel);
        let forward = motion.axis_W.cross(&system.acts.tyres[wheel].standing.footing.plane.normal);
        Some(motion.v_WC.dot(&forward.try_normalize(1e-9).unwrap_or_else(Vec3::x)))
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<TyreValue>) {
        columns::add(&system.acts.tyres, out);
    }

    fn value(system: &System, s: &Snapshot, value: TyreValue) -> f64 {
        columns::value(system, &s.books.tyres, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        let name = |t: &Tyre| ContactName { name: t.name.clone(), body: Some(t.body), soil: false };
        out.extend(description.tyres.iter().map(name));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for on in &system.acts.tyres {
            each(ContactArrow { p_WC: on.force.p_WQ, f_W: on.force.wrench_C.f, t_W: Vec3::zeros() });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        out.extend(description.tyres.iter().enumerate().map(|(i, tyre)| draw::drawing(i, tyre)));
    }

    const SAID_ELSEWHERE: &'static [&'static str] =
        &["tyre_deformation_over_radius", "tyre_camber_deg", "tyre_steps_in_time_constant"];

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }

    fn warnings(system: &System, t: f64, _memory: &(), books: &[TyreBook], out: &mut Vec<String>) {
        let all = || system.acts.tyres.iter().zip(books);
        out.extend(all().filter_map(|(on, book)| book.range_warning(&on.name)));
        out.extend(all().filter_map(|(on, book)| book.air.warning(&on.name, t)));
    }
}

impl System {
    /// Finds the contact of wheel `i` with the ground. Needs kinematics; `false` without rigid ground.
    pub(crate) fn update_standing(&mut self, i: usize) -> bool {
        let motion = self.wheel_motion(i);
        let on = &mut self.acts.tyres[i];
        let radius = on.tyre.params().radius;
        let standing = &mut on.standing;
        match &self.ground {
            None => return false,
            Some(RigidGround::Plane(plane)) => standing.footing.plane = *plane,
            Some(RigidGround::Surface(surface)) => {
                let found = Footing::find(surface, &mut standing.patch, radius, &motion);
                standing.lost = found.err();
                standing.footing = found.unwrap_or_else(|_| Footing::none(&motion, radius));
            }
        }
        true
    }

    /// Signed distance of wheel `i` from the ground at the last evaluation, m; negative while it touches.
    pub(crate) fn wheel_gap(&self, i: usize) -> f64 {
        let on = &self.acts.tyres[i];
        on.tyre.calc_gap(&self.wheel_motion(i), &on.standing.footing.plane)
    }

    /// Motion of a wheel for its tyre. Needs kinematics.
    pub(crate) fn wheel_motion(&self, i: usize) -> WheelMotion {
        let on = &self.acts.tyres[i];
        self.motion_on_link(on.link, &on.p_LC, &on.axis_L)
    }
}

/// The force of a tyre in the air.
fn apart() -> TyreForce {
    let motion =
        WheelMotion { p_WC: Vec3::z() * 2.0, axis_W: Vec3::y(), v_WC: Vec3::zeros(), w_WB: Vec3::zeros() };
    let ground = GroundPlane { point: Vec3::zeros(), normal: Vec3::z() };
    match BrushTyre::new(BrushParameters { radius: 1.0, ..BrushParameters::SAMARINI }) {
        Ok(tyre) => tyre.calc_force(&motion, &ground, &[0.0; STATES]),
        Err(_) => unreachable!("the published parameters are within their ranges"),
    }
}
