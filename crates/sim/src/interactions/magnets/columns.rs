//! Columns of pairs of magnets.

use super::MagnetsOnLinks;
use crate::books::channels::Columns;

/// A number of a pair.
pub(crate) type MagnetValue = (usize, OfMagnets);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfMagnets {
    Distance,
    Energy,
    Force(usize),
    Torque(usize),
}

/// Adds the columns of all pairs.
pub(super) fn add(all: &[MagnetsOnLinks], out: &mut Columns<MagnetValue>) {
    use OfMagnets::*;
    for (i, pair) in all.iter().enumerate() {
        let base = format!("magnet_pair.{}", pair.name);
        out.put((i, Distance), &format!("{base}.distance_m"), "m", "-", "distance of the magnets' middles");
        let about = "energy of the field: negative where they attract";
        out.put((i, Energy), &format!("{base}.energy_j"), "J", "-", about);
        let about = "force on the first magnet; its opposite acts on the second";
        out.put_axes((&format!("{base}.force"), "n"), ("N", "world", about), |k| (i, Force(k)));
        let about = "torque on the first magnet about its middle";
        out.put_axes((&format!("{base}.torque"), "n_m"), ("N m", "world", about), |k| (i, Torque(k)));
    }
}

/// A number of a pair. Needs an evaluation.
pub(super) fn value(all: &[MagnetsOnLinks], (i, value): MagnetValue) -> f64 {
    let force = &all[i].force;
    match value {
        OfMagnets::Distance => force.distance,
        OfMagnets::Energy => force.energy,
        OfMagnets::Force(k) => force.wrench.f[k],
        OfMagnets::Torque(k) => force.wrench.t[k],
    }
}
