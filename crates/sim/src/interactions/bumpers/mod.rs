//! Bumpers in the loop: two balls on their bodies, pushed apart. The example for adding a contact model.

mod checks;
mod columns;

use super::sides::{Side, both_sides};
use super::{Checked, Drawing, How, Interaction, Making, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::description::WorldDescription;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use crate::sink::{Check, ContactArrow};
use checks::BumperBook;
use columns::BumperValue;
use touchdown_contact::bumper::{BumperForce, BumperLaw};
use touchdown_geometry::Shape;
use touchdown_math::{Mat6, Vec3, Wrench};
use touchdown_multibody::description::Attachment;
use touchdown_multibody::rigid::elements::Powers;

/// Description of a bumper between two balls.
#[derive(Clone, Debug)]
pub struct Bumper {
    /// Unique name.
    pub name: String,
    /// Centres of the balls.
    pub between: [Attachment; 2],
    /// Sizes, spring and damper.
    pub law: BumperLaw,
}

/// Bumpers between two balls.
pub(crate) struct Bumpers;

/// A bumper on its links.
#[derive(Clone, Debug)]
pub(crate) struct BumperOnLinks {
    pub name: String,
    law: BumperLaw,
    sides: [Side; 2],
    /// Result of the last evaluation.
    pub force: BumperForce,
}

impl Interaction for Bumpers {
    const NAME: &'static str = "bumpers";
    type Parts = Vec<BumperOnLinks>;
    type Memory = ();
    type Book = BumperBook;
    type Drawn = ();
    type Value = BumperValue;

    fn build(making: &mut Making) -> Result<Vec<BumperOnLinks>, Vec<WorldError>> {
        let (mut bumpers, mut errors) = (Vec::new(), Vec::new());
        for Bumper { name, between, law } in &making.description.bumpers {
            if let Err(problem) = law.check() {
                let (name, problem) = (name.clone(), problem.to_string());
                errors.push(WorldError::Part { kind: "bumper", name, problem });
                continue;
            }
            let side = |k: usize| Side::new(making.model, between[k].body, &between[k].X_BF, law.radii[k]);
            let far = Vec3::z() * f64::MAX.sqrt();
            let force = law.evaluate(&far, &Vec3::zeros());
            bumpers.push(BumperOnLinks { name: name.clone(), law: *law, sides: [side(0), side(1)], force });
        }
        if errors.is_empty() { Ok(bumpers) } else { Err(errors) }
    }

    fn count(system: &System) -> usize {
        system.acts.bumpers.len()
    }

    fn evaluate(system: &mut System, _at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        for i in 0..system.acts.bumpers.len() {
            let [first, second] = [0, 1].map(|k| system.side_motion(&system.acts.bumpers[i].sides[k]));
            let (p, v) = (first.X_WS.p - second.X_WS.p, first.v_WS - second.v_WS);
            let on = &mut system.acts.bumpers[i];
            on.force = on.law.evaluate(&p, &v);
            let own =
                Powers { elastic: on.force.stored, dissipated: on.force.dissipated, ..Powers::default() };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| on.sides[k].link)), own);
            if on.force.push == 0.0 {
                continue;
            }
            let wrench = Wrench::new(Vec3::zeros(), on.force.force);
            let slope = how.weights().map(|w| {
                let tangent = on.law.tangent(&p, &v);
                let (mut K, mut D) = (Mat6::zeros(), Mat6::zeros());
                K.fixed_view_mut::<3, 3>(3, 3).copy_from(&tangent.by_place);
                D.fixed_view_mut::<3, 3>(3, 3).copy_from(&tangent.by_velocity);
                (both_sides((&K, &D), (w.q, w.v), &wrench, &first, &second), w.q)
            });
            let sides = on.sides.clone();
            system.push_sides(&sides, &first.X_WS.p, &wrench, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }

    fn is_watched(system: &System) -> bool {
        !system.acts.bumpers.is_empty()
    }

    /// Time within which no two balls approach by more than the smaller radius.
    fn horizon(system: &System) -> f64 {
        let time = |on: &BumperOnLinks| {
            let [a, b] = [0, 1].map(|k| system.side_motion(&on.sides[k]));
            system.time_to_approach(on.smaller_radius(), (a.v_WS - b.v_WS).norm())
        };
        system.acts.bumpers.iter().map(time).fold(f64::INFINITY, f64::min)
    }

    fn event_count(system: &System) -> usize {
        system.acts.bumpers.len()
    }

    fn events(system: &mut System, _at: (f64, &[f64]), _memory: &(), out: &mut [f64]) {
        for (on, out) in system.acts.bumpers.iter().zip(out) {
            let [a, b] = [0, 1].map(|k| system.side_motion(&on.sides[k]));
            *out = on.law.evaluate(&(a.X_WS.p - b.X_WS.p), &Vec3::zeros()).gap;
        }
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.bumpers.iter().for_each(|on| each([0, 1].map(|k| on.sides[k].body)));
    }

    fn book(system: &System, _times: (f64, f64), _memory: &mut (), books: &mut [BumperBook]) {
        books.iter_mut().zip(&system.acts.bumpers).for_each(|(book, on)| book.book(&on.force));
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<BumperValue>) {
        columns::add(&system.acts.bumpers, out);
    }

    fn value(system: &System, _s: &Snapshot, value: BumperValue) -> f64 {
        columns::value(&system.acts.bumpers, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        out.extend(description.bumpers.iter().map(|bumper| ContactName {
            name: bumper.name.clone(),
            body: bumper.between[0].body,
            soil: false,
        }));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for on in &system.acts.bumpers {
            let p_WC = system.side_motion(&on.sides[0]).X_WS.p;
            each(ContactArrow { p_WC, f_W: on.force.force, t_W: Vec3::zeros() });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        for bumper in &description.bumpers {
            for (k, other) in ["", "/other"].iter().enumerate() {
                let (at, radius) = (&bumper.between[k], bumper.law.radii[k]);
                let name = format!("{}{other}", bumper.name);
                out.push(Drawing::fixed(contact_visual(name, at.body, at.X_BF, Shape::Sphere { radius })));
            }
        }
    }

    fn checks(on: &Checked) -> Vec<Check> {
        checks::checks(on)
    }
}

impl BumperOnLinks {
    /// The smaller non-zero radius, m.
    fn smaller_radius(&self) -> f64 {
        let [a, b] = self.law.radii;
        if a > 0.0 && b > 0.0 { a.min(b) } else { a.max(b) }
    }
}
