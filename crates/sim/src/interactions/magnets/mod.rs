//! Pairs of magnets in the loop: two dipoles on their bodies, whose strength can be commanded.

mod columns;

use super::sides::{Side, both_sides};
use super::{Checked, Drawing, How, Interaction, Making, contact_visual, z_onto};
use crate::books::channels::{Columns, Snapshot};
use crate::books::validity::at_most;
use crate::description::{InputTarget, WorldDescription};
use crate::engine::simulation::WorldError;
use crate::engine::system::{Instant, System};
use crate::sink::Check;
use columns::MagnetValue;
use serde::{Deserialize, Serialize};
use touchdown_geometry::Shape;
use touchdown_math::{Mat6, Pose, Signal, Vec3};
use touchdown_multibody::description::Attachment;
use touchdown_multibody::rigid::elements::Powers;
use touchdown_spacecraft::magnet::{self, MagnetForce};

/// Largest dimension of a magnet over the distance. Two thin bars of length L end to end, poles at their
/// ends, attract with 1 + 5/3 (L/r)² + … times the force of their dipoles: 42 % more at a half. Cubes and
/// discs are much nearer to dipoles.
const SIZE: f64 = 0.5;

/// Description of two magnets.
#[derive(Clone, Debug)]
pub struct MagnetPair {
    /// Unique name.
    pub name: String,
    /// Their centres.
    pub between: [Attachment; 2],
    /// Their moments in the axes of their bodies, A m².
    pub moments: [Vec3; 2],
    /// Largest dimension of a magnet, m.
    pub size: f64,
}

/// Pairs of magnets.
pub(crate) struct Magnets;

/// A pair on its links.
#[derive(Clone, Debug)]
pub(crate) struct MagnetsOnLinks {
    pub name: String,
    sides: [Side; 2],
    /// In the axes of the sides, A m².
    moments: [Vec3; 2],
    size: f64,
    strength: Signal,
    /// Result of the last evaluation.
    pub force: MagnetForce,
}

/// Extremes of one pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MagnetBook {
    /// Largest size over distance.
    size: f64,
}

impl Interaction for Magnets {
    const NAME: &'static str = "pairs of magnets";
    type Parts = Vec<MagnetsOnLinks>;
    type Memory = ();
    type Book = MagnetBook;
    type Drawn = ();
    type Value = MagnetValue;

    fn build(making: &mut Making) -> Result<Vec<MagnetsOnLinks>, Vec<WorldError>> {
        let one = |pair: &MagnetPair| MagnetsOnLinks {
            name: pair.name.clone(),
            sides: [0, 1].map(|k| {
                let Attachment { body, X_BF } = pair.between[k];
                Side::new(making.model, body, &X_BF, 0.0)
            }),
            moments: [0, 1].map(|k| pair.between[k].X_BF.R.transpose() * pair.moments[k]),
            size: pair.size,
            strength: Signal::Constant(1.0),
            force: magnet::evaluate(&Vec3::z(), &Vec3::zeros(), &Vec3::zeros()),
        };
        Ok(making.description.magnets.iter().map(one).collect())
    }

    fn count(system: &System) -> usize {
        system.acts.magnets.len()
    }

    fn evaluate(system: &mut System, at: &Instant, how: How) -> Powers {
        let mut powers = Powers::default();
        for i in 0..system.acts.magnets.len() {
            let [first, second] = [0, 1].map(|k| system.side_motion(&system.acts.magnets[i].sides[k]));
            let on = &mut system.acts.magnets[i];
            let strength = on.strength.value(at.t);
            let r = first.X_WS.p - second.X_WS.p;
            let m1 = first.X_WS.R * on.moments[0] * strength;
            let m2 = second.X_WS.R * on.moments[1];
            on.force = magnet::evaluate(&r, &m1, &m2);
            let own = Powers { elastic: on.force.energy, ..Powers::default() };
            powers += own;
            system.cache.parts.book(system.cache.parts.of_links([0, 1].map(|k| on.sides[k].link)), own);
            let wrench = on.force.wrench;
            let slope = how.weights().map(|w| {
                let K = magnet::tangent(&r, &m1, &m2);
                (both_sides((&K, &Mat6::zeros()), (w.q, w.v), &wrench, &first, &second), w.q)
            });
            let sides = on.sides.clone();
            system.push_sides(&sides, &first.X_WS.p, &wrench, slope.as_ref().map(|(A, wq)| (A, *wq)));
        }
        powers
    }

    fn ties(system: &System, each: &mut dyn FnMut([Option<usize>; 2])) {
        system.acts.magnets.iter().for_each(|on| each([0, 1].map(|k| on.sides[k].body)));
    }

    fn book(system: &System, _times: (f64, f64), _memory: &mut (), books: &mut [MagnetBook]) {
        for (book, on) in books.iter_mut().zip(&system.acts.magnets) {
            book.size = book.size.max(on.size / on.force.distance);
        }
    }

    fn signal(_: &WorldDescription, target: &InputTarget) -> Option<Signal> {
        matches!(target, InputTarget::Magnet(_)).then_some(Signal::Constant(1.0))
    }

    fn follow(system: &mut System, target: &InputTarget, signal: &Signal) {
        if let InputTarget::Magnet(k) = *target {
            system.acts.magnets[k].strength = signal.clone();
        }
    }

    fn columns(system: &System, _description: &WorldDescription, out: &mut Columns<MagnetValue>) {
        columns::add(&system.acts.magnets, out);
    }

    fn value(system: &System, _s: &Snapshot, value: MagnetValue) -> f64 {
        columns::value(&system.acts.magnets, value)
    }

    fn drawings(description: &WorldDescription, out: &mut Vec<Drawing>) {
        for pair in description.magnets.iter().filter(|pair| pair.size > 0.0) {
            for (k, other) in ["", "/other"].iter().enumerate() {
                let (at, moment) = (&pair.between[k], &pair.moments[k]);
                let R = if moment.norm() > 0.0 { z_onto(&moment.normalize()) } else { at.X_BF.R };
                let shape = Shape::Cylinder { radius: 0.5 * pair.size, length: pair.size };
                let X_BG = Pose { R, p: at.X_BF.p };
                out.push(Drawing::fixed(contact_visual(
                    format!("{}{other}", pair.name),
                    at.body,
                    X_BG,
                    shape,
                )));
            }
        }
    }

    fn checks(on: &Checked) -> Vec<Check> {
        let about = "largest dimension of a magnet over the distance of the pair: nearer, magnets are no point dipoles";
        let all = on.system.acts.magnets.iter().zip(&on.books.magnets);
        let sized = all.filter(|(magnets, _)| magnets.size > 0.0);
        at_most("magnet_size_over_distance", SIZE, "1", about)
            .worst(sized.map(|(magnets, book)| (magnets.name.as_str(), book.size)))
            .into_iter()
            .collect()
    }
}
