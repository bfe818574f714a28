//! Forces with a limit, and the branch of the limited law that a linearly implicit step uses.
//!
//! Such a step linearises a law. The tangent at the step's start is wrong if a limit is reached within the
//! step: a drive at its limit would overshoot its target by h·limit/m and swing back in the next step, and a
//! drive below its limit would hold any load. The step therefore checks at its end which branch holds there
//! (`revise`), and is repeated on it. The laws fall with the rate, so that a branch left in this order (limit
//! ⇒ line ⇒ limit) is not used again.

use super::elements::{At, AxisForce, actuator_force, drive_on_branch};
use super::{Cache, Model};
use crate::description::{Command, DriveKind, ElementKind};

/// Branch of a limited law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Branch {
    /// The one of the present motion.
    #[default]
    Own,
    /// The law without its limit.
    Line,
    /// The upper limit.
    Upper,
    /// The lower limit.
    Lower,
}

/// A linear law limited to ± limit; at the limit the force does not depend on the motion.
pub(super) fn bounded(line: AxisForce, limit: f64, branch: Branch) -> AxisForce {
    match if branch == Branch::Own { side(line.value, limit) } else { branch } {
        Branch::Upper => AxisForce { value: limit, ..Default::default() },
        Branch::Lower => AxisForce { value: -limit, ..Default::default() },
        Branch::Line | Branch::Own => line,
    }
}

/// Fixes for each limited force the branch of the present motion. The kinematics must be in the cache.
pub fn choose(model: &Model, at: &At, cache: &mut Cache) {
    each(model, at, cache, |branch, force, limit| *branch = side(force, limit));
}

/// Compares the branches with the end of a step made on them; true if one changed. The kinematics must be in
/// the cache.
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

/// Calls with the branch, the force of the law without its limit, and the limit.
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

    /// At a limit the force does not depend on the motion; below it the law holds; a fixed branch overrides
    /// both.
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
