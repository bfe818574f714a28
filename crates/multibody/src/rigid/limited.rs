//! Forces that are cut at a limit, and the branch of the cut law that a linearly implicit step takes them on.
//!
//! Such a step sees a law as a straight line. The line at the step's start is the wrong one where a limit is met within the step: a
//! drive at its limit would overshoot its target by h·limit/m and swing back in the next step, and one below it would hold any load.
//! So the step asks at its end which branch holds there (`revise`), and is made again on it. The laws fall with the rate, so
//! a branch that was left in this order (limit ⇒ line ⇒ limit) is not taken up again.

use super::elements::{At, AxisForce, actuator_force, drive_on_branch};
use super::{Cache, Model};
use crate::description::{Command, DriveKind, ElementKind};

/// Which part of a limited law gives the force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Branch {
    /// The one of the motion at hand.
    #[default]
    Own,
    /// The law without its limit.
    Line,
    /// The upper limit.
    Upper,
    /// The lower limit.
    Lower,
}

/// A linear law cut at ± limit; at the limit the force does not depend on the motion.
pub(super) fn bounded(line: AxisForce, limit: f64, branch: Branch) -> AxisForce {
    match if branch == Branch::Own { side(line.value, limit) } else { branch } {
        Branch::Upper => AxisForce { value: limit, ..Default::default() },
        Branch::Lower => AxisForce { value: -limit, ..Default::default() },
        Branch::Line | Branch::Own => line,
    }
}

/// Takes for each limited force the branch of the motion at hand. The kinematics must stand in the cache.
pub fn choose(model: &Model, at: &At, cache: &mut Cache) {
    each(model, at, cache, |branch, force, limit| *branch = side(force, limit));
}

/// Holds the branches against the end of a step made on them; true where one changed. The kinematics must stand in the cache.
pub fn revise(model: &Model, at: &At, cache: &mut Cache) -> bool {
    let mut changed = false;
    each(model, at, cache, |branch, force, limit| {
        let next = match *branch {
            Branch::Upper if force < limit => Branch::Line,
            Branch::Lower if force > -limit => Branch::Line,
            Branch::Line => side(force, limit),
            same => same,
        };
        changed |= next != *branch;
        *branch = next;
    });
    changed
}

/// Forces follow the motion again.
pub fn release(cache: &mut Cache) {
    cache.branches.fill(Branch::Own);
}

/// Whether a model has a force with a limit.
pub fn are_any(model: &Model) -> bool {
    let drives = model.drives.iter().filter_map(|d| drive_limit(&d.kind));
    let actuators = model.elements.iter().filter_map(|e| actuator_limit(&e.kind));
    drives.chain(actuators).any(f64::is_finite)
}

fn side(force: f64, limit: f64) -> Branch {
    if force > limit {
        Branch::Upper
    } else if force < -limit {
        Branch::Lower
    } else {
        Branch::Line
    }
}

/// Calls with the branch, the force that the law would give without a limit, and the limit.
fn each(model: &Model, at: &At, cache: &mut Cache, mut take: impl FnMut(&mut Branch, f64, f64)) {
    for (i, drive) in model.drives.iter().enumerate() {
        let Some(limit) = drive_limit(&drive.kind) else { continue };
        let force = drive_on_branch(model, i, at, Branch::Line).value;
        take(&mut cache.branches[i], force, limit);
    }
    for (i, element) in model.elements.iter().enumerate() {
        let Some(limit) = actuator_limit(&element.kind) else { continue };
        let force = actuator_force(model, cache, at, &element.kind, Branch::Line).value;
        take(&mut cache.branches[model.drives.len() + i], force, limit);
    }
}

fn command_limit(command: &Command) -> Option<f64> {
    match command {
        Command::Force(_) => None,
        Command::Speed { limit, .. } | Command::Position { limit, .. } => Some(*limit),
    }
}

fn drive_limit(kind: &DriveKind) -> Option<f64> {
    match kind {
        DriveKind::Follow(command) => command_limit(command),
        DriveKind::RimSpeed { limit, .. } => Some(*limit),
        DriveKind::Lock => None,
    }
}

fn actuator_limit(kind: &ElementKind) -> Option<f64> {
    match kind {
        ElementKind::Actuator { command, .. } => command_limit(command),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At a limit the force does not depend on the motion; below it the law holds; a branch that is held overrules both.
    #[test]
    fn forces_are_cut_at_their_limit() {
        let line = |value| AxisForce { value, stiffness: 3.0, damping: 2.0 };
        let limit = |value| AxisForce { value, stiffness: 0.0, damping: 0.0 };
        assert_eq!(bounded(line(4.0), 5.0, Branch::Own), line(4.0));
        assert_eq!(bounded(line(6.0), 5.0, Branch::Own), limit(5.0));
        assert_eq!(bounded(line(-6.0), 5.0, Branch::Own), limit(-5.0));
        assert_eq!(bounded(line(6.0), 5.0, Branch::Line), line(6.0));
        assert_eq!(bounded(line(4.0), 5.0, Branch::Lower), limit(-5.0));
    }
}
