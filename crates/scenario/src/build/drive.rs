//! Drives and locks on joints chosen by name or pattern.

use super::Builder;
use super::command::{Followed, Follows, Motor, Ramp};
use super::tree::Frames;
use crate::read::{Quantity, Timed};
use crate::table::{DriveKeys, JointMotorKeys};
use std::collections::BTreeMap;
use touchdown_multibody::description::{Drive, DriveKind, JointAxis};
use touchdown_sim::description::InputTarget;

impl<'a> Builder<'a> {
    /// Drives and locks of every scope.
    pub fn collect_drives(&mut self) {
        // Owners of the joints' coordinates, to detect clashes.
        let mut taken: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for s in 0..self.scopes.len() {
            self.locks(s, &mut taken);
        }
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].parts.drive {
                if let Some(keys) = &named.keys {
                    self.drive(s, &named.name, keys, &mut taken);
                }
            }
        }
    }

    fn locks(&mut self, scope: usize, taken: &mut BTreeMap<(usize, usize), String>) {
        for pattern in self.scopes[scope].parts.locks {
            for (joint, _) in self.matching(scope, pattern) {
                let rates = self.mechanism.joints[joint].kind.rates();
                let name = self.mechanism.joints[joint].name.clone();
                if rates == 0 || taken.contains_key(&(joint, 0)) {
                    continue;
                }
                (0..rates).for_each(|axis| drop(taken.insert((joint, axis), "locks".into())));
                let axis = JointAxis { joint, axis: 0 };
                self.mechanism.drives.push(Drive { name, axis, kind: DriveKind::Lock, active_from: 0.0 });
            }
        }
    }

    fn drive(
        &mut self,
        scope: usize,
        own_name: &str,
        keys: &DriveKeys,
        taken: &mut BTreeMap<(usize, usize), String>,
    ) -> Option<()> {
        let followed = self.followed(keys);
        let mut joints = Vec::new();
        for pattern in &keys.joints {
            joints.extend(self.matching(scope, pattern).into_iter().map(|found| (found, pattern)));
        }
        let followed = followed?;
        let factors = self.factors(keys, joints.len())?;
        // A drive of one joint given by its full name keeps its own name; drives of several take the names of
        // their joints.
        let single = matches!(&keys.joints[..], [text] if !text.contains('*'));
        for (((joint, index), pattern), factor) in joints.into_iter().zip(factors) {
            let c = self.checked_coordinate(joint, index, pattern.loc, &pattern.path)?;
            let joint_name = self.mechanism.joints[joint].name.clone();
            if let Some(other) = taken.insert((joint, c.axis.axis), keys.here.path.clone()) {
                let what = format!("drives joint {joint_name}, which {other} already holds");
                self.issues.at(pattern.loc, &pattern.path, what).hint("one drive or lock for each motion");
                continue;
            }
            let name = if single { format!("{}{own_name}", self.scopes[scope].prefix) } else { joint_name };
            self.remember("drive", &name, &keys.here);
            if followed.by != Follows::RimSpeed && keys.ground_gain.is_some() {
                let key = DriveKeys::ground_gain;
                let (loc, path) = (keys.here.loc_of(key), keys.here.path_of(key));
                self.issues.at(loc, path, "means nothing without rim_speed");
                return None;
            }
            let kind = if followed.by == Follows::RimSpeed {
                self.rim_speed(keys, &followed, joint, (c.angular, factor))?
            } else {
                let own = self.motor_limit(joint, c.angular);
                let most = keys.limit.as_ref().or(own);
                let kind =
                    self.command(&Motor { limit: most, ..motor(keys) }, &followed, c.angular, factor)?;
                DriveKind::Follow(kind)
            };
            if keys.input {
                let target = InputTarget::Drive(self.mechanism.drives.len());
                let bounds = self.command_bounds(joint, keys.limit.as_ref(), followed.by, c.angular);
                self.add_limited(name.clone(), target, bounds);
            }
            self.mechanism.drives.push(Drive { name, axis: c.axis, kind, active_from: keys.active_from });
        }
        Some(())
    }

    /// Limits of the motor in a joint, from its `motor`.
    fn motor_in(&self, joint: usize) -> Option<&'a JointMotorKeys> {
        let planned = self.planned.iter().find(|p| p.joint == joint)?;
        let Frames::Table(keys) = planned.frames else { return None };
        keys.motor.as_ref()
    }

    /// Largest torque or force of the motor in a joint.
    pub(super) fn motor_limit(&mut self, joint: usize, angular: bool) -> Option<&'a Quantity> {
        let limit = self.motor_in(joint)?.limit.as_ref();
        self.suited(limit, angular).and(limit)
    }

    /// Command limits of the motor in a joint: torque within the limit of the drive or the motor, speed
    /// within that of the motor.
    fn command_bounds(
        &mut self,
        joint: usize,
        limit: Option<&Quantity>,
        by: Follows,
        angular: bool,
    ) -> [f64; 2] {
        let own = self.motor_in(joint);
        let most = match by {
            Follows::Force => limit.or(own.and_then(|motor| motor.limit.as_ref())),
            Follows::Speed => own.and_then(|motor| motor.speed.as_ref()),
            _ => None,
        };
        let most = self.suited(most, angular).unwrap_or(f64::MAX);
        [-most, most]
    }

    /// The single target of a drive.
    fn followed(&mut self, keys: &DriveKeys) -> Option<Followed> {
        let follow = |by: Follows, key: &'static str, target: &Option<Timed>| {
            (key, target.clone().map(|target| Followed { by, key, target }))
        };
        self.one_given(
            &keys.here,
            "must follow one thing",
            [
                follow(Follows::Force, DriveKeys::torque.name(), &keys.torque),
                follow(Follows::Force, DriveKeys::force.name(), &keys.force),
                follow(Follows::Speed, DriveKeys::speed.name(), &keys.speed),
                follow(Follows::Position, DriveKeys::position.name(), &keys.position),
                follow(Follows::RimSpeed, DriveKeys::rim_speed.name(), &keys.rim_speed),
            ],
        )
    }

    fn factors(&mut self, keys: &DriveKeys, joints: usize) -> Option<Vec<f64>> {
        let Some(list) = &keys.factors else {
            return (!keys.here.has(DriveKeys::factors)).then(|| vec![1.0; joints]);
        };
        if list.len() != joints && joints > 0 {
            let what = format!("must have {joints} numbers, one for each joint");
            let key = DriveKeys::factors;
            self.issues.at(keys.here.loc_of(key), keys.here.path_of(key), what).found(list.len());
            return None;
        }
        Some(list.clone())
    }

    fn rim_speed(
        &mut self,
        keys: &DriveKeys,
        followed: &Followed,
        joint: usize,
        (angular, factor): (bool, f64),
    ) -> Option<DriveKind> {
        let wheel = self.mechanism.joints[joint].child;
        let is_on = |f: &touchdown_sim::description::Flexible| {
            f.wheel.is_some() && f.carrier.as_ref().is_some_and(|on| on.body == wheel)
        };
        if !self.tyres.iter().any(|t| t.body == wheel) && !self.flexible.iter().any(is_on) {
            let name = &self.mechanism.joints[joint].name;
            let what = format!("needs a tyre on the body of joint {name}");
            let hint = if self.root.terrain.is_some() { "in soil give speed" } else { "add [tyre.NAME]" };
            self.issues.at(followed.target.loc, &followed.target.path, what).hint(hint);
            return None;
        }
        let motor = motor(keys);
        let gain = self.needed(&motor, ("gain", motor.gain), followed, angular)?;
        let limit = self.suited(motor.limit, angular).unwrap_or(f64::INFINITY);
        let speed = self.target(&motor, followed, factor);
        let correction = keys.ground_gain.unwrap_or(0.0);
        Some(DriveKind::RimSpeed { speed, gain, limit, correction })
    }
}

/// How closely a drive follows.
fn motor(keys: &DriveKeys) -> Motor<'_> {
    Motor {
        loc: keys.here.loc,
        path: &keys.here.path,
        sound: !keys.here.any_wrong([DriveKeys::gain.name(), DriveKeys::stiffness.name()].into_iter()),
        gain: keys.gain.as_ref(),
        stiffness: keys.stiffness.as_ref(),
        damping: keys.damping.as_ref(),
        limit: keys.limit.as_ref(),
        ramp: Some(Ramp {
            rise: keys.ramp_time,
            from: keys.active_from,
            loc: keys.here.loc_of(DriveKeys::ramp_time),
            path: keys.here.path_of(DriveKeys::ramp_time),
        }),
    }
}
