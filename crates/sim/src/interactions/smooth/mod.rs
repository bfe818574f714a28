//! Smooth contact in the loop: evaluates the pairs of surfaces, commits their candidates at accepted steps, and saves them.
//!
//! Evaluation is a pure function of the state and of the candidates of the last accepted step; only `commit` changes these.

mod checks;
mod columns;
mod forms;
mod pair;

pub use forms::shape as form_shape;

use super::{Accepted, Checked, Drawing, How, Interaction, Making, contact_visual};
use crate::books::channels::{Columns, Snapshot};
use crate::description::{ContactSide, WorldDescription};
use crate::engine::method::StepFailure;
use crate::engine::show::ContactName;
use crate::engine::simulation::WorldError;
use crate::engine::state::{CheckpointError, Flows, same_count};
use crate::engine::system::{ContactStates, Instant, System};
use crate::sink::{Check, ContactArrow};
use checks::PairBook;
use columns::PairValue;
use pair::PairOnLinks;
use serde::{Deserialize, Serialize};
use touchdown_contact::surface::{MOST, STATES, SmoothState, SurfaceMotion};
use touchdown_math::{Vec3, Wrench};
use touchdown_multibody::rigid::elements::Powers;
use touchdown_multibody::rigid::push;

/// Pairs of smooth surfaces.
pub(crate) struct SmoothContacts;

/// Memory of the pairs: the time of the last accepted step, and the candidates of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairsHistory {
    pub at: f64,
    pub held: Vec<SmoothState>,
}

/// Adds heat that is not work of a pair's force to its independent part, and returns it.
fn lose(system: &System, p: &PairOnLinks, flows: &mut Flows, heat: f64) -> f64 {
    flows.lose(system.cache.parts.of_links([0, 1].map(|k| p.sides[k].link)), heat);
    heat
}

impl Interaction for SmoothContacts {
    const NAME: &'static str = "smooth contacts";
    type Parts = Vec<PairOnLinks>;
    type Memory = PairsHistory;
    type Book = PairBook;
    type Drawn = ();
    type Value = PairValue;

    fn build(making: &mut Making) -> Result<Vec<PairOnLinks>, Vec<WorldError>> {
        let pairs = PairOnLinks::all(making.description, making.model, making.states)?;
        making.states += pairs.iter().map(PairOnLinks::states).sum::<usize>();
        Ok(pairs)
    }

    fn count(system: &System) -> usize {
        system.acts.smooth.len()
    }

    fn start(system: &mut System, (q, v): (&[f64], &[f64]), _z: &mut [f64]) -> PairsHistory {
        let mut memory = PairsHistory { at: 0.0, held: Vec::new() };
        if system.acts.smooth.is_empty() {
            return memory;
        }
        system.update_kinematics(q, v);
        for i in 0..system.acts.smooth.len() {
            let sides = system.side_motions(i);
            let p = &mut system.acts.smooth[i];
            memory.held.push(p.pair.start(&sides, &mut p.scratch));
        }
        memory
    }

    fn open(system: &System) -> Vec<PairBook> {
        let book = |p: &PairOnLinks| {
            let mut book = PairBook::default();
            book.book(p, 0.0);
            book
        };
        system.acts.smooth.iter().map(book).collect()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let (mut powers, weights) = (Powers::default(), how.weights());
        for i in 0..system.acts.smooth.len() {
            let sides = system.evaluate_pair(i, (at.t, at.z), &at.held.acts.smooth, weights.is_some());
            let p = &system.acts.smooth[i];
            let own = Powers {
                elastic: p.force.elastic_energy,
                dissipated: p.force.dissipated_power,
                ..Powers::default()
            };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| p.sides[k].link)), own);
            let slope =
                |a: usize, b: usize| weights.map(|w| p.tangent.K[a][b] * w.q + p.tangent.D[a][b] * w.v);
            for (k, side) in p.sides.iter().enumerate() {
                let Some(body) = side.body else { continue };
                let own = slope(k, k);
                let own = own.as_ref().zip(weights).map(|(A, w)| (A, w.q));
                let place = (body, sides[k].X_WS.p);
                push::add_contact(&system.model, &mut system.cache, place, &p.force.wrenches[k], own);
            }
            for (a, b) in [(0, 1), (1, 0)] {
                if let Some(A) = slope(a, b) {
                    let ends = [a, b].map(|k| (p.sides[k].link, sides[k].X_WS.p));
                    push::add_coupling(&mut system.cache, ends, &A);
                }
            }
        }
        powers
    }

    fn is_watched(system: &System) -> bool {
        !system.acts.smooth.is_empty()
    }

    /// Time within which no pair approaches by more than its threshold.
    fn horizon(system: &System) -> f64 {
        let mut horizon = f64::INFINITY;
        for (i, p) in system.acts.smooth.iter().enumerate() {
            let sides = system.side_motions(i);
            let reach = |k: usize| sides[k].v_WS.norm() + sides[k].w_WS.norm() * p.sides[k].reach;
            horizon = horizon.min(system.time_to_approach(p.threshold, reach(0) + reach(1)));
        }
        horizon
    }

    fn event_count(system: &System) -> usize {
        system.acts.smooth.iter().map(|p| 2 * p.most).sum()
    }

    /// Gap and sign of the push for every slot; one for empty slots.
    fn events(system: &mut System, (t, z): (f64, &[f64]), memory: &PairsHistory, out: &mut [f64]) {
        let mut at = 0;
        for i in 0..system.acts.smooth.len() {
            system.evaluate_pair(i, (t, ContactStates::Given(z)), memory, false);
            let p = &system.acts.smooth[i];
            let mine = &mut out[at..at + 2 * p.most];
            mine.fill(1.0);
            for c in p.candidates() {
                mine[2 * c.slot] = c.gap;
                // Far apart the sign has no meaning, and the next touch begins with a push.
                mine[2 * c.slot + 1] = p.push_sign(c);
            }
            at += 2 * p.most;
        }
    }

    fn changes_by_steps(system: &System) -> bool {
        !system.acts.smooth.is_empty()
    }

    fn rates_depend_on_states(system: &System) -> bool {
        !system.acts.smooth.is_empty()
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.smooth.iter().for_each(|pair| each(pair.bodies()));
    }

    /// An error if a body is at a place without ground.
    fn check(system: &mut System, _memory: &PairsHistory) -> Result<(), StepFailure> {
        for p in &system.acts.smooth {
            if let Some((why, at)) = p.force.missing {
                return Err(StepFailure::no_ground(why, &p.name, at));
            }
        }
        Ok(())
    }

    fn lost(system: &System, books: &mut [PairBook], flows: &mut Flows) -> f64 {
        let pairs = books.iter_mut().zip(&system.acts.smooth);
        pairs.map(|(book, p)| lose(system, p, flows, book.book_lost(p))).sum()
    }

    /// Candidates are tracked to the accepted state, found and dropped.
    fn commit(system: &mut System, step: &mut Accepted, memory: &mut PairsHistory, books: &mut [PairBook]) {
        if system.acts.smooth.is_empty() {
            return;
        }
        let since = step.t - memory.at;
        system.evaluate_pairs(step, memory);
        books.iter_mut().zip(&system.acts.smooth).for_each(|(book, p)| book.book(p, since));
        for i in 0..system.acts.smooth.len() {
            let sides = system.side_motions(i);
            let p = &mut system.acts.smooth[i];
            let z = &mut step.z[p.z..p.z + p.nz];
            let before: [f64; STATES * MOST] = std::array::from_fn(|k| z.get(k).copied().unwrap_or(0.0));
            p.pair.commit(&sides, since, &mut memory.held[i], z, &mut p.scratch);
            books[i].book_passed(p.pair.passed(&sides));
            step.set_back |= z.iter().zip(&before).any(|(a, b)| a != b);
        }
        memory.at = step.t;
        system.evaluate_pairs(step, memory);
        let pairs = books.iter_mut().zip(&system.acts.smooth);
        let found: f64 = pairs.map(|(book, p)| lose(system, p, step.flows, book.book_found(p))).sum();
        step.works.dissipated += found;
    }

    fn settle(system: &System, memory: &mut PairsHistory) -> Result<(), CheckpointError> {
        same_count("candidates of smooth contacts", memory.held.len(), system.acts.smooth.len())
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<PairValue>) {
        columns::add(&system.acts.smooth, out);
    }

    fn value(system: &System, s: &Snapshot, value: PairValue) -> f64 {
        columns::value(system, s, value)
    }

    fn contacts(description: &WorldDescription, out: &mut Vec<ContactName>) {
        out.extend(description.contacts.iter().map(|contact| ContactName {
            name: contact.name.clone(),
            body: Some(contact.two.body),
            soil: false,
        }));
    }

    fn arrows(system: &System, each: &mut dyn FnMut(ContactArrow)) {
        for i in 0..system.acts.smooth.len() {
            let (p_WC, W) = system.pair_resultant(i);
            each(ContactArrow { p_WC, f_W: W.f, t_W: W.t });
        }
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        let form = |name: String, side: &ContactSide| {
            Drawing::fixed(contact_visual(name, Some(side.body), side.X_BS, form_shape(&side.form)))
        };
        for contact in &description.contacts {
            out.extend(contact.one.iter().map(|side| form(format!("{}/other", contact.name), side)));
            out.push(form(contact.name.clone(), &contact.two));
        }
    }

    fn checks(on: &Checked) -> Vec<Check> {
        if on.at_rest { Vec::new() } else { checks::checks(on) }
    }
}

impl System {
    /// Motion of both sides of a pair. Needs kinematics.
    fn side_motions(&self, i: usize) -> [SurfaceMotion; 2] {
        [0, 1].map(|k| self.side_motion(&self.acts.smooth[i].sides[k]))
    }

    /// Motions ⇒ forces of pair `i`, at the candidates held. Needs kinematics.
    fn evaluate_pair(
        &mut self,
        i: usize,
        at: (f64, ContactStates),
        held: &PairsHistory,
        tangents: bool,
    ) -> [SurfaceMotion; 2] {
        let sides = self.side_motions(i);
        let since = at.0 - held.at;
        let p = &mut self.acts.smooth[i];
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

    /// Evaluates the pairs alone at an accepted state.
    fn evaluate_pairs(&mut self, step: &Accepted, memory: &PairsHistory) {
        self.update_kinematics(step.q, step.v);
        for i in 0..self.acts.smooth.len() {
            self.evaluate_pair(i, (step.t, ContactStates::Given(step.z)), memory, false);
        }
    }

    /// Point of the resultant of a pair on its second side, with its force and torque there. Needs an
    /// evaluation.
    pub(crate) fn pair_resultant(&self, i: usize) -> (Vec3, Wrench) {
        let p = &self.acts.smooth[i];
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
