//! Times at which signals have corners; steps end there.

use crate::description::WorldDescription;
use crate::interactions::described_signals;
use touchdown_math::Signal;
use touchdown_multibody::description::{Command, ConstraintKind, DriveKind, ElementKind};

/// All times at which a signal may have a corner.
pub(super) fn corners(description: &WorldDescription) -> Vec<f64> {
    let mechanism = &description.mechanism;
    let mut times: Vec<f64> = Vec::new();
    let mut add = |s: &Signal| times.extend(s.corners().iter().map(|c| c.0));
    let mut command = |c: &Command| match c {
        Command::Force(s) => add(s),
        Command::Speed { target, .. } | Command::Position { target, .. } => add(target),
    };
    for drive in &mechanism.drives {
        match &drive.kind {
            DriveKind::Follow(c) => command(c),
            DriveKind::RimSpeed { speed, .. } => command(&Command::Force(speed.clone())),
            DriveKind::Lock => {}
        }
    }
    for element in &mechanism.elements {
        match &element.kind {
            ElementKind::Actuator { command: c, .. } => command(c),
            ElementKind::Load { force, torque, .. } => {
                force.iter().chain(torque).for_each(|s| command(&Command::Force(s.clone())))
            }
            _ => {}
        }
    }
    for constraint in &mechanism.constraints {
        if let ConstraintKind::Prescribed { motion, .. } = &constraint.kind {
            command(&Command::Force(motion.clone()));
        }
    }
    described_signals(description, &mut |signal| times.extend(signal.corners().iter().map(|c| c.0)));
    times.extend(mechanism.drives.iter().map(|d| d.active_from));
    for element in &mechanism.elements {
        if let ElementKind::Spring { slack_until, .. } = element.kind {
            times.push(slack_until);
        }
    }
    times.retain(|t| *t > 0.0 && t.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}
