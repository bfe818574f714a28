//! Columns of drives, springs and actuators, constraints.

use super::{Channels, Source};
use crate::engine::system::System;
use touchdown_multibody::description::{ConstraintKind, ElementKind, Mechanism};

impl Channels {
    pub(super) fn add_drives(&mut self, system: &System, mechanism: &Mechanism) {
        for (i, drive) in system.model.drives.iter().enumerate() {
            let turning = mechanism.joints[drive.axis.joint].kind.turning_axes();
            let turns = turning.get(drive.axis.axis).copied().unwrap_or(false);
            let (suffix, unit): (&str, &'static str) =
                if turns { ("torque_n_m", "N m") } else { ("force_n", "N") };
            self.put(
                Source::DriveForce(i),
                &format!("drive.{}.{suffix}", drive.name),
                unit,
                "joint",
                "what the drive exerts on its joint",
            );
            self.put(
                Source::DrivePower(i),
                &format!("drive.{}.power_w", drive.name),
                "W",
                "-",
                "power of the drive",
            );
        }
    }

    pub(super) fn add_lines_and_constraints(&mut self, system: &System, mechanism: &Mechanism) {
        for (i, element) in system.model.elements.iter().enumerate() {
            let kind = match element.kind {
                ElementKind::Spring { .. } => "spring",
                ElementKind::Actuator { .. } => "actuator",
                _ => continue,
            };
            self.put(
                Source::LineForce(i),
                &format!("{kind}.{}.force_n", element.name),
                "N",
                "-",
                "tension positive",
            );
            self.put(
                Source::LineLength(i),
                &format!("{kind}.{}.length_m", element.name),
                "m",
                "-",
                "distance of its ends",
            );
        }
        for (i, slot) in system.model.constraints.iter().enumerate() {
            let name = format!("constraint.{}.residual", slot.name);
            self.put(Source::ConstraintResidual(i), &name, "m, rad", "-", "largest residual of its rows");
            for row in 0..slot.rows {
                let name = format!("constraint.{}.force_{row}", slot.name);
                let unit =
                    mechanism.constraints.get(i).map_or("N, N m", |c| multiplier_unit(mechanism, &c.kind));
                self.put(
                    Source::Multiplier(slot.row + row),
                    &name,
                    unit,
                    "world",
                    "multiplier: push on its second side",
                );
            }
        }
    }
}

/// Unit of a constraint's multipliers.
fn multiplier_unit(mechanism: &Mechanism, kind: &ConstraintKind) -> &'static str {
    match kind {
        ConstraintKind::Prescribed { axis, .. } | ConstraintKind::Gear { driven: axis, .. } => {
            match mechanism.joints[axis.joint].kind.turning_axes().get(axis.axis) {
                Some(true) => "N m",
                Some(false) => "N",
                None => "N, N m",
            }
        }
        ConstraintKind::Coincident { .. } | ConstraintKind::Distance { .. } => "N",
        ConstraintKind::Parallel { .. } | ConstraintKind::Perpendicular { .. } => "N m",
    }
}
