//! Stops of joints: their law, the branch of it that an implicit step takes them on, and the heat of a step.
//!
//! A stop is a spring and damper that begins at once: its damper makes the force jump where the joint arrives. Steps that are longer than the stop's own time (damping over stiffness, mass over damping)
//! see neither the jump nor the blow. So an implicit step holds each stop on one branch, free or engaged, and asks at its end which one holds there; on a branch the law is a straight line. The heat is booked from
//! what the step did, not from powers at its ends: a blow that begins and ends within a step has none there.

use super::constraint::{coordinate, rate_index};
use super::elements::{AxisForce, Powers};
use super::limited::Branch;
use super::{Cache, Model};
use crate::description::{ElementKind, JointAxis};

/// Numbers of one stop.
#[derive(Clone, Copy, Debug)]
struct Stop {
    axis: JointAxis,
    ends: [f64; 2],
    stiffness: f64,
    damping: f64,
}

impl Stop {
    fn of(kind: &ElementKind) -> Option<Stop> {
        match kind {
            ElementKind::JointLimit { axis, lower, upper, stiffness, damping } => {
                let (stiffness, damping) = (*stiffness, *damping);
                Some(Stop { axis: *axis, ends: [*lower, *upper], stiffness, damping })
            }
            _ => None,
        }
    }

    /// Distance beyond the nearer end, with its sign; zero between the ends.
    fn excess(&self, x: f64) -> f64 {
        x - x.clamp(self.ends[0], self.ends[1])
    }

    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * self.excess(x) * self.excess(x)
    }

    /// The branch of the motion at hand: engaged beyond an end while the force presses, else free. A stop never pulls back.
    fn branch(&self, x: f64, rate: f64) -> Branch {
        let excess = self.excess(x);
        let presses = (self.stiffness * excess + self.damping * rate) * excess > 0.0;
        match presses {
            true if excess > 0.0 => Branch::Upper,
            true => Branch::Lower,
            false => Branch::Line,
        }
    }

    fn force(&self, x: f64, rate: f64, branch: Branch) -> AxisForce {
        let end = match if branch == Branch::Own { self.branch(x, rate) } else { branch } {
            Branch::Lower => self.ends[0],
            Branch::Upper => self.ends[1],
            Branch::Line | Branch::Own => return AxisForce::default(),
        };
        let value = -self.stiffness * (x - end) - self.damping * rate;
        AxisForce { value, stiffness: self.stiffness, damping: self.damping }
    }
}

/// The force of a stop; its energy and, where steps do not book their own heat, its power are added to `powers`.
pub(super) fn update(
    kind: &ElementKind,
    (x, rate): (f64, f64),
    (branch, by_steps): (Branch, bool),
    powers: &mut Powers,
) -> AxisForce {
    let Some(stop) = Stop::of(kind) else { return AxisForce::default() };
    let force = stop.force(x, rate, branch);
    powers.elastic += stop.energy(x);
    if !by_steps {
        // Where the damper alone would reverse the force it is cut at zero, and the released energy is lost.
        let free = -stop.stiffness * stop.excess(x) * rate;
        let engaged = force != AxisForce::default();
        powers.dissipated += if engaged { force.damping * rate * rate } else { free };
    }
    force
}

/// Holds each stop on the branch of a state. The cache needs no kinematics.
pub fn choose(model: &Model, (q, v): (&[f64], &[f64]), cache: &mut Cache) {
    each(model, |i, k, stop| {
        let x = coordinate(model, stop.axis, q);
        cache.branches[model.drives.len() + i] = stop.branch(x, v[k]);
    });
}

/// Holds the branches against the end of a step made on them, and takes the others where the motion contradicts them; true where one changed. With `engage` stops are only put on, none is let go: after each
/// stop was put on nothing changes any more.
pub fn revise(model: &Model, (q, v): (&[f64], &[f64]), engage: bool, cache: &mut Cache) -> bool {
    let mut changed = false;
    each(model, |i, k, stop| {
        let held = &mut cache.branches[model.drives.len() + i];
        let x = coordinate(model, stop.axis, q);
        let next = match *held {
            // A step that ends short of the stop was braked by it all the same: it is let go when it would pull.
            Branch::Upper if stop.force(x, v[k], Branch::Upper).value < 0.0 => Branch::Upper,
            Branch::Lower if stop.force(x, v[k], Branch::Lower).value > 0.0 => Branch::Lower,
            _ => stop.branch(x, v[k]),
        };
        if next != *held && !(engage && *held != Branch::Line) {
            *held = next;
            changed = true;
        }
    });
    changed
}

/// State of a mechanism at one end of a step.
pub type Motion<'a> = (&'a [f64], &'a [f64]);

/// Heat of each stop over a step of length h on the branches that are held, handed over with the element's number: work of its force less what its spring took up. The force is that at the step's end, or the
/// mean of both ends where `both`; force times time times the mean of the rates is what an impulse takes from the kinetic energy, however it is spread over the step.
pub fn heat_of_step(
    model: &Model,
    (before, after): (Motion, Motion),
    (h, both): (f64, bool),
    cache: &Cache,
    mut take: impl FnMut(usize, f64),
) {
    each(model, |i, k, stop| {
        let branch = cache.branches[model.drives.len() + i];
        let [(x0, v0), (x1, v1)] = [before, after].map(|(q, v)| (coordinate(model, stop.axis, q), v[k]));
        let end = stop.force(x1, v1, branch).value;
        let force = if both { 0.5 * (stop.force(x0, v0, branch).value + end) } else { end };
        let heat = -force * h * 0.5 * (v0 + v1) + stop.energy(x0) - stop.energy(x1);
        if heat != 0.0 {
            take(i, heat);
        }
    });
}

/// Whether a model has stops.
pub fn are_any(model: &Model) -> bool {
    model.elements.iter().any(|e| matches!(e.kind, ElementKind::JointLimit { .. }))
}

/// Calls with the number, the rate and the numbers of each stop of a joint that moves.
fn each(model: &Model, mut take: impl FnMut(usize, usize, &Stop)) {
    for (i, element) in model.elements.iter().enumerate() {
        let Some(stop) = Stop::of(&element.kind) else { continue };
        if let Some(k) = rate_index(model, stop.axis) {
            take(i, k, &stop);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STOP: Stop =
        Stop { axis: JointAxis { joint: 0, axis: 0 }, ends: [-1.0, 1.0], stiffness: 50.0, damping: 4.0 };

    /// A stop presses and never pulls; held on a branch its law is a straight line.
    #[test]
    fn a_stop_presses_and_never_pulls() {
        for x in [-1.4, -1.01, -0.5, 0.0, 0.9, 1.01, 1.4] {
            for rate in [-20.0, -1.0, 0.0, 1.0, 20.0] {
                let force = STOP.force(x, rate, Branch::Own).value;
                let excess = STOP.excess(x);
                assert!(force * excess <= 0.0 && (excess != 0.0 || force == 0.0), "{x} {rate}: {force}");
                assert_eq!(STOP.force(x, rate, Branch::Upper).value, -50.0 * (x - 1.0) - 4.0 * rate);
                assert_eq!(STOP.force(x, rate, Branch::Line), AxisForce::default());
            }
        }
    }
}
