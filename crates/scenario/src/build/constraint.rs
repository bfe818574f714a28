//! Constraints: loop closures, couplings and prescribed motions.

use super::Builder;
use crate::read::{AttachSpec, Here};
use crate::table::{ConstraintKeys, ConstraintWord, Key, Words};
use crate::unit::{NUMBER, PITCH, PITCH_INVERSE};
use touchdown_math::Vec3;
use touchdown_multibody::description::{Attachment, BodyRef, Constraint, ConstraintKind};
use touchdown_sim::description::InputTarget;

type AnyKey = Key<ConstraintKeys, ()>;

const BETWEEN: AnyKey = ConstraintKeys::between.any();
const AT: AnyKey = ConstraintKeys::at.any();
const AXIS: AnyKey = ConstraintKeys::axis.any();
const FIRST_AXIS: AnyKey = ConstraintKeys::first_axis.any();
const SECOND_AXIS: AnyKey = ConstraintKeys::second_axis.any();

/// Keys that a constraint requires, and further keys that it can have.
fn keys_of(kind: ConstraintWord) -> (Vec<AnyKey>, Vec<AnyKey>) {
    match kind {
        ConstraintWord::Coincident => (vec![BETWEEN], vec![AT]),
        ConstraintWord::Hinge => (vec![BETWEEN], vec![AT, AXIS, FIRST_AXIS, SECOND_AXIS]),
        ConstraintWord::Parallel => (vec![BETWEEN], vec![AXIS, FIRST_AXIS, SECOND_AXIS]),
        ConstraintWord::Perpendicular => (vec![BETWEEN, FIRST_AXIS, SECOND_AXIS], vec![]),
        ConstraintWord::Distance => (vec![BETWEEN, ConstraintKeys::length.any()], vec![]),
        ConstraintWord::Gear => (
            vec![ConstraintKeys::driven.any(), ConstraintKeys::driver.any(), ConstraintKeys::ratio.any()],
            vec![ConstraintKeys::offset.any()],
        ),
        ConstraintWord::Prescribed => (
            vec![ConstraintKeys::joint.any(), ConstraintKeys::motion.any()],
            vec![ConstraintKeys::input.any()],
        ),
    }
}

impl Builder<'_> {
    /// Constraints of every scope.
    pub fn collect_constraints(&mut self) {
        for s in 0..self.scopes.len() {
            let (parts, prefix) = (self.scopes[s].parts, self.scopes[s].prefix.clone());
            for named in parts.constraint {
                let name = format!("{prefix}{}", named.name);
                self.remember("constraint", &name, named);
                if let Some(keys) = &named.keys {
                    self.constraint(s, &name, keys);
                }
            }
        }
    }

    fn constraint(&mut self, scope: usize, name: &str, keys: &ConstraintKeys) -> Option<()> {
        self.check_keys(keys);
        let kind = match keys.kind {
            ConstraintWord::Gear => self.gear(scope, keys)?,
            ConstraintWord::Prescribed => self.prescribed(scope, keys)?,
            ConstraintWord::Parallel => self.axes(scope, keys, false)?,
            ConstraintWord::Perpendicular => self.axes(scope, keys, true)?,
            ConstraintWord::Distance => {
                let [a, b] = self.joined(scope, keys)?;
                ConstraintKind::Distance { a, b, length: keys.length? }
            }
            ConstraintWord::Hinge => {
                let axes = self.axes(scope, keys, false);
                let [a, b] = self.joined(scope, keys)?;
                self.remember("constraint", &format!("{name}/axes"), &keys.here);
                let kind = axes?;
                self.mechanism.constraints.push(Constraint { name: format!("{name}/axes"), kind });
                ConstraintKind::Coincident { a, b }
            }
            ConstraintWord::Coincident => {
                let [a, b] = self.joined(scope, keys)?;
                ConstraintKind::Coincident { a, b }
            }
        };
        if keys.input == Some(true) {
            self.add_input(name.into(), InputTarget::Motion(self.mechanism.constraints.len()));
        }
        self.mechanism.constraints.push(Constraint { name: name.into(), kind });
        Some(())
    }

    /// Required keys must be given; keys of other types must not.
    fn check_keys(&mut self, keys: &ConstraintKeys) {
        let (word, (needed, optional)) = (keys.kind.word(), keys_of(keys.kind));
        for key in needed.iter().filter(|key| !keys.here.has(**key)) {
            let what = format!("needs {}, because its type is {word}", key.name());
            self.issues.at(keys.here.loc, &keys.here.path, what);
        }
        for (name, loc, path) in keys.here.given() {
            let mut own = needed.iter().chain(&optional).map(|key| key.name());
            if name != ConstraintKeys::kind.name() && !own.any(|key| key == name) {
                let what = format!("means nothing in a constraint of type {word}");
                self.issues.at(loc, path, what);
            }
        }
    }

    /// The two points of a constraint; `at` gives both if no points are given.
    fn joined(&mut self, scope: usize, keys: &ConstraintKeys) -> Option<[Attachment; 2]> {
        let mut pair = keys.between.clone()?;
        for spec in &mut pair {
            if spec.point.is_none() && spec.position.is_none() && spec.at.is_none() {
                spec.at = keys.at;
            }
        }
        self.ends(scope, &pair, &keys.here, ConstraintKeys::between)
    }

    /// Two points of two bodies.
    pub fn ends<S>(
        &mut self,
        scope: usize,
        pair: &[AttachSpec; 2],
        here: &Here<S>,
        key: Key<S, [AttachSpec; 2]>,
    ) -> Option<[Attachment; 2]> {
        let path = here.path_of(key);
        let ends = pair.each_ref().map(|spec| self.attachment(scope, spec, &path));
        let [Some(a), Some(b)] = ends else { return None };
        if a.body == b.body {
            self.issues
                .at(here.loc_of(key), path, "joins a body to itself")
                .hint("name two different bodies, or a body and \"world\"");
            return None;
        }
        Some([a, b])
    }

    fn axes(&mut self, scope: usize, keys: &ConstraintKeys, perpendicular: bool) -> Option<ConstraintKind> {
        let path = keys.here.path_of(BETWEEN);
        let pair = keys.between.as_ref()?;
        let bodies = pair.each_ref().map(|spec| self.find_body(scope, &spec.body, spec.loc, &path));
        let [Some(first), Some(second)] = bodies else { return None };
        let common = keys.axis;
        let own_or_common = |b: &Self, body: BodyRef, own: Option<Vec3>| -> Option<Vec3> {
            own.or_else(|| Some(b.axis_in_body(scope, body, &common?)))
        };
        let axes =
            (own_or_common(self, first, keys.first_axis), own_or_common(self, second, keys.second_axis));
        let (Some(a), Some(b)) = axes else {
            if ![AXIS, FIRST_AXIS, SECOND_AXIS].into_iter().any(|key| keys.here.has(key)) {
                self.issues
                    .at(keys.here.loc, &keys.here.path, "needs its axis")
                    .hint("axis = [0, 0, 1] in the machine's frame at zero, or first_axis and second_axis in the bodies");
            }
            return None;
        };
        let (a, b) = ((first, a), (second, b));
        Some(if perpendicular {
            ConstraintKind::Perpendicular { a, b }
        } else {
            ConstraintKind::Parallel { a, b }
        })
    }

    fn gear(&mut self, scope: usize, keys: &ConstraintKeys) -> Option<ConstraintKind> {
        let ends = [&keys.driven, &keys.driver].map(|joint| self.coordinate(scope, joint.as_ref()?));
        let [Some(driven), Some(driver)] = ends else { return None };
        let ratio = keys.ratio.as_ref()?;
        let wanted = match (driven.angular, driver.angular) {
            (false, true) => &PITCH,
            (true, false) => &PITCH_INVERSE,
            _ => &NUMBER,
        };
        if *ratio.dim != *wanted {
            self.issues
                .at(ratio.loc, &ratio.path, format!("must be {}", wanted.with_article()))
                .found(ratio.dim.with_article())
                .allowed(wanted.examples);
        }
        let offset = self.suited(keys.offset.as_ref(), driven.angular).unwrap_or(0.0);
        let ratio = ratio.value;
        Some(ConstraintKind::Gear { driven: driven.axis, driver: driver.axis, ratio, offset })
    }

    fn prescribed(&mut self, scope: usize, keys: &ConstraintKeys) -> Option<ConstraintKind> {
        let axis = self.coordinate(scope, keys.joint.as_ref()?)?;
        let motion = keys.motion.as_ref()?;
        self.check_suits(motion.dim, (motion.loc, &motion.path), axis.angular)
            .then(|| ConstraintKind::Prescribed { axis: axis.axis, motion: motion.signal.clone() })
    }
}
