//! Columns of bodies that move through soil.

use super::IntruderOnLink;
use crate::books::channels::Columns;
use crate::description::WorldDescription;

/// A number of a body.
pub(crate) type IntruderValue = (usize, OfIntruder);

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum OfIntruder {
    Depth,
    Heat,
    Force(usize),
    Torque(usize),
}

/// Adds the columns of all bodies except feet, which have their own columns.
pub(super) fn add(all: &[IntruderOnLink], description: &WorldDescription, out: &mut Columns<IntruderValue>) {
    use OfIntruder::*;
    for (i, on) in all.iter().enumerate() {
        if description.feet.iter().any(|foot| foot.intruder == Some(i)) {
            continue;
        }
        let base = format!("intruder.{}", on.name);
        let rows = [
            (
                Depth,
                "depth_m",
                "m",
                "depth of its deepest element below the undisturbed surface; negative above",
            ),
            (Heat, "heat_w", "W", "power that soil takes from it"),
        ];
        out.put_rows(&base, "-", &rows, |value| (i, value));
        let about = ("N", "world", "force of the soil on it");
        out.put_axes((&format!("{base}.force"), "n"), about, |k| (i, Force(k)));
        let about = ("N m", "world", "torque of the soil about the origin of its form");
        out.put_axes((&format!("{base}.torque"), "n_m"), about, |k| (i, Torque(k)));
    }
}

/// A number of a body. Needs an evaluation.
pub(super) fn value(all: &[IntruderOnLink], (i, value): IntruderValue) -> f64 {
    let force = &all[i].force;
    match value {
        OfIntruder::Depth => force.depth,
        OfIntruder::Heat => force.dissipated_power,
        OfIntruder::Force(k) => force.wrench_S.f[k],
        OfIntruder::Torque(k) => force.wrench_S.t[k],
    }
}
