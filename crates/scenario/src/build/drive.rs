//! Drives and locks on joints chosen by name or pattern.

use super::Builder;
use crate::read::{NamedRecord, Record};
use std::collections::BTreeMap;
use touchdown_multibody::description::{Drive, DriveKind, JointAxis};
use touchdown_sim::description::InputTarget;

impl Builder<'_> {
    /// Drives and locks of every scope.
    pub fn collect_drives(&mut self) {
        // Who already moves a joint's coordinate, for clashes.
        let mut taken: BTreeMap<(usize, usize), String> = BTreeMap::new();
        for s in 0..self.scopes.len() {
            let record = self.scopes[s].record;
            self.locks(s, record, &mut taken);
        }
        for s in 0..self.scopes.len() {
            for named in self.scopes[s].record.map("drive") {
                self.drive(s, named, &mut taken);
            }
        }
    }

    fn locks(&mut self, scope: usize, record: &Record, taken: &mut BTreeMap<(usize, usize), String>) {
        let path = record.path_of("locks");
        for (pattern, loc) in record.texts("locks") {
            for (joint, _) in self.matching(scope, pattern, *loc, &path) {
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
        named: &NamedRecord,
        taken: &mut BTreeMap<(usize, usize), String>,
    ) -> Option<()> {
        let record = &named.record;
        let path = record.path_of("joints");
        let chosen = self.one_of(record, &["torque", "force", "speed", "position", "rim_speed"]);
        let texts = record.texts("joints");
        let mut joints = Vec::new();
        for (pattern, loc) in texts {
            joints.extend(self.matching(scope, pattern, *loc, &path).into_iter().map(|m| (m, *loc)));
        }
        let chosen = chosen?;
        let factors = self.factors(record, joints.len())?;
        let active_from = record.number("active_from")?;
        // A drive of one joint named outright keeps its own name; several take the names of their joints.
        let single = matches!(texts, [(text, _)] if !text.contains('*'));
        for (((joint, index), loc), factor) in joints.into_iter().zip(factors) {
            let c = self.checked_coordinate(joint, index, loc, &path)?;
            let joint_name = self.mechanism.joints[joint].name.clone();
            if let Some(other) = taken.insert((joint, c.axis.axis), record.path.clone()) {
                let what = format!("drives joint {joint_name}, which {other} already holds");
                self.issues.at(loc, &path, what).hint("one drive or lock for each motion");
                continue;
            }
            let name =
                if single { format!("{}{}", self.scopes[scope].prefix, named.name) } else { joint_name };
            self.remember("drive", &name, record);
            if chosen != "rim_speed" && record.has("ground_gain") {
                let (loc, path) = (record.loc_of("ground_gain"), record.path_of("ground_gain"));
                self.issues.at(loc, path, "means nothing without rim_speed");
                return None;
            }
            let kind = if chosen == "rim_speed" {
                self.rim_speed(record, joint, c.angular, factor)?
            } else {
                DriveKind::Follow(self.command(record, chosen, Some(c.angular), factor)?)
            };
            if record.flag("input") {
                self.add_input(name.clone(), InputTarget::Drive(self.mechanism.drives.len()));
            }
            self.mechanism.drives.push(Drive { name, axis: c.axis, kind, active_from });
        }
        Some(())
    }

    fn factors(&mut self, record: &Record, joints: usize) -> Option<Vec<f64>> {
        let Some(list) = record.numbers("factors") else {
            return (!record.has("factors")).then(|| vec![1.0; joints]);
        };
        if list.len() != joints && joints > 0 {
            self.issues
                .at(
                    record.loc_of("factors"),
                    record.path_of("factors"),
                    format!("must have {joints} numbers, one for each joint"),
                )
                .found(list.len());
            return None;
        }
        Some(list.iter().map(|n| n.0).collect())
    }

    fn rim_speed(&mut self, record: &Record, joint: usize, angular: bool, factor: f64) -> Option<DriveKind> {
        let wheel = self.mechanism.joints[joint].child;
        let is_on = |f: &touchdown_sim::description::Flexible| {
            f.wheel.is_some() && f.carrier.as_ref().is_some_and(|on| on.body == wheel)
        };
        if !self.tyres.iter().any(|t| t.body == wheel) && !self.flexible.iter().any(is_on) {
            let name = &self.mechanism.joints[joint].name;
            let what = format!("needs a tyre on the body of joint {name}");
            let on_soil = self.scopes[0].record.has("terrain");
            self.issues.at(record.loc_of("rim_speed"), record.path_of("rim_speed"), what).hint(if on_soil {
                "in soil give speed"
            } else {
                "add [tyre.NAME]"
            });
            return None;
        }
        let gain = self.needed(record, "gain", "rim_speed", angular)?;
        let limit = self.suited(record, "limit", angular).unwrap_or(f64::INFINITY);
        let speed = self.target(record, "rim_speed", factor)?;
        let correction = record.number("ground_gain").unwrap_or(0.0);
        Some(DriveKind::RimSpeed { speed, gain, limit, correction })
    }
}
