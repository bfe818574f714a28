//! Columns of joints and bodies.

use super::{AXES, BODIES_IN_SERIES, Channels, Source};
use crate::engine::system::System;
use touchdown_multibody::description::{JointKind, Mechanism};

impl Channels {
    pub(super) fn add_joints(&mut self, system: &System, mechanism: &Mechanism) {
        for (j, joint) in mechanism.joints.iter().enumerate() {
            let slot = &system.model.joints[j];
            let base = format!("joint.{}", joint.name);
            if self.reactions {
                for (k, axis) in AXES.iter().enumerate() {
                    let name = format!("{base}.reaction_f{axis}_n");
                    self.put(
                        Source::ReactionForce(j, k),
                        &name,
                        "N",
                        "world",
                        "force of the parent on the child through the joint",
                    );
                }
                for (k, axis) in AXES.iter().enumerate() {
                    let name = format!("{base}.reaction_t{axis}_n_m");
                    let about =
                        "torque of the parent on the child through the joint, about the joint frame's origin";
                    self.put(Source::ReactionTorque(j, k), &name, "N m", "world", about);
                }
            }
            if slot.locked {
                continue;
            }
            match joint.kind {
                JointKind::Spherical | JointKind::Free => {
                    self.add_quaternion_joint(&base, &joint.kind, slot.q)
                }
                _ => self.add_axis_joint(&base, &joint.kind, slot.q, slot.v),
            }
        }
    }

    fn add_quaternion_joint(&mut self, base: &str, kind: &JointKind, q: usize) {
        let mut at = q;
        if *kind == JointKind::Free {
            for axis in AXES {
                self.put(
                    Source::Coordinate(at),
                    &format!("{base}.{axis}_m"),
                    "m",
                    "joint",
                    "position in the parent's joint frame",
                );
                at += 1;
            }
        }
        for part in ["qw", "qx", "qy", "qz"] {
            self.put(
                Source::Coordinate(at),
                &format!("{base}.{part}"),
                "1",
                "joint",
                "orientation quaternion in the parent's joint frame",
            );
            at += 1;
        }
    }

    fn add_axis_joint(&mut self, base: &str, kind: &JointKind, q: usize, v: usize) {
        let turns = kind.turning_axes();
        for (k, turning) in turns.iter().enumerate() {
            let base = if turns.len() == 1 { base.to_string() } else { format!("{base}.{k}") };
            let (unit, rate_unit): (&'static str, &'static str) =
                if *turning { ("rad", "rad/s") } else { ("m", "m/s") };
            let rate_suffix = if *turning { "rad_per_s" } else { "m_per_s" };
            self.put(
                Source::Coordinate(q + k),
                &format!("{base}.position_{unit}"),
                unit,
                "joint",
                "joint coordinate",
            );
            self.put(
                Source::Rate(v + k),
                &format!("{base}.rate_{rate_suffix}"),
                rate_unit,
                "joint",
                "rate of the joint coordinate",
            );
        }
    }

    pub(super) fn add_bodies(&mut self, system: &System) {
        if system.model.bodies.len() > BODIES_IN_SERIES {
            return;
        }
        for b in 0..system.model.bodies.len() {
            let base = format!("body.{}", system.model.body_names[b]);
            for (k, axis) in AXES.iter().enumerate() {
                self.put(
                    Source::BodyPosition(b, k),
                    &format!("{base}.{axis}_m"),
                    "m",
                    "world",
                    "position of the body frame's origin",
                );
            }
            for (k, part) in ["qw", "qx", "qy", "qz"].iter().enumerate() {
                self.put(
                    Source::BodyQuaternion(b, k),
                    &format!("{base}.{part}"),
                    "1",
                    "world",
                    "orientation quaternion",
                );
            }
            for (k, axis) in AXES.iter().enumerate() {
                let name = format!("{base}.v{axis}_m_per_s");
                self.put(
                    Source::BodyVelocity(b, k),
                    &name,
                    "m/s",
                    "world",
                    "velocity of the body frame's origin",
                );
            }
            for (k, axis) in AXES.iter().enumerate() {
                self.put(
                    Source::BodyRate(b, k),
                    &format!("{base}.w{axis}_rad_per_s"),
                    "rad/s",
                    "world",
                    "angular velocity",
                );
            }
            if let Some(slot) = self.path_bodies.iter().position(|p| *p == b) {
                for (k, angle) in ["roll", "pitch", "yaw"].iter().enumerate() {
                    let about = "angle of the rotation z-y-x (yaw, pitch, roll)";
                    self.put(Source::BodyAngle(b, k), &format!("{base}.{angle}_rad"), "rad", "world", about);
                }
                let about = "length of the path travelled, from the speeds at the rows";
                self.put(Source::BodyPath(slot), &format!("{base}.path_m"), "m", "world", about);
            }
        }
    }
}
