//! Columns of bumpers.

use super::BumperOnLinks;
use crate::books::channels::Columns;

/// A number of a bumper.
pub(crate) type BumperValue = (usize, OfBumper);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfBumper {
    Gap,
    Push,
    Stored,
}

/// Adds the columns of all bumpers.
pub(super) fn add(bumpers: &[BumperOnLinks], out: &mut Columns<BumperValue>) {
    for (i, bumper) in bumpers.iter().enumerate() {
        let values = [
            (OfBumper::Gap, "gap_m", "m", "distance of the balls' surfaces; negative while they touch"),
            (OfBumper::Push, "push_n", "N", "force by which the balls push each other apart"),
            (OfBumper::Stored, "stored_j", "J", "energy in the spring"),
        ];
        out.put_rows(&format!("bumper.{}", bumper.name), "-", &values, |value| (i, value));
    }
}

/// A number of a bumper. Needs an evaluation.
pub(super) fn value(bumpers: &[BumperOnLinks], (i, value): BumperValue) -> f64 {
    let force = &bumpers[i].force;
    match value {
        OfBumper::Gap => force.gap,
        OfBumper::Push => force.push,
        OfBumper::Stored => force.stored,
    }
}
