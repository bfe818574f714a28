//! Columns of what pushes: drives, tyres, springs and actuators, constraints.

use super::{Channels, Source, TyreValue, TyresValue};
use crate::system::System;
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

    pub(super) fn add_tyres(&mut self, system: &System) {
        for (i, tyre) in system.tyres.iter().enumerate() {
            let values: [(TyreValue, &str, &'static str, &str); 11] = [
                (TyreValue::Normal, "normal_force_n", "N", "force of the ground along its normal"),
                (TyreValue::Deformation, "deformation_m", "m", "radial deformation"),
                (
                    TyreValue::Longitudinal,
                    "longitudinal_force_n",
                    "N",
                    "force on the wheel forward in the ground plane",
                ),
                (
                    TyreValue::Lateral,
                    "lateral_force_n",
                    "N",
                    "force on the wheel to the left in the ground plane",
                ),
                (
                    TyreValue::SlipLongitudinal,
                    "slip_longitudinal",
                    "1",
                    "(ω(R−δ) − v_x)/max(|ω(R−δ)|, |v_x|)",
                ),
                (TyreValue::SlipAngle, "slip_angle_rad", "rad", "atan(v_y/|v_x|)"),
                (TyreValue::RimSpeed, "rim_speed_m_per_s", "m/s", "ω(R−δ), spin rate times loaded radius"),
                (
                    TyreValue::FrictionUsed,
                    "friction_used",
                    "1",
                    "tangential force over what friction can hold",
                ),
                (
                    TyreValue::Gap,
                    "gap_m",
                    "m",
                    "distance of the round wheel from the ground; negative while it touches",
                ),
                (TyreValue::LiftOffs, "lift_offs", "1", "how often it left the ground since its first touch"),
                (TyreValue::AirTime, "air_time_s", "s", "time in the air since its first touch"),
            ];
            for (value, suffix, unit, about) in values {
                self.put(
                    Source::Tyre(i, value),
                    &format!("tyre.{}.{suffix}", tyre.name),
                    unit,
                    "ground",
                    about,
                );
            }
        }
    }

    /// Columns of all tyres together.
    pub(super) fn add_tyres_together(&mut self, system: &System) {
        if system.tyres.is_empty() {
            return;
        }
        for (value, name, unit, about) in [
            (TyresValue::Touching, "tyres.touching", "1", "wheels on the ground"),
            (TyresValue::LiftOffs, "tyres.lift_offs", "1", "how often wheels left the ground"),
            (
                TyresValue::AirTimeMax,
                "tyres.air_time_max_s",
                "s",
                "time in the air of the wheel that was there longest",
            ),
        ] {
            self.put(Source::Tyres(value), name, unit, "ground", about);
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
