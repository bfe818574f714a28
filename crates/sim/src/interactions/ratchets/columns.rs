//! Columns of ratchets.

use super::{Pawl, RatchetMemory, RatchetOnLinks};
use crate::books::channels::Columns;

/// A number of a ratchet.
pub(crate) type RatchetValue = (usize, OfRatchet);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfRatchet {
    Tooth,
    Behind,
    Force,
    Stored,
}

/// Adds the columns of all ratchets.
pub(super) fn add(ratchets: &[RatchetOnLinks], out: &mut Columns<RatchetValue>) {
    let rows = [
        (
            OfRatchet::Tooth,
            "tooth",
            "1",
            "tooth that the pawl stands behind, from 0; not a number while it is lifted",
        ),
        (
            OfRatchet::Behind,
            "behind_m",
            "m",
            "how far the points are behind that tooth; negative while they are free, not a number while it is lifted",
        ),
        (OfRatchet::Force, "force_n", "N", "force with which it holds"),
        (OfRatchet::Stored, "stored_j", "J", "energy in its spring"),
    ];
    for (i, ratchet) in ratchets.iter().enumerate() {
        out.put_rows(&format!("ratchet.{}", ratchet.name), "-", &rows, |value| (i, value));
    }
}

/// A number of a ratchet. Needs an evaluation.
pub(super) fn value(ratchet: &RatchetOnLinks, memory: &RatchetMemory, value: OfRatchet) -> f64 {
    match (value, memory.pawl) {
        (OfRatchet::Tooth, Pawl::Behind(tooth)) => tooth as f64,
        (OfRatchet::Tooth | OfRatchet::Behind, Pawl::Lifted) => f64::NAN,
        (OfRatchet::Behind, Pawl::Behind(_)) => ratchet.force.behind,
        (OfRatchet::Force, _) => ratchet.force.size,
        (OfRatchet::Stored, _) => ratchet.force.stored,
    }
}
