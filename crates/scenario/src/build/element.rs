//! Force elements: springs, bushings, actuators, loads, and elements inside joints.

use super::Builder;
use super::command::{Followed, Follows, Motor};
use crate::read::{Named, Timed};
use crate::table::{
    ActsWord, ActuatorKeys, BushingKeys, JointFrictionKeys, JointKeys, JointLimitsKeys, JointSpringKeys,
    LoadKeys, SpringKeys,
};
use std::collections::BTreeSet;
use touchdown_math::{Signal, Vec3};
use touchdown_multibody::description::{Acts, ElementKind, ForceElement};

/// Speed at which dry friction has nearly its full value, if not given, m/s or rad/s.
const TRANSITION: f64 = 1e-3;

impl Builder<'_> {
    /// Elements of every scope.
    pub fn collect_elements(&mut self) {
        let mut names = BTreeSet::new();
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.spring {
                let name = self.element_name("spring", &prefix, named, &mut names);
                let Some(keys) = &named.keys else { continue };
                let kind = self.spring(s, keys);
                self.add_element(name, kind, keys.input);
            }
            for named in parts.bushing {
                let name = self.element_name("bushing", &prefix, named, &mut names);
                let kind = named.keys.as_ref().and_then(|keys| self.bushing(s, keys));
                self.add_element(name, kind, false);
            }
            for named in parts.actuator {
                let name = self.element_name("actuator", &prefix, named, &mut names);
                let Some(keys) = &named.keys else { continue };
                let kind = self.actuator(s, keys);
                self.add_element(name, kind, keys.input);
            }
            for named in parts.load {
                let name = self.element_name("load", &prefix, named, &mut names);
                let Some(keys) = &named.keys else { continue };
                let kind = self.load(s, keys);
                self.add_element(name, kind, keys.input);
            }
            for named in parts.joint {
                if let Some(keys) = &named.keys {
                    self.joint_elements(&format!("{prefix}{}", named.name), keys);
                }
            }
        }
    }

    /// The full name of an element, which must be unique.
    fn element_name<T>(
        &mut self,
        kind: &str,
        prefix: &str,
        named: &Named<T>,
        names: &mut BTreeSet<String>,
    ) -> String {
        let name = format!("{prefix}{}", named.name);
        self.remember(kind, &name, named);
        if !names.insert(name.clone()) {
            self.issues
                .at(named.loc, &named.path, "has the name of another force element")
                .hint("give each spring, bushing, actuator and load its own name");
        }
        name
    }

    fn add_element(&mut self, name: String, kind: Option<ElementKind>, input: bool) {
        let Some(kind) = kind else { return };
        if input {
            self.element_inputs(&name, &kind);
        }
        self.mechanism.elements.push(ForceElement { name, kind });
    }

    fn spring(&mut self, scope: usize, keys: &SpringKeys) -> Option<ElementKind> {
        let [a, b] = self.ends(scope, &keys.between, &keys.here, SpringKeys::between)?;
        let acts = match keys.acts {
            ActsWord::PullsOnly => Acts::PullsOnly,
            ActsWord::PushesOnly => Acts::PushesOnly,
            ActsWord::BothWays => Acts::BothWays,
        };
        Some(ElementKind::Spring {
            a,
            b,
            stiffness: keys.stiffness,
            damping: keys.damping,
            rest_length: keys.rest_length,
            preload: keys.preload,
            acts,
            slack_until: keys.slack_until,
        })
    }

    fn bushing(&mut self, scope: usize, keys: &BushingKeys) -> Option<ElementKind> {
        let ends = self.ends(scope, &keys.between, &keys.here, BushingKeys::between)?;
        let [a, b] = ends.map(|end| self.aligned(scope, end));
        let six = |r: Vec3, x: Vec3| [r.x, r.y, r.z, x.x, x.y, x.z];
        Some(ElementKind::Bushing {
            a,
            b,
            stiffness: six(keys.turning_stiffness, keys.stiffness),
            damping: six(keys.turning_damping, keys.damping),
        })
    }

    fn actuator(&mut self, scope: usize, keys: &ActuatorKeys) -> Option<ElementKind> {
        let ends = self.ends(scope, &keys.between, &keys.here, ActuatorKeys::between);
        let follow = |by: Follows, key: &'static str, target: &Option<Timed>| {
            (key, target.clone().map(|target| Followed { by, key, target }))
        };
        let followed = self.one_given(
            &keys.here,
            "must follow one thing",
            [
                follow(Follows::Force, ActuatorKeys::force.name(), &keys.force),
                follow(Follows::Speed, ActuatorKeys::speed.name(), &keys.speed),
                follow(Follows::Position, ActuatorKeys::length.name(), &keys.length),
            ],
        )?;
        let motor = Motor {
            loc: keys.here.loc,
            path: &keys.here.path,
            sound: !keys
                .here
                .any_wrong([ActuatorKeys::gain.name(), ActuatorKeys::stiffness.name()].into_iter()),
            gain: keys.gain.as_ref(),
            stiffness: keys.stiffness.as_ref(),
            damping: keys.damping.as_ref(),
            limit: keys.limit.as_ref(),
            ramp: None,
        };
        let command = self.command(&motor, &followed, false, 1.0)?;
        let [a, b] = ends?;
        Some(ElementKind::Actuator { a, b, command })
    }

    fn load(&mut self, scope: usize, keys: &LoadKeys) -> Option<ElementKind> {
        let path = keys.here.path_of(LoadKeys::on);
        let at = self.attachment(scope, &keys.on, &path)?;
        if at.body.is_none() {
            let loc = keys.here.loc_of(LoadKeys::on);
            self.issues.at(loc, path, "acts on the world, which does not move");
            return None;
        }
        if !keys.here.has(LoadKeys::force) && !keys.here.has(LoadKeys::torque) {
            self.issues
                .at(keys.here.loc, &keys.here.path, "needs a force or a torque")
                .hint("force = { z = \"-10 N\" }");
            return None;
        }
        let nothing = [const { Signal::Constant(0.0) }; 3];
        let parts = |x: &Timed, y: &Timed, z: &Timed| [x, y, z].map(|part| part.signal.clone());
        Some(ElementKind::Load {
            at,
            force: keys.force.as_ref().map_or(nothing.clone(), |f| parts(&f.x, &f.y, &f.z)),
            torque: keys.torque.as_ref().map_or(nothing, |t| parts(&t.x, &t.y, &t.z)),
            follows_body: keys.follows_body,
        })
    }

    /// Spring, stops and friction inside a joint.
    fn joint_elements(&mut self, name: &str, keys: &JointKeys) {
        let Some(Some(joint)) = self.joints.get(name).copied() else { return };
        if let Some(spring) = &keys.spring {
            let kind = self.joint_spring(joint, spring);
            self.add_element(format!("{name}/spring"), kind, false);
        }
        if let Some(limits) = &keys.limits {
            let kind = self.joint_limits(joint, limits);
            self.add_element(format!("{name}/limits"), kind, false);
        }
        if let Some(friction) = &keys.friction {
            let kind = self.joint_friction(joint, friction);
            self.add_element(format!("{name}/friction"), kind, friction.input);
        }
    }

    fn joint_spring(&mut self, joint: usize, keys: &JointSpringKeys) -> Option<ElementKind> {
        let at = Some(keys.coordinate as usize);
        let c = self.checked_coordinate(joint, at, keys.here.loc, &keys.here.path)?;
        let stiffness = self.suited(Some(&keys.stiffness), c.angular)?;
        let damping = self.suited(keys.damping.as_ref(), c.angular).unwrap_or(0.0);
        let rest = self.suited(keys.rest.as_ref(), c.angular).unwrap_or(0.0);
        Some(ElementKind::JointSpring { axis: c.axis, stiffness, damping, rest })
    }

    fn joint_limits(&mut self, joint: usize, keys: &JointLimitsKeys) -> Option<ElementKind> {
        let at = Some(keys.coordinate as usize);
        let c = self.checked_coordinate(joint, at, keys.here.loc, &keys.here.path)?;
        let needed = [&keys.lower, &keys.upper, &keys.stiffness].map(|q| self.suited(Some(q), c.angular));
        let [Some(lower), Some(upper), Some(stiffness)] = needed else { return None };
        let damping = self.suited(keys.damping.as_ref(), c.angular).unwrap_or(0.0);
        if lower >= upper {
            self.issues
                .at(keys.lower.loc, &keys.lower.path, "must be below upper")
                .found(format!("{lower} and {upper}"));
        }
        Some(ElementKind::JointLimit { axis: c.axis, lower, upper, stiffness, damping })
    }

    fn joint_friction(&mut self, joint: usize, keys: &JointFrictionKeys) -> Option<ElementKind> {
        let at = Some(keys.coordinate as usize);
        let c = self.checked_coordinate(joint, at, keys.here.loc, &keys.here.path)?;
        let coulomb = self.suited(keys.coulomb.as_ref(), c.angular).unwrap_or(0.0);
        let viscous = self.suited(keys.viscous.as_ref(), c.angular).unwrap_or(0.0);
        let transition = self.suited(keys.transition.as_ref(), c.angular).unwrap_or(TRANSITION);
        Some(ElementKind::JointFriction { axis: c.axis, coulomb, viscous, transition })
    }
}
